import Foundation
import Measurement
import Testing

@testable import zoombench

@Suite struct SelftestTableTests {
  private func record(
    planted: Int, ratio: Double, first: Verdict, final: Verdict
  ) -> SelftestRecord {
    var peek = HandmadeComparison.peek(ratio: ratio, verdict: first)
    peek.verdict = final
    return SelftestRecord(peek, planted: planted, load: 0, seed: 1, isContaminated: false)
  }

  @Test func `verdicts are counted for each slow-down`() throws {
    let rows = SelftestTable(records: [
      record(planted: 50, ratio: 1.05, first: .slower, final: .slower),
      record(planted: 50, ratio: 1.05, first: .slower, final: .inconclusive),
      record(planted: 0, ratio: 1, first: .same, final: .same),
    ]).rows
    #expect(rows.map(\.planted) == [0, 50])
    let slow = try #require(rows.last)
    #expect(slow.comparisons == 2 && slow.slowerAtFirst == 2)
    #expect(slow.verdicts == ["slower": 1, "inconclusive": 1])
    #expect(abs(slow.change - 1.05) < 1e-6)
    #expect(abs(slow.medianTimedSeconds - 0.205) < 0.001)
  }

  @Test func `a record that was written is read`() throws {
    let record = record(planted: 20, ratio: 1.02, first: .same, final: .same)
    let data = try JSONEncoder.compact.encode(record)
    #expect(try JSONDecoder().decode(SelftestRecord.self, from: data) == record)
    #expect(record.pairs.allSatisfy { abs($0 - 19_803) < 3 })
  }
}
