import PropertyTesting
import Testing
import ZoomGeometry
import ZoomLaws
import ZoomPipeline

@testable import PixelLaws

@Suite struct ComparatorSelfTestTests {
  @Test func `our comparator sees every probe`() {
    #expect(throws: Never.self) { try ComparatorSelfTest().run() }
  }

  private static func comparing(
    _ compare: @escaping @Sendable (Pixels, Pixels) -> PixelComparison
  ) -> PixelComparator {
    PixelComparator(compare: compare, shift: PixelComparator.standard.shift)
  }

  /// Returns pixels with the two bytes of each 16-bit sample swapped.
  private static func backwards(_ pixels: Pixels) -> Pixels {
    guard pixels.format == .uint16 else { return pixels }
    return pixels.with(pixels.size, pixels.bytes.indices.map { pixels.bytes[$0 ^ 1] })
  }

  @Test func `the error for a broken comparator names the difference that it misses`() throws {
    let swapsBytes = Self.comparing {
      PixelComparison(Self.backwards($0), expected: Self.backwards($1))
    }
    let shiftsBack = PixelComparator(
      compare: PixelComparator.standard.compare,
      shift: { PixelShift($1, expected: $0, within: $2) })
    for (comparator, finding) in [
      (swapsBytes, "one black pixel at sixteen bits it gave "),
      (shiftsBack, "a shift of 0.1 px at eight bits it measured a shift of (-0."),
    ] {
      let error = try #require(
        #expect(throws: ComparatorBroken.self) { try ComparatorSelfTest(comparator).run() })
      #expect(
        error.description.hasPrefix("the comparator of pixels is broken: shown \(finding)"),
        "\(error)")
    }
  }

  @Test func `with a broken comparator the laws that compare pixels are broken`() async throws {
    // In swift-snapshot-testing#710 the render call wrote nothing, and the result stayed at 0.
    var subject = try PixelSubject(NaivePipeline())
    subject.comparator = Self.comparing { got, _ in PixelComparison(got, expected: got) }
    let laws = RegionLaws.all.filter { ["PX-1", "PX-2", "PX-5"].contains($0.name) }
    #expect(laws.count == 3)
    for law in laws {
      let report = await law.check(subject, settings: .init(cases: 5, seed: 1))
      #expect(report.verdict == .broken && report.breaches.first?.error is ComparatorBroken)
    }
  }

  /// The answer of a made-up comparator; it starts as the comparison of two equal pictures of the
  /// probes' size.
  private struct Answer: Sendable {
    var comparison = PixelComparison(painted(24, 24, bands: 1), expected: painted(24, 24, bands: 1))
    var shift: PixelShift? = PixelShift(x: 0.1, y: 0, explained: 1)

    init(differing: Int, largest: Double, mean: Double, form: String? = nil) {
      comparison.differingPixels = differing
      comparison.largestDifference = largest
      comparison.meanDifference = mean
      comparison.formDifference = form
      comparison.worst = .init(x: 17, y: 5, band: 0, expected: 0, got: 0)
    }

    /// Returns the complaint about a comparator with this answer to a probe; nil if it passes.
    func finding(_ probe: ComparatorSelfTest.Probe) -> String? {
      let (comparison, shift) = (comparison, shift)
      let comparator = PixelComparator(compare: { _, _ in comparison }, shift: { _, _, _ in shift })
      do { try ComparatorSelfTest(comparator).run(probe, .eight) } catch { return error.finding }
      return nil
    }
  }

  /// An answer to each probe that is just right; the pixel that becomes black has level 116.
  private static let right: [ComparatorSelfTest.Probe: Answer] = [
    .nothing: Answer(differing: 0, largest: 0, mean: 0),
    .onePixel: Answer(differing: 1, largest: 116, mean: 1e-9),
    .oneLevel: Answer(differing: 1, largest: 1, mean: 1e-9),
    .zeroes: Answer(differing: 289, largest: 200, mean: 1e-9),
    .slightShift: Answer(differing: 1, largest: 1, mean: 1),
    .otherSize: Answer(differing: 0, largest: 0, mean: 0, form: "size"),
  ]

  /// The changes that make an answer to some probes wrong.
  private static let wrong:
    [([ComparatorSelfTest.Probe], @Sendable (inout PixelComparison) -> Void)] = [
      ([.nothing, .onePixel, .oneLevel, .zeroes, .slightShift], { $0.formDifference = "colours" }),
      ([.nothing, .onePixel, .oneLevel, .zeroes, .slightShift], { $0.comparedPixels -= 1 }),
      ([.nothing, .onePixel, .oneLevel, .zeroes, .slightShift], { $0.comparedPixels += 1 }),
      ([.nothing, .onePixel, .oneLevel], { $0.differingPixels += 1 }),
      ([.onePixel, .oneLevel, .zeroes, .slightShift], { $0.differingPixels -= 1 }),
      ([.nothing, .onePixel, .oneLevel], { $0.largestDifference += 1 }),
      ([.onePixel, .oneLevel], { $0.largestDifference -= 1 }),
      ([.onePixel, .oneLevel, .zeroes], { $0.meanDifference = 0 }),
      ([.onePixel, .oneLevel], { $0.worst = .init(x: 16, y: 5, band: 0, expected: 0, got: 0) }),
      ([.onePixel, .oneLevel], { $0.worst = .init(x: 17, y: 17, band: 0, expected: 0, got: 0) }),
      ([.otherSize], { $0.formDifference = nil }),
    ]

  @Test(arguments: ComparatorSelfTest.Probe.allCases)
  func `a right answer passes, and no answer with one wrong figure`(
    probe: ComparatorSelfTest.Probe
  ) throws {
    let right = try #require(Self.right[probe])
    #expect(right.finding(probe) == nil)
    for (number, (probes, change)) in Self.wrong.enumerated() where probes.contains(probe) {
      var wrong = right
      change(&wrong.comparison)
      let finding = wrong.finding(probe) ?? ""
      #expect(finding.hasPrefix("shown \(probe.rawValue) at eight bits it "), "change \(number)")
    }
  }

  // The cases with 0.05 lie exactly on the limit: 0.1 - 0.05 is 0.05 in floating point too.
  @Test(arguments: [
    (0.1, 0.0, true), (0.05, 0, true), (0.1, 0.05, true), (0.1, -0.05, true), (0.1499, 0, true),
    (0.0499, 0, false), (0.1501, 0, false), (0.1, 0.0501, false), (0.1, -0.0501, false),
    (-0.1, 0, false),
  ]) func `a shift must be right to a twentieth of a pixel`(
    x: Double, y: Double, isRight: Bool
  ) throws {
    var answer = try #require(Self.right[.slightShift])
    answer.shift = PixelShift(x: x, y: y, explained: 1)
    #expect((answer.finding(.slightShift) == nil) == isRight)
    answer.shift = nil
    #expect(answer.finding(.slightShift)?.hasSuffix("measured a shift of nothing") == true)
  }
}
