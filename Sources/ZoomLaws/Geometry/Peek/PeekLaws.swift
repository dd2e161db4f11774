internal import PropertyTesting
internal import ZoomGeometry

/// The laws of the peek at a touch, FZ-P1 to FZ-P15.
///
/// FZ-P3 and FZ-P12 are split because the published component obeys one part of each and breaks the
/// other. FZ-P13 has a law for each policy. FZ-P16, which compares pixels, is a law of pipelines.
public enum PeekLaws {
  /// All laws of the peek, in the order of their numbers.
  public static let all: [Law<PeekSubject>] =
    crops + relations + shares + letterboxes + [totality, integerRegion]

  /// The largest difference of two calculations of a crop, in `FitAxis.pixelUlp`.
  ///
  /// - In `pointUlp`, the shown length is off by 2, the border by 2 / 2 + 1/4 = 1.25, and the touch's
  ///   distance from the border by 1.75. In `pixelUlp`, at most twice that: 3.5.
  /// - The division and the scale's error add 2, and the crop's subtraction 0.5. The sum is 6.
  /// - Two calculations differ by at most 12. The other 4 are for a touch that is itself calculated.
  static let ulps = 16.0

  /// The same for a frame, in `FitAxis.pointUlp`: the crop's 6 pixel ulps are at most 12 point
  /// ulps; the product and the sum with the border add 2.
  static let pointUlps = 16.0

  static let source = "ForceZoom, after FlexMonkey/ForceZoom"

  static func family(source: String) -> LawFamily<PeekSubject, PeekInput> {
    LawFamily(
      source: source, forEach: { .peeks(takesScale: $0.takesScale) }, inWords: \.inWords,
      classify: { $0.classify(in: &$1) })
  }

  static let law = family(source: source)

  private static func sideLaw(
    _ name: String, _ statement: String, isBroken: Bool = false,
    holds: @escaping @Sendable (AnsweredSide) throws -> Void
  ) -> Law<PeekSubject> {
    law(name, statement, isBroken: isBroken) { subject, input, _ in
      for side in try subject.sides(input) { try holds(side) }
    }
  }

  private static let crops = [
    sideLaw(
      "FZ-P1", "The crop lies inside the picture, the contents rectangle inside the unit square.",
      isBroken: true
    ) { side in
      // No tolerance is needed: (w - c) + c, even rounded, is at most w, a whole number.
      try requireContainment(
        of: side.crop.ends, in: (0, side.axis.side), within: 0, "the crop", unit: "px",
        ends: side.edges)
      // Two rounded quotients can add up to the next double after 1.
      try requireContainment(
        of: side.contents.ends, in: (0, 1), within: 1.0.ulp, "the contents rectangle",
        unit: "of the picture", ends: side.edges)
    },
    sideLaw(
      "FZ-P2",
      "The crop is k P pixels long, or the picture's whole side; the peek shows it at the scale k.",
      isBroken: true
    ) { side in
      let length = min(side.input.wantedLength, side.axis.side)
      // k P is rounded once, the quotients and products below once or twice more.
      let tolerance = 4 * length.ulp
      try requireNear(side.crop.length, length, within: tolerance, "the crop", "px long")
      try Property.require(side.crop.length > 0, "the crop is empty")
      let contents = side.contents.length * side.axis.side
      try requireNear(contents, length, within: tolerance, "the contents rectangle", "px long")
      let shown = side.size * side.input.scale
      try requireNear(shown, length, within: tolerance, "the shown part", "px long")
    },
    law(
      "FZ-P3x", "Away from the left and right borders the touched pixel is in the crop's middle."
    ) { try requireCentring(try $0.sides($1)[0], &$2) },
    law(
      "FZ-P3y", "Away from the top and bottom borders the touched pixel is in the crop's middle.",
      isBroken: true
    ) { try requireCentring(try $0.sides($1)[1], &$2) },
    sideLaw(
      "FZ-P4", "The touched pixel, or the nearest one of the picture, is in the crop.",
      isBroken: true
    ) { side in
      try requireContainment(
        of: (side.touched, side.touched), in: side.crop.ends, within: ulps * side.axis.pixelUlp,
        "the touched pixel", unit: "px", ends: ("crop", "crop"))
    },
    sideLaw("FZ-P5", "On the screen, the frame outlines what the peek shows.", isBroken: true) {
      side in
      let tolerance = pointUlps * side.axis.pointUlp
      let start = side.axis.point(of: side.crop.start)
      try requireNear(side.frame.start, start, within: tolerance, "the frame's start", "pt")
      let length = side.crop.length * side.axis.scale
      try requireNear(side.frame.length, length, within: tolerance, "the frame", "pt long")
    },
    sideLaw("FZ-P6", "The frame lies inside the shown picture.", isBroken: true) { side in
      try requireContainment(
        of: side.frame.ends, in: (side.axis.start, side.axis.end),
        within: pointUlps * side.axis.pointUlp, "the frame", unit: "pt", ends: side.edges)
    },
  ]

  private static func requireCentring(_ side: AnsweredSide, _ testCase: inout TestCase) throws {
    let half = side.crop.length / 2
    let isFree = side.touched >= half && side.touched <= side.axis.side - half
    guard testCase.reaches(isFree, "away from the borders", atLeast: 0.01) else { return }
    try requireNear(
      side.crop.start + half, side.touched, within: ulps * side.axis.pixelUlp,
      "the crop's middle", "px from the \(side.edges.start)")
  }

  private static let shares = [
    law("FZ-P12", "The frame's share of the shown picture is that of the crop: k P / w.") {
      try requireShares($0, $1, ofSmall: false, &$2)
    },
    law(
      "FZ-P12s", "Where the picture is smaller than the peek, the frame is as long as the picture.",
      isBroken: true
    ) { try requireShares($0, $1, ofSmall: true, &$2) },
  ]

  /// Requires that a side's share is k P / w if the side is long enough, and 1 if it is small.
  private static func requireShares(
    _ subject: PeekSubject, _ input: PeekInput, ofSmall isSmall: Bool, _ testCase: inout TestCase
  ) throws {
    let wanted = input.wantedLength
    let sides = try subject.sides(input).filter { ($0.axis.side < wanted) == isSmall }
    testCase.classify(!sides.isEmpty, as: "a side of the length in question", atLeast: 0.05)
    for side in sides {
      let expected = isSmall ? 1 : wanted / side.axis.side
      // The scale, its product, the quotient and the share are each rounded once or twice.
      try requireNear(
        side.frame.length / side.axis.shown, expected, within: 8 * expected.ulp, "the frame",
        "of the picture")
    }
  }
}

struct AnsweredSide {
  let input: PeekInput
  let axis: FitAxis<Double>
  let touch: Double
  /// The crop in pixels, the frame in points, and the contents rectangle in shares of the picture.
  let crop, frame, contents: Interval
  let size: Double
  /// The whole pixels to decode; nil if the subject does not return them.
  let region: (start: Int, length: Int)?
  let edges: (start: String, end: String)

  /// The touched pixel coordinate, or the nearest one in the picture.
  var touched: Double { axis.nearestPixel(to: touch) }

  func namedRegion() throws -> (start: Int, length: Int) {
    guard let region else { throw PropertyFailure("the answer lacks a region") }
    return region
  }
}

extension PeekSubject {
  func shown(_ input: PeekInput) throws -> PeekAnswer {
    guard let answer = try peek(input) else { throw PropertyFailure("nothing is shown") }
    return answer
  }

  /// Returns both axes of the peek for an input that must show a peek.
  func sides(_ input: PeekInput) throws -> [AnsweredSide] {
    let (answer, axes) = (try shown(input), input.axes)
    let (crop, contents) = (answer.crop.numbers, answer.contentsRect.numbers)
    return Axis.allCases.map { axis in
      AnsweredSide(
        input: input, axis: axis == .x ? axes.across : axes.down, touch: input.touch[axis],
        crop: crop[axis], frame: answer.frame[axis], contents: contents[axis],
        size: answer.size[axis],
        region: answer.region.map { axis == .x ? ($0.x, $0.width) : ($0.y, $0.height) },
        edges: axis == .x ? ("left edge", "right edge") : ("top edge", "bottom edge"))
    }
  }
}

extension PeekInput {
  func classify(in testCase: inout TestCase) {
    let wanted = wantedLength
    let kinds = [(axes.across, touch.x), (axes.down, touch.y)].map { axis, touch -> String in
      let pixel = axis.pixel(at: touch)
      return if pixel < 0 || pixel > axis.side {
        "touch beside the picture"
      } else if wanted >= axis.side {
        "picture smaller than the peek"
      } else if pixel < wanted / 2 {
        "crop held at the left or top"
      } else {
        pixel > axis.side - wanted / 2
          ? "crop held at the right or bottom" : "crop centred on the touch"
      }
    }
    for (name, share) in [
      ("crop held at the left or top", 0.01), ("crop held at the right or bottom", 0.01),
      ("crop centred on the touch", 0.02), ("picture smaller than the peek", 0.05),
      ("touch beside the picture", 0.05),
    ] { testCase.classify(kinds.contains(name), as: name, atLeast: share) }
    testCase.classify(pictureWidth != pictureHeight, as: "not square", atLeast: 0.3)
  }
}
