internal import Foundation
internal import Measurement

/// The operating characteristics: how often each verdict was given for each planted slow-down.
struct SelftestTable {
  let records: [SelftestRecord]

  /// One line of the table.
  struct Row: Codable, Hashable {
    let planted: Int
    let load: Int
    let comparisons: Int
    /// The median of all pairs: what the planted rows cost in time.
    let change: Double
    /// "Slower" before confirmation, and how often each verdict was given in the end.
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
        let pairs = try? SortedSamples(group.flatMap(\.pairs).map { Double($0) / 1e6 }),
        let seconds = try? SortedSamples(group.map(\.timedSeconds))
      else { return nil }
      var verdicts: [String: Int] = [:]
      for record in group { verdicts[record.final.rawValue, default: 0] += 1 }
      return Row(
        planted: key[1], load: key[0], comparisons: group.count,
        change: exp(pairs.median), slowerAtFirst: group.count { $0.first == .slower },
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
      let verdicts = Verdict.allCases.map { "\(row.verdicts[$0.rawValue] ?? 0)" }
      table.append(
        [
          "\(Format.number(Double(row.planted) / 10)) %", "\(row.load)", "\(row.comparisons)",
          Format.change(row.change), "\(row.slowerAtFirst)", verdicts[0], verdicts[2],
          verdicts[1], verdicts[3], "\(row.contaminated)",
          "\(Format.significant(row.medianTimedSeconds)) s",
          "\(Format.significant(row.longestTimedSeconds)) s",
        ])
    }
    return table.rendered()
  }
}
