import PropertyTesting
import Synchronization
import Testing
import ZoomGeometry
import ZoomPipeline

@testable import ZoomLaws

@Suite struct ComparatorSelfTestTests {
  @Test func `our comparator sees every probe`() throws {
    try ComparatorSelfTest().run()
  }

  /// Comparators with one mistake each.
  private static let broken: [(name: String, comparator: PixelComparator)] = [
    ("finds nothing", with { _, _ in figures(0, 0, 0, pixels: 576) }),
    // swift-snapshot-testing#710: its render call wrote nothing and the result stayed at 0.
    ("never ran", with { _, _ in figures(0, 0, 0, pixels: 0) }),
    ("always complains", with { _, _ in figures(1, 1, 1, pixels: 576) }),
    (
      "skips the last columns",
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
      "tolerates a level",
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
      "swaps the axes",
      with { got, expected in
        let seen = PixelComparison(got, expected: expected)
        guard let worst = seen.worst else { return seen }
        return PixelComparison(
          comparedPixels: seen.comparedPixels, differingPixels: seen.differingPixels,
          largestDifference: seen.largestDifference, meanDifference: seen.meanDifference,
          worst: .init(
            x: worst.y, y: worst.x, band: 0, expected: worst.expected, got: worst.got))
      }
    ),
    (
      "takes sizes for equal",
      with { got, expected in
        let seen = PixelComparison(got, expected: expected)
        return PixelComparison(
          comparedPixels: seen.comparedPixels, differingPixels: seen.differingPixels,
          largestDifference: seen.largestDifference, meanDifference: seen.meanDifference,
          worst: seen.worst)
      }
    ),
    (
      "sees no shift",
      PixelComparator(
        compare: PixelComparator.standard.compare,
        shift: { _, _, _ in nil })
    ),
    (
      "shifts the other way",
      PixelComparator(
        compare: PixelComparator.standard.compare,
        shift: { PixelShift($1, expected: $0, within: $2) })
    ),
  ]

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
    let comparator = try #require(Self.broken.first { $0.name == name }).comparator
    let error = #expect(throws: ComparatorBroken.self) {
      try ComparatorSelfTest(comparator).run()
    }
    #expect(error?.description.hasPrefix("the comparator of pixels is broken: shown") == true)
  }

  @Test func `with a broken comparator no law of pixels passes for sound`() async throws {
    let subject = try PixelSubject(NaivePipeline()).with(Self.broken[1].comparator)
    for law in PixelLaws.all where ["PX-1", "PX-2", "PX-5"].contains(law.name) {
      let report = await law.check(subject, settings: .init(cases: 5, seed: 1))
      #expect(report.verdict == .broken && report.breaches.first?.error is ComparatorBroken)
    }
  }

  // MARK: What is put before a comparator

  /// The pictures that a comparator is shown, and by how far it is asked to look for shifts.
  private static func shown(
    _ probe: ComparatorSelfTest.Probe, _ depth: ComparatorSelfTest.Depth
  ) throws -> (got: Pixels, expected: Pixels, range: Int?) {
    let seen = Mutex<(got: Pixels, expected: Pixels, range: Int?)?>(nil)
    // What it answers does not matter here.
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

  /// Two crossing waves, of 12 pixels across and 9 down; each half of a wave is a parabola.
  private static func waves(_ x: Double, _ y: Double) -> Double {
    func wave(_ place: Double) -> Double {
      var turn = place.truncatingRemainder(dividingBy: 1)
      if turn < 0 { turn += 1 }
      // 0 at the ends and the middle, -1 at a quarter and 1 at three quarters.
      return turn < 0.5 ? -16 * turn * (0.5 - turn) : 16 * (turn - 0.5) * (1 - turn)
    }
    return 128 + 48 * wave(x / 12) + 38 * wave(y / 9)
  }

  @Test(arguments: ComparatorSelfTest.Depth.allCases, ComparatorSelfTest.Probe.allCases)
  func `the pictures are waves, and what is done to them is what the probe says`(
    depth: ComparatorSelfTest.Depth, probe: ComparatorSelfTest.Probe
  ) throws {
    let (got, expected, range) = try Self.shown(probe, depth)
    let step = depth == .eight ? 1.0 : 257.0
    let format = depth == .eight ? SampleFormat.uint8 : .uint16
    #expect(try expected.size == PixelSize(width: 24, height: 24))
    for pixels in [got, expected] { #expect(pixels.bands == 1 && pixels.format == format) }
    #expect(got.interpretation == expected.interpretation)
    #expect(expected.interpretation.rawValue == (depth == .eight ? "b-w" : "grey16"))
    let sound = Self.levels(expected)
    /// Whether each level is a wave's, cut to a whole number, but for one in which both differ by
    /// a rounding before the cut.
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

  /// Whether a comparator passes that gives these figures for a probe.
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
    for wrong in [-1.0, 1] {
      #expect(!Self.passes(probe, differing: 1, largest: largest + wrong))
    }
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
    // 0.1 is the double of 0.05 also in floating point, so that both are at the limit.
    for (x, y) in [(0.1, 0.0), (0.05, 0), (0.1, 0.05), (0.1, -0.05), (0.1499, 0)] {
      #expect(passes(x, y))
      #expect(!passes(x, y, differing: 0))
    }
    for (x, y) in [(0.0499, 0.0), (0.1501, 0), (0.1, 0.0501), (0.1, -0.0501), (-0.1, 0)] {
      #expect(!passes(x, y))
    }
  }

  @Test func `another size is to be told`() {
    #expect(Self.passes(.otherSize, form: "size", pixels: 0, differing: 0, largest: 0))
    #expect(!Self.passes(.otherSize, differing: 0, largest: 0))
  }
}
