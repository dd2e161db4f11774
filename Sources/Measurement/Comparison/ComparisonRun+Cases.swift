extension ComparisonRun {
  /// Five per cent more work for the canary.
  static let canaryExtra = 50

  /// A check and who does its work.
  struct Check {
    var name: String
    var base: WorkerCommand
    var candidate: WorkerCommand
  }

  /// What both builds offer.
  struct CaseLists {
    var baseTool: String
    var candidateTool: String
    /// The gated cases to compare, in the order of the base.
    var gated: [String]
    var control: Check?
    var canary: Check?
    var onlyInBase: [String]
    var onlyInCandidate: [String]
  }

  /// Asks one worker of each build for its cases and matches them.
  func listCases() throws(ComparisonRunError) -> CaseLists {
    let (mine, theirs) = (try listing(of: base), try listing(of: candidate))
    let other = Dictionary(theirs.cases.map { ($0.name, $0.role) }) { first, _ in first }
    let wanted = caseNames.map { Set($0) }
    func names(_ listing: WorkerListing) -> [String] {
      listing.cases.filter { $0.role == .gated }.map(\.name)
    }
    let known = names(mine) + names(theirs).filter { !names(mine).contains($0) }
    if let unknown = caseNames?.filter({ !known.contains($0) }), !unknown.isEmpty {
      throw .unknownCases(unknown, known: known)
    }
    for each in mine.cases where other[each.name].map({ $0 != each.role }) ?? false {
      throw .roleDiffers(case: each.name)
    }
    let chosen = known.filter { wanted?.contains($0) ?? true }
    let gated = chosen.filter { names(mine).contains($0) && other[$0] != nil }
    if gated.isEmpty { throw .noCommonCase(base: names(mine), candidate: names(theirs)) }
    return CaseLists(
      baseTool: mine.tool, candidateTool: theirs.tool, gated: gated,
      control: try check(
        .control, mine.cases.first { $0.role == .control && other[$0.name] != nil }, candidate),
      canary: try check(.canary, mine.cases.first { $0.role == .canary }, base.again),
      onlyInBase: chosen.filter { names(mine).contains($0) && other[$0] == nil },
      onlyInCandidate: chosen.filter { !names(mine).contains($0) })
  }

  /// The builds' own check, or else that of the worker for checks.
  private func check(
    _ role: WorkerCase.Role, _ entry: WorkerListing.Entry?, _ candidate: WorkerCommand
  ) throws(ComparisonRunError) -> Check? {
    if let entry { return Check(name: entry.name, base: base, candidate: candidate) }
    guard let checks, let entry = try listing(of: checks).cases.first(where: { $0.role == role })
    else { return nil }
    return Check(name: entry.name, base: checks, candidate: checks.again)
  }

  private func listing(of command: WorkerCommand) throws(ComparisonRunError) -> WorkerListing {
    try asking(nil) { () throws(WorkerError) in
      let link = try start(command)
      defer { link.close() }
      return try link.hello()
    }
  }

  /// Opens each case once to see how often it must be repeated, and plans cases and checks.
  ///
  /// These launches are not kept. That each case has one before the first look is what tells
  /// which is the cheapest, and what a launch of it will cost.
  func calibrate(
    _ lists: CaseLists, _ state: inout ComparisonRunState
  ) throws(ComparisonRunError) {
    var planned = lists.gated.map {
      Draft(
        name: $0, workerCase: $0, role: .gated, base: base, candidate: candidate,
        extra: plantedExtra)
    }
    if let control = lists.control {
      planned.append(Draft(control, .control, extra: 0))
    }
    if let canary = lists.canary {
      planned.append(Draft(canary, .canary, extra: Self.canaryExtra))
    }
    for (index, draft) in planned.enumerated() {
      let found = try calibration(of: draft)
      state.cases.append(try draft.case(found, settings))
      progress(
        .calibrating, draft.name, done: index + 1, planned: planned.count, state)
    }
    let gated = state.cases.filter { $0.plan.role == .gated }
    if let cheapest = gated.min(by: { $0.launchCost < $1.launchCost }) {
      let plan = cheapest.plan
      let draft = Draft(
        name: "\(plan.name), \(base.label) against itself", workerCase: plan.workerCase,
        role: .sameBuild, base: base, candidate: base.again, extra: 0)
      state.cases.append(
        try draft.case((plan.repeats, cheapest.launchCost), settings))
    }
    for index in state.cases.indices { state.cases[index].lookAgain() }
  }

  /// A case before it is known how often it must be repeated.
  fileprivate struct Draft {
    let name: String
    let workerCase: String
    let role: CaseComparison.Role
    let base: WorkerCommand
    let candidate: WorkerCommand
    let extra: Int

    func `case`(
      _ found: (repeats: Int, cost: UInt64), _ settings: GateSettings
    ) throws(ComparisonRunError) -> ComparisonRunCase {
      let sequence: SequentialComparison
      do {
        sequence = try SequentialComparison(
          settings: role == .gated ? settings : settings.ofChecks)
      } catch {
        throw .invalidSettings("\(error)")
      }
      return ComparisonRunCase(
        plan: ComparisonRunCase.Plan(
          name: name, workerCase: workerCase, role: role, base: base, candidate: candidate,
          candidateExtra: extra, repeats: found.repeats),
        launchCost: found.cost, sequence: sequence)
    }
  }

  /// Doubles the repeats until two samples running take a millisecond in both builds.
  ///
  /// Shorter samples would be made of the clock's own cost, and of interrupts that happen or not.
  private func calibration(
    of draft: Draft
  ) throws(ComparisonRunError) -> (repeats: Int, cost: UInt64) {
    let began = clock()
    let pair = try asking(draft.name) { () throws(WorkerError) in
      try WorkerPair(
        case: draft.workerCase, base: draft.base, candidate: draft.candidate, candidateExtra: 0,
        candidateFirst: false, start: start)
    }
    defer { pair.close() }
    let sides = [pair.base, pair.candidate]
    try asking(draft.name) { () throws(WorkerError) in
      for side in sides { _ = try side.link.open(side.index) }
    }
    let starting = clock().subtractingToZero(began)
    var repeats = 1
    while repeats <= Self.mostRepeats {
      try checkCancellation()
      let before = clock()
      var shortest = UInt64.max
      try asking(draft.name) { () throws(WorkerError) in
        // The first of the two may be slow because it is the first with these repeats.
        for side in sides + sides {
          let sample = try side.link.sample(side.index, round: 0, repeats: repeats, extra: 0)
          shortest = min(shortest, sample.elapsed.wallNanoseconds)
        }
      }
      if shortest >= Self.shortestSample {
        let ofPair = clock().subtractingToZero(before) / 2
        return (
          repeats,
          starting.addingSaturating(ofPair.multipliedSaturating(by: settings.pairsPerLaunch))
        )
      }
      repeats *= 2
    }
    throw .tooShort(case: draft.name, repeats: Self.mostRepeats)
  }

  /// Nanoseconds.
  private static let shortestSample: UInt64 = 1_000_000

  /// A millisecond over a million is a nanosecond: less than any work takes.
  private static let mostRepeats = 1 << 20
}

extension ComparisonRun.Draft {
  fileprivate init(_ check: ComparisonRun.Check, _ role: CaseComparison.Role, extra: Int) {
    self.init(
      name: check.name, workerCase: check.name, role: role, base: check.base,
      candidate: check.candidate, extra: extra)
  }
}

extension WorkerCommand {
  /// The same command a second time, under a name of its own.
  fileprivate var again: WorkerCommand {
    var result = self
    result.label += " again"
    return result
  }
}

extension UInt64 {
  fileprivate func multipliedSaturating(by count: Int) -> UInt64 {
    let (product, overflow) = multipliedReportingOverflow(by: UInt64(count))
    return overflow ? .max : product
  }
}
