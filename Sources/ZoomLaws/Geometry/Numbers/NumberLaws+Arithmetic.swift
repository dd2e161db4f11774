public import PropertyTesting
public import ZoomGeometry

extension NumberLaws {
  static let fit = Law<ArithmeticSubject>(
    "NUM-1", "The aspect fit's scale is off by half an ulp, its frame by 2 of the viewport's.",
    source: source, for: Gens.zip(Gen<PixelSize>.pictures(), Gen<ViewSize>.viewports),
    inWords: { "\($0) in \($1.inWords)" }
  ) { subject, input, testCase in
    let (picture, viewport) = input
    let (scale, frame) = try subject.fit(picture, viewport)
    let exact = min(
      Exact(viewport.width) / Exact(picture.width), Exact(viewport.height) / Exact(picture.height))
    // One division; the smaller of rounded numbers is the rounded smaller one.
    try Rounding(error: exact.distance(to: scale), unit: scale.ulp)
      .require(within: 0.5, "the scale", &testCase)
    for (start, length, side, available) in [
      (frame.x, frame.width, picture.width, viewport.width),
      (frame.y, frame.height, picture.height, viewport.height),
    ] {
      let shown = exact * Exact(side)
      // The scale's half ulp, at most an ulp of the product, and half an ulp of its rounding.
      try Rounding(error: shown.distance(to: length), unit: available.ulp)
        .require(within: 1.5, "the shown length", &testCase)
      // Half of that, and half an ulp of the difference.
      try Rounding(
        error: ((Exact(available) - shown) / Exact(2)).distance(to: start), unit: available.ulp
      ).require(within: 1.25, "the border", &testCase)
    }
  }

  static let composition = Law<ArithmeticSubject>(
    "NUM-2", "Each number of a composed map is off by 2 roundings of the products, a move by 3.",
    source: source, for: Gens.zip(Gen<Affine>.affineMaps, Gen<Affine>.affineMaps)
  ) { subject, pair, testCase in
    let (m, n) = pair
    let made = subject.compose(m, n)
    // Sums of two products: each product is rounded and the sum is. The budgets are a thousandth
    // larger, for the unit is calculated with rounding.
    for (sum, value) in [
      (ProductSum([(n.a, m.a), (n.c, m.b)]), made.a),
      (ProductSum([(n.b, m.a), (n.d, m.b)]), made.b),
      (ProductSum([(n.a, m.c), (n.c, m.d)]), made.c),
      (ProductSum([(n.b, m.c), (n.d, m.d)]), made.d),
    ] { try sum.rounding(of: value).require(within: 2.002, "the composed matrix", &testCase) }
    // One sum more.
    for (sum, value) in [
      (ProductSum([(n.a, m.tx), (n.c, m.ty), (1, n.tx)]), made.tx),
      (ProductSum([(n.b, m.tx), (n.d, m.ty), (1, n.ty)]), made.ty),
    ] { try sum.rounding(of: value).require(within: 3.003, "the composed move", &testCase) }
  }

  static let application = Law<ArithmeticSubject>(
    "NUM-3", "A mapped point is off by 3 roundings of the products.", source: source,
    for: Gens.zip(Gen<Affine>.affineMaps, .double(in: -4096...4096), .double(in: -4096...4096))
      .map { ($0, ViewPoint(x: $1, y: $2)) }
  ) { subject, input, testCase in
    let (map, point) = input
    let made = subject.apply(map, point)
    for (sum, value) in [
      (ProductSum([(map.a, point.x), (map.c, point.y), (1, map.tx)]), made.x),
      (ProductSum([(map.b, point.x), (map.d, point.y), (1, map.ty)]), made.y),
    ] { try sum.rounding(of: value).require(within: 3.003, "the mapped point", &testCase) }
  }

  static let inversion = Law<ArithmeticSubject>(
    "NUM-4", "An inverted map is as near to the inverse as its determinant's cancellation allows.",
    source: source, for: .affineMaps
  ) { subject, map, testCase in
    let (a, b, c, d) = (Exact(map.a), Exact(map.b), Exact(map.c), Exact(map.d))
    let determinant = a * d - b * c
    // Zooms by less than 1e-50 are none, and products of such numbers lose digits to underflow.
    try testCase.assume(determinant.magnitude.approximate > 1e-100)
    // By how much the products are larger than their difference; beyond 1e8 half of the digits are
    // lost, and such a map is no zoom.
    let cancellation = (((a * d).magnitude + (b * c).magnitude) / determinant.magnitude).approximate
    try testCase.assume(cancellation < 1e8)
    guard let inverse = subject.invert(map) else { throw PropertyFailure("there is no inverse") }
    // Two products below the least normal number are off by half of the least number each, before
    // the division, and the quotient is after it.
    let underflow = .leastNonzeroMagnitude * max(1, 1 / determinant.magnitude.approximate)
    // The determinant is off by 2 roundings of its products, the quotient by one more.
    for (number, value) in [
      (d, inverse.a), (b * Exact(-1), inverse.b), (c * Exact(-1), inverse.c), (a, inverse.d),
    ] {
      let exact = number / determinant
      let unit = 0x1p-53 * exact.magnitude.approximate * (1 + 2 * cancellation)
      try Rounding(error: exact.distance(to: value), unit: max(unit, underflow))
        .require(within: 1.5, "the inverse's matrix", &testCase)
    }
    // The numerators are differences of products too.
    let (tx, ty) = (Exact(map.tx), Exact(map.ty))
    for (plus, minus, value) in [(c * ty, d * tx, inverse.tx), (b * tx, a * ty, inverse.ty)] {
      let exact = (plus - minus) / determinant
      let size = ((plus.magnitude + minus.magnitude) / determinant.magnitude).approximate
      let unit = 0x1p-53 * size * (3 + 2 * cancellation)
      try Rounding(error: exact.distance(to: value), unit: max(unit, underflow))
        .require(within: 1.5, "the inverse's move", &testCase)
    }
  }
}

/// A sum of products without rounding.
struct ProductSum {
  private let exact: Exact
  private let size: Double

  init(_ products: [(Double, Double)]) {
    exact = products.reduce(Exact(0)) { $0 + Exact($1.0) * Exact($1.1) }
    size = products.reduce(0) { $0 + abs($1.0 * $1.1) }
  }

  /// The error of a double, in half units in the last place of the products without their signs.
  func rounding(of value: Double) -> Rounding {
    Rounding(error: exact.distance(to: value), unit: max(0x1p-53 * size, .leastNonzeroMagnitude))
  }
}

extension Gen where Value == Affine {
  /// Maps as zoom systems make them, and others.
  ///
  /// Moves, scalings of one or both axes, mirrored or not, quarter turns, and any six numbers up to
  /// 4096. The identity is the simplest.
  public static var affineMaps: Gen {
    let place = Gen<Double>.double(in: -4096...4096)
    let scale = Gen<Double>.oneOf(.element(of: [1, -1, 2, 0.5]), .double(in: 0.001...20))
    let number = Gen<Double>.double(in: -4096...4096)
    return .oneOf(
      .constant(.identity), Gens.zip(place, place).map { Affine.translation(x: $0, y: $1) },
      Gens.zip(scale, scale, place, place).map {
        Affine.scale(x: $0, y: $1).then(.translation(x: $2, y: $3))
      },
      Gens.zip(Gen<QuarterTurn>.allCases, scale, place, place).map {
        Affine.turn($0).then(.scale($1)).then(.translation(x: $2, y: $3))
      },
      Gens.zip(number, number, number, number, place, place).map {
        Affine(a: $0, b: $1, c: $2, d: $3, tx: $4, ty: $5)
      })
  }
}

/// The arithmetic that zoom systems share, ours or anyone's, to hold error budgets against.
public struct ArithmeticSubject: LawSubject {
  /// What reports call it.
  public let name: String
  /// Fits a picture in a viewport: points a pixel, and where the picture stands.
  public var fit: @Sendable (PixelSize, ViewSize) throws -> (scale: Double, frame: ViewRect)
  /// Makes the map that does the first and then the second.
  public var compose: @Sendable (Affine, Affine) -> Affine
  /// Says where a point goes.
  public var apply: @Sendable (Affine, ViewPoint) -> ViewPoint
  /// Makes the map that undoes one; nil where there is none.
  public var invert: @Sendable (Affine) -> Affine?

  /// Creates a subject.
  public init(
    name: String,
    fit: @escaping @Sendable (PixelSize, ViewSize) throws -> (scale: Double, frame: ViewRect),
    compose: @escaping @Sendable (Affine, Affine) -> Affine,
    apply: @escaping @Sendable (Affine, ViewPoint) -> ViewPoint,
    invert: @escaping @Sendable (Affine) -> Affine?
  ) {
    self.name = name
    self.fit = fit
    self.compose = compose
    self.apply = apply
    self.invert = invert
  }

  /// The arithmetic of ZoomGeometry.
  public static let geometry = ArithmeticSubject(
    name: "arithmetic",
    fit: { picture, viewport in
      let setup = try PeekSetup(picture: picture, viewport: viewport)
      return (setup.fitScale, setup.shownFrame)
    },
    compose: { $0.then($1) }, apply: { $0.apply(to: $1) }, invert: { $0.inverted() })
}
