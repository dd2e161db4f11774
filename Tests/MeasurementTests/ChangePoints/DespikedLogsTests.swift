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
}
