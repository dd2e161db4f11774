internal import ArgumentParser
internal import Foundation
internal import MeasurementHistory

struct HistoryBlessCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bless", abstract: "Pin the revision that later ones are measured against.",
    discussion: """
      zoombench history bless main --reason 'the release to measure against'
      zoombench history bless v1.2 --reason 'the new decoder'
      """)

  @Argument(help: ArgumentHelp("A revision, as git names it.", valueName: "rev"))
  var revision: String

  @Option(help: "Why, for those who will read the history.")
  var reason: String

  @OptionGroup var location: HistoryLocation

  func run() throws {
    let found = RevisionFacts.commit(of: revision)
    guard let commit = found ?? (RunRecord.isObjectName(revision) ? revision : nil) else {
      throw Failure(
        .noInput, "git does not know \(revision) here (give the commit's whole name)")
    }
    let baseline = Baseline(
      commit: commit, reason: reason, decidedAt: HistoryClock.now(),
      decidedBy: RevisionFacts.person())
    let former = try location.with(createsFile: true) { try $0.bless(baseline) }
    try Output.write(
      """
      now:    \(HistoryText.pinned(baseline))
      before: \(former.map { HistoryText.pinned($0) } ?? "none")

      """, to: nil)
  }
}

enum HistoryClock {
  /// Returns the time with milliseconds, so that two decisions in one second keep their order.
  static func now() -> String {
    Date().formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }
}

struct HistoryAcceptCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "accept",
    abstract: "Accept a change: the case's history starts again at this run.",
    discussion: """
      zoombench history accept a.jpg/mine/375x375/warm 3f2a --reason 'rounding'
      zoombench history accept a.jpg/mine/750x750/cold 3f2a --reason 'decoder'
      """)

  @Argument(help: ArgumentHelp("The case's name.", valueName: "case"))
  var name: String

  @Argument(
    help: ArgumentHelp(
      "The first run after the change, or the beginning of its id.", valueName: "run"))
  var id: String

  @Option(help: "Why, for those who will read the history.")
  var reason: String

  @OptionGroup var location: HistoryLocation

  func run() throws {
    let person = RevisionFacts.person()
    let step = try location.with { store in
      let step = Acceptance(
        name: name, run: try store.run(idPrefix: id).id, reason: reason,
        decidedAt: HistoryClock.now(), decidedBy: person)
      try store.accept(step)
      return step
    }
    try Output.write(
      "accepted from run \(step.run) on: \(Format.oneLine(name)), \(Format.oneLine(reason))\n",
      to: nil)
  }
}
