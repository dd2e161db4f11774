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

  private func status(_ records: SelftestRecord...) -> Int32? { status(of: records) }

  private func status(of records: [SelftestRecord]) -> Int32? {
    do {
      try SelftestTable(records: records).judge()
      return 0
    } catch {
      return (error as? Failure)?.status.rawValue
    }
  }

  @Test
  func `equal builds that are told apart, and a great slow-down that is missed, are findings`() {
    let equal = record(planted: 0, ratio: 1, first: .same, final: .same)
    let open = record(planted: 100, ratio: 1, first: .inconclusive, final: .inconclusive)
    let found = record(planted: 100, ratio: 1.1, first: .slower, final: .slower)
    #expect(status(equal, open, found) == 0)
    #expect(status(equal, open) == 1)
    let slower = record(planted: 0, ratio: 1.1, first: .slower, final: .slower)
    let faster = record(planted: 0, ratio: 0.9, first: .faster, final: .faster)
    #expect(status(slower, faster, equal) == 1)
    let others = [SelftestRecord](repeating: equal, count: 17)
    #expect(status(of: others + [slower, equal, equal]) == 0)
    #expect(status(of: others + [slower, faster, equal]) == 0)
    #expect(status(of: others + [slower, faster, slower]) == 1)
    // What looked slower and was not confirmed is how it should be.
    let doubted = record(planted: 0, ratio: 1.1, first: .slower, final: .inconclusive)
    #expect(status(equal, doubted) == 0)
    #expect(status(record(planted: 50, ratio: 1, first: .same, final: .same)) == 0)
    #expect(status() == 0)
  }

  @Test(arguments: [1, 7, 20, 100, 1000, 20_000])
  func `a machine that errs as often as it may fails the self-test in one run of a hundred`(
    comparisons: Int
  ) throws {
    let limit = try #require(
      (0...comparisons + 1).first { !SelftestTable.isPlausible($0, of: comparisons) })
    // The chance of each count of errors, by logarithms of factorials.
    let n = Double(comparisons)
    var chance = 0.0
    for errors in stride(from: limit, through: comparisons, by: 1) {
      let k = Double(errors)
      let ways = lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)
      chance += exp(ways + k * log(0.01) + (n - k) * log(0.99))
    }
    #expect(chance <= 0.01 + 1e-9)
    // And no less is asked for than that.
    let before = limit - 1
    #expect(before == 0 || SelftestTable.isPlausible(before, of: comparisons))
    #expect(limit <= comparisons / 100 + 3 + Int(3 * Double(comparisons).squareRoot() / 10))
  }

  @Test func `runs that are all contaminated say nothing`() {
    let peek = HandmadeComparison.peek(verdict: .inconclusive)
    let record = SelftestRecord(peek, planted: 100, load: 0, seed: 1, isContaminated: true)
    #expect(status(record) == 2)
  }

  @Test func `a record that was written is read`() throws {
    let record = record(planted: 20, ratio: 1.02, first: .same, final: .same)
    let data = try JSONEncoder.compact.encode(record)
    #expect(try JSONDecoder().decode(SelftestRecord.self, from: data) == record)
    #expect(record.pairs.allSatisfy { abs($0 - 19_803) < 3 })
  }
}
