internal import PropertyTesting
internal import ZoomGeometry

extension PeekLaws {
  static let containment = Law<PeekSubject>.peek(
    "FZ-P1", "The crop lies inside the picture, the contents rectangle inside the unit square.",
    isBrokenAsPublished: true
  ) { subject, input, _ in
    for side in input.sides(try subject.shown(input)) {
      let crop = side.answer
      // Exactly: an origin clamped to 0...(w - cw) and added to cw is at most w, for w is whole.
      try requireContainment(
        of: (crop.origin, crop.origin + crop.length), in: (0, side.axis.side), within: 0,
        "the crop", unit: "px", ends: (side.start, side.end))
      // Two quotients, each rounded, can add up to the number after 1.
      try requireContainment(
        of: (crop.unitStart, crop.unitStart + crop.unitLength), in: (0, 1), within: 1.0.ulp,
        "the contents rectangle", unit: "of the picture", ends: (side.start, side.end))
    }
  }

  static let size = Law<PeekSubject>.peek(
    "FZ-P2", "The crop is k P pixels long, or the picture's whole side; the peek shows that at k.",
    isBrokenAsPublished: true
  ) { subject, input, _ in
    let wanted = input.wantedLength
    for side in input.sides(try subject.shown(input)) {
      let length = min(wanted, side.axis.side)
      // k P is rounded once, the quotients and products below once or twice more.
      let tolerance = 4 * length.ulp
      let crop = side.answer
      try Property.require(
        near(crop.length, length, within: tolerance) && crop.length > 0,
        "the crop is \(crop.length.inWords) px long instead of \(length.inWords)")
      try Property.require(
        near(crop.unitLength * side.axis.side, length, within: tolerance),
        "the contents rectangle is \((crop.unitLength * side.axis.side).inWords) px long "
          + "instead of \(length.inWords)")
      try Property.require(
        near(crop.size * input.scale, length, within: tolerance),
        "the peek is \(crop.size.inWords) pt long for \(length.inWords) px")
    }
  }

  static let centringAcross = Law<PeekSubject>.peek(
    "FZ-P3x", "Away from the left and right borders the touched pixel is in the crop's middle.",
    isBrokenAsPublished: false
  ) { subject, input, _ in try requireCentring(input.sides(try subject.shown(input))[0]) }

  static let centringDown = Law<PeekSubject>.peek(
    "FZ-P3y", "Away from the top and bottom borders the touched pixel is in the crop's middle.",
    isBrokenAsPublished: true
  ) { subject, input, _ in try requireCentring(input.sides(try subject.shown(input))[1]) }

  private static func requireCentring(
    _ side: PeekInput.AnsweredSide, fileID: StaticString = #fileID, line: Int = #line
  ) throws {
    let half = side.answer.length / 2
    guard side.touched >= half, side.touched <= side.axis.side - half else { return }
    let middle = side.answer.origin + half
    try Property.require(
      near(middle, side.touched, within: ulps * side.axis.pixelUlp),
      "the crop's middle is at \(middle.inWords) px from the \(side.start), "
        + "the touch at \(side.touched.inWords)", fileID: fileID, line: line)
  }

  static let touchedPixel = Law<PeekSubject>.peek(
    "FZ-P4", "The touched pixel, or the nearest one of the picture, is in the crop.",
    isBrokenAsPublished: true
  ) { subject, input, _ in
    for side in input.sides(try subject.shown(input)) {
      let crop = side.answer
      try requireContainment(
        of: (side.touched, side.touched), in: (crop.origin, crop.origin + crop.length),
        within: ulps * side.axis.pixelUlp, "the touched pixel", unit: "px", ends: ("crop", "crop"))
    }
  }
}

extension PeekLaws {
  static let frameShowsCrop = Law<PeekSubject>.peek(
    "FZ-P5", "The frame outlines on the screen what the peek shows.", isBrokenAsPublished: true
  ) { subject, input, _ in
    for side in input.sides(try subject.shown(input)) {
      let (axis, crop) = (side.axis, side.answer)
      let tolerance = pointUlps * axis.pointUlp
      let start = axis.point(of: crop.origin)
      try Property.require(
        near(crop.frameStart, start, within: tolerance),
        "the frame begins \((crop.frameStart - start).inWords) pt beside what the peek shows")
      let length = crop.length * axis.scale
      try Property.require(
        near(crop.frameLength, length, within: tolerance),
        "the frame is \(crop.frameLength.inWords) pt long, what the peek shows \(length.inWords)")
    }
  }

  static let frameInPicture = Law<PeekSubject>.peek(
    "FZ-P6", "The frame lies inside the shown picture.", isBrokenAsPublished: true
  ) { subject, input, _ in
    for side in input.sides(try subject.shown(input)) {
      let (axis, frame) = (side.axis, side.answer)
      try requireContainment(
        of: (frame.frameStart, frame.frameStart + frame.frameLength), in: (axis.start, axis.end),
        within: pointUlps * axis.pointUlp, "the frame", unit: "pt", ends: (side.start, side.end))
    }
  }

  static let frameShare = Law<PeekSubject>.peek(
    "FZ-P12", "The frame's share of the shown picture is that of the crop: k P / w.",
    isBrokenAsPublished: false
  ) { subject, input, _ in
    for side in input.sides(try subject.shown(input)) where side.axis.side >= input.wantedLength {
      try requireShare(side.answer, input.wantedLength / side.axis.side, side.axis)
    }
  }

  static let frameShareOfSmall = Law<PeekSubject>.peek(
    "FZ-P12s", "Where the picture is smaller than the peek the frame is as long as the picture.",
    isBrokenAsPublished: true
  ) { subject, input, _ in
    for side in input.sides(try subject.shown(input)) where side.axis.side < input.wantedLength {
      try requireShare(side.answer, 1, side.axis)
    }
  }

  private static func requireShare(
    _ frame: PeekAnswer.AnswerAxis, _ share: Double, _ axis: FitAxis,
    fileID: StaticString = #fileID, line: Int = #line
  ) throws {
    // The scale, the product with it, the quotient and the share are each rounded once or twice.
    try Property.require(
      near(frame.frameLength / axis.shown, share, within: 8 * share.ulp),
      "the frame is \((frame.frameLength / axis.shown).inWords) of the picture "
        + "instead of \(share.inWords)", fileID: fileID, line: line)
  }
}

extension PeekLaws {
  static let nearestPlace = Law<PeekSubject>.peek(
    "FZ-P13c", "A touch beside the picture shows what the nearest place of the picture shows.",
    isBrokenAsPublished: true
  ) { subject, input, _ in
    let axes = input.axes
    var nearest = input
    nearest.touch = ViewPoint(
      x: input.touch.x.clamped(to: axes.across.start...axes.across.end),
      y: input.touch.y.clamped(to: axes.down.start...axes.down.end))
    try requireNone(
      try subject.shown(input).difference(from: try subject.shown(nearest), of: input))
  }

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
    if isOutside { try Property.require(answer == nil, "a peek opens beside the picture") }
    // The border counts as picture, and where it is cannot be told nearer than this.
    if across >= borderDepth(axes.across), down >= borderDepth(axes.down) {
      try Property.require(answer != nil, "no peek opens on the picture")
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
