import ZoomLaws

/// The laws that find each planted fault, and the number of cases that each law needs.
package struct KillMatrix: Sendable {
  package struct Row: Sendable {
    let subject: String
    let fault: String
    var origin: String?
    let tried: Int
    /// The laws that find the fault, each with the number of the first case that does.
    let kills: [(law: String, cases: Int)]

    /// The laws that find the fault in the fewest cases; none if most laws find it.
    var first: [String] {
      guard kills.count * 2 <= tried || kills.count == 1 else { return [] }
      let fewest = kills.map(\.cases).min()
      return kills.filter { $0.cases == fewest }.map(\.law)
    }

    /// The fault with the laws that find it, the fastest first.
    var text: String {
      let found = kills.sorted { $0.cases < $1.cases }.map { "\($0.law) \($0.cases)" }
      return "\(subject): \(fault)" + (origin.map { " (\($0))" } ?? "") + "\n    "
        + (found.isEmpty ? "no law" : found.joined(separator: ", "))
    }
  }

  let rows: [Row]
  /// The names of the laws that were tried, in the order of the catalogue.
  let laws: [String]

  init(rows: [Row], laws: [String]) { (self.rows, self.laws) = (rows, laws) }

  /// Tries every law on every fault, some faults in parallel.
  package init(of faults: [FaultTrial], cases: Int, seed: UInt64, jobs: Int) async {
    var laws: [String] = []
    for trial in faults.flatMap(\.laws) where !laws.contains(trial.law) { laws.append(trial.law) }
    let rows = await withTaskGroup(of: (Int, Row).self) { group in
      var rows: [Int: Row] = [:]
      for (index, fault) in faults.enumerated() {
        if index >= jobs, let (done, row) = await group.next() { rows[done] = row }
        group.addTask {
          var kills: [(law: String, cases: Int)] = []
          for trial in fault.laws {
            let breach = await trial.firstBreach(cases: cases, seed: seed)
            if let breach { kills.append((trial.law, breach.foundAt)) }
          }
          let row = Row(
            subject: fault.subject, fault: fault.summary, origin: fault.origin,
            tried: fault.laws.count, kills: kills)
          return (index, row)
        }
      }
      for await (done, row) in group { rows[done] = row }
      return faults.indices.compactMap { rows[$0] }
    }
    self.init(rows: rows, laws: laws)
  }

  /// The laws that find no fault alone or in the fewest cases; faults that most laws find do not count.
  var unjustifiedLaws: [String] {
    let needed = Set(rows.flatMap(\.first))
    return laws.filter { !needed.contains($0) }
  }

  package var findsAll: Bool { rows.allSatisfy { !$0.kills.isEmpty } }

  package var isComplete: Bool { unjustifiedLaws.isEmpty && findsAll }

  /// Per fault, the laws that find it; per law, the faults that no other law finds, those it finds in fewer cases than
  /// any other, and those for which it shares the lowest number of cases; then a summary.
  package var text: String {
    var lines = rows.enumerated().map { "\($0 + 1). \($1.text)" }
    for law in laws {
      let first = rows.indices.filter { rows[$0].first.contains(law) }
      func numbers(_ isIncluded: (Row) -> Bool) -> String {
        let some = first.filter { isIncluded(rows[$0]) }
        return some.isEmpty ? "-" : some.map { "\($0 + 1)" }.joined(separator: ", ")
      }
      let alone = numbers { $0.kills.count == 1 }
      let before = numbers { $0.kills.count > 1 && $0.first.count == 1 }
      lines.append(
        "\(law): alone \(alone); first \(before); equal \(numbers { $0.first.count > 1 })")
    }
    lines.append("\(rows.count { !$0.kills.isEmpty }) of \(rows.count) faults found")
    if !unjustifiedLaws.isEmpty {
      lines.append(
        "laws that find no fault alone or first: " + unjustifiedLaws.joined(separator: ", "))
    }
    return lines.map { $0 + "\n" }.joined()
  }
}
