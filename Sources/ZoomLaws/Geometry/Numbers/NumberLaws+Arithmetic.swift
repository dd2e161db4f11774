public import PropertyTesting
public import ZoomGeometry

/// The arithmetic that zoom systems share; laws limit its errors.
public struct ArithmeticSubject: LawSubject {
  /// The subject's name in reports.
  public var name = "arithmetic"
  /// Returns the aspect fit of a picture in a viewport: points per pixel, and the shown frame.
  public var fit: @Sendable (PixelSize, ViewSize) throws -> (scale: Double, frame: ViewRect) = {
    let setup = try PeekSetup(picture: $0, viewport: $1)
    return (setup.fitScale, setup.shownFrame)
  }
  /// Returns the map that applies the first and then the second.
  public var compose: @Sendable (Affine, Affine) -> Affine = { $0.then($1) }
  /// Returns the image of a point.
  public var apply: @Sendable (Affine, ViewPoint) -> ViewPoint = { $0.apply(to: $1) }
  /// Returns the inverse of a map; nil if it does not exist.
  public var invert: @Sendable (Affine) -> Affine? = { $0.inverted() }
  /// Returns the scale of a 3D-force zoom that is pressed with a force.
  public var scale: @Sendable (ForceZoom, Double) throws -> Double = { try $0.scale(at: $1) }

  /// Creates the arithmetic of ZoomGeometry, whose functions may be replaced.
  public init() {}

  /// The arithmetic of ZoomGeometry.
  public static let geometry = ArithmeticSubject()
}

extension NumberLaws {
  static let fit = Law<ArithmeticSubject>(
    "NUM-1",
    "The aspect fit's scale is off by at most half an ulp, the frame's start and length by at most 2 "
      + "ulps of the viewport's side.",
    source: source, for: Gens.zip(Gen<PixelSize>.pictures(), Gen<ViewSize>.viewports),
    inWords: { "\($0) in \($1.inWords)" }
  ) { subject, input, testCase in
    let (picture, viewport) = input
    let (scale, frame) = try subject.fit(picture, viewport)
    let exact = FitAxes<Exact>(width: picture.width, height: picture.height, viewport: viewport)
    // One division is rounded; since rounding keeps the order, taking the smaller adds no error.
    try Rounding(of: scale, from: exact.scale, unit: scale.ulp)
      .require(within: 0.5, "the scale", &testCase)
    for (axis, start, length, unit) in [
      (exact.across, frame.x, frame.width, viewport.width.ulp),
      (exact.down, frame.y, frame.height, viewport.height.ulp),
    ] {
      // The scale's half ulp is at most an ulp of the product, whose rounding adds half an ulp.
      try Rounding(of: length, from: axis.shown, unit: unit)
        .require(within: 1.5, "the shown length", &testCase)
      // Halving halves the error, and the difference adds half an ulp.
      try Rounding(of: start, from: axis.start, unit: unit)
        .require(within: 1.25, "the border", &testCase)
    }
  }

  static let composition = Law<ArithmeticSubject>(
    "NUM-2",
    "A composed map is off by at most 2 half ulps of the sum of the products' magnitudes, its translation by 3.",
    source: source, for: Gens.zip(Gen<Affine>.affineMaps, Gen<Affine>.affineMaps)
  ) { subject, pair, testCase in
    let (m, n) = pair
    let made = subject.compose(m, n)
    // Each of two products is rounded, and so is their sum. The budgets are a thousandth larger,
    // because the unit is calculated with rounding.
    for (value, sum) in [
      (made.a, [(n.a, m.a), (n.c, m.b)]), (made.b, [(n.b, m.a), (n.d, m.b)]),
      (made.c, [(n.a, m.c), (n.c, m.d)]), (made.d, [(n.b, m.c), (n.d, m.d)]),
    ] { try Rounding(of: value, fromSumOf: sum).require(within: 2.002, "the matrix", &testCase) }
    // The translation needs one more sum.
    for (value, sum) in [
      (made.tx, [(n.a, m.tx), (n.c, m.ty), (1, n.tx)]),
      (made.ty, [(n.b, m.tx), (n.d, m.ty), (1, n.ty)]),
    ] { try Rounding(of: value, fromSumOf: sum).require(within: 3.003, "translation", &testCase) }
  }

  static let application = Law<ArithmeticSubject>(
    "NUM-3", "A mapped point is off by at most 3 half ulps of the sum of the products' magnitudes.",
    source: source,
    for: Gens.zip(Gen<Affine>.affineMaps, .double(in: -4096...4096), .double(in: -4096...4096))
      .map { ($0, ViewPoint(x: $1, y: $2)) }
  ) { subject, input, testCase in
    let (map, point) = input
    let made = subject.apply(map, point)
    for (value, sum) in [
      (made.x, [(map.a, point.x), (map.c, point.y), (1, map.tx)]),
      (made.y, [(map.b, point.x), (map.d, point.y), (1, map.ty)]),
    ] { try Rounding(of: value, fromSumOf: sum).require(within: 3.003, "the point", &testCase) }
  }

  static let inversion = Law<ArithmeticSubject>(
    "NUM-4", "An inverted map is as near to the inverse as its determinant's cancellation allows.",
    source: source, for: .affineMaps
  ) { subject, map, testCase in
    let (a, b, c, d) = (Exact(map.a), Exact(map.b), Exact(map.c), Exact(map.d))
    let determinant = a * d - b * c
    // Zoom systems do not zoom by less than 1e-50, and products of such numbers underflow.
    try testCase.assume(determinant.magnitude.approximate > 1e-100)
    // The products' size relative to their difference. Beyond 1e8 half of the digits are lost.
    let cancellation = (((a * d).magnitude + (b * c).magnitude) / determinant.magnitude).approximate
    try testCase.assume(cancellation < 1e8)
    guard let inverse = subject.invert(map) else { throw PropertyFailure("the inverse is missing") }
    // If products underflow, each is off by half of the least number. The division magnifies this
    // by 1/determinant, and the quotient may underflow, too.
    let underflow = .leastNonzeroMagnitude * max(1, 1 / determinant.magnitude.approximate)
    func require(
      _ value: Double, _ numerator: Exact, size: Exact, roundings: Double, _ name: String
    ) throws {
      let unit = 0x1p-53 * (size / determinant.magnitude).approximate
      try Rounding(
        of: value, from: numerator / determinant,
        unit: max(unit * (roundings + 2 * cancellation), underflow)
      ).require(within: 1.5, name, &testCase)
    }
    // The determinant is off by 2 roundings of its products, the quotient by one more.
    for (number, value) in [
      (d, inverse.a), (b * Exact(-1), inverse.b), (c * Exact(-1), inverse.c), (a, inverse.d),
    ] { try require(value, number, size: number.magnitude, roundings: 1, "the inverse's matrix") }
    // The numerators are differences of products, too.
    let (tx, ty) = (Exact(map.tx), Exact(map.ty))
    for (plus, minus, value) in [(c * ty, d * tx, inverse.tx), (b * tx, a * ty, inverse.ty)] {
      let size = plus.magnitude + minus.magnitude
      try require(value, plus - minus, size: size, roundings: 3, "the inverse's translation")
    }
  }
}

extension Rounding {
  /// Creates the error of a sum of products, in half ulps of the sum of their magnitudes.
  fileprivate init(of value: Double, fromSumOf products: [(Double, Double)]) {
    let exact = products.reduce(Exact(0)) { $0 + Exact($1.0) * Exact($1.1) }
    let size = products.reduce(0) { $0 + abs($1.0 * $1.1) }
    self.init(of: value, from: exact, unit: max(0x1p-53 * size, .leastNonzeroMagnitude))
  }
}

extension Gen where Value == Affine {
  /// The maps that zoom systems use, and others; the identity is the simplest.
  ///
  /// They are translations, scalings of one or both axes, mirrored or not, quarter turns, and any
  /// six numbers up to 4096.
  public static var affineMaps: Gen {
    let number = Gen<Double>.double(in: -4096...4096)
    let scale = Gen<Double>.oneOf(.element(of: [1, -1, 2, 0.5]), .double(in: 0.001...20))
    return .oneOf(
      .constant(.identity), Gens.zip(number, number).map { Affine.translation(x: $0, y: $1) },
      Gens.zip(scale, scale, number, number).map {
        Affine.scale(x: $0, y: $1).then(.translation(x: $2, y: $3))
      },
      Gens.zip(Gen<QuarterTurn>.allCases, scale, number, number).map {
        Affine.turn($0).then(.scale($1)).then(.translation(x: $2, y: $3))
      },
      Gens.zip(number, number, number, number, number, number).map {
        Affine(a: $0, b: $1, c: $2, d: $3, tx: $4, ty: $5)
      })
  }
}
