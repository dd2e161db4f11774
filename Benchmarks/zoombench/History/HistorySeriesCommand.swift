internal import ArgumentParser
internal import MeasurementHistory

struct HistorySeriesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "series", abstract: "Follow one case over commits, and mark where it changed.",
    discussion: """
      zoombench history series forest/partial/375x375/warm
      zoombench history series forest/partial/375x375/warm --measure 'bytes read'
      """)

  @Argument(
    help: ArgumentHelp("A case's name, as zoombench history list RUN prints it.", valueName: "case")
  )
  var name: String

  @Option(
    help: """
      cpuToBaseline, wallToBaseline, cpuToControl, wallToControl, or a counter's name (default: \
      cpuToBaseline, or cpuToControl if the case has no ratio to the baseline, or wallToControl \
      if its CPU time says nothing).
      """)
  var measure: String?

  @Flag(help: "List the runs that are left out, and why.")
  var excluded = false

  @Option(help: "How to write the result.")
  var format: ResultFormat = .table

  @OptionGroup var machine: MachineChoice
  @OptionGroup var location: HistoryLocation

  func run() throws {
    let report = try location.with { store in
      let fingerprint = try machine.fingerprint(in: store)
      return try SeriesReport(
        try series(in: store, of: fingerprint), acceptances: try store.acceptances())
    }
    try format.write(report, table: report.rendered(listsExcluded: excluded))
  }

  private func series(in store: HistoryStore, of machine: String) throws -> Series {
    let measures = measure.map { [Measure(name: $0)] } ?? Measure.judged
    for measure in measures {
      let series = try store.series(case: name, measure: measure, machine: machine)
      if !series.segments.isEmpty || !series.excluded.isEmpty { return series }
    }
    let known = try store.caseNames(machine: machine)
    guard known.contains(name) else {
      throw Failure(
        .noInput,
        "machine \(Shortened.id(machine)) lacks case \(name) (it has: \(Self.some(of: known)))")
    }
    throw Failure(.noInput, "case \(name) lacks \(measures.map(\.name).joined(separator: " or "))")
  }

  /// Returns up to five names, which show how names are spelled.
  private static func some(of names: [String]) -> String {
    if names.isEmpty { return "none" }
    return names.prefix(5).joined(separator: ", ") + (names.count > 5 ? ", ..." : "")
  }
}
