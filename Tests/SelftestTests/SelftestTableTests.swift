import Foundation
import Measurement
import Testing
import zoombench

@testable import selftest

@Suite struct SelftestTableTests {
  /// Returns a case of one launch with 20 pairs, whose base takes 5 ms.
  private func peek(ratio: Double = 1, first: Verdict, final: Verdict) -> CaseComparison {
    let base = (0..<20).map { UInt64(5_000_000 + 1000 * $0) }
    func arm(_ samples: [UInt64]) -> PairedLaunch.Arm {
      PairedLaunch.Arm(
        first: Elapsed(wallNanoseconds: 9_000_000, cpuNanoseconds: 8_000_000),
        wallNanoseconds: samples, cpuNanoseconds: samples)
    }
    let launch = PairedLaunch(
      startNanoseconds: 0, repeats: 1, warmUpPairs: 0, base: arm(base),
      candidate: arm(base.map { UInt64((Double($0) * ratio).rounded()) }),
      candidateRanFirst: base.indices.map { $0.isMultiple(of: 2) })
    let estimate = ChangeEstimate(
      pairs: 80, launches: 4, ratio: ratio, interval: nil, spread: 0.02,
      detectableChange: 0.021, chance: 0.5, verdict: first)
    return CaseComparison(
      name: "peek", role: .gated, launches: [launch], counters: .init(base: [:], candidate: [:]),
      answersCompared: 20, differingRounds: [], cpu: estimate, wall: estimate, verdict: final,
      reason: nil)
  }

  private func record(
    planted: Int, ratio: Double, first: Verdict, final: Verdict
  ) -> SelftestRecord {
    SelftestRecord(
      peek(ratio: ratio, first: first, final: final), planted: planted, load: 0, seed: 1,
      isContaminated: false)
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
    #expect(abs(try #require(slow.change) - 1.05) < 1e-6)
    #expect(abs(slow.medianTimedSeconds - 0.205) < 0.001)
  }

  @Test func `a comparison without a pair is listed, and without any measurement nothing is shown`()
    throws
  {
    let whole = record(planted: 100, ratio: 1.1, first: .inconclusive, final: .inconclusive)
    let json = String(decoding: try JSONEncoder().encode(whole), as: UTF8.self)
    let emptied = json.replacing(/"pairs":\[[^\]]*\]/, with: "\"pairs\":[]")
    #expect(emptied != json)
    let empty = try JSONDecoder().decode(SelftestRecord.self, from: Data(emptied.utf8))
    #expect(SelftestTable(records: [empty]).rows.map(\.change) == [nil])
    #expect(SelftestTable(records: [empty]).rendered().contains("–"))
    // A slow-down without pairs counts as not found.
    #expect(status(empty) == 1)
    let equal = record(planted: 0, ratio: 1, first: .same, final: .same)
    let equalJSON = String(decoding: try JSONEncoder().encode(equal), as: UTF8.self)
      .replacing(/"pairs":\[[^\]]*\]/, with: "\"pairs\":[]")
    #expect(status(try JSONDecoder().decode(SelftestRecord.self, from: Data(equalJSON.utf8))) == 2)
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
    // Both measurements err once in 10,000 times, so one error in 20 is implausible.
    #expect(status(of: others + [slower, equal, equal]) == 1)
    let many = [SelftestRecord](repeating: equal, count: 99)
    #expect(status(of: many + [faster]) == 1)
    let more = [SelftestRecord](repeating: equal, count: 999)
    #expect(status(of: more + [slower]) == 0)
    #expect(status(of: more + [slower, faster]) == 1)
    // Contaminated runs do not count, and do not dilute the others.
    var contaminated = equal
    contaminated.isContaminated = true
    #expect(
      status(of: many + [faster] + [SelftestRecord](repeating: contaminated, count: 2000)) == 1)
    // A case that first looked slower and was not confirmed is correct.
    let doubted = record(planted: 0, ratio: 1.1, first: .slower, final: .inconclusive)
    #expect(status(equal, doubted) == 0)
    #expect(status(record(planted: 50, ratio: 1, first: .same, final: .same)) == 0)
    #expect(status() == 0)
  }

  /// The self-test has 20 comparisons by default.
  @Test func `a machine that errs in one comparison of twenty mostly fails the self-test`() {
    let limit = (0...20).first { !SelftestTable.isPlausible($0, of: 20) } ?? 21
    // At a rate of 5 %, the chance of at least one error in 20 is 0.64, of at least two 0.26.
    #expect(limit == 1)
  }

  @Test(arguments: [1, 7, 20, 100, 1000, 20_000])
  func `a machine that errs as often as it may fails the self-test in one run of a hundred`(
    comparisons: Int
  ) throws {
    let limit = try #require(
      (0...comparisons + 1).first { !SelftestTable.isPlausible($0, of: comparisons) })
    // The chance of each count of errors, from logarithms of factorials.
    let n = Double(comparisons)
    var chance = 0.0
    for errors in stride(from: limit, through: comparisons, by: 1) {
      let k = Double(errors)
      let ways = lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)
      chance += exp(ways + k * log(1e-4) + (n - k) * log(1 - 1e-4))
    }
    #expect(chance <= 0.01 + 1e-9)
    // The limit is not stricter than necessary.
    let before = limit - 1
    #expect(before == 0 || SelftestTable.isPlausible(before, of: comparisons))
    #expect(limit <= [1: 1, 7: 1, 20: 1, 100: 1, 1000: 2, 20_000: 7][comparisons] ?? 0)
  }

  @Test func `runs that are all contaminated say nothing`() {
    let peek = peek(first: .inconclusive, final: .inconclusive)
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
