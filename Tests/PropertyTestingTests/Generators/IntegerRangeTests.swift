import PropertyTesting
import Testing

/// Tests of ranges at both ends of every integer type, with every end as the simplest number.
@Suite struct IntegerRangeTests {
  /// Draws and shrinks numbers in ranges that touch the ends of a type.
  private func tryRanges<T: FixedWidthInteger & Sendable>(of type: T.Type) async {
    let (low, high) = (T.min, T.max)
    let middle = low / 2 + high / 2
    let ranges: [ClosedRange<T>] = [
      low...low, high...high, low...low + 100, high - 100...high, low...low + 1, high - 1...high,
      low...high, low + 1...high, low...high - 1, low...middle, middle...high, 0...0, 0...1,
      0...high, low...0,
    ]
    for range in ranges {
      for target in [nil, range.lowerBound, range.upperBound, middle] as [T?] {
        let often = [range.lowerBound, range.upperBound]
        let generators = [
          Gen<T>.integer(in: range, shrinkingTowards: target),
          .integer(in: range, shrinkingTowards: target, often: often),
        ]
        let simplest = min(max(target ?? 0, range.lowerBound), range.upperBound)
        for generator in generators {
          let drawn = generator.sample(100, seed: 5)
          #expect(drawn.count == 100 && drawn.allSatisfy(range.contains), "\(type) \(range)")
          #expect(await generator.shrunk(seed: 1) { _ in true } == simplest, "\(type) \(range)")
        }
        guard range.lowerBound < range.upperBound else { continue }
        let found = await generators[0].shrunk(seed: 1) { $0 != simplest }
        // The width decides which neighbour is found, because a wide number is two choices.
        #expect(
          found == simplest &+ 1 || found == simplest &- 1,
          "\(type) \(range) towards \(simplest)")
      }
    }
  }

  @Test func `numbers of every type are drawn and shrink at the ends of the type`() async {
    await tryRanges(of: Int8.self)
    await tryRanges(of: UInt8.self)
    await tryRanges(of: Int16.self)
    await tryRanges(of: UInt16.self)
    await tryRanges(of: Int32.self)
    await tryRanges(of: UInt32.self)
    await tryRanges(of: Int64.self)
    await tryRanges(of: UInt64.self)
    await tryRanges(of: Int.self)
    await tryRanges(of: UInt.self)
    await tryRanges(of: Int128.self)
    await tryRanges(of: UInt128.self)
  }

  @Test func `both ends of a range come up`() {
    for range in [Int128.min...Int128.min + 100, Int128.max - 100...Int128.max] {
      let drawn = Set(Gen<Int128>.integer(in: range).sample(500, seed: 1))
      #expect(drawn.contains(range.lowerBound) && drawn.contains(range.upperBound))
    }
  }
}
