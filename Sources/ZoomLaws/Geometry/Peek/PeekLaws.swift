internal import PropertyTesting
internal import ZoomGeometry

/// The laws of the peek at a touch, FZ-P1 to FZ-P15.
///
/// FZ-P16, which compares pixels, is a law of pipelines. FZ-P3 and FZ-P12, which the published
/// component keeps in part, are split, so that it either keeps or breaks each; FZ-P13 is one law a
/// policy.
public enum PeekLaws {
  /// All of them, in the order of their numbers.
  public static let all: [Law<PeekSubject>] = [
    containment, size, centringAcross, centringDown, touchedPixel, frameShowsCrop,
    frameInPicture, transposition, reflection, monotony, viewportScale, idempotence,
    frameShare, frameShareOfSmall, nearestPlace, rejection, totality, integerRegion,
  ]

  /// How far two calculations of a crop may differ, in `FitAxis.pixelUlp`.
  ///
  /// With u the ulp of the viewport's length, the shown length is off by 2 u at most (the scale and
  /// the product are each rounded), its border by 1.25 u, the touch's distance from it by 1.75 u;
  /// in pixels that is 3.5 ulps, for a point's ulp divided by the scale is up to two of a pixel's.
  /// The division and the scale's own error make 5.5, subtracting half the crop 6. Two calculations
  /// differ by twice that; the rest is for a touch that was calculated too, off by 2 u.
  static let ulps = 16.0

  /// The same of a frame, in `FitAxis.pointUlp`: the crop's 6 ulps of a pixel are 12 of a point at
  /// most, the product and the sum with the border make 14.
  static let pointUlps = 16.0

  static let source = "ForceZoom, after FlexMonkey/ForceZoom"
}

extension PeekSubject {
  /// The peek for an input that there has to be one for.
  func shown(
    _ input: PeekInput, fileID: StaticString = #fileID, line: Int = #line
  ) throws -> PeekAnswer {
    guard let answer = try peek(input) else {
      throw PropertyFailure("nothing is shown", fileID: "\(fileID)", line: line)
    }
    return answer
  }
}

extension PeekAnswer {
  /// One axis of the answer.
  struct AnswerAxis {
    let origin, length, frameStart, frameLength, unitStart, unitLength, size: Double
  }

  var across: AnswerAxis {
    AnswerAxis(
      origin: crop.x, length: crop.width, frameStart: frame.x, frameLength: frame.width,
      unitStart: contentsRect.x, unitLength: contentsRect.width, size: size.width)
  }

  var down: AnswerAxis {
    AnswerAxis(
      origin: crop.y, length: crop.height, frameStart: frame.y, frameLength: frame.height,
      unitStart: contentsRect.y, unitLength: contentsRect.height, size: size.height)
  }

  /// How the crop differs from the one demanded, or nil where it does not.
  func difference(from other: PeekAnswer, of input: PeekInput) -> String? {
    let axes = input.axes
    return across.difference(from: other.across, axes.across, "from the left")
      ?? down.difference(from: other.down, axes.down, "from the top")
  }
}

extension PeekAnswer.AnswerAxis {
  fileprivate func difference(
    from other: PeekAnswer.AnswerAxis, _ axis: FitAxis, _ direction: String
  ) -> String? {
    let tolerance = PeekLaws.ulps * axis.pixelUlp
    if !near(origin, other.origin, within: tolerance) {
      return "the crop begins \(origin.inWords) px \(direction) instead of \(other.origin.inWords)"
    }
    if !near(length, other.length, within: tolerance) {
      return "the crop is \(length.inWords) px long instead of \(other.length.inWords)"
    }
    return nil
  }
}

extension PeekInput {
  /// The pixel that is touched, or the nearest one of the picture.
  package var touchedPixel: (x: Double, y: Double) {
    (axes.across.nearestPixel(to: touch.x), axes.down.nearestPixel(to: touch.y))
  }

  /// An axis with the touch's and the answer's parts of it, and its ends' names.
  typealias AnsweredSide = (
    axis: FitAxis, touched: Double, answer: PeekAnswer.AnswerAxis, start: String, end: String
  )

  /// Both axes.
  func sides(_ answer: PeekAnswer) -> [AnsweredSide] {
    let axes = axes
    let touched = touchedPixel
    return [
      (axes.across, touched.x, answer.across, "left edge", "right edge"),
      (axes.down, touched.y, answer.down, "top edge", "bottom edge"),
    ]
  }

  /// Names what kind of case it is; a run that misses one of those with a share says nothing.
  func classify(in testCase: inout TestCase) {
    let axes = axes
    let wanted = wantedLength
    let across = PeekAxisClass(axes.across, touch: touch.x, wanted: wanted)
    let down = PeekAxisClass(axes.down, touch: touch.y, wanted: wanted)
    func either(_ kind: PeekAxisClass) -> Bool { across == kind || down == kind }
    testCase.classify(either(.heldAtStart), as: "crop held at the left or top", atLeast: 0.02)
    testCase.classify(either(.heldAtEnd), as: "crop held at the right or bottom", atLeast: 0.02)
    testCase.classify(either(.free), as: "crop centred on the touch", atLeast: 0.02)
    testCase.classify(either(.whole), as: "picture smaller than the peek", atLeast: 0.05)
    testCase.classify(either(.beside), as: "touch beside the picture", atLeast: 0.05)
    testCase.classify(pictureWidth != pictureHeight, as: "not square", atLeast: 0.3)
  }
}

/// What decides where a crop begins on one axis.
enum PeekAxisClass: Hashable {
  /// The touch: the crop is centred on it.
  case free
  /// The picture's left or top border, or its right or bottom one.
  case heldAtStart, heldAtEnd
  /// Nothing, for the crop is as long as the picture.
  case whole
  /// The nearest border, for the touch is beside the picture.
  case beside

  init(_ axis: FitAxis, touch: Double, wanted: Double) {
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

extension FitAxis {
  /// Returns the place of the picture that is nearest to a point of the screen.
  func nearestPixel(to point: Double) -> Double { pixel(at: point).clamped(to: 0...side) }
}

extension Law where Subject == PeekSubject {
  /// A law of inputs that a peek has to answer.
  static func peek(
    _ name: String, _ statement: String, isBrokenAsPublished: Bool,
    holds: @escaping @Sendable (PeekSubject, PeekInput, inout TestCase) throws -> Void
  ) -> Law {
    Law(
      name, statement, source: PeekLaws.source, isBrokenAsPublished: isBrokenAsPublished,
      forEach: { .peeks(takesScale: $0.takesScale) }, inWords: { $0.inWords }
    ) { subject, input, testCase in
      input.classify(in: &testCase)
      try holds(subject, input, &testCase)
    }
  }
}
