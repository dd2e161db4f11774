internal import PropertyTesting
internal import ZoomGeometry

extension PeekLaws {
  /// FZ-P5.
  static let frameShowsCrop = Law<PeekSubject>.peek(
    "FZ-P5", "The frame outlines on the screen what the peek shows.", isBrokenAsPublished: true
  ) { subject, input, _ in
    for side in input.sides(try subject.shown(input)) {
      let (axis, crop) = (side.axis, side.answer)
      let tolerance = pointUlps * axis.pointUlp
      let start = axis.point(of: crop.origin)
      try require(
        near(crop.frameStart, start, within: tolerance),
        "the frame begins \((crop.frameStart - start).inWords) pt beside what the peek shows")
      let length = crop.length * axis.scale
      try require(
        near(crop.frameLength, length, within: tolerance),
        "the frame is \(crop.frameLength.inWords) pt long, what the peek shows \(length.inWords)")
    }
  }

  /// FZ-P6.
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

  /// FZ-P12 of pictures at least as long as the peek.
  static let frameShare = Law<PeekSubject>.peek(
    "FZ-P12", "The frame's share of the shown picture is that of the crop: k P / w.",
    isBrokenAsPublished: false
  ) { subject, input, _ in
    for side in input.sides(try subject.shown(input)) where side.axis.side >= input.wantedLength {
      try requireShare(side.answer, input.wantedLength / side.axis.side, side.axis)
    }
  }

  /// FZ-P12 of smaller pictures.
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
    try require(
      near(frame.frameLength / axis.shown, share, within: 8 * share.ulp),
      "the frame is \((frame.frameLength / axis.shown).inWords) of the picture "
        + "instead of \(share.inWords)", fileID: fileID, line: line)
  }
}
