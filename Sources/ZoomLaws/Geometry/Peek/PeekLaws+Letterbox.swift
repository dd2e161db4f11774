internal import PropertyTesting
internal import ZoomGeometry

extension PeekLaws {
  /// FZ-P13 of the policy to clamp.
  static let nearestPlace = Law<PeekSubject>.peek(
    "FZ-P13c", "A touch beside the picture shows what the nearest place of the picture shows.",
    isBrokenAsPublished: true
  ) { subject, input, _ in
    let axes = input.axes
    var nearest = input
    nearest.touch = ViewPoint(
      x: input.touch.x.clamped(to: axes.across.start...axes.across.end),
      y: input.touch.y.clamped(to: axes.down.start...axes.down.end))
    let difference = try subject.shown(input).difference(
      from: try subject.shown(nearest), of: input)
    try require(difference == nil, difference ?? "")
  }

  /// FZ-P13 of the policy to reject.
  static let rejection = Law<PeekSubject>(
    "FZ-P13r", "Where the letterbox is rejected a touch beside the picture shows nothing.",
    source: source, isBrokenAsPublished: true,
    forEach: { .peeks(takesScale: $0.takesScale, letterbox: .reject) }, inWords: { $0.inWords }
  ) { subject, input, testCase in
    let axes = input.axes
    let across = depth(of: input.touch.x, in: axes.across)
    let down = depth(of: input.touch.y, in: axes.down)
    let isInside = across >= 0 && down >= 0
    let isOutside = across < -tolerance(axes.across) || down < -tolerance(axes.down)
    testCase.classify(isInside, as: "touch on the picture", atLeast: 0.1)
    testCase.classify(isOutside, as: "touch beside the picture", atLeast: 0.1)
    let answer = try subject.peek(input)
    if isOutside { try require(answer == nil, "a peek opens beside the picture") }
    // The border counts as picture, and where it is cannot be told nearer than this.
    if across >= borderDepth(axes.across), down >= borderDepth(axes.down) {
      try require(answer != nil, "no peek opens on the picture")
    }
  }

  /// How far inside the shown picture a coordinate is; negative outside.
  private static func depth(of touch: Double, in axis: FitAxis) -> Double {
    min(touch - axis.start, axis.end - touch)
  }

  /// How far off the border of the shown picture may be calculated: 1.25 ulps, and as much by the
  /// law, and its distance to the touch is rounded too.
  private static func tolerance(_ axis: FitAxis) -> Double { 4 * axis.pointUlp }

  /// How deep inside a touch must be to count as on the picture for certain: on the side that
  /// limits the fit the border is the viewport's, without any rounding.
  private static func borderDepth(_ axis: FitAxis) -> Double {
    axis.viewport / axis.side == axis.scale ? 0 : tolerance(axis)
  }
}
