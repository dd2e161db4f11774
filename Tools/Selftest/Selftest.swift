internal import ArgumentParser
internal import Foundation
internal import Measurement
internal import SystemPackage
internal import ZoomCorpus
internal import zoombench

/// Checks whether `zoombench compare` can be trusted on this machine.
@main
struct Selftest: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "selftest",
    abstract: "Plant slow-downs and count how often compare finds them on this machine.",
    discussion: """
      Compares zoombench with itself many times, while one side decodes some more rows, and counts \
      how often each verdict was given. More rows are real work; nothing sleeps.

      With --revision that revision of zoombench is compared with itself, linked in another order of \
      its functions for each launch and on each side: as compare does with revisions.

      Exit code 1: equal builds were called slower or faster more often than an error rate of 1 in 10,000 \
      explains (once in 20 is enough), or a build that decodes at least 10 % more rows was never \
      called slower. Exit code 2: every run was contaminated.
      """)

  static func main() async {
    if CommandLine.arguments.dropFirst() == [Burner.word] { Burner.run() }
    await CommandProgram.run(Selftest.self)
  }

  @Option(help: "Comparisons of each slow-down, rounded up to a multiple of 20.")
  var comparisons = 20

  @Option(
    help: ArgumentHelp(
      "Slow-downs to plant, per mille of rows, comma-separated.", valueName: "list"))
  var planted: NameList = NameList(names: ["0", "20", "30", "50", "100"])

  @Option(help: "How many other processes keep a core busy meanwhile.")
  var load = 0

  @Option(
    help: ArgumentHelp(
      "A revision of zoombench to build and to link in other orders.", valueName: "rev"))
  var revision: String?

  @Option(
    name: .customLong("zoombench"),
    help: ArgumentHelp(
      "The executable to compare with itself (default: zoombench beside this one).",
      valueName: "file"))
  var named: String?

  @Option(help: "Chooses the order of samples.")
  var seed: UInt64 = 1

  @Option(help: "A table, or a line of JSON for each comparison, with its raw samples.")
  var format: ResultFormat = .table

  @OptionGroup var output: OutputOptions

  @Option(help: "A file of JSON lines to show as a table instead of measuring; may be repeated.")
  var show: [String] = []

  @Flag(help: "No progress bar.")
  var quiet = false

  @OptionGroup var location: CorpusLocation

  func validate() throws {
    guard (1...100_000).contains(comparisons) else {
      throw ValidationError("--comparisons must be 1...100000")
    }
    guard (0...64).contains(load) else { throw ValidationError("--load must be 0...64") }
    _ = try slowDowns()
  }

  /// Returns the planted slow-downs, in per mille of rows; at most the double.
  private func slowDowns() throws -> [Int] {
    try planted.names.map { name in
      guard let number = Int(name), (0...1000).contains(number) else {
        throw ValidationError("--planted takes per mille from 0 to 1000, not \(name)")
      }
      return number
    }
  }

  func run() async throws {
    let target = output.path
    try Output.checkWritable(target)
    var records = try show.flatMap(Self.read)
    switch format {
    case .table:
      if show.isEmpty { try await measure { records += $0 } }
      try Output.write(SelftestTable(records: records).rendered(), to: target)
    case .json:
      let lines = try RecordLines(target)
      try lines.append(records)
      if show.isEmpty {
        try await measure {
          try lines.append($0)
          records += $0
        }
      }
    }
    try SelftestTable(records: records).judge()
  }

  /// A file with JSON lines, written after each run, so that an interruption keeps completed runs.
  private struct RecordLines {
    private let file: FileHandle

    init(_ target: FilePath?) throws {
      guard let target else {
        file = .standardOutput
        return
      }
      try Output.write("", to: target)
      guard let handle = FileHandle(forWritingAtPath: target.string) else {
        throw Failure(.cannotCreate, "\(target.string): write: it cannot be opened")
      }
      file = handle
    }

    func append(_ records: [SelftestRecord]) throws {
      for record in records {
        try file.write(contentsOf: try JSONEncoder.compact.encode(record) + Data("\n".utf8))
      }
    }
  }

  private static func read(_ file: String) throws -> [SelftestRecord] {
    guard let data = try? Data(contentsOf: URL(filePath: file)) else {
      throw Failure(.noInput, "\(file): read: it cannot be read (check the name)")
    }
    do {
      return try data.split(separator: UInt8(ascii: "\n")).map {
        try JSONDecoder().decode(SelftestRecord.self, from: $0)
      }
    } catch {
      throw Failure(.badInput, "\(file): read: it is not a result of selftest --format json")
    }
  }

  /// Measures run by run, and passes each run's records to a closure.
  private func measure(_ handOver: ([SelftestRecord]) throws -> Void) async throws {
    let manifest = try CorpusManifest.builtIn()
    _ = try await CorpusSetUp(folder: CorpusFolder(location.path), isQuiet: quiet)
      .make(try manifest.pictures(asked: PeekSuite.pictures))
    guard let own = Bundle.main.executablePath else {
      throw Failure(.fault, "selftest: the path of this executable is unknown")
    }
    let zoombench =
      named ?? FilePath(own).removingLastComponent().appending("zoombench").string
    guard FileManager.default.isExecutableFile(atPath: zoombench) else {
      throw Failure(
        .unavailable,
        "\(zoombench): selftest: it cannot be run (swift build -c release --product zoombench)")
    }
    let bar = ProgressBar(isQuiet: quiet)
    defer { bar.finish() }
    guard let revision else {
      try withBusyCores(own) {
        try measure(zoombench, checks: zoombench, LayoutPair(), bar, handOver)
      }
      return
    }
    let (built, linkers) = try linkers(revision, bar)
    defer { for linker in linkers { linker.remove() } }
    try withBusyCores(own) {
      try measure(built.string, checks: zoombench, LayoutPair(linkers), bar, handOver)
    }
  }

  /// Builds a revision and its linkers for both sides.
  private func linkers(
    _ revision: String, _ bar: ProgressBar
  ) throws -> (executable: FilePath, linkers: [LayoutLinker]) {
    let builder = try RevisionBuilder(
      containing: FilePath(FileManager.default.currentDirectoryPath)
    ) { label in bar.begin(label) }
    let built = try builder.build(try builder.commit(revision))
    let linkers = try LayoutLinker.both(of: built, and: built, seed: seed)
    guard let linkers else {
      throw Failure(
        .unavailable,
        "\(revision): link in another order: "
          + "the package does not link with lld")
    }
    return (built, linkers)
  }

  /// The subcommand of zoombench by which `compare` measures.
  private static let worker = "worker"

  private func measure(
    _ executable: String, checks: String, _ layouts: LayoutPair, _ bar: ProgressBar,
    _ handOver: ([SelftestRecord]) throws -> Void
  ) throws {
    let words = [
      Self.worker, "--strips", "--corpus-folder",
      FilePath.absolute(location.path.string).string,
    ]
    let runs = (comparisons + PeekSuite.stripCount - 1) / PeekSuite.stripCount
    let slowDowns = try slowDowns()
    // In turn, so that a slow hour of the machine affects all slow-downs equally.
    for number in 0..<runs {
      for (place, extra) in slowDowns.enumerated() {
        let seed = SeededRandom.derivedSeed(from: seed, stream: UInt64(number * 1001 + extra))
        var run = ComparisonRun(
          base: WorkerCommand(label: "base", executable: executable, arguments: words),
          candidate: WorkerCommand(label: "candidate", executable: executable, arguments: words),
          seed: seed, budgetSeconds: 3600)
        run.plantedExtra = extra
        run.layouts = layouts
        run.checks = WorkerCommand(
          label: "checks", executable: checks, arguments: [Self.worker, "--checks"])
        bar.update(
          Double(number * slowDowns.count + place) / Double(runs * slowDowns.count),
          "\(Format.number(Double(extra) / 10)) % more rows, run \(number + 1) of \(runs)")
        let outcome = try run.measure()
        try handOver(
          outcome.cases.filter { $0.role == .gated }.map {
            SelftestRecord(
              $0, planted: extra, load: load, seed: seed,
              isContaminated: !outcome.contamination.isEmpty)
          })
      }
    }
  }

  /// Runs the body while other processes keep cores busy.
  private func withBusyCores(_ own: String, _ body: () throws -> Void) throws {
    // Their pipe closes when this process ends for any reason, and then they end too.
    var burners: [WorkerProcess] = []
    defer { for burner in burners { burner.close() } }
    for number in 0..<load {
      burners.append(
        try WorkerProcess(
          WorkerCommand(
            label: "burner \(number + 1)", executable: own, arguments: [Burner.word])))
    }
    try body()
  }
}

/// A process that keeps a core busy until its parent ends.
private enum Burner {
  static let word = "burn"

  static func run() -> Never {
    Thread.detachNewThread {
      _ = FileHandle.standardInput.availableData
      Foundation.exit(0)
    }
    var work = ControlWork()
    var round = 0
    while true {
      blackHole(work.run(round: round, extra: 0))
      round &+= 1
    }
  }
}
