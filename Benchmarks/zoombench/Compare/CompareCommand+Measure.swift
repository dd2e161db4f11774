internal import ArgumentParser
internal import ForeignPipelines
internal import Foundation
internal import Measurement
internal import MeasurementHistory
internal import SystemPackage
internal import ZoomCorpus
internal import ZoomPipeline

extension CompareCommand {
  struct Contender {
    let executable: FilePath
    let arguments: [String]
    var build: BuildComparison.Build
    /// A build of the working tree, which is removed after the comparison.
    var scratch: ScratchFolder?
    /// Whether it was built here, so that an archive for linking again may exist.
    var isBuiltHere = false
  }

  /// Builds what is missing, then measures.
  func measure(_ before: CompareArm, _ after: CompareArm) async throws -> BuildComparison {
    let bar = ProgressBar(isQuiet: quiet)
    defer { bar.finish() }
    let areOurs = try [before, after].map { try isOurs($0) }
    if pictures != nil, areOurs.contains(false) {
      throw ValidationError(
        "--pictures is for builds of zoombench (another program's worker has cases of its own; "
          + "--argument passes it what it takes)")
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
    let names = CaseNames(found)
    let files = names.paths
    let base = try await contender(before, isOurs: areOurs[0], files, bar)
    defer { base.scratch?.remove() }
    let candidate = try await contender(after, isOurs: areOurs[1], files, bar)
    defer { candidate.scratch?.remove() }
    if areOurs.contains(true) {
      try await makeCorpus(PeekSuite.pictures(besidesOwn: pictures != nil))
    }
    let (linkers, reason) = try await linkers(base, candidate)
    defer { for linker in linkers { linker.remove() } }
    bar.announce("measuring for at most \(budget)")
    return try await sample(base, candidate, linkers, oneLayout: reason, names, bar)
  }

  /// Returns the linkers of both builds, or the reason that each build has only one layout.
  private func linkers(
    _ base: Contender, _ candidate: Contender
  ) async throws -> (linkers: [LayoutLinker], reason: String?) {
    if noLayouts { return ([], "--no-layouts was given") }
    if let reason = LayoutLinker.missing { return ([], reason) }
    guard base.isBuiltHere, candidate.isBuiltHere else {
      return ([], "what is compared was not built here")
    }
    let linkers = try await LayoutLinker.both(
      of: base.executable, and: candidate.executable, product: product, seed: seed)
    return linkers.map { ($0, nil) } ?? ([], "the package does not link with lld")
  }

  private func makeCorpus(_ names: [String]) async throws {
    let manifest = try CorpusManifest.builtIn()
    _ = try await CorpusSetUp(folder: CorpusFolder(location.path), isQuiet: quiet)
      .make(try manifest.pictures(asked: names))
  }

  private func contender(
    _ arm: CompareArm, isOurs: Bool, _ files: [String], _ bar: ProgressBar
  ) async throws -> Contender {
    switch arm {
    case .pipeline(let description):
      guard let own = Bundle.main.executablePath else {
        throw Failure(.fault, "compare: the path of zoombench itself is not known")
      }
      return Contender(
        executable: FilePath(own),
        arguments: [
          PeekWorkerCommand.name, "--pipeline", description, "--corpus-folder",
          FilePath.absolute(location.path.string).string,
        ] + files,
        build: BuildComparison.Build(name: arm.name, tool: ""))
    case .executable(let path):
      return Contender(
        executable: path, arguments: workerArguments(isOurs: isOurs, files),
        build: BuildComparison.Build(name: arm.name, tool: ""))
    case .revision(let name):
      let builder = try await builder(bar)
      let commit = try await builder.repository.commit(name)
      let executable = try await builder.build(commit)
      return Contender(
        executable: executable,
        arguments: workerArguments(isOurs: isOurs, files),
        build: BuildComparison.Build(
          name: name, commit: commit, isDirty: false, tool: "",
          dependencies: Self.dependencies(of: executable)),
        isBuiltHere: true)
    case .workingTree:
      let builder = try await builder(bar)
      let state = try await RevisionFacts.current(in: builder.repository.root)
      let folder = try await builder.buildWorkingTree()
      return Contender(
        executable: folder.path.appending(product),
        arguments: workerArguments(isOurs: isOurs, files),
        build: BuildComparison.Build(
          name: arm.name, commit: state.commit, isDirty: state.isDirty, tool: "",
          dependencies: Self.dependencies(of: folder.path.appending(product))),
        scratch: folder, isBuiltHere: true)
    }
  }

  private static func dependencies(of product: FilePath) -> [String: String] {
    DependencyPins(in: product.removingLastComponent())?.versions ?? [:]
  }

  private func builder(_ bar: ProgressBar) async throws -> RevisionBuilder {
    let here = FilePath(FileManager.default.currentDirectoryPath)
    let repository = try await Repository(containing: here)
    return RevisionBuilder(
      repository: repository, package: FilePath(package), product: product,
      folder: repository.root.appending(".zoombench").appending("builds")
    ) { label in bar.begin(label) }
  }

  /// Whether the arm is a build of zoombench, whose worker accepts pictures and sources.
  private func isOurs(_ arm: CompareArm) throws -> Bool {
    switch arm {
    case .executable(let path): try Self.isOurs(path)
    case .pipeline: true
    case .revision, .workingTree: product == Self.standardProduct
    }
  }

  /// Whether an executable is a build of zoombench, whatever its name.
  ///
  /// It is not run to find out, because another program may react to an unknown argument in any way. A
  /// build of zoombench contains the mark of its worker.
  private static func isOurs(_ path: FilePath) throws -> Bool {
    // Mapped, because a debug build may take gigabytes.
    let mapped = try? Data(
      contentsOf: URL(fileURLWithPath: path.string), options: .alwaysMapped)
    let data = try mapped ?? ResultFile.contents(of: path.string)
    return PeekWorkerCommand.marks.contains { data.range(of: Data($0.utf8)) != nil }
  }

  /// Returns the worker's arguments; zoombench's worker is a subcommand, any other executable is itself a
  /// worker.
  private func workerArguments(isOurs: Bool, _ files: [String]) -> [String] {
    guard isOurs else { return arguments }
    var words = [
      PeekWorkerCommand.name, "--corpus-folder", FilePath.absolute(location.path.string).string,
    ]
    if let sources { words += ["--sources", sources.names.joined(separator: ",")] }
    return words + arguments + files
  }
}

extension CompareCommand {
  private func sample(
    _ base: Contender, _ candidate: Contender, _ linkers: [LayoutLinker], oneLayout: String?,
    _ names: CaseNames, _ bar: ProgressBar
  ) async throws -> BuildComparison {
    let started = Date().ISO8601Format()
    let settings = settings(isOneLayout: linkers.isEmpty)
    var run = ComparisonRun(
      base: base.command(labelled: "base"), candidate: candidate.command(labelled: "candidate"),
      settings: settings, seed: seed, budgetSeconds: budget.seconds)
    run.confirmsSame = strict
    run.layouts = LayoutPair(linkers)
    if let executable = Bundle.main.executablePath {
      run.checks = WorkerCommand(
        label: "checks", executable: executable, arguments: [PeekWorkerCommand.name, "--checks"])
    }
    run.decidingClock = decidingClock(base.build.name, candidate.build.name)
    run.report = { Self.show($0, names, on: bar) }
    var outcome: ComparisonRun.Outcome
    do {
      run.caseNames = try chosenCases(run.base, run.candidate, names)
      outcome = try run.measure()
    } catch {
      throw names.shown(error)
    }
    if instructions { try await addInstructions(to: &outcome.cases, base, candidate, bar) }
    outcome = names.shown(outcome)
    // Computed outside the run, whose verdicts do not need these two thousand draws.
    for index in outcome.cases.indices {
      // Nil if nothing was measured.
      outcome.cases[index].tails = try? TailLatency(
        of: outcome.cases[index].launches, clock: .wall, seed: seed)
    }
    var (before, after) = (base.build, candidate.build)
    before.tool = outcome.baseTool
    after.tool = outcome.candidateTool
    return BuildComparison(
      startedAt: started, seconds: outcome.seconds, seed: seed, settings: settings,
      machine: .current(), base: before, candidate: after, cases: outcome.cases,
      onlyInBase: outcome.onlyInBase, onlyInCandidate: outcome.onlyInCandidate,
      overall: try? BuildComparison.Overall(
        of: outcome.cases.filter { $0.failure == nil }, seed: seed),
      contamination: outcome.contamination, oneLayout: oneLayout,
      allowedCounters: allowedCounters.isEmpty ? nil : allowedCounters)
  }

  /// Returns the clock that decides: wall time where a program's CPU time is unknown, as for servers; else
  /// nil.
  private func decidingClock(_ names: String...) -> PairedLaunch.Clock? {
    let pipelines = names.compactMap { try? ForeignPipeline($0) }
    return pipelines.allSatisfy(PeekWorkerCommand.knowsTime) ? nil : .wall
  }

  /// Returns the gated cases of either build that match `--filter`; nil for all.
  private func chosenCases(
    _ base: WorkerCommand, _ candidate: WorkerCommand, _ shown: CaseNames
  ) throws -> [String]? {
    guard let filter else { return nil }
    var names: [String] = []
    for command in [base, candidate] {
      let worker = try WorkerProcess(command)
      defer { worker.close() }
      let gated = try worker.hello().cases.filter { $0.role == .gated }.map(\.name)
      names += gated.filter { !names.contains($0) }
    }
    let chosen = names.filter { name in
      filter.names.contains { shown.shown(name).contains($0) }
    }
    guard !chosen.isEmpty else {
      throw ValidationError(
        "no case has \(filter.names.joined(separator: " or ")) in its name (the cases are "
          + "\(names.map(shown.shown).joined(separator: ", ")))")
    }
    return chosen
  }

  private func addInstructions(
    to cases: inout [CaseComparison], _ base: Contender, _ candidate: Contender,
    _ bar: ProgressBar
  ) async throws {
    let gated = cases.indices.filter { cases[$0].role == .gated && cases[$0].failure == nil }
    let places = try [base, candidate].map { contender in
      let worker = try WorkerProcess(contender.command(labelled: "instructions"))
      defer { worker.close() }
      return try worker.hello().cases.map(\.name)
    }
    for (done, index) in gated.enumerated() {
      let name = cases[index].name
      bar.update(Double(done) / Double(gated.count), "counting instructions of \(name)")
      guard let before = places[0].firstIndex(of: name), let after = places[1].firstIndex(of: name)
      else { continue }
      cases[index].counters.base[InstructionCount.counter] = try await base.instructions.count(
        caseAt: before)
      cases[index].counters.candidate[InstructionCount.counter] = try await candidate.instructions
        .count(caseAt: after)
    }
  }

  private static func show(
    _ progress: ComparisonRunProgress, _ names: CaseNames, on bar: ProgressBar
  ) {
    let phase =
      switch progress.phase {
      case .calibrating: "opening"
      case .measuring: "\(progress.undecidedCases) cases undecided:"
      case .confirming: "confirming"
      }
    bar.update(
      Double(progress.launches) / Double(max(1, progress.plannedLaunches)),
      "\(phase) \(names.shown(progress.caseName))")
  }
}

extension CompareCommand.Contender {
  func command(labelled label: String) -> WorkerCommand {
    WorkerCommand(label: label, executable: executable.string, arguments: arguments)
  }

  var instructions: InstructionCount {
    InstructionCount(executable: executable, arguments: arguments)
  }
}
