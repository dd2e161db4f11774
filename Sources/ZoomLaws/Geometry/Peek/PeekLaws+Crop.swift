internal import PropertyTesting
internal import ZoomGeometry

extension PeekLaws {
  /// FZ-P1.
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

  /// FZ-P2.
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
      try require(
        near(crop.length, length, within: tolerance) && crop.length > 0,
        "the crop is \(crop.length.inWords) px long instead of \(length.inWords)")
      try require(
        near(crop.unitLength * side.axis.side, length, within: tolerance),
        "the contents rectangle is \((crop.unitLength * side.axis.side).inWords) px long "
          + "instead of \(length.inWords)")
      try require(
        near(crop.size * input.scale, length, within: tolerance),
        "the peek is \(crop.size.inWords) pt long for \(length.inWords) px")
    }
  }

  /// FZ-P3 of x.
  static let centringAcross = Law<PeekSubject>.peek(
    "FZ-P3x", "Away from the left and right borders the touched pixel is in the crop's middle.",
    isBrokenAsPublished: false
  ) { subject, input, _ in
    try requireCentring(input.sides(try subject.shown(input))[0])
  }

  /// FZ-P3 of y.
  static let centringDown = Law<PeekSubject>.peek(
    "FZ-P3y", "Away from the top and bottom borders the touched pixel is in the crop's middle.",
    isBrokenAsPublished: true
  ) { subject, input, _ in
    try requireCentring(input.sides(try subject.shown(input))[1])
  }

  private static func requireCentring(
    _ side: (
      axis: FitAxis, touched: Double, answer: PeekAnswer.AnswerAxis, start: String, end: String
    ),
    fileID: StaticString = #fileID, line: Int = #line
  ) throws {
    let half = side.answer.length / 2
    guard side.touched >= half, side.touched <= side.axis.side - half else { return }
    let middle = side.answer.origin + half
    try require(
      near(middle, side.touched, within: ulps * side.axis.pixelUlp),
      "the crop's middle is at \(middle.inWords) px from the \(side.start), "
        + "the touch at \(side.touched.inWords)", fileID: fileID, line: line)
  }

  /// FZ-P4.
  static let touchedPixel = Law<PeekSubject>.peek(
    "FZ-P4", "The touched pixel, or the nearest one of the picture, is in the crop.",
    isBrokenAsPublished: true
  ) { subject, input, _ in
    for side in input.sides(try subject.shown(input)) {
      let crop = side.answer
      try requireContainment(
        of: (side.touched, side.touched), in: (crop.origin, crop.origin + crop.length),
        within: ulps * side.axis.pixelUlp, "the touched pixel", unit: "px",
        ends: ("crop", "crop"))
    }
  }
}
