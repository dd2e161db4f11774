import TestSupport
import Testing

@testable import ZoomPipeline

@Suite struct SeekIndexTests {
  private func made(
    points: Int, components: Int = 3, random: inout SplitMix64
  ) -> (index: SeekIndex, points: [SeekIndex.Point]) {
    var index = SeekIndex(spacing: 16, componentCount: components, mcuCount: points * 16 - 3)
    var bit = Int.random(in: 0...1 << 40, using: &random) * 8
    var all: [SeekIndex.Point] = []
    for number in 0..<points {
      let predictors = (0..<components).map { _ in
        number == 0 ? 0 : Int32.random(in: -32_768...32_767, using: &random)
      }
      let isTaken = index.append(bit: bit, predictors: predictors)
      #expect(isTaken)
      all.append(SeekIndex.Point(mcu: number * 16, bit: bit, predictors: predictors))
      bit += Int.random(in: 1...100_000, using: &random)
    }
    index.finish(at: bit / 8 + 1)
    return (index, all)
  }

  @Test(arguments: 1...4) func `points come back as they were added, beyond four gigabytes, too`(
    components: Int
  ) throws {
    var random = SplitMix64(seed: UInt64(components))
    for points in [1, 2, 50] {
      let (index, all) = made(points: points, components: components, random: &random)
      #expect(index.pointCount == points)
      #expect((0..<points).map { index.point(at: $0) } == all)
      #expect(index.point(at: -1) == nil && index.point(at: points) == nil)
      #expect(index.point(before: 15) == all[0])
      #expect(index.point(before: 16) == (points > 1 ? all[1] : nil))
      let end = try #require(index.scanEnd)
      let stored = SeekIndex(
        spacing: 16, componentCount: components, mcuCount: index.mcuCount,
        codedStart: all[0].bit / 8, scanEnd: end, records: index.records)
      #expect(stored == index)
    }
  }

  @Test func `what cannot be an index is refused, whatever the numbers`() throws {
    var random = SplitMix64(seed: 9)
    let (index, all) = made(points: 5, random: &random)
    let (start, end) = (all[0].bit / 8, try #require(index.scanEnd))
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

  @Test func `a predictor that no record holds is not cut`() {
    var index = SeekIndex(spacing: 16, componentCount: 2, mcuCount: 100)
    let isTaken = index.append(bit: 8, predictors: [0, 0])
    #expect(isTaken)
    let before = index
    for predictors in [[1, 32_768], [-32_769, 0]] as [[Int32]] {
      let isTaken = index.append(bit: 80, predictors: predictors)
      #expect(!isTaken && index == before)
    }
  }
}
