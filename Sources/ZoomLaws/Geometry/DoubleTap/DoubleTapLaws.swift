internal import PropertyTesting
internal import ZoomGeometry

/// The laws of the double tap, DT-P1 to DT-P11; there is none of the published rectangle itself,
/// which only its own scroll view is handed.
///
/// `isBrokenAsPublished` speaks of the version published last. DT-P6 is split, for it holds that
/// version but for a zoom that is the fit up to a rounding.
public enum DoubleTapLaws {
  /// All of them, in the order of their numbers.
  public static let all: [Law<DoubleTapSubject>] = [
    fit, closeZoom, centred, offsetInRange, tapInMiddle, toggleRestores, nearFitIsFit,
    transposition, reflection, imageScale, beside, totality,
  ]

  /// How far two calculations of a position may differ, in `TapAxis.ulp`.
  ///
  /// A position computed by the textbook's formula has a zoom off by 1 ulp (one division, one
  /// product), its product with the place by 2, the sums by 1 more. One that goes through a
  /// rectangle has its length, the quotient by it, its corner and its centre rounded too, 6 ulps
  /// together. Twice 10, and some for the law's own sums.
  static let ulps = 32.0

  static let source = "zoomToRect double tap, after fanyinan/ZoomImageScrollViewDemo"
}

extension DoubleTapSubject {
  /// Where a double tap at the fit leads, which has to be somewhere.
  func enlarged(
    _ input: DoubleTapInput, fileID: StaticString = #fileID, line: Int = #line
  ) throws -> ScrollPosition {
    try toggled(input, from: try fitted(input.scene), fileID: fileID, line: line)
  }

  /// Where a double tap leads that has to lead somewhere.
  func toggled(
    _ input: DoubleTapInput, from position: ScrollPosition,
    fileID: StaticString = #fileID, line: Int = #line
  ) throws -> ScrollPosition {
    guard let position = try toggled(input, position) else {
      throw PropertyFailure("the double tap does nothing", fileID: "\(fileID)", line: line)
    }
    return position
  }
}

extension DoubleTapInput {
  /// Names what kind of case it is; a run that misses one of those with a share says nothing.
  func classify(in testCase: inout TestCase) {
    let scene = scene
    let (fit, close) = (scene.fitScale, scene.closeZoom)
    let sides = [
      (scene.image.width, scene.bounds.width, place.x),
      (scene.image.height, scene.bounds.height, place.y),
    ]
    func any(_ holds: (Double, Double, Double) -> Bool) -> Bool { sides.contains(where: holds) }
    testCase.classify(fit < 1, as: "shrunk to fit", atLeast: 0.1)
    testCase.classify(fit == 1, as: "smaller than the screen", atLeast: 0.05)
    testCase.classify(
      any { image, bounds, _ in fit * image < bounds && close * image > bounds },
      as: "shorter than the screen before, longer after", atLeast: 0.01)
    testCase.classify(
      any { image, bounds, _ in close * image <= bounds }, as: "shorter before and after",
      atLeast: 0.1)
    testCase.classify(
      any { image, bounds, place in
        close * place > bounds / 2 && close * (image - place) > bounds / 2
      }, as: "tap can come to the middle", atLeast: 0.02)
    testCase.classify(
      any { image, bounds, place in close * image > bounds && close * place < bounds / 2 },
      as: "tap near the left or top border", atLeast: 0.02)
    testCase.classify(
      any { image, bounds, place in close * image > bounds && close * (image - place) < bounds / 2
      }, as: "tap near the right or bottom border", atLeast: 0.02)
  }
}

extension Law where Subject == DoubleTapSubject {
  /// A law of double taps on the picture.
  static func doubleTap(
    _ name: String, _ statement: String, isBrokenAsPublished: Bool = false,
    holds: @escaping @Sendable (DoubleTapSubject, DoubleTapInput, inout TestCase) throws -> Void
  ) -> Law {
    Law(
      name, statement, source: DoubleTapLaws.source, isBrokenAsPublished: isBrokenAsPublished,
      forEach: { .doubleTaps(onlyFactor: $0.onlyFactor) }, inWords: { $0.inWords }
    ) { subject, input, testCase in
      input.classify(in: &testCase)
      try holds(subject, input, &testCase)
    }
  }
}

extension DoubleTapLaws {
  static let totality = Law<DoubleTapSubject>(
    "DT-P11", "Sound input is answered in finite numbers, all other input is refused.",
    source: source, isBrokenAsPublished: true,
    forEach: { subject in
      .oneOf(
        Gen<DoubleTapInput>.doubleTaps(onlyFactor: subject.onlyFactor).map { ($0, true) },
        Gen<DoubleTapInput>.invalidDoubleTaps.map { ($0, false) })
    }, inWords: { input, _ in input.inWords }
  ) { subject, test, testCase in
    let (input, isSound) = test
    testCase.classify(isSound, as: "sound", atLeast: 0.2)
    testCase.classify(!isSound, as: "not finite or not positive", atLeast: 0.2)
    let position: ScrollPosition?
    do {
      position = try subject.toggled(input, try subject.fitted(input.scene))
    } catch let failure as PropertyFailure {
      throw failure
    } catch {
      return try Property.require(!isSound, "refused: \(error)")
    }
    try Property.require(isSound || position == nil, "answered instead of refused")
    guard let position else { return try Property.require(!isSound, "the double tap does nothing") }
    let (origin, offset) = (position.origin, position.offset)
    let numbers = [position.zoom, origin.x, origin.y, offset.x, offset.y]
    try Property.require(
      numbers.allSatisfy(\.isFinite),
      "the position holds NaN or infinity: \(numbers.map(\.inWords).joined(separator: ", "))")
  }
}
