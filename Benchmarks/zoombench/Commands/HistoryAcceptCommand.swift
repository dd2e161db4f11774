internal import ArgumentParser
internal import MeasurementHistory

/// `zoombench history accept`.
struct HistoryAcceptCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "accept",
    abstract: "Accept a step: from this run on, the case's history begins anew.")

  @Argument(help: ArgumentHelp("The case's name.", valueName: "case"))
  var name: String

  @Argument(help: ArgumentHelp("The first run after the step, or its beginning.", valueName: "run"))
  var id: String

  @Option(help: "Why, for those who will read the history.")
  var reason: String

  @OptionGroup var location: HistoryLocation

  func run() async throws {
    let person = await RevisionFacts.person()
    let step = try location.with { store in
      let step = Acknowledgement(
        name: name, run: try store.run(idPrefix: id).id, reason: reason,
        decidedAt: HistoryClock.now(), decidedBy: person)
      try store.acknowledge(step)
      return step
    }
    try Output.write(
      "accepted from run \(step.run) on: \(Format.oneLine(name)), \(Format.oneLine(reason))\n",
      to: nil)
  }
}
