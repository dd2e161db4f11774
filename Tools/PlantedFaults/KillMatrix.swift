import PropertyTesting
import ZoomLaws

/// The laws that find each planted fault, and the numbers of cases that they need.
package struct KillMatrix: Sendable {
  /// The laws that find one fault.
  package struct Row: Sendable {
    let subject: String
    let fault: String
    var origin: String?
    /// The number of laws that were tried.
    let tried: Int
    /// The laws that find the fault, each with the number of the first case that does.
    let kills: [(law: String, cases: Int)]

    /// The laws that find the fault in the fewest cases; none if most laws find it, which shows the
    /// worth of none of them.
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

  /// Tries every law on every fault.
  ///
  /// - Parameters:
  ///   - faults: The faults.
  ///   - cases: The number of cases for each law; laws whose cases cost more get fewer.
  ///   - seed: The seed that chooses the cases.
  ///   - jobs: The number of faults that are tried in parallel.
  package init(of faults: [FaultTrial], cases: Int, seed: UInt64, jobs: Int) async {
    var laws: [String] = []
    for trial in faults.flatMap(\.laws) where !laws.contains(trial.law) { laws.append(trial.law) }
    let rows = await withTaskGroup(of: (Int, Row).self) { group in
      var rows: [Int: Row] = [:]
      for (index, fault) in faults.enumerated() {
        if index >= jobs, let (done, row) = await group.next() { rows[done] = row }
        group.addTask {
          let kills = await Self.kills(of: fault, cases: cases, seed: seed)
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

  private static func kills(of fault: FaultTrial, cases: Int, seed: UInt64) async -> [(
    law: String, cases: Int
  )] {
    var kills: [(law: String, cases: Int)] = []
    for trial in fault.laws {
      var settings = PropertySettings(cases: max(10, cases / trial.caseCost), seed: seed)
      settings.phases = [.explicit, .generate]
      settings.failureLimit = 1
      settings.flakiness.replays = 0
      // Whether the required classes are reached is not tested here.
      settings.classCases = settings.cases
      let found = await trial.check(settings).breaches.map(\.foundAt).min()
      if let found { kills.append((trial.law, found)) }
    }
    return kills
  }

  /// The laws that no row has in `first`.
  var lawsWithoutFault: [String] {
    let needed = Set(rows.flatMap(\.first))
    return laws.filter { !needed.contains($0) }
  }

  /// Whether every fault is found.
  package var findsAll: Bool { rows.allSatisfy { !$0.kills.isEmpty } }

  /// Whether every fault is found and every law has a fault of its own.
  package var isComplete: Bool { lawsWithoutFault.isEmpty && findsAll }

  /// The numbered faults with the laws that find them, the laws with the faults that they alone or
  /// first find, and a summary.
  package var text: String {
    var lines = rows.enumerated().map { "\($0 + 1). \($1.text)" }
    for law in laws {
      let first = rows.indices.filter { rows[$0].first.contains(law) }
      func numbers(_ isAlone: Bool) -> String {
        let some = first.filter { (rows[$0].kills.count == 1) == isAlone }
        return some.isEmpty ? "-" : some.map { "\($0 + 1)" }.joined(separator: ", ")
      }
      lines.append("\(law): alone \(numbers(true)); first \(numbers(false))")
    }
    lines.append("\(rows.count { !$0.kills.isEmpty }) of \(rows.count) faults found")
    if !lawsWithoutFault.isEmpty {
      lines.append("laws without a fault: " + lawsWithoutFault.joined(separator: ", "))
    }
    return lines.map { $0 + "\n" }.joined()
  }
}
