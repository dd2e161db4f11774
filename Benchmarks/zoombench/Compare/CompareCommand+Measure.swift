internal import ArgumentParser
internal import Foundation
internal import Measurement
internal import MeasurementHistory
internal import SystemPackage
internal import ZoomCorpus
internal import ZoomPipeline

extension CompareCommand {
  /// Builds what is missing, then measures.
  ///
  /// `program` is the one that both contenders run; nil for builds.
  func measure(
    _ before: Contender.What, _ after: Contender.What, _ program: Contender.Program?
  ) async throws -> RunResult {
    let bar = ProgressBar(isQuiet: quiet)
    defer { bar.finish() }
    let areOurs = try [before, after].map { try program != nil || isOurs($0) }
    if pictures != nil, areOurs.contains(false) {
      throw ValidationError(
        "--pictures is for builds of zoombench (another program's worker chooses its own cases; "
          + "--argument passes arguments to it)")
    }
    // Searched before the builds, so that a wrong name is reported early.
    let found = try await PictureOptions.find(
      pictures?.names ?? [], in: location, .standard, isQuiet: quiet)
    // The files of a folder are known only after the search.
    try Output.checkWritable(output.path, sparing: found.map(\.path))
    if let shut = found.first(where: { FilePath.isFolder($0.path.string) }) {
      throw Failure(
        .noInput, "\(shut.name): list the folder: it cannot be read (check its permissions)")
    }
    let words = Self.words(naming: found)
    // Held until the end, because the two trees are used while they are measured.
    let lock = pipeline == nil ? nil : try builder(bar).lock()
    defer { lock?.release() }
    let base = try contender(before, "base", program, isOurs: areOurs[0], words, bar)
    defer { base.scratch?.remove() }
    let candidate = try contender(after, "candidate", program, isOurs: areOurs[1], words, bar)
    defer { candidate.scratch?.remove() }
    if pictures != nil { for contender in [base, candidate] { try Self.checkNames(contender) } }
    if areOurs.contains(true), program?.takesPictures ?? true {
      let wanted = try CorpusManifest.builtIn().pictures(
        asked: PeekSuite.pictures(besidesOwn: pictures != nil))
      try await CorpusSetUp(folder: CorpusFolder(location.path), isQuiet: quiet).make(wanted)
    }
    let (linkers, reason) = try linkers(base, candidate)
    defer { for linker in linkers { linker.remove() } }
    bar.announce("measuring for at most \(budget)")
    let clock = [before, after].compactMap { ($0.program ?? program)?.decidingClock }.first
    return try sample(base, candidate, linkers, oneLayout: reason, clock, bar)
  }

  /// Returns the arguments that name the pictures for a worker: names and paths in turn.
  private static func words(naming pictures: [NamedPicture]) -> [String] {
    let short = PictureName.names(of: pictures.map(\.path))
    // Pictures of the corpus keep their names.
    let names = zip(pictures, short).map { $0.name == $0.path.string ? $1 : $0.name }.numbered
    let words = zip(names, pictures).flatMap { [$0, FilePath.absolute($1.path.string).string] }
    // A name may begin with a dash.
    return words.isEmpty ? [] : ["--"] + words
  }

  /// Refuses a build of zoombench whose worker names pictures by their paths.
  private static func checkNames(_ contender: Contender) throws {
    if try contains(PeekWorkerCommand.marks[0], FilePath(contender.command.executable)) { return }
    throw Failure(
      .badInput,
      "\(contender.build.name): compare: this version of zoombench does not take names of pictures "
        + "(compare it without --pictures)")
  }

  /// Returns the linkers of both builds, or the reason that each build has only one layout.
  private func linkers(
    _ base: Contender, _ candidate: Contender
  ) throws -> (linkers: [LayoutLinker], reason: String?) {
    if noLayouts { return ([], "--no-layouts was given") }
    guard let base = base.product, let candidate = candidate.product else {
      return ([], "zoombench did not link them")
    }
    let linkers = try LayoutLinker.both(of: base, and: candidate, seed: seed)
    return linkers.map { ($0, nil) } ?? ([], "the package does not link with lld")
  }

  private func contender(
    _ what: Contender.What, _ label: String, _ program: Contender.Program?, isOurs: Bool,
    _ pictures: [String], _ bar: ProgressBar
  ) throws -> Contender {
    func command(_ executable: FilePath) -> WorkerCommand {
      WorkerCommand(
        label: label, executable: executable.string,
        arguments: workerArguments(isOurs: isOurs, pictures))
    }
    var build = RunResult.Contender(name: what.name, kind: .build)
    switch what {
    case .program(let own):
      return Contender(
        command: try self.command(of: own, label, program ?? own, pictures), build: build)
    case .executable(let path):
      return Contender(command: command(path), build: build)
    case .revision(let name):
      let builder = try builder(bar)
      let commit = try builder.commit(name)
      (build.commit, build.isDirty) = (commit, false)
      if let program {
        var command = try self.command(of: program, label, program, pictures)
        command.folder = try builder.tree(label, of: commit, named: name, builtBy: self.build)
          .string
        return Contender(command: command, build: build)
      }
      let product = try builder.build(commit)
      build.dependencies = Self.dependencies(of: product)
      return Contender(command: command(product), build: build, product: product)
    case .workingTree:
      let builder = try builder(bar)
      let state = try RevisionFacts.current(in: builder.root)
      (build.commit, build.isDirty) = (state.commit, state.isDirty)
      if let program {
        let folder = builder.root.pushing(builder.package)
        if let words = self.build { try builder.run(words, in: folder, named: what.name) }
        var command = try self.command(of: program, label, program, pictures)
        command.folder = folder.string
        return Contender(command: command, build: build)
      }
      let scratch = try builder.buildWorkingTree()
      let product = scratch.path.appending(self.product)
      build.dependencies = Self.dependencies(of: product)
      return Contender(command: command(product), build: build, product: product, scratch: scratch)
    }
  }

  /// Returns the command of the worker of this zoombench that times a program.
  ///
  /// The only case of a shell command is named after the candidate's program in both workers.
  private func command(
    of program: Contender.Program, _ label: String, _ candidate: Contender.Program,
    _ pictures: [String]
  ) throws -> WorkerCommand {
    guard let own = Bundle.main.executablePath else {
      throw Failure(.fault, "compare: the path of zoombench itself is not known")
    }
    return WorkerCommand(
      label: label, executable: own,
      arguments: program.workerArguments(
        named: candidate.name, common: commonArguments, pictures: pictures,
        settings: viewers.arguments))
  }

  private static func dependencies(of product: FilePath) -> [String: String] {
    DependencyPins(in: product.removingLastComponent())?.versions ?? [:]
  }

  private func builder(_ bar: ProgressBar) throws -> RevisionBuilder {
    try RevisionBuilder(
      containing: FilePath(FileManager.default.currentDirectoryPath), package: FilePath(package),
      product: product
    ) { label in bar.begin(label) }
  }

  /// Whether a contender is a build of zoombench, whose worker accepts pictures and sources.
  private func isOurs(_ what: Contender.What) throws -> Bool {
    switch what {
    // Not found out by running it: another program may react to an unknown argument in any way.
    case .executable(let path):
      try PeekWorkerCommand.marks.contains { try Self.contains($0, path) }
    case .program: true
    case .revision, .workingTree: product == RevisionBuilder.standardProduct
    }
  }

  /// Whether an executable contains a mark, as builds of zoombench do, whatever their names.
  private static func contains(_ mark: String, _ path: FilePath) throws -> Bool {
    // Mapped, because a debug build may take gigabytes.
    let mapped = try? Data(
      contentsOf: URL(fileURLWithPath: path.string), options: .alwaysMapped)
    let data = try mapped ?? ResultFile.contents(of: path.string)
    return data.range(of: Data(mark.utf8)) != nil
  }

  private var commonArguments: [String] {
    ["--corpus-folder", FilePath.absolute(location.path.string).string]
      + (load.map { ["--load", "\($0)"] } ?? [])
  }

  /// Returns the worker's arguments; zoombench's worker is a subcommand, any other executable is itself a
  /// worker.
  private func workerArguments(isOurs: Bool, _ pictures: [String]) -> [String] {
    guard isOurs else { return arguments }
    var words = [PeekWorkerCommand.name] + commonArguments
    if let sources { words += ["--sources", sources.names.joined(separator: ",")] }
    return words + arguments + pictures
  }
}

extension CompareCommand {
  private func sample(
    _ base: Contender, _ candidate: Contender, _ linkers: [LayoutLinker], oneLayout: String?,
    _ clock: PairedLaunch.Clock?, _ bar: ProgressBar
  ) throws -> RunResult {
    let started = Date().ISO8601Format()
    let settings = settings(isOneLayout: linkers.isEmpty)
    var run = ComparisonRun(
      base: base.command, candidate: candidate.command, settings: settings, seed: seed,
      budgetSeconds: budget.seconds)
    run.confirmsSame = strict
    run.layouts = LayoutPair(linkers)
    if let executable = Bundle.main.executablePath {
      run.checks = WorkerCommand(
        label: "checks", executable: executable, arguments: [PeekWorkerCommand.name, "--checks"])
    }
    run.decidingClock = load == nil ? clock : .wall
    // A load has many threads, whose contention would be lost on one core.
    if load != nil { run.cores = [] }
    run.report = { Self.show($0, on: bar) }
    run.caseNames = try chosenCases(run.base, run.candidate)
    var outcome = try run.measure()
    // Computed outside the run, whose verdicts do not need these two thousand draws.
    for index in outcome.cases.indices {
      // Nil if nothing was measured.
      outcome.cases[index].tails = try? TailLatency(
        of: outcome.cases[index].launches, clock: .wall, seed: seed)
    }
    var result = RunResult(
      kind: .compare, command: ["zoombench"] + GivenAddresses.arguments.dropFirst(),
      startedAt: started, seconds: outcome.seconds, seed: seed,
      environment: RunResult.Environment(machine: .current()),
      settings: RunResult.Settings(
        strict: strict, gate: settings,
        allowedCounters: allowedCounters.isEmpty ? nil : allowedCounters, oneLayout: oneLayout),
      contenders: [base.build, candidate.build])
    result.contenders[0].tool = outcome.baseTool
    result.contenders[1].tool = outcome.candidateTool
    (result.onlyInBase, result.onlyInCandidate) = (outcome.onlyInBase, outcome.onlyInCandidate)
    result.contamination = outcome.contamination
    result.compare(outcome.cases)
    return result
  }

  /// Returns the gated cases of either build that match `--filter`; nil for all.
  private func chosenCases(
    _ base: WorkerCommand, _ candidate: WorkerCommand
  ) throws -> [String]? {
    guard let filter else { return nil }
    var names: [String] = []
    for command in [base, candidate] {
      let worker = try WorkerProcess(command)
      defer { worker.close() }
      let gated = try worker.hello().cases.filter { $0.role == .gated }.map(\.name)
      names += gated.filter { !names.contains($0) }
    }
    let chosen = names.filter { name in filter.names.contains { name.contains($0) } }
    guard !chosen.isEmpty else {
      throw ValidationError(
        "no case has \(filter.names.joined(separator: " or ")) in its name (the cases are "
          + "\(names.joined(separator: ", ")))")
    }
    return chosen
  }

  private static func show(_ progress: ComparisonRunProgress, on bar: ProgressBar) {
    let phase =
      switch progress.phase {
      case .calibrating: "opening"
      case .measuring: "\(progress.undecidedCases) cases undecided:"
      case .confirming: "confirming"
      }
    bar.update(
      Double(progress.launches) / Double(max(1, progress.plannedLaunches)),
      "\(phase) \(progress.caseName)")
  }
}
