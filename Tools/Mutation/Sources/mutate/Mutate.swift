internal import ArgumentParser
internal import Foundation
internal import Mutation

/// The command that `ci/mutate` runs.
@main struct Mutate: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Plants small mistakes into sources and reports those that no test or law notices.")

  @Option(help: "The folder of the package under test; it is only read.") var package: String

  @Option(help: "A folder for a copy of the package and its build; keep it for faster runs.")
  var scratch: String

  @Option(help: "A JSON file with the sources to mutate and their checks.") var plan: String

  @Option(
    help: "A JSON file with mutants that behave like the original, each with the reason why.")
  var equivalent: String

  @Option(help: "The folder for the reports.") var output: String

  @Flag(help: "Run the laws of the corrected systems instead of the tests.") var laws = false

  @Option(help: "Run only the mutants that an earlier report lists as survivors.")
  var again: String?

  @Option(help: "The number of cases of each law; laws of gestures get fewer.") var cases = 2000

  @Option(help: "Run only this number of mutants.") var sample: Int?

  @Option(help: "The seed that chooses the mutants of a sample.") var seed: UInt64 = 1

  @Option(help: "The score in percent below which the command fails.") var atLeast = 95

  @Argument(help: "Prefixes of paths: only matching files of the plan are mutated.") var files:
    [String] = []

  func run() throws {
    let root = URL(filePath: package)
    let chosen = try read(Plan.self, from: plan).files(in: root, startingWith: files)
    guard !chosen.isEmpty else { throw ValidationError("no file of the plan matches the prefixes") }
    let list = try read(EquivalentList.self, from: equivalent)
    let clock = ContinuousClock()
    let start = clock.now
    let campaign = Campaign(
      root: root, scratch: URL(filePath: scratch), kind: laws ? .laws(cases: cases) : .tests)
    let earlier = try again.map { try String(contentsOf: URL(filePath: $0), encoding: .utf8) }
    let found = try campaign.run(
      chosen, sample: sample.map { .init(count: $0, seed: seed) }, survivorsOf: earlier)
    let seconds = start.duration(to: clock.now) / .seconds(1)
    var (results, errors) = list.applied(to: found)
    // Only a run of all mutants with the tests can show that an entry is outdated.
    if laws || sample != nil || again != nil { errors = [] }

    let report = MutationReport(results: results, seconds: seconds)
    let folder = URL(filePath: output)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(report.text.utf8).write(to: folder.appending(path: "mutation.txt"))
    print(report.text)
    errors.forEach(printProgress)
    let score = results.score ?? 100
    if !errors.isEmpty || score < Double(atLeast) || (!laws && report.hasForbiddenSurvivor) {
      throw ExitCode.failure
    }
  }

  private func read<Value: Decodable>(_ type: Value.Type, from path: String) throws -> Value {
    try JSONDecoder().decode(type, from: Data(contentsOf: URL(filePath: path)))
  }
}
