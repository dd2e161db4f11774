internal import Foundation
internal import Measurement
internal import zoombench

/// The operating characteristics: how often each verdict was given for each planted slow-down.
struct SelftestTable {
  let records: [SelftestRecord]

  struct Row: Codable, Hashable {
    let planted: Int
    let load: Int
    let comparisons: Int
    /// The median over all pairs, which is the cost of the planted rows; nil without a pair.
    let change: Double?
    /// The number of "slower" verdicts before confirmation, and of each final verdict.
    let slowerAtFirst: Int
    let verdicts: [String: Int]
    let contaminated: Int
    let medianTimedSeconds: Double
    let longestTimedSeconds: Double
  }

  var rows: [Row] {
    let groups = Dictionary(grouping: records) { [$0.load, $0.planted] }
    return groups.keys.sorted { $0.lexicographicallyPrecedes($1) }.compactMap { key in
      guard let group = groups[key],
        let seconds = try? SortedSamples(group.map(\.timedSeconds))
      else { return nil }
      let pairs = try? SortedSamples(group.flatMap(\.pairs).map { Double($0) / 1e6 })
      var verdicts: [String: Int] = [:]
      for record in group { verdicts[record.final.rawValue, default: 0] += 1 }
      return Row(
        planted: key[1], load: key[0], comparisons: group.count,
        change: pairs.map { exp($0.median) }, slowerAtFirst: group.count { $0.first == .slower },
        verdicts: verdicts, contaminated: group.count { $0.isContaminated },
        medianTimedSeconds: seconds.median, longestTimedSeconds: seconds.maximum)
    }
  }

  func rendered() -> String {
    var table = TextTable(
      columns: [
        .right("more rows"), .right("busy cores"), .right("comparisons"), .right("CPU change"),
        .right("slower at first"), .right("slower"), .right("same"), .right("faster"),
        .right("inconclusive"), .right("contaminated"), .right("timed p50"), .right("longest"),
      ])
    for row in rows {
      let verdicts = [Verdict.slower, .same, .faster, .inconclusive].map { "\(row.count($0))" }
      table.append(
        [row.moreRows, "\(row.load)", "\(row.comparisons)", row.change.map(Format.change) ?? "–"]
          + ["\(row.slowerAtFirst)"] + verdicts
          + [
            "\(row.contaminated)", "\(Format.significant(row.medianTimedSeconds)) s",
            "\(Format.significant(row.longestTimedSeconds)) s",
          ])
    }
    return table.rendered()
  }
}

extension SelftestTable.Row {
  var sound: Int { comparisons - contaminated }

  func count(_ verdict: Verdict) -> Int { verdicts[verdict.rawValue] ?? 0 }

  /// The planted share of the rows.
  var moreRows: String { "\(Format.number(Double(planted) / 10)) %" }
}

extension SelftestTable {
  /// The slow-down, in per mille of rows, that must be found: far above the margin of one per cent.
  static let unmissable = 100

  /// The chance that the self-test fails although comparisons err only as often as they may.
  static let falseFailures = 0.01

  /// The chance that both measurements of equal builds err: the square of a single error rate.
  static let errorRate = GateSettings().errorRate * GateSettings().errorRate

  /// Whether this many errors, or more, are plausible by chance at the permitted error rate.
  static func isPlausible(_ wrong: Int, of comparisons: Int) -> Bool {
    let rate = errorRate
    // The binomial chances of 0, 1, 2 … errors, each from the one before.
    var chance = exp(Double(comparisons) * log(1 - rate))
    var fewer = 0.0
    for errors in 0..<wrong {
      fewer += chance
      chance *= Double(comparisons - errors) / Double(errors + 1) * rate / (1 - rate)
    }
    return 1 - fewer > falseFailures
  }

  /// Throws the failure that sets the exit code, if comparisons cannot be trusted on this machine.
  ///
  /// In sound runs, equal builds may be called slower or faster as often as the error rate of two
  /// measurements explains. At least one unmissable slow-down must be found; a busy machine reduces how
  /// many are found.
  func judge() throws {
    let rows = rows
    for row in rows where row.planted == 0 {
      let wrong = row.count(.slower) + row.count(.faster)
      if !Self.isPlausible(wrong, of: row.sound) {
        throw Failure(
          .finding,
          "selftest: equal builds were called slower or faster in \(wrong) of "
            + "\(Format.count(row.sound, "comparison")) (do not trust compare on this machine)"
        )
      }
    }
    for row in rows where row.planted >= Self.unmissable {
      if row.sound > 0, row.count(.slower) == 0 {
        throw Failure(
          .finding,
          "selftest: \(row.moreRows) more rows were not called slower in any of "
            + "\(Format.count(row.sound, "comparison")) (do not trust compare on this machine)")
      }
    }
    if !records.isEmpty, records.allSatisfy({ $0.isContaminated || $0.pairs.isEmpty }) {
      throw Failure(
        .inconclusive,
        "selftest: no run has a sound measurement (measure on a quieter machine)")
    }
  }
}

/// One planted slow-down with the results of its comparison.
struct SelftestRecord: Codable, Hashable {
  /// Per mille of additional rows.
  let planted: Int
  let load: Int
  let seed: UInt64
  let caseName: String
  /// Before confirmation, the correction for many cases and contamination.
  let first: Verdict
  let final: Verdict
  /// The reason that the final verdict differs from the first one.
  let reason: String?
  var isContaminated: Bool
  /// Candidate over base, CPU time.
  let ratio: Double
  let lower: Double?
  let upper: Double?
  let launches: Int
  /// Wall seconds inside the samples of both builds, confirmation included.
  let timedSeconds: Double
  /// The raw data: the logarithms of the pairs' CPU ratios, in millionths, in order.
  let pairs: [Int]
  /// The same for the second measurement, if there was one.
  let confirmingPairs: [Int]

  init(_ each: CaseComparison, planted: Int, load: Int, seed: UInt64, isContaminated: Bool) {
    self.planted = planted
    self.load = load
    self.seed = seed
    caseName = each.name
    first = each.cpu.verdict
    final = each.verdict
    reason = each.reason
    self.isContaminated = isContaminated
    ratio = each.cpu.ratio
    lower = each.cpu.interval?.lower
    upper = each.cpu.interval?.upper
    launches = each.launches.count
    let all = each.launches + each.confirmation
    let nanoseconds = all.flatMap { $0.base.wallNanoseconds + $0.candidate.wallNanoseconds }
    timedSeconds = Double(nanoseconds.reduce(0, +)) / 1e9
    pairs = each.launches.flatMap(Self.logRatios)
    confirmingPairs = each.confirmation.flatMap(Self.logRatios)
  }

  /// Returns the log ratios of pairs, without samples of 0 ns, which the comparison refuses too.
  private static func logRatios(_ launch: PairedLaunch) -> [Int] {
    var found: [Int] = []
    for (base, candidate) in zip(launch.base.cpuNanoseconds, launch.candidate.cpuNanoseconds)
    where base > 0 && candidate > 0 {
      let ratio = Double(candidate) / Double(base)
      found.append(Int((1e6 * log(ratio)).rounded()))
    }
    return found
  }
}
