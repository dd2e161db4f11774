internal import ZoomGeometry
internal import ZoomPipeline

/// An error for a comparator that misses differences, so that its answers do not count.
public struct ComparatorBroken: Error, Sendable, Hashable, CustomStringConvertible {
  /// The probe and the comparator's answer.
  public let finding: String

  /// A sentence about the wrong answer.
  public var description: String { "the comparator of pixels is broken: \(finding)" }
}

/// Tests a comparator on differences that it must see and on equal pictures that it must accept.
///
/// The comparator itself can be faulty: on one machine the comparator of swift-snapshot-testing
/// computed nothing, its result stayed at 0, and tests that should have failed passed
/// (swift-snapshot-testing#710). So the laws test their comparator in every run.
public struct ComparatorSelfTest: Sendable {
  /// A change made to a picture before it is compared with the original, in words.
  enum Probe: String, CaseIterable, Sendable {
    case nothing = "twice the same picture"
    case onePixel = "one black pixel"
    case oneLevel = "one sample one step higher"
    /// The shift is to the right.
    case slightShift = "a shift of 0.1 px"
    /// All samples are 0, as if nothing had been drawn.
    case zeroes = "an empty picture"
    /// The last row is missing, as if the picture had been allocated in part.
    case otherSize = "a picture of another size"
  }

  private let comparator: PixelComparator

  /// Creates a test of a comparator.
  public init(_ comparator: PixelComparator = .standard) { self.comparator = comparator }

  /// Tries every probe at every depth.
  ///
  /// - Throws: `ComparatorBroken` for the first wrong answer.
  public func run() throws(ComparatorBroken) {
    for depth in TestPicture.SampleDepth.allCases {
      for probe in Probe.allCases { try run(probe, depth) }
    }
  }

  /// Tries one probe.
  func run(_ probe: Probe, _ depth: TestPicture.SampleDepth) throws(ComparatorBroken) {
    let levels = Self.waves(depth, shiftedBy: 0)
    let sound = Self.picture(levels, depth)
    let probed = Self.picture(Self.probed(levels, probe, depth), depth)
    let seen = comparator.compare(probed, sound)
    func demand(_ condition: Bool, _ said: String) throws(ComparatorBroken) {
      guard !condition else { return }
      throw ComparatorBroken(finding: "shown \(probe.rawValue) at \(depth) bits it \(said)")
    }
    if probe == .otherSize {
      try demand(seen.formDifference != nil, "found the sizes equal")
      return
    }
    try demand(seen.formDifference == nil, "found another form: \(seen.formDifference ?? "")")
    try demand(
      seen.comparedPixels == sound.size.area,
      "compared \(seen.comparedPixels) of \(sound.size.area) pixels")
    switch probe {
    case .nothing: try demand(seen.isSame && seen.largestDifference == 0, "saw a difference")
    case .onePixel, .oneLevel:
      try demand(seen.differingPixels == 1, "counted \(seen.differingPixels) differing pixels")
      try demand(
        seen.worst?.x == Self.place.x && seen.worst?.y == Self.place.y,
        "did not find column \(Self.place.x), row \(Self.place.y)")
      let wanted = probe == .oneLevel ? 1 : Double(levels[Self.index])
      try demand(
        seen.largestDifference == wanted && seen.meanDifference > 0,
        "gave \(seen.largestDifference) for a difference of \(wanted)")
    case .zeroes:
      try demand(
        seen.differingPixels > sound.size.area / 2 && seen.meanDifference > 0,
        "counted \(seen.differingPixels) differing pixels")
    case .slightShift:
      try demand(seen.differingPixels > 0, "saw no difference")
      let shift = comparator.shift(probed, sound, 1)
      // Within the accuracy that `PixelShift` documents.
      try demand(
        shift.map { abs($0.x - 0.1) <= 0.05 && abs($0.y) <= 0.05 } ?? false,
        "measured a shift of \(shift.map { "(\($0.x), \($0.y))" } ?? "nothing")")
    case .otherSize: break
    }
  }

  private static let side = 24
  /// Neither on the diagonal nor in the middle, so that swapped axes show.
  private static let place = (x: 17, y: 5)

  private static let index = place.y * side + place.x

  private static func probed(
    _ sound: [Int], _ probe: Probe, _ depth: TestPicture.SampleDepth
  ) -> [Int] {
    var levels = sound
    switch probe {
    case .nothing: break
    case .onePixel: levels[index] = 0
    case .oneLevel: levels[index] += 1
    case .slightShift: levels = waves(depth, shiftedBy: 0.1)
    case .zeroes: levels = [Int](repeating: 0, count: levels.count)
    case .otherSize: levels.removeLast(side)
    }
    return levels
  }

  /// Returns crossing parabolic waves of 12 and 9 pixels with levels from 40 to 215 of 255.
  private static func waves(
    _ depth: TestPicture.SampleDepth, shiftedBy shift: Double
  ) -> [Int] {
    func wave(_ place: Double) -> Double {
      let turn = (place - place.rounded(.down)) * 2 - 1
      return 4 * turn * (1 - abs(turn))
    }
    let step = depth == .eight ? 1.0 : 257
    return (0..<side).flatMap { y in
      (0..<side).map { x in
        Int((128 + 48 * wave((Double(x) - shift) / 12) + 38 * wave(Double(y) / 9)) * step)
      }
    }
  }

  private static func picture(_ levels: [Int], _ depth: TestPicture.SampleDepth) -> Pixels {
    let isDeep = depth == .sixteen
    return Pixels(
      size: PixelRegion.checked(0, 0, side, levels.count / side).size, bands: 1,
      format: isDeep ? .uint16 : .uint8,
      interpretation: isDeep ? ColourInterpretation(rawValue: "grey16") : .grey,
      bytes: isDeep
        ? levels.flatMap { withUnsafeBytes(of: UInt16($0)) { Array($0) } }
        : levels.map { UInt8($0) })
  }
}
