internal import Measurement
internal import MeasurementHistory
internal import ZoomPipeline

/// Two runs that were stored, compared as far as stored runs can be.
///
/// Their samples were not taken in turn, so times are never compared, only the ratios that each
/// run measured within itself: to naive's full decode, or to the same base. A machine may change
/// even those from run to run, which is why this names differences and gives no verdict.
struct FileComparison {
  /// What two stored ratios allow to be said.
  enum Finding: String {
    /// The two intervals lie further apart than the margin.
    case differs
    /// Even the farthest ends of the intervals are nearer than the wider margin.
    case agrees
    case unsettled
  }

  /// One case that stands in both files.
  struct Row {
    let name: String
    /// Candidate's stored ratio over the base's; nil where the files do not support it.
    let change: Double?
    let lower: Double?
    let upper: Double?
    let finding: Finding
    let counters: [CounterChange]
  }

  let rows: [Row]
  /// Why times say nothing, where they do not.
  let caveats: [String]

  /// A case as one file knows it.
  private struct Entry {
    let ratio: PairedRatio?
    let counters: [String: Int]
  }

  init(base: ResultFile, candidate: ResultFile, settings: GateSettings) {
    var caveats = ["samples of two files were not taken in turn: ratios are named, not judged"]
    var isComparable = true
    if base.machine.fingerprint != candidate.machine.fingerprint {
      caveats.append("the machines are unlike: only counters are compared")
      isComparable = false
    }
    if case .comparison(let one) = base, case .comparison(let other) = candidate,
      one.base.commit == nil || one.base.commit != other.base.commit
    {
      caveats.append(
        one.base.commit == nil
          ? "the base's revision is not known: only counters are compared"
          : "the runs have different bases: only counters are compared")
      isComparable = false
    }
    for file in [base, candidate] where file.isContaminated {
      caveats.append("one of the runs is contaminated: only counters are compared")
      isComparable = false
      break
    }
    self.caveats = caveats
    let (before, after) = (Self.entries(base), Self.entries(candidate))
    rows = before.keys.sorted().compactMap { name in
      guard let one = before[name], let other = after[name] else { return nil }
      let counters = CounterChange.all(
        in: CaseComparison.Counters(base: one.counters, candidate: other.counters))
      guard isComparable, let first = one.ratio, let second = other.ratio else {
        return Row(
          name: name, change: nil, lower: nil, upper: nil, finding: .unsettled,
          counters: counters)
      }
      return Self.row(name, first, second, counters, settings)
    }
  }

  private static func row(
    _ name: String, _ base: PairedRatio, _ candidate: PairedRatio, _ counters: [CounterChange],
    _ settings: GateSettings
  ) -> Row {
    let change = candidate.ratio / base.ratio
    guard let first = base.interval, let second = candidate.interval else {
      return Row(
        name: name, change: change, lower: nil, upper: nil, finding: .unsettled,
        counters: counters)
    }
    // Each end with the other's far end: at least as sure as both intervals together.
    let (lower, upper) = (second.lower / first.upper, second.upper / first.lower)
    let finding: Finding =
      if lower > 1 + settings.margin || upper < 1 / (1 + settings.margin) {
        .differs
      } else if lower > 1 / (1 + settings.sameMargin), upper < 1 + settings.sameMargin {
        .agrees
      } else {
        .unsettled
      }
    return Row(
      name: name, change: change, lower: lower, upper: upper, finding: finding,
      counters: counters)
  }

  /// The ratios and counters of a file by the name of the case.
  private static func entries(_ file: ResultFile) -> [String: Entry] {
    var entries: [String: Entry] = [:]
    switch file {
    case .comparison(let result):
      for each in result.cases where each.role == .gated {
        let numerators = each.launches.flatMap(\.candidate.cpuNanoseconds)
        let denominators = each.launches.flatMap(\.base.cpuNanoseconds)
        entries[each.name] = Entry(
          ratio: try? PairedRatio(numerators: numerators, denominators: denominators),
          counters: each.counters.exact)
      }
    case .bench(let report):
      for group in report.groups {
        for arm in group.arms where arm.source != "naive" {
          entries["\(group.picture) \(group.peek.name) \(group.state.rawValue) \(arm.source)"] =
            Entry(
              ratio: group.naive.flatMap {
                try? PairedRatio(
                  numerators: arm.cpuNanoseconds, denominators: $0.cpuNanoseconds)
              },
              counters: arm.counters(seed: report.seed))
        }
      }
    }
    return entries
  }

  /// The comparison for people.
  func rendered() -> String {
    var table = TextTable(
      columns: [.left("case"), .right("change"), .left("interval"), .left("finding")])
    for row in rows {
      let interval = row.lower.flatMap { lower in
        row.upper.map { "\(CompareTable.change(lower))…\(CompareTable.change($0))" }
      }
      table.append(
        [
          row.name, row.change.map(CompareTable.change) ?? "-", interval ?? "-",
          row.finding.rawValue,
        ])
    }
    let notes = rows.flatMap { row in row.counters.map { "- \(row.name): \($0)\n" } }
    return caveats.map { "\($0)\n" }.joined() + "\n" + table.rendered()
      + (notes.isEmpty ? "" : "\n" + notes.joined())
  }
}
