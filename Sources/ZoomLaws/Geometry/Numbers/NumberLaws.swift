internal import PropertyTesting
internal import ZoomGeometry

/// The laws of differences between a result and the corrected formula, NUM-1 to NUM-10, and of inputs, NUM-11.
///
/// The formula is evaluated without rounding, in rational numbers. Errors are measured in units in the last place of
/// the largest length that a result is calculated from, and in pixels of a screen with three pixels per point.
public enum NumberLaws {
  /// The laws of the arithmetic that the systems share, and of the inputs' defaults and ranges.
  public static let arithmetic: [Law<ArithmeticSubject>] = [
    fit, composition, application, inversion, inputs,
  ]

  static let source = "IEEE 754 double precision against rational arithmetic"

  private static let peekLaw = PeekLaws.family(source: source)
  private static let doubleTapLaw = DoubleTapLaws.family(source: source)

  /// The laws of the peek.
  public static let peek: [Law<PeekSubject>] = [
    peekLaw(
      "NUM-5",
      "The crop is off by at most 6 ulps of the largest pixel coordinate: too little to be seen.",
      isBroken: true
    ) { subject, input, testCase in
      for (side, crop, _) in try measured(subject, input) {
        // 5.5 ulps for the touched point, see `PeekLaws.ulps`, and half an ulp for the subtraction.
        let origin = Rounding(of: side.crop.start, from: crop.origin, unit: side.axis.pixelUlp)
        try origin.require(within: 6, "the crop's beginning", &testCase)
        // min(k P, w): one product.
        try Rounding(of: side.crop.length, from: crop.length, unit: side.crop.length.ulp)
          .require(within: 0.5, "the crop's length", &testCase)
        try origin.requireUnseen(
          scale: side.axis.scale, length: side.axis.viewport, "the crop's beginning")
      }
    },
    peekLaw(
      "NUM-6", "The contents rectangle is off by at most the crop's error and two roundings.",
      isBroken: true
    ) { subject, input, testCase in
      for (side, crop, exact) in try measured(subject, input) {
        // The crop's 6 ulps as a share of the picture, half an ulp of the quotient, and an ulp if
        // the sum of beginning and length would exceed 1.
        let unit = max(side.axis.pixelUlp / side.axis.side, 1.0.ulp)
        try Rounding(of: side.contents.start, from: crop.origin / exact.side, unit: unit)
          .require(within: 7.5, "the contents rectangle's beginning", &testCase)
        let length = side.contents.length
        try Rounding(of: length, from: crop.length / exact.side, unit: length.ulp)
          .require(within: 1.5, "the contents rectangle's length", &testCase)
      }
    },
    peekLaw(
      "NUM-7", "The frame is off by at most 14 ulps of the viewport: too little to be seen.",
      isBroken: true
    ) { subject, input, testCase in
      for (side, crop, exact) in try measured(subject, input) {
        let unit = side.axis.pointUlp
        let start = Rounding(
          of: side.frame.start, from: exact.point(of: crop.origin), unit: unit)
        // See `PeekLaws.pointUlps`.
        try start.require(within: 14, "the frame's beginning", &testCase)
        // The crop's length, the scale and their product are each off by half an ulp.
        try Rounding(of: side.frame.length, from: crop.length * exact.scale, unit: unit)
          .require(within: 2, "the frame's length", &testCase)
        try start.requireUnseen(length: side.axis.viewport, "the frame's beginning")
      }
    },
    peekLaw(
      "NUM-8",
      "The decoded region begins at the pixel nearest to the exact crop, except for near ties.",
      isBroken: true
    ) { subject, input, _ in
      for (side, crop, _) in try measured(subject, input) {
        let region = try side.namedRegion()
        let distance = crop.origin.distance(to: Double(region.start))
        // A single pixel is the touched one.
        let limit = region.length == 1 ? 1 : 0.5
        try Property.require(
          distance <= limit + 6 * side.axis.pixelUlp,
          "the region begins \(distance.inWords) px from the exact crop")
      }
    },
  ]

  /// Returns each axis of an answer with the exact crop in pixels and the exact fit.
  private static func measured(_ subject: PeekSubject, _ input: PeekInput) throws
    -> [(side: AnsweredSide, crop: (origin: Exact, length: Exact), fit: FitAxis<Exact>)]
  {
    let axes = input.fit(in: Exact.self)
    let viewport = input.viewport
    let wanted = Exact(input.side ?? min(viewport.width, viewport.height)) * Exact(input.scale)
    return zip(try subject.sides(input), [axes.across, axes.down]).map { side, axis in
      (side, axis.crop(at: Exact(side.touch), wanted: wanted), axis)
    }
  }

  /// The laws of the double tap.
  public static let doubleTap: [Law<DoubleTapSubject>] = [
    doubleTapLaw(
      "NUM-9", "The zoom that fits is off by at most half an ulp, that of a double tap by 3."
    ) {
      subject, input, testCase in
      let exact = DoubleTapFormula<Exact>(input.scene)
      let fit = try subject.fitted(input.scene).zoom
      // One division is rounded; since rounding keeps the order, taking the smaller adds no error.
      try Rounding(of: fit, from: exact.fit, unit: fit.ulp)
        .require(within: 0.5, "the fit", &testCase)
      let close = try subject.enlarged(input).zoom
      // The division is off by half an ulp, at most one ulp of the product, which adds half: 1.5. A
      // zoom calculated from a rectangle takes two more quotients, which add as much: 3 at most.
      try Rounding(of: close, from: exact.close, unit: close.ulp)
        .require(within: 3, "the zoom", &testCase)
    },
    doubleTapLaw(
      "NUM-10",
      "A double tap is off by at most 16 ulps of the longest length: too little to be seen."
    ) { subject, input, testCase in
      let exact = DoubleTapFormula<Exact>(input.scene)
      for axis in input.axes(try subject.enlarged(input)) {
        let start = exact.start(image: axis.image, bounds: axis.bounds, place: axis.place)
        // See `DoubleTapLaws.ulps`: 4 by the formula, or 10 through a rectangle.
        let rounding = Rounding(of: axis.start, from: start, unit: axis.ulp)
        try rounding.require(within: 16, "the picture's start", &testCase)
        try rounding.requireUnseen(
          length: max(axis.shown, axis.bounds), "the picture's start")
      }
    },
  ]
}

struct Rounding {
  let error: Double
  let unit: Double

  init(of value: Double, from exact: Exact, unit: Double) {
    (error, self.unit) = (exact.distance(to: value), unit)
  }

  /// Requires that the error is within a budget in units; the run searches for larger errors.
  func require(
    within budget: Double, _ name: String, _ testCase: inout TestCase,
    fileID: StaticString = #fileID, line: Int = #line
  ) throws {
    let units = error / unit
    testCase.target(units, as: name)
    try Property.require(
      units <= budget,
      "\(name) is off by \(units.inWords) ulp, \(error.inWords), with a budget of \(budget.inWords)",
      fileID: fileID, line: line)
  }

  /// Requires that an error, in units of `scale` points, is invisible on the screen.
  ///
  /// The budget is 1e-9 pixels, twenty times 16 ulps of 4096 points. Beyond 4096 points a double
  /// has fewer places for fractions.
  func requireUnseen(
    scale: Double = 1, length: Double, _ name: String,
    fileID: StaticString = #fileID, line: Int = #line
  ) throws {
    let pixels = error * scale * 3
    try Property.require(
      pixels <= 1e-9 * max(1, length / 4096),
      "\(name) is off by \(pixels.inWords) device pixels", fileID: fileID, line: line)
  }
}
