import PropertyTesting
import Testing

@testable import ZoomPipeline

@Suite struct SeekIndexTests {
  @Test func `numbers and records that contradict each other make no index`() throws {
    var random = SplitMix64(seed: 9)
    let start = 500
    let index = try #require(
      SampleSidecar.index(components: 3, mcus: 77, spacing: 16, start: start, &random))
    let end = index.scanEnd
    func taken(
      spacing: Int = 16, components: Int = 3, mcus: Int? = nil, start at: Int? = nil,
      end to: Int? = nil, _ records: [UInt8]? = nil
    ) -> Bool {
      SeekIndex(
        spacing: spacing, componentCount: components, mcuCount: mcus ?? index.mcuCount,
        codedStart: at ?? start, scanEnd: to ?? end, records: records ?? index.records) != nil
    }
    #expect(taken())
    #expect(!taken(spacing: 0) && !taken(spacing: -1) && !taken(spacing: 15))
    #expect(!taken(components: 0) && !taken(components: 5) && !taken(components: 2))
    #expect(!taken(mcus: 0) && !taken(mcus: .max) && !taken(mcus: .min) && !taken(mcus: 16))
    #expect(!taken(start: start + 1) && !taken(start: -1) && !taken(start: .max))
    #expect(!taken(end: start) && !taken(end: .max) && !taken(end: -1))
    #expect(!taken([]) && !taken(Array(index.records.dropLast())))
    var swapped = index.records
    swapped.replaceSubrange(12..<24, with: index.records[24..<36])
    #expect(!taken(swapped), "places that do not ascend")
    var first = index.records
    first[6] = 1
    #expect(!taken(first), "the first MCU is coded against zero")
  }

  @Test func `a predictor that no record can hold is refused`() {
    var table = PointTable(spacing: 16, componentCount: 2, mcuCount: 100)
    for predictors in [Predictors(1, 32_768, 0, 0), Predictors(-32_769, 0, 0, 0)] {
      let isTaken = table.insert(EntryPoint(mcu: 16, bit: 80, predictors: predictors))
      #expect(!isTaken && table.point(at: 1) == nil)
    }
  }
}
