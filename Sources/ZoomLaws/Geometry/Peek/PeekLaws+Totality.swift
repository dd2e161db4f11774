internal import PropertyTesting
internal import ZoomGeometry

extension PeekLaws {
  static let totality = Law<PeekSubject>(
    "FZ-P14", "Sound input is answered in finite numbers, all other input is refused.",
    source: source, isBrokenAsPublished: true,
    for: .oneOf(
      Gen<PeekInput>.peeks().map { ($0, Soundness.sound) },
      Gen<PeekInput>.invalidPeeks.map { ($0, .invalid) },
      Gen<PeekInput>.wildPeeks.map { ($0, .wild) }), inWords: { input, _ in input.inWords }
  ) { subject, test, testCase in
    let (input, kind) = test
    testCase.classify(kind == .sound, as: "sound", atLeast: 0.1)
    testCase.classify(kind == .invalid, as: "not finite or not positive", atLeast: 0.1)
    testCase.classify(kind == .wild, as: "of any size", atLeast: 0.1)
    let answer: PeekAnswer?
    do { answer = try subject.peek(input) } catch {
      return try Property.require(kind != .sound, "refused: \(error)")
    }
    try Property.require(kind != .invalid, "answered instead of refused")
    guard let answer else { throw PropertyFailure("nothing is shown") }
    try Property.require(
      answer.numbers.allSatisfy(\.isFinite), "the answer holds NaN or infinity: \(answer.crop)")
  }

  static let integerRegion = Law<PeekSubject>.peek(
    "FZ-P15",
    "What is decoded is the crop in whole pixels, inside the picture, rounded to the nearest.",
    isBrokenAsPublished: true
  ) { subject, input, testCase in
    let answer = try subject.shown(input)
    guard let region = answer.region else { throw PropertyFailure("no whole pixels are named") }
    let spans = [
      (region.x, region.width, answer.across, input.pictureWidth),
      (region.y, region.height, answer.down, input.pictureHeight),
    ]
    testCase.classify(
      spans.contains { $0.2.origin != $0.2.origin.rounded() }, as: "between pixels", atLeast: 0.1)
    for (start, length, crop, side) in spans {
      try requireContainment(
        of: (Double(start), Double(start + length)), in: (0, Double(side)), within: 0,
        "the region", unit: "px", ends: ("picture", "picture"))
      let rounded = max(1, crop.length.rounded(.toNearestOrAwayFromZero))
      try Property.require(
        Double(length) == rounded, "\(length) px are decoded of a crop of \(crop.length.inWords)")
      try requireRounding(start, crop.origin, length, isLast: start + length == side)
    }
  }

  /// Demands that a region begins where the crop does, to the nearest pixel, and halves up.
  private static func requireRounding(
    _ start: Int, _ origin: Double, _ length: Int, isLast: Bool
  ) throws {
    let distance = Double(start) - origin
    let message = "the region begins at \(start) for a crop at \(origin.inWords) px"
    // A single pixel is the touched one, which need not be the nearest to the crop's beginning.
    if length == 1 { return try Property.require(abs(distance) < 1, message) }
    // Held at the end, a region whose length was rounded up begins a half early.
    try Property.require(distance <= 0.5 && (isLast ? distance >= -0.5 : distance > -0.5), message)
  }
}

/// What is to become of a peek's input.
private enum Soundness { case sound, invalid, wild }

extension PeekAnswer {
  /// All numbers of the answer.
  fileprivate var numbers: [Double] {
    [across, down].flatMap {
      [$0.origin, $0.length, $0.frameStart, $0.frameLength, $0.unitStart, $0.unitLength, $0.size]
    }
  }
}
