import PropertyTesting
import Testing

@testable import ZoomPipeline

@Suite struct SeekIndexTests {
  private func made(
    points: Int, components: Int = 3, random: inout SplitMix64
  ) throws -> (index: SeekIndex, points: [EntryPoint]) {
    var bit = Int.random(in: 1...1 << 40, using: &random) * 8
    var index = SeekIndex(
      spacing: 16, componentCount: components, mcuCount: points * 16 - 3, codedStart: bit / 8)
    var all: [EntryPoint] = []
    for number in 0..<points {
      var predictors = Predictors.zero
      for component in 0..<components where number > 0 {
        predictors[component] = Int32.random(in: -32_768...32_767, using: &random)
      }
      all.append(EntryPoint(mcu: number * 16, bit: bit, predictors: predictors))
      bit += Int.random(in: 1...100_000, using: &random)
    }
    for point in all.shuffled(using: &random) {
      #expect(!index.isComplete && index.point(at: point.mcu / 16) == nil)
      let isTaken = index.insert(point)
      #expect(isTaken && index.point(at: point.mcu / 16) == point)
    }
    index.scanEnd = bit / 8 + 1
    #expect(index.isComplete)
    return (index, all)
  }

  @Test(arguments: 1...4)
  func `points come back as they were added in any order, beyond four gigabytes, too`(
    components: Int
  ) throws {
    var random = SplitMix64(seed: UInt64(components))
    for points in [1, 2, 255, 256, 257, 600] {
      let (index, all) = try made(points: points, components: components, random: &random)
      #expect(index.pointCount == points)
      #expect((0..<points).map { index.point(at: $0) } == all)
      #expect(index.point(at: -1) == nil && index.point(at: points) == nil)
    }
  }

  @Test func `what cannot be an index is refused, whatever the numbers`() throws {
    var random = SplitMix64(seed: 9)
    let index = try made(points: 5, random: &random).index
    let (start, end, records) = (index.codedStart, index.scanEnd, index.blocks[0])
    func taken(
      spacing: Int = 16, components: Int = 3, mcus: Int? = nil, start at: Int? = nil,
      end to: Int? = nil, _ changed: [UInt8]? = nil
    ) -> Bool {
      var table = SeekIndex(
        spacing: spacing, componentCount: components, mcuCount: mcus ?? index.mcuCount,
        codedStart: at ?? start)
      table.scanEnd = to ?? end
      return table.insert(changed ?? records, asBlock: 0) && table.isComplete
    }
    #expect(taken())
    #expect(!taken(spacing: 15) && !taken(components: 2) && !taken(components: 4))
    #expect(!taken(mcus: 16) && !taken(mcus: 1000))
    #expect(!taken(start: start - 1) && !taken(start: start + 1) && !taken(end: start))
    #expect(!taken([]) && !taken(Array(records.dropLast())))
    var swapped = records
    swapped.replaceSubrange(12..<24, with: records[24..<36])
    #expect(!taken(swapped), "places that do not ascend")
    var first = records
    first[6] = 1
    #expect(!taken(first), "the first MCU is coded against zero")
  }

  @Test func `a predictor that no record can hold is refused`() {
    var table = SeekIndex(spacing: 16, componentCount: 2, mcuCount: 100, codedStart: 1)
    for predictors in [Predictors(1, 32_768, 0, 0), Predictors(-32_769, 0, 0, 0)] {
      let isTaken = table.insert(EntryPoint(mcu: 16, bit: 80, predictors: predictors))
      #expect(!isTaken && table.point(at: 1) == nil)
    }
  }
}
