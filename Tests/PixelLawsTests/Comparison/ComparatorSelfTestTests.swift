import PropertyTesting
import Synchronization
import Testing
import ZoomGeometry
import ZoomPipeline
import ZoomLaws

@testable import PixelLaws

@Suite struct ComparatorSelfTestTests {
  @Test func `our comparator sees every probe`() {
    #expect(throws: Never.self) { try ComparatorSelfTest().run() }
  }

  /// Comparators with one defect each, and the expected beginning of the finding.
  private static let broken: [(name: String, finding: String, comparator: PixelComparator)] = [
    (
      "finds nothing", "one black pixel at eight bits it counted 0 differing pixels",
      with { _, _ in figures(0, 0, 0, pixels: 576) }
    ),
    // In swift-snapshot-testing#710 the render call wrote nothing, and the result stayed at 0.
    (
      "never ran", "twice the same picture at eight bits it compared 0 of 576 pixels",
      with { _, _ in figures(0, 0, 0, pixels: 0) }
    ),
    (
      "always complains", "twice the same picture at eight bits it saw a difference",
      with { _, _ in figures(1, 1, 1, pixels: 576) }
    ),
    (
      "complains of the form of what differs",
      "one black pixel at eight bits it found another form: colours",
      with { got, expected in
        let seen = PixelComparison(got, expected: expected)
        guard !seen.isSame else { return seen }
        return PixelComparison(
          formDifference: seen.formDifference ?? "colours", comparedPixels: seen.comparedPixels,
          differingPixels: seen.differingPixels, largestDifference: seen.largestDifference,
          meanDifference: seen.meanDifference, worst: seen.worst)
      }
    ),
    (
      "skips the last columns", "one black pixel at eight bits it counted 0 differing pixels",
      with { got, expected in
        let half = PixelComparison(
          got.cut(.checked(0, 0, 16, got.size.height)),
          expected: expected.cut(.checked(0, 0, 16, expected.size.height)))
        return figures(
          half.differingPixels, half.largestDifference, half.meanDifference, pixels: 576,
          worst: half.worst)
      }
    ),
    (
      "tolerates a level", "one sample one step higher at eight bits it counted 0 differing pixels",
      with { got, expected in
        let seen = PixelComparison(got, expected: expected)
        return seen.largestDifference > 1
          ? seen
          : PixelComparison(
            formDifference: seen.formDifference, comparedPixels: seen.comparedPixels,
            differingPixels: 0, largestDifference: 0, meanDifference: 0)
      }
    ),
    (
      "swaps the axes", "one black pixel at eight bits it did not find column 17, row 5",
      with { got, expected in
        let seen = PixelComparison(got, expected: expected)
        guard let worst = seen.worst else { return seen }
        return PixelComparison(
          comparedPixels: seen.comparedPixels, differingPixels: seen.differingPixels,
          largestDifference: seen.largestDifference, meanDifference: seen.meanDifference,
          worst: .init(x: worst.y, y: worst.x, band: 0, expected: worst.expected, got: worst.got))
      }
    ),
    (
      "takes sizes for equal", "a picture of another size at eight bits it found the sizes equal",
      with { got, expected in
        let seen = PixelComparison(got, expected: expected)
        return PixelComparison(
          comparedPixels: seen.comparedPixels, differingPixels: seen.differingPixels,
          largestDifference: seen.largestDifference, meanDifference: seen.meanDifference,
          worst: seen.worst)
      }
    ),
    (
      "reads the bytes of a sample backwards", "one black pixel at sixteen bits it gave ",
      with { PixelComparison(backwards($0), expected: backwards($1)) }
    ),
    (
      "reads the first byte of a sample only", "one black pixel at sixteen bits it gave ",
      with { PixelComparison(single($0, 0), expected: single($1, 0)) }
    ),
    (
      "reads the last byte of a sample only", "one black pixel at sixteen bits it gave ",
      with { PixelComparison(single($0, 1), expected: single($1, 1)) }
    ),
    (
      "sees no shift", "a shift of 0.1 px at eight bits it measured a shift of nothing",
      shifting { _, _, _ in nil }
    ),
    (
      "shifts always alike", "a shift of 0.1 px at eight bits it measured a shift of (0.25, -0.5)",
      shifting { _, _, _ in PixelShift(x: 0.25, y: -0.5, explained: 1) }
    ),
    (
      "shifts the other way", "a shift of 0.1 px at eight bits it measured a shift of (-0.",
      shifting { PixelShift($1, expected: $0, within: $2) }
    ),
    (
      "exchanges the axes of a shift", "a shift of 0.1 px at eight bits it measured a shift of (",
      shifting { got, expected, range in
        PixelShift(got, expected: expected, within: range).map {
          PixelShift(x: $0.y, y: $0.x, explained: $0.explained)
        }
      }
    ),
  ]

  private static func shifting(
    _ shift: @escaping @Sendable (Pixels, Pixels, Int) -> PixelShift?
  ) -> PixelComparator {
    PixelComparator(compare: PixelComparator.standard.compare, shift: shift)
  }

  /// Returns pixels with the two bytes of each 16-bit sample swapped.
  private static func backwards(_ pixels: Pixels) -> Pixels {
    guard pixels.format == .uint16 else { return pixels }
    return pixels.with(pixels.size, pixels.bytes.indices.map { pixels.bytes[$0 ^ 1] })
  }

  /// Returns pixels with one byte of each 16-bit sample in the low byte and 0 in the high byte.
  private static func single(_ pixels: Pixels, _ byte: Int) -> Pixels {
    guard pixels.format == .uint16 else { return pixels }
    return pixels.with(
      pixels.size,
      (0..<pixels.bytes.count / 2).flatMap { sample in
        withUnsafeBytes(of: UInt16(pixels.bytes[sample * 2 + byte])) { Array($0) }
      })
  }

  private static func with(
    _ compare: @escaping @Sendable (Pixels, Pixels) -> PixelComparison
  ) -> PixelComparator {
    PixelComparator(compare: compare, shift: PixelComparator.standard.shift)
  }

  private static func figures(
    _ differing: Int, _ largest: Double, _ mean: Double, pixels: Int,
    worst: PixelComparison.Worst? = nil
  ) -> PixelComparison {
    PixelComparison(
      comparedPixels: pixels, differingPixels: differing, largestDifference: largest,
      meanDifference: mean, worst: worst)
  }

  @Test(arguments: Self.broken.map(\.name))
  func `a broken comparator is told by name of what it misses`(_ name: String) throws {
    let (_, finding, comparator) = try #require(Self.broken.first { $0.name == name })
    let error = try #require(
      #expect(throws: ComparatorBroken.self) { try ComparatorSelfTest(comparator).run() })
    #expect(
      error.description.hasPrefix("the comparator of pixels is broken: shown \(finding)"),
      "\(error)")
  }

  @Test func `with a broken comparator no law of pixels passes for sound`() async throws {
    let subject = try PixelSubject(NaivePipeline()).with(Self.broken[1].comparator)
    let laws = RegionLaws.all.filter { ["PX-1", "PX-2", "PX-5"].contains($0.name) }
    #expect(laws.count == 3)
    for law in laws {
      let report = await law.check(subject, settings: .init(cases: 5, seed: 1))
      #expect(report.verdict == .broken && report.breaches.first?.error is ComparatorBroken)
    }
  }

  // MARK: What is put before a comparator

  /// Returns the pictures passed to a comparator, and the range of shifts that it is asked to try.
  private static func shown(
    _ probe: ComparatorSelfTest.Probe, _ depth: ComparatorSelfTest.ProbeDepth
  ) throws -> (got: Pixels, expected: Pixels, range: Int?) {
    let seen = Mutex<(got: Pixels, expected: Pixels, range: Int?)?>(nil)
    // The comparator's answer does not matter here.
    try? ComparatorSelfTest(
      PixelComparator(
        compare: { got, expected in
          seen.withLock { $0 = (got, expected, nil) }
          return PixelComparison(got, expected: expected)
        },
        shift: { _, _, range in
          seen.withLock { $0?.range = range }
          return nil
        })
    ).run(probe, depth)
    return try #require(seen.withLock { $0 })
  }

  private static func levels(_ pixels: Pixels) -> [Int] {
    if pixels.format == .uint8 { return pixels.bytes.map { Int($0) } }
    return pixels.bytes.withUnsafeBytes { bytes in
      (0..<bytes.count / 2).map {
        Int(bytes.loadUnaligned(fromByteOffset: $0 * 2, as: UInt16.self))
      }
    }
  }

  /// Returns crossing waves of 12 pixels across and 9 down; each half is a parabola.
  private static func waves(_ x: Double, _ y: Double) -> Double {
    func wave(_ place: Double) -> Double {
      var turn = place.truncatingRemainder(dividingBy: 1)
      if turn < 0 { turn += 1 }
      // 0 at both ends and in the middle, -1 at a quarter and 1 at three quarters.
      return turn < 0.5 ? -16 * turn * (0.5 - turn) : 16 * (turn - 0.5) * (1 - turn)
    }
    return 128 + 48 * wave(x / 12) + 38 * wave(y / 9)
  }

  @Test(arguments: ComparatorSelfTest.ProbeDepth.allCases, ComparatorSelfTest.Probe.allCases)
  func `the pictures are waves, and what is done to them is what the probe says`(
    depth: ComparatorSelfTest.ProbeDepth, probe: ComparatorSelfTest.Probe
  ) throws {
    let (got, expected, range) = try Self.shown(probe, depth)
    let step = depth == .eight ? 1.0 : 257.0
    let format = depth == .eight ? SampleFormat.uint8 : .uint16
    #expect(try expected.size == PixelSize(width: 24, height: 24))
    for pixels in [got, expected] { #expect(pixels.bands == 1 && pixels.format == format) }
    #expect(got.interpretation == expected.interpretation)
    #expect(expected.interpretation.rawValue == (depth == .eight ? "b-w" : "grey16"))
    let sound = Self.levels(expected)
    /// Whether each level is the level of a wave, truncated after rounding errors.
    func areWaves(_ levels: [Int], shift: Double) -> Bool {
      levels.indices.allSatisfy { index in
        let level = Self.waves(Double(index % 24) - shift, Double(index / 24)) * step
        return Double(levels[index]) <= level + 1e-6 && Double(levels[index]) > level - 1 - 1e-6
      }
    }
    #expect(areWaves(sound, shift: 0))
    var wanted = sound
    switch probe {
    case .nothing: break
    case .onePixel: wanted[5 * 24 + 17] = 0
    case .oneLevel: wanted[5 * 24 + 17] += 1
    case .zeroes: wanted = [Int](repeating: 0, count: 576)
    case .otherSize: wanted.removeLast(24)
    case .slightShift:
      #expect(areWaves(Self.levels(got), shift: 0.1) && range == 1)
      return
    }
    let isAsWanted = Self.levels(got) == wanted
    #expect(isAsWanted && got.size.height == wanted.count / 24 && range == nil)
  }

  // MARK: Where it draws the line

  /// Whether a comparator with these figures passes a probe.
  private static func passes(
    _ probe: ComparatorSelfTest.Probe, form: String? = nil, pixels: Int = 576, differing: Int,
    largest: Double, mean: Double = 1, x: Int = 17, y: Int = 5,
    shift: (x: Double, y: Double) = (0.1, 0)
  ) -> Bool {
    let comparator = PixelComparator(
      compare: { _, _ in
        PixelComparison(
          formDifference: form, comparedPixels: pixels, differingPixels: differing,
          largestDifference: largest, meanDifference: mean,
          worst: .init(x: x, y: y, band: 0, expected: 0, got: 0))
      },
      shift: { _, _, _ in PixelShift(x: shift.x, y: shift.y, explained: 1) })
    do { try ComparatorSelfTest(comparator).run(probe, .eight) } catch { return false }
    return true
  }

  @Test func `what is the same may differ neither in pixels nor in levels`() {
    #expect(Self.passes(.nothing, differing: 0, largest: 0, mean: 0))
    #expect(!Self.passes(.nothing, differing: 1, largest: 0, mean: 0))
    #expect(!Self.passes(.nothing, differing: 0, largest: 1, mean: 0))
    #expect(!Self.passes(.nothing, form: "size", differing: 0, largest: 0, mean: 0))
    for pixels in [575, 577] {
      #expect(!Self.passes(.nothing, pixels: pixels, differing: 0, largest: 0, mean: 0))
    }
  }

  @Test(arguments: [ComparatorSelfTest.Probe.onePixel, .oneLevel])
  func `of one pixel the number, the place and the levels are to be right`(
    probe: ComparatorSelfTest.Probe
  ) throws {
    let levels = Self.levels(try Self.shown(.onePixel, .eight).expected)
    let largest = probe == .oneLevel ? 1.0 : Double(levels[5 * 24 + 17])
    #expect(Self.passes(probe, differing: 1, largest: largest, mean: 1e-9))
    #expect(!Self.passes(probe, differing: 1, largest: largest, mean: 0))
    #expect(!Self.passes(probe, differing: 2, largest: largest))
    #expect(!Self.passes(probe, differing: 0, largest: largest))
    #expect(!Self.passes(probe, differing: 1, largest: largest, x: 16))
    #expect(!Self.passes(probe, differing: 1, largest: largest, y: 17))
    for wrong in [-1.0, 1] { #expect(!Self.passes(probe, differing: 1, largest: largest + wrong)) }
  }

  @Test func `of an empty picture more than half is to differ`() {
    #expect(Self.passes(.zeroes, differing: 289, largest: 200))
    #expect(!Self.passes(.zeroes, differing: 288, largest: 200))
    #expect(!Self.passes(.zeroes, differing: 576, largest: 200, mean: 0))
    #expect(Self.passes(.zeroes, differing: 576, largest: 200, mean: 0.5))
  }

  @Test func `a shift is to be right to a twentieth of a pixel`() {
    func passes(_ x: Double, _ y: Double, differing: Int = 1) -> Bool {
      Self.passes(.slightShift, differing: differing, largest: 1, shift: (x, y))
    }
    // In floating point, too, 0.1 is twice 0.05, so both are exactly at the limit.
    for (x, y) in [(0.1, 0.0), (0.05, 0), (0.1, 0.05), (0.1, -0.05), (0.1499, 0)] {
      #expect(passes(x, y))
      #expect(!passes(x, y, differing: 0))
    }
    for (x, y) in [(0.0499, 0.0), (0.1501, 0), (0.1, 0.0501), (0.1, -0.0501), (-0.1, 0)] {
      #expect(!passes(x, y))
    }
  }

  @Test(arguments: ComparatorSelfTest.Probe.allCases.filter { $0 != .otherSize })
  func `another form is found for another size only`(probe: ComparatorSelfTest.Probe) throws {
    let levels = Self.levels(try Self.shown(.onePixel, .eight).expected)
    let largest: Double =
      switch probe {
      case .nothing: 0
      case .oneLevel: 1
      default: Double(levels[5 * 24 + 17])
      }
    let differing =
      switch probe {
      case .nothing: 0
      case .zeroes: 576
      default: 1
      }
    #expect(Self.passes(probe, differing: differing, largest: largest))
    #expect(!Self.passes(probe, form: "colours", differing: differing, largest: largest))
  }

  @Test func `another size is to be told`() {
    #expect(Self.passes(.otherSize, form: "size", pixels: 0, differing: 0, largest: 0))
    #expect(!Self.passes(.otherSize, differing: 0, largest: 0))
  }
}
