internal import PlantedFaults
internal import PropertyTesting
internal import ZoomLaws

/// Plants every fault and counts the cases that each law needs to find it.
struct FaultPlanting: Sendable {
  let choices: [VerifyCatalogue.ChosenSuite]
  /// The names of the laws to try on each choice.
  let laws: [[String]]
  let cases: Int
  let seed: UInt64
  /// How many faults are tried at a time.
  let jobs: Int
  let bar: ProgressBar

  func run() async throws -> FaultMatrix {
    var groups: [FaultMatrix.SubjectFaults] = []
    for (index, choice) in choices.enumerated() {
      guard let faults = try choice.faults?().faults,
        case let names = faults.first.map({ self.names(of: $0, in: index) }) ?? [], !names.isEmpty
      else { continue }
      let label = choice.suite.subject
      let rows = try await Self.rows(of: faults.count, jobs: jobs) { place in
        bar.update(
          (Double(index) + Double(place) / Double(faults.count)) / Double(choices.count), label)
        let fault = faults[place]
        return FaultMatrix.FaultRow(
          fault: fault.name, summary: fault.summary, origin: fault.origin,
          equivalence: fault.equivalence, kills: await kills(of: fault, by: names))
      }
      groups.append(
        FaultMatrix.SubjectFaults(subject: choice.suite.subject, laws: names, faults: rows))
    }
    return FaultMatrix(
      tool: "zoombench \(ToolVersion.number)", seed: seed, cases: cases, groups: groups)
  }

  /// Rows in order, some at a time: each fault has a subject of its own.
  private static func rows(
    of count: Int, jobs: Int, _ row: @escaping @Sendable (Int) async -> FaultMatrix.FaultRow
  ) async throws -> [FaultMatrix.FaultRow] {
    try await withThrowingTaskGroup(of: (Int, FaultMatrix.FaultRow).self) { group in
      var rows: [Int: FaultMatrix.FaultRow] = [:]
      for place in 0..<count {
        if place >= jobs, let (done, row) = try await group.next() { rows[done] = row }
        try Task.checkCancellation()
        group.addTask { (place, await row(place)) }
      }
      while let (done, row) = try await group.next() { rows[done] = row }
      return (0..<count).compactMap { rows[$0] }
    }
  }

  private func names(of fault: FaultTrial, in choice: Int) -> [String] {
    fault.trials.map(\.law).filter { laws[choice].contains($0) }
  }

  /// For each law the number of the case that broke it.
  private func kills(of fault: FaultTrial, by names: [String]) async -> [Int?] {
    var kills: [Int?] = []
    for trial in fault.trials where names.contains(trial.law) {
      let report = await trial.check(settings(of: trial))
      kills.append(report.breaches.map(\.foundAt).min())
    }
    return kills
  }

  /// Up to the first failure, which is not made smaller.
  private func settings(of trial: LawTrial) -> PropertySettings {
    var settings = PropertySettings(
      cases: VerifyPlan.cases(of: trial, asked: cases), seed: seed)
    settings.phases = [.explicit, .generate]
    settings.failureLimit = 1
    settings.flakiness.replays = 0
    // Whether the classes are reached is not the question here.
    settings.classCases = settings.cases
    return settings
  }
}
