internal import ForeignPipelines
internal import Foundation
internal import Measurement
internal import SystemPackage
internal import ZoomGeometry
internal import ZoomPipeline

/// Carries out a plan: in each round all contenders answer the same peek in shuffled order, each in a
/// separate process.
struct BenchRun {
  let plan: BenchPlan
  let bar: ProgressBar
  /// The pipelines of this process, which find the sources that can read a picture.
  let pipelines: StandardPipelines
  var programs: [ForeignPipeline] = []
  /// The workers' arguments for loaders and indexes.
  var arguments: [String] = []
  let executable: String
  /// A folder for what the workers of other programs read.
  let scratch: FilePath
  var isCancelled: () -> Bool = { Interruption.isCancelled }

  /// A contender at one picture.
  private struct Contender {
    /// The contender's properties, without samples.
    let arm: BenchReport.Arm
    let command: WorkerCommand
    /// Whether others are only compared with it; then its failure is not a finding.
    var isAuxiliary: Bool { arm.kind == .nothing || arm.kind == .floor }
  }

  /// Measures all pictures, whose work has the estimated costs, and adds the samples to a report.
  func measure(_ costs: [BenchSchedule.Cost], into report: inout BenchReport) throws {
    var schedule = BenchSchedule(plan, costs)
    for (number, subject) in plan.subjects.enumerated() {
      guard let part = schedule.part(of: number) else {
        report.unmeasured.append(
          BenchReport.Unmeasured(
            picture: subject.name,
            reason: "\(subject.name): no time was left (give it a longer --budget)"))
        continue
      }
      let cases = plan.cases(part.extent)
      let start = Timestamps.monotonic()
      do {
        let outcomes = try measure(subject, cases, within: part.nanoseconds, into: &report) {
          let fraction = Double(number) + $0
          bar.update(fraction / Double(plan.subjects.count), "\(subject.name): \($1)")
        }
        if isCancelled() {
          report.partial =
            "interrupted at picture \(number + 1) of \(plan.subjects.count)"
          return
        }
        schedule.note(
          number, rounds: outcomes.map { $0.rounds.reduce(0) { $0 + $1.count } / plan.launches },
          seconds: Double(Timestamps.monotonic() - start) / 1e9)
      } catch let error as PipelineError {
        // One damaged picture must not cost the measurements of the others.
        report.unmeasured.append(
          BenchReport.Unmeasured(picture: subject.name, reason: "\(error)"))
      }
    }
  }

  /// Measures the cases at one picture.
  private func measure(
    _ subject: NamedPicture, _ cases: [BenchPlan.Case], within nanoseconds: UInt64,
    into report: inout BenchReport, show: @escaping (_ done: Double, _ label: String) -> Void
  ) throws -> [BenchmarkRun.Outcome] {
    let picture = try Picture(subject.path, limits: pipelines.limits)
    // Rounds have the same regions whichever pictures are in the run.
    let seed = SeededRandom.derivedSeed(from: plan.seed, label: subject.name)
    let peeks = cases.map {
      PeekCase(of: subject.path, by: "", $0.peek, $0.state, seed: seed)
    }
    let (contenders, refusals) = try self.contenders(for: picture, peeks, seed: seed)
    var run = BenchmarkRun(
      contenders: contenders.map(\.command),
      cases: zip(cases, peeks).map { one, peek in
        BenchmarkRun.Case(
          name: peek.condition,
          // The floor's work is prepared ahead of each peek, so that it cannot be cold.
          names: contenders.map { contender in
            contender.arm.kind == .floor && one.state == .cold ? nil : peek.condition
          }, rounds: one.rounds)
      }, launches: plan.launches, seed: seed)
    run.isCancelled = isCancelled
    var begun = 0
    run.report = { name, _ in
      show(Double(begun) / Double(cases.count * plan.launches), name)
      begun += 1
    }
    var budget = TimeBudget(
      nanoseconds: nanoseconds, cases: cases.count * plan.launches)
    let outcomes = run.measure(within: &budget)
    // Other answers cannot be judged without the reference.
    if let reason = outcomes.lazy.compactMap({ $0.arms[0].failure }).first {
      report.unmeasured.append(
        BenchReport.Unmeasured(
          picture: subject.name,
          reason: String(reason.trimmingPrefix(BenchWorkerCommand.refusal))))
      return outcomes
    }
    report.pictures.append(BenchReport.PictureFacts(picture, named: subject.name))
    for (index, outcome) in outcomes.enumerated() where outcome.rounds.first?.isEmpty == false {
      var group = BenchReport.Group(
        picture: subject.name, peek: cases[index].peek, state: cases[index].state,
        regions: try outcome.rounds.joined().map {
          try peeks[index].region(round: $0, size: picture.size)
        },
        arms: [], refusals: refusals, failures: [])
      for (number, contender) in contenders.enumerated() {
        if let failure = outcome.arms[number].failure {
          if contender.isAuxiliary { continue }
          let entry = BenchReport.Refusal(
            source: contender.arm.source,
            reason: String(failure.trimmingPrefix(BenchWorkerCommand.refusal)))
          if failure.hasPrefix(BenchWorkerCommand.refusal) {
            group.refusals.append(entry)
          } else {
            group.failures.append(entry)
          }
        } else if !outcome.arms[number].wall.isEmpty {
          var arm = contender.arm
          arm.add(outcome, number, condition: peeks[index].condition)
          // A process that has answered other cases is no longer fresh.
          let first = outcomes.lazy.map { $0.arms[number].counters }.first { !$0.isEmpty }
          arm.counters[WorkerServer.peakMemory] =
            contender.isAuxiliary ? nil : first?[WorkerServer.peakMemory]
          group.arms.append(arm)
        }
      }
      report.groups.append(group)
    }
    return outcomes
  }

  /// Returns the contenders that can read a picture, naive first, and the sources that refuse it.
  private func contenders(
    for picture: Picture, _ peeks: [PeekCase], seed: UInt64
  ) throws -> (contenders: [Contender], refusals: [BenchReport.Refusal]) {
    var contenders: [Contender] = []
    var refusals: [BenchReport.Refusal] = []
    let memory = pipelines.limits.memory.limit
    // naive, also in a program's worker, briefly needs memory for the whole picture; the other sources share
    // the rest, because they may keep it.
    let share = max(0, memory - picture.rasterByteCount) / (plan.sources.count + programs.count)
    func add(
      _ name: String, _ kind: RunResult.Contender.Kind, _ words: [String],
      file: FilePath? = nil, _ change: (inout BenchReport.Arm) -> Void = { _ in }
    ) {
      var arm = BenchReport.Arm(
        source: name, kind: kind, wall: [], cpu: [], agreed: 0, differing: 0, counters: [:],
        isExact: true)
      change(&arm)
      var asked = [BenchWorkerCommand.name, "--seed", "\(seed)", "--peeks"]
      asked.append(plan.peeks.map(\.argument).joined(separator: ","))
      // A worker's --memory is in megabytes, at most a million.
      let bytes = name == "naive" || kind == .program ? memory : share
      asked += ["--memory", "\(min(1_000_000, bytes / 1_000_000))"]
      asked += arguments + words + ["--", (file ?? picture.path).string]
      contenders.append(
        Contender(
          arm: arm,
          command: WorkerCommand(
            // A very large picture takes as long as it takes; programs have their own limits.
            label: name, executable: executable, arguments: asked, timeLimitSeconds: .infinity)))
    }
    for name in plan.sources {
      guard let pipeline = pipelines.reader(named: name) else { continue }
      do {
        let source = try pipeline.open(picture)
        let isMethod = name == pipelines.partial.name
        add(name, .source, ["--source", name]) { $0.method = isMethod ? source.explanation : nil }
      } catch {
        guard error.isRefusal, name != "naive" else { throw error }
        refusals.append(BenchReport.Refusal(source: name, reason: error.reason))
      }
    }
    for (number, program) in programs.enumerated() {
      // A file, because its headers may hold a password, and other users can read arguments.
      let list = scratch.appending("program-\(number).json")
      try JSONEncoder().encode(PipelineList([program.entry])).write(
        to: URL(filePath: list.string))
      add(program.name, .program, ["--pipelines", list.string]) { arm in
        arm.isExact = program.isExact
        arm.alike = BenchReport.Likeness()
        arm.clock = PeekWorkerCommand.knowsTime(of: program) ? .cpu : .wall
      }
    }
    for kind in Set(programs.map(\.kind)).sorted(by: { $0.rawValue < $1.rawValue }) {
      guard let null = try NullProgram(kind, for: picture, peeks, executable, scratch) else {
        continue
      }
      add(
        "nothing (\(kind.rawValue))", .nothing, ["--pipeline", null.description], file: null.file
      ) { $0.isExact = false }
    }
    // The floor is optional, so its refusal is not reported.
    if plan.sources.count > 1, (try? FloorPipeline(pipelines.partial).open(picture)) != nil {
      add(FloorPipeline.name, .floor, ["--source", FloorPipeline.name])
    }
    return (contenders, refusals)
  }
}

extension BenchReport.Arm {
  /// Adds the samples of one contender in one case, and compares its answers with naive's, the first.
  fileprivate mutating func add(
    _ outcome: BenchmarkRun.Outcome, _ number: Int, condition: String
  ) {
    let own = outcome.arms[number]
    // A run that was cancelled may have begun a launch without any round.
    let launches = outcome.rounds.prefix { !$0.isEmpty }.count
    wall = Array(own.wall.prefix(launches))
    cpu = Array(own.cpu.prefix(launches))
    counters = own.counters
    for (digest, expected) in zip(own.digests.joined(), outcome.arms[0].digests.joined()) {
      if digest == expected {
        agreed += 1
      } else if let digest, let expected,
        let (largest, mean) = PixelChecksum.differences(in: digest, from: expected)
      {
        let most = max(alike?.largest ?? 0, largest)
        alike?.largest = most
        alike?.count += 1
        alike?.meanSum += mean
      } else {
        differing += 1
      }
    }
    let mark = "\(condition) differs: "
    let line = own.log.split(whereSeparator: \.isNewline).first { $0.hasPrefix(mark) }
    alike?.firstDifference = line.map { String($0.trimmingPrefix(mark)) }
  }
}
