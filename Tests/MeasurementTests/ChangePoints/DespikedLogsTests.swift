import Foundation
import Testing

@testable import Measurement

@Suite struct DespikedLogsTests {
  @Test func `a level of the shortest length stays and a shorter one goes`() throws {
    for length in 1...3 {
      for first in 0...40 - length {
        let values = (0..<40).map { (first..<first + length).contains($0) ? 2.0 : 1 }
        let logs = try DespikedLogs(values)
        // Next to a level at an end, the rest of the old level may be too short to be one.
        if length == 3 {
          #expect(logs.values[first..<first + length].allSatisfy { $0 > 0.5 }, "from \(first)")
        } else {
          #expect(logs.values.allSatisfy { $0 == 0 }, "\(length) from \(first)")
        }
      }
    }
  }

  @Test func `noise without outliers is hardly touched`() throws {
    let values = NoiseFixture.factors(count: 1000, deviation: 0.01, seed: 9)
    let logs = try DespikedLogs(values)
    // Except for spikes, all values differ from their logarithm by the same median.
    let centers = zip(values, logs.values).map { log($0) - $1 }.sorted()
    let changed = centers.count { abs($0 - centers[500]) > 1e-12 }
    // Three deviations from a median of five: under 1 % of normal values.
    #expect(changed <= 15)
  }

  @Test func `sums of a range are those of its values`() throws {
    let values = NoiseFixture.factors(count: 30, deviation: 0.1, seed: 2)
    let logs = try DespikedLogs(values)
    for range in [0..<30, 4..<5, 7..<19, 3..<3] {
      let part = logs.values[range]
      #expect(abs(logs.sum(range) - part.reduce(0, +)) <= 1e-13)
      let moment = range.reduce(0) { $0 + Double($1) * logs.values[$1] }
      #expect(abs(logs.moment(range) - moment) <= 1e-12)
    }
    #expect(logs.median(3..<3) == 0)
    // The median of two is computed from their sum, the mean from a difference of sums.
    #expect(abs(logs.median(4..<6) - logs.mean(4..<6)) <= 1e-15)
  }
}
