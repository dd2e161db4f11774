internal import PropertyTesting
internal import ZoomGeometry

/// The laws of the peek at a touch, FZ-P1 to FZ-P15.
///
/// FZ-P16, which compares pixels, is a law of pipelines. FZ-P3 and FZ-P12 are split because the
/// published component keeps a part of each; FZ-P13 is one law per policy.
public enum PeekLaws {
  /// All of them, in the order of their numbers.
  public static let all: [Law<PeekSubject>] =
    crops + relations + shares + letterboxes + [totality, integerRegion]

  /// The largest difference of two calculations of a crop, in `FitAxis.pixelUlp`.
  ///
  /// With u the ulp of the viewport's length, the shown length is off by 2 u at most (the scale and
  /// the product are each rounded), its border by 1.25 u, the touch's distance from it by 1.75 u;
  /// in pixels that is 3.5 ulps, because a point's ulp divided by the scale is up to two of a pixel's.
  /// The division and the scale's own error make 5.5, subtracting half the crop 6. Two calculations
  /// differ by twice that; the rest is for a touch that was calculated too, off by 2 u.
  static let ulps = 16.0

  /// The same of a frame, in `FitAxis.pointUlp`.
  ///
  /// The crop's 6 ulps of a pixel are at most 12 of a point; the product and the sum with the border
  /// make 14.
  static let pointUlps = 16.0

  static let source = "ForceZoom, after FlexMonkey/ForceZoom"

  /// Returns the family of laws of inputs that a peek must answer.
  static func family(source: String) -> LawFamily<PeekSubject, PeekInput> {
    LawFamily(
      source: source, forEach: { .peeks(takesScale: $0.takesScale) }, inWords: \.inWords,
      classify: { $0.classify(in: &$1) })
  }

  static let law = family(source: source)

  private static let crops = [
    law(
      "FZ-P1", "The crop lies inside the picture, the contents rectangle inside the unit square.",
      isBroken: true
    ) { subject, input, _ in
      for side in try subject.sides(input) {
        let crop = side.answer
        // Exactly: an origin clamped to 0...(w - cw) and added to cw is at most w, which is whole.
        try requireContainment(
          of: (crop.origin, crop.origin + crop.length), in: (0, side.axis.side), within: 0,
          "the crop", unit: "px", ends: side.edges)
        // Two quotients, each rounded, can add up to the number after 1.
        try requireContainment(
          of: (crop.unitStart, crop.unitStart + crop.unitLength), in: (0, 1), within: 1.0.ulp,
          "the contents rectangle", unit: "of the picture", ends: side.edges)
      }
    },
    law(
      "FZ-P2",
      "The crop is k P pixels long, or the picture's whole side; the peek shows that at k.",
      isBroken: true
    ) { subject, input, _ in
      for side in try subject.sides(input) {
        let (crop, length) = (side.answer, min(input.wantedLength, side.axis.side))
        // k P is rounded once, the quotients and products below once or twice more.
        let tolerance = 4 * length.ulp
        try Property.require(
          near(crop.length, length, within: tolerance) && crop.length > 0,
          "the crop is \(crop.length.inWords) px long instead of \(length.inWords)")
        let contents = crop.unitLength * side.axis.side
        try Property.require(
          near(contents, length, within: tolerance),
          "the contents rectangle is \(contents.inWords) px long instead of \(length.inWords)")
        try Property.require(
          near(crop.size * input.scale, length, within: tolerance),
          "the peek is \(crop.size.inWords) pt long for \(length.inWords) px")
      }
    },
    law(
      "FZ-P3x", "Away from the left and right borders the touched pixel is in the crop's middle."
    ) { subject, input, testCase in
      try requireCentring(try subject.sides(input)[0], &testCase)
    },
    law(
      "FZ-P3y", "Away from the top and bottom borders the touched pixel is in the crop's middle.",
      isBroken: true
    ) { subject, input, testCase in
      try requireCentring(try subject.sides(input)[1], &testCase)
    },
    law(
      "FZ-P4", "The touched pixel, or the nearest one of the picture, is in the crop.",
      isBroken: true
    ) { subject, input, _ in
      for side in try subject.sides(input) {
        let crop = side.answer
        try requireContainment(
          of: (side.touched, side.touched), in: (crop.origin, crop.origin + crop.length),
          within: ulps * side.axis.pixelUlp, "the touched pixel", unit: "px",
          ends: ("crop", "crop"))
      }
    },
    law("FZ-P5", "The frame outlines on the screen what the peek shows.", isBroken: true) {
      subject, input, _ in
      for side in try subject.sides(input) {
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
    },
    law("FZ-P6", "The frame lies inside the shown picture.", isBroken: true) { subject, input, _ in
      for side in try subject.sides(input) {
        let (axis, frame) = (side.axis, side.answer)
        try requireContainment(
          of: (frame.frameStart, frame.frameStart + frame.frameLength), in: (axis.start, axis.end),
          within: pointUlps * axis.pointUlp, "the frame", unit: "pt", ends: side.edges)
      }
    },
  ]

  private static func requireCentring(_ side: AnsweredSide, _ testCase: inout TestCase) throws {
    let half = side.answer.length / 2
    let isFree = side.touched >= half && side.touched <= side.axis.side - half
    guard testCase.reaches(isFree, "away from the borders", atLeast: 0.02) else { return }
    let middle = side.answer.origin + half
    try Property.require(
      near(middle, side.touched, within: ulps * side.axis.pixelUlp),
      "the crop's middle is at \(middle.inWords) px from the \(side.edges.start), "
        + "the touch at \(side.touched.inWords)")
  }

  private static let shares = [
    law("FZ-P12", "The frame's share of the shown picture is that of the crop: k P / w.") {
      subject, input, testCase in
      try requireShares(subject, input, ofSmall: false, &testCase)
    },
    law(
      "FZ-P12s", "Where the picture is smaller than the peek the frame is as long as the picture.",
      isBroken: true
    ) { subject, input, testCase in try requireShares(subject, input, ofSmall: true, &testCase) },
  ]

  /// Requires the share k P / w of a side that is long enough, or 1 of a small one.
  private static func requireShares(
    _ subject: PeekSubject, _ input: PeekInput, ofSmall isSmall: Bool, _ testCase: inout TestCase
  ) throws {
    let wanted = input.wantedLength
    let sides = try subject.sides(input).filter { ($0.axis.side < wanted) == isSmall }
    testCase.classify(!sides.isEmpty, as: "a side of the length in question", atLeast: 0.05)
    for side in sides {
      let expected = isSmall ? 1 : wanted / side.axis.side
      let share = side.answer.frameLength / side.axis.shown
      // The scale, the product with it, the quotient and the share are each rounded once or twice.
      try Property.require(
        near(share, expected, within: 8 * expected.ulp),
        "the frame is \(share.inWords) of the picture instead of \(expected.inWords)")
    }
  }
}

/// One axis of an input with its answer.
struct AnsweredSide {
  let axis: FitAxis<Double>
  /// The touch in points.
  let touch: Double
  /// The crop in pixels, the frame in points, the contents rectangle, and the peek's side in points.
  let answer:
    (
      origin: Double, length: Double, frameStart: Double, frameLength: Double, unitStart: Double,
      unitLength: Double, size: Double
    )
  /// The whole pixels to decode; nil if the subject does not name them.
  let span: (start: Int, length: Int)?
  /// The names of the picture's edges.
  let edges: (start: String, end: String)

  /// The pixel coordinate that is touched, or the nearest one of the picture.
  var touched: Double { axis.nearestPixel(to: touch) }

  /// The whole pixels to decode, which every subject must name.
  var region: (start: Int, length: Int) {
    get throws {
      guard let span else { throw PropertyFailure("no whole pixels are named") }
      return span
    }
  }
}

extension PeekSubject {
  /// Returns the peek for an input that must have one.
  func shown(_ input: PeekInput) throws -> PeekAnswer {
    guard let answer = try peek(input) else { throw PropertyFailure("nothing is shown") }
    return answer
  }

  /// Returns both axes of the peek for an input that must have one.
  func sides(_ input: PeekInput) throws -> [AnsweredSide] { try shown(input).sides(of: input) }
}

extension PeekAnswer {
  func sides(of input: PeekInput) -> [AnsweredSide] {
    let axes = input.axes
    return [
      AnsweredSide(
        axis: axes.across, touch: input.touch.x,
        answer: (
          crop.x, crop.width, frame.x, frame.width, contentsRect.x, contentsRect.width, size.width
        ), span: region.map { ($0.x, $0.width) }, edges: ("left edge", "right edge")),
      AnsweredSide(
        axis: axes.down, touch: input.touch.y,
        answer: (
          crop.y, crop.height, frame.y, frame.height, contentsRect.y, contentsRect.height,
          size.height
        ), span: region.map { ($0.y, $0.height) }, edges: ("top edge", "bottom edge")),
    ]
  }
}

extension PeekInput {
  /// Counts the input in the classes that a run must reach.
  func classify(in testCase: inout TestCase) {
    let kinds = [
      PeekAxisClass(axes.across, touch: touch.x, wanted: wantedLength),
      PeekAxisClass(axes.down, touch: touch.y, wanted: wantedLength),
    ]
    for (kind, name, share) in [
      (PeekAxisClass.heldAtStart, "crop held at the left or top", 0.02),
      (.heldAtEnd, "crop held at the right or bottom", 0.02),
      (.free, "crop centred on the touch", 0.02), (.whole, "picture smaller than the peek", 0.05),
      (.beside, "touch beside the picture", 0.05),
    ] { testCase.classify(kinds.contains(kind), as: name, atLeast: share) }
    testCase.classify(pictureWidth != pictureHeight, as: "not square", atLeast: 0.3)
  }
}

/// The condition that decides where a crop begins on one axis.
private enum PeekAxisClass {
  /// The crop is centred on the touch.
  case free
  /// The crop is held at the picture's left or top border, or at its right or bottom one.
  case heldAtStart, heldAtEnd
  /// The crop is as long as the picture.
  case whole
  /// The touch is beside the picture.
  case beside

  init(_ axis: FitAxis<Double>, touch: Double, wanted: Double) {
    let pixel = axis.pixel(at: touch)
    if pixel < 0 || pixel > axis.side {
      self = .beside
    } else if wanted >= axis.side {
      self = .whole
    } else if pixel < wanted / 2 {
      self = .heldAtStart
    } else {
      self = pixel > axis.side - wanted / 2 ? .heldAtEnd : .free
    }
  }
}
