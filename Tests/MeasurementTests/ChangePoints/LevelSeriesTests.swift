import Testing

@testable import Measurement

@Suite struct LevelSeriesTests {
  @Test(arguments: [2, 3, 5])
  func `a level of the shortest length stays and a shorter one goes`(minimum: Int) throws {
    for first in 0...40 - minimum {
      for length in 1...minimum {
        let values = (0..<40).map { (first..<first + length).contains($0) ? 2.0 : 1 }
        let series = try LevelSeries(values, minimumSegment: minimum)
        let level = series.values[first..<first + length]
        // Beside a level at an end, what is left of the old one there may be too short to be one.
        if length == minimum {
          #expect(level.allSatisfy { $0 > 0.5 }, "\(length) from \(first)")
        } else {
          #expect(series.values.allSatisfy { $0 == 0 }, "\(length) from \(first)")
        }
      }
    }
  }

  @Test func `noise without outliers is hardly touched`() throws {
    let values = NoiseFixture.factors(count: 1000, deviation: 0.01, seed: 9)
    let series = try LevelSeries(values, minimumSegment: 3)
    let changed = zip(series.raw, series.values).filter { $0 != $1 }.count
    // Three deviations from a median of five: under 1 % of normal values.
    #expect(changed <= 15)
  }

  @Test func `the newest runs can be taken as they came`() throws {
    let series = try LevelSeries([1, 1, 1, 1, 1, 1, 2, 2], minimumSegment: 3)
    #expect(series.values.allSatisfy { $0 == 0 })
    let trusting = series.trusting(newest: 2)
    #expect(trusting.values[5] == 0 && trusting.values[6] > 0.69 && trusting.values[7] > 0.69)
    #expect(trusting.scatter(6..<8) == 0 && trusting.scatter(5..<7) > 0)
  }

  @Test func `sums of a range are those of its values`() throws {
    let values = NoiseFixture.factors(count: 30, deviation: 0.1, seed: 2)
    let series = try LevelSeries(values, minimumSegment: 3)
    for range in [0..<30, 4..<5, 7..<19, 3..<3] {
      let part = series.values[range]
      #expect(abs(series.sum(range) - part.reduce(0, +)) <= 1e-13)
      let moment = range.reduce(0) { $0 + Double($1) * series.values[$1] }
      #expect(abs(series.moment(range) - moment) <= 1e-12)
    }
    #expect(series.median(3..<3) == 0)
    #expect(series.median(4..<6) == series.mean(4..<6))
  }
}
