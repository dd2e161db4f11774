internal import PropertyTesting
internal import ZoomGeometry

extension NumberLaws {
  static let crop = Law<PeekSubject>.number(
    "NUM-5", "The crop is within 6 ulps of the largest pixel coordinate, and in no pixel seen."
  ) { side, testCase in
    // 5.5 ulps for the touched place, see `PeekLaws.ulps`, and half an ulp for the subtraction.
    let origin = Rounding(
      error: side.exact.origin.distance(to: side.answer.origin), unit: side.axis.pixelUlp)
    try origin.require(within: 6, "the crop's beginning", &testCase)
    // min(k P, w): one product.
    let length = Rounding(
      error: side.exact.length.distance(to: side.answer.length), unit: side.answer.length.ulp)
    try length.require(within: 0.5, "the crop's length", &testCase)
    let pixels = origin.error * side.axis.scale * pixelsAPoint
    // Beyond 4096 points a double has fewer places for the rest.
    let budget = pixelBudget * max(1, side.axis.viewport / 4096)
    try Property.require(
      pixels <= budget, "the crop's beginning is off by \(pixels.inWords) device pixels")
  }

  static let contents = Law<PeekSubject>.number(
    "NUM-6", "The contents rectangle is as near as the crop, and two roundings."
  ) { side, testCase in
    let exact = side.exact.origin / Exact(side.pictureSide)
    // The crop's 6 ulps as a share of the picture, the quotient's half, and an ulp where the sum
    // of beginning and length would pass 1.
    let unit = side.axis.pixelUlp / side.axis.side
    let start = Rounding(error: exact.distance(to: side.answer.unitStart), unit: max(unit, 1.0.ulp))
    try start.require(within: 7.5, "the contents rectangle's beginning", &testCase)
    let length = Rounding(
      error: (side.exact.length / Exact(side.pictureSide)).distance(to: side.answer.unitLength),
      unit: side.answer.unitLength.ulp)
    try length.require(within: 1.5, "the contents rectangle's length", &testCase)
  }

  static let frame = Law<PeekSubject>.number(
    "NUM-7", "The frame is within 14 ulps of the viewport's length, and in no pixel seen."
  ) { side, testCase in
    let start = Rounding(
      error: (side.exact.start + side.exact.origin * side.exact.scale)
        .distance(to: side.answer.frameStart), unit: side.axis.pointUlp)
    // See `PeekLaws.pointUlps`.
    try start.require(within: 14, "the frame's beginning", &testCase)
    let length = Rounding(
      error: (side.exact.length * side.exact.scale).distance(to: side.answer.frameLength),
      unit: side.axis.pointUlp)
    // The crop's length, the scale and their product, half an ulp each.
    try length.require(within: 2, "the frame's length", &testCase)
    let pixels = start.error * pixelsAPoint
    let budget = pixelBudget * max(1, side.axis.viewport / 4096)
    try Property.require(
      pixels <= budget, "the frame's beginning is off by \(pixels.inWords) device pixels")
  }

  static let region = Law<PeekSubject>.number(
    "NUM-8", "What is decoded begins at the pixel nearest to the exact crop, but for near ties."
  ) { side, _ in
    guard let (start, length) = side.region else {
      throw PropertyFailure("no whole pixels are named")
    }
    let distance = side.exact.origin.distance(to: Double(start))
    // One pixel is the touched one.
    let limit = length == 1 ? 1 : 0.5
    try Property.require(
      distance <= limit + 6 * side.axis.pixelUlp,
      "the region begins \(distance.inWords) px from the exact crop")
  }
}

/// One axis of an answer beside the exact one.
struct MeasuredSide {
  let exact: ExactPeekAxis
  let axis: FitAxis
  let pictureSide: Int
  let answer: PeekAnswer.AnswerAxis
  let region: (start: Int, length: Int)?
}

extension Law where Subject == PeekSubject {
  fileprivate static func number(
    _ name: String, _ statement: String,
    holds: @escaping @Sendable (MeasuredSide, inout TestCase) throws -> Void
  ) -> Law {
    Law(
      name, statement, source: NumberLaws.source, isBrokenAsPublished: true,
      forEach: { .peeks(takesScale: $0.takesScale) }, inWords: { $0.inWords }
    ) { subject, input, testCase in
      input.classify(in: &testCase)
      let (axes, exact) = (input.axes, ExactPeekAxis.axes(of: input))
      let answer = try subject.shown(input)
      try holds(
        MeasuredSide(
          exact: exact.across, axis: axes.across, pictureSide: input.pictureWidth,
          answer: answer.across, region: answer.region.map { ($0.x, $0.width) }), &testCase)
      try holds(
        MeasuredSide(
          exact: exact.down, axis: axes.down, pictureSide: input.pictureHeight,
          answer: answer.down, region: answer.region.map { ($0.y, $0.height) }), &testCase)
    }
  }
}

/// One axis of a peek in rational numbers: the formula itself, without rounding.
struct ExactPeekAxis {
  /// Points a pixel.
  let scale: Exact
  /// Where the picture begins, in points, and how long it is shown.
  let start, shown: Exact
  /// The crop in pixels.
  let origin, length: Exact

  init(scale: Exact, side: Int, viewport: Double, wanted: Exact, touch: Double) {
    let end = Exact(side)
    self.scale = scale
    shown = end * scale
    start = (Exact(viewport) - shown) / Exact(2)
    length = min(wanted, end)
    let touched = ((Exact(touch) - start) / scale).clamped(Exact(0), end)
    origin = (touched - length / Exact(2)).clamped(Exact(0), end - length)
  }

  /// Both axes of a peek.
  static func axes(of input: PeekInput) -> (across: ExactPeekAxis, down: ExactPeekAxis) {
    let viewport = input.viewport
    let scale = min(
      Exact(viewport.width) / Exact(input.pictureWidth),
      Exact(viewport.height) / Exact(input.pictureHeight))
    let side = Exact(input.side ?? min(viewport.width, viewport.height))
    let wanted = side * Exact(input.scale)
    return (
      ExactPeekAxis(
        scale: scale, side: input.pictureWidth, viewport: viewport.width, wanted: wanted,
        touch: input.touch.x),
      ExactPeekAxis(
        scale: scale, side: input.pictureHeight, viewport: viewport.height, wanted: wanted,
        touch: input.touch.y)
    )
  }
}
