internal import PropertyTesting
internal import ZoomGeometry

extension DoubleTapLaws {
  /// DT-P11.
  static let totality = Law<DoubleTapSubject>(
    "DT-P11", "Sound input is answered in finite numbers, all other input is refused.",
    source: source, isBrokenAsPublished: true,
    forEach: { subject in
      .oneOf(
        Gen<DoubleTapInput>.doubleTaps(onlyFactor: subject.onlyFactor)
          .map { SoundOrNot(input: $0, isSound: true) },
        Gen<DoubleTapInput>.invalidDoubleTaps.map { SoundOrNot(input: $0, isSound: false) })
    }, inWords: { $0.input.inWords }
  ) { subject, test, testCase in
    testCase.classify(test.isSound, as: "sound", atLeast: 0.2)
    testCase.classify(!test.isSound, as: "not finite or not positive", atLeast: 0.2)
    let position: ScrollPosition?
    do {
      position = try subject.toggled(test.input, try subject.fitted(test.input.scene))
      let rect = try subject.zoomRect(test.input)
      try requireFinite([rect.x, rect.y, rect.width, rect.height], "the rectangle")
    } catch let failure as PropertyFailure {
      throw failure
    } catch {
      try require(!test.isSound, "refused: \(error)")
      return
    }
    try require(test.isSound || position == nil, "answered instead of refused")
    guard let position else { return try require(!test.isSound, "the double tap does nothing") }
    try requireFinite(
      [
        position.zoom, position.origin.x, position.origin.y, position.offset.x, position.offset.y,
      ], "the position")
  }

  private static func requireFinite(_ numbers: [Double], _ name: String) throws {
    try require(
      numbers.allSatisfy { $0.isFinite },
      "\(name) holds NaN or infinity: \(numbers.map { $0.inWords }.joined(separator: ", "))")
  }
}

/// A double tap and whether it is one.
struct SoundOrNot: Sendable {
  let input: DoubleTapInput
  let isSound: Bool
}
