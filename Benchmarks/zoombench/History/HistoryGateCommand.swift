internal import ArgumentParser
internal import MeasurementHistory

/// `zoombench history gate`: compares the newest run with its own history.
struct HistoryGateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gate",
    abstract: "Compare the newest run of this machine with the runs before it.",
    discussion: """
      A case fails if its CPU time rose for at least three runs, if it climbs from run to run, or \
      if an exact counter rose within the last ten runs; without counters, if its wall time does, \
      too. Times are tested at one false alarm in a hundred runs, over all cases together; there \
      are more if neighbouring runs are strongly correlated. The report names the range of commits, \
      and the cases that earlier runs have and the newest run lacks. Accept a wanted change with \
      zoombench history accept.

      zoombench history gate --strict
      zoombench history gate --all-machines --allow-counter 'bytes read'
      """)

  @Option(
    name: .customLong("allow-counter"),
    help: ArgumentHelp("A counter that may rise; may be repeated.", valueName: "name"))
  var allowedCounters: [String] = []

  @Flag(
    help: """
      Exit with 2 if there is too little history, the run cannot be trusted, or a case is missing.
      """)
  var strict = false

  @Option(help: "How to write the result.")
  var format: ResultFormat = .table

  @OptionGroup var machine: MachineChoice

  @Flag(
    help: "Judge the newest run of each machine in the history.")
  var allMachines = false

  @OptionGroup var location: HistoryLocation

  func validate() throws {
    if allMachines && machine.machine != nil {
      throw ValidationError("--all-machines and --machine exclude each other")
    }
  }

  func run() throws {
    let reports = try location.with { store in
      let machines = allMachines ? try store.machines() : [try machine.fingerprint(in: store)]
      let reports = try machines.map {
        try GateReport(store, machine: $0, allowedCounters: Set(allowedCounters))
      }
      try checkCounters(of: reports, in: store)
      return reports
    }
    let table = reports.map { $0.rendered() }.joined(separator: "\n")
    if allMachines {
      try format.write(reports, table: table)
    } else {
      try format.write(reports[0], table: table)
    }
    // The failure of one machine matters more than the undecided cases of another.
    let failed = reports.filter { $0.standing == .failed }
    for report in failed + reports { try report.check(strict: strict) }
  }

  /// Refuses the name of a counter that no judged run has, since a misspelt name would have no effect.
  private func checkCounters(of reports: [GateReport], in store: HistoryStore) throws {
    guard !allowedCounters.isEmpty else { return }
    let known = try reports.compactMap(\.run).reduce(into: Set<String>()) { names, run in
      for item in try store.run(id: run.id).cases { names.formUnion(item.counters.keys) }
    }
    for name in allowedCounters where !known.isEmpty && !known.contains(name) {
      throw ValidationError(
        "--allow-counter: no counter is named \(name) (use \(known.sorted().joined(separator: ", ")))"
      )
    }
  }
}
