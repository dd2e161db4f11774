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
  /// The colours to convert to; nil for colours as stored.
  var colour: ColourTarget?
  /// The workers' arguments for loaders and indexes.
  var arguments: [String] = []
  let executable: String
  /// A folder for the files that workers of other programs read.
  let scratch: FilePath
  var isCancelled: () -> Bool = { Interruption.isCancelled }

  /// A contender at one picture.
  private struct Contender {
    let properties: RunResult.Contender
    /// The properties of its answers, with counts of zero.
    let answers: Row.Answers
    let command: WorkerCommand
    var name: String { properties.name }
    /// Whether others are only compared with it; then its failure is not a finding.
    var isAuxiliary: Bool { [.nothing, .floor].contains(properties.kind) }
  }

  /// Measures all pictures and adds a row for each contender under each condition, even if it failed.
  ///
  /// A picture that naive cannot read, or that no time is left for, gets one row. `costs` are estimates.
  func measure(_ costs: [BenchSchedule.Cost], into result: inout RunResult) throws {
    var schedule = BenchSchedule(plan, costs)
    for (number, subject) in plan.subjects.enumerated() {
      guard let part = schedule.part(of: number) else {
        result.rows.append(
          Row(unmeasured: subject, "\(subject.name): no time was left (give it a longer --budget)"))
        continue
      }
      let cases = plan.cases(part.extent)
      let start = Timestamps.monotonic()
      do {
        let outcomes = try measure(subject, cases, within: part.nanoseconds, into: &result) {
          let fraction = Double(number) + $0
          bar.update(fraction / Double(plan.subjects.count), "\(subject.name): \($1)")
        }
        if isCancelled() {
          result.partial = "interrupted at picture \(number + 1) of \(plan.subjects.count)"
          return
        }
        schedule.note(
          number, rounds: outcomes.map { $0.rounds.reduce(0) { $0 + $1.count } / plan.launches },
          seconds: Double(Timestamps.monotonic() - start) / 1e9)
      } catch let error as PipelineError {
        // One damaged picture must not cost the measurements of the others.
        result.rows.append(Row(unmeasured: subject, "\(error)"))
      }
    }
  }

  /// Measures the cases at one picture.
  private func measure(
    _ subject: NamedPicture, _ cases: [BenchPlan.Case], within nanoseconds: UInt64,
    into result: inout RunResult, show: @escaping (_ done: Double, _ label: String) -> Void
  ) throws -> [BenchmarkRun.Outcome] {
    let picture = try Picture(subject.path, limits: pipelines.limits(for: plan.sources))
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
          // The floor cannot be cold, because its work is prepared before each peek.
          names: contenders.map { contender in
            contender.properties.kind == .floor && one.state == .cold ? nil : peek.condition
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
      result.rows.append(
        Row(unmeasured: subject, String(reason.trimmingPrefix(BenchWorkerCommand.refusal))))
      return outcomes
    }
    result.pictures.append(RunResult.PictureFacts(picture, named: subject.name))
    for (index, outcome) in outcomes.enumerated() where outcome.rounds.first?.isEmpty == false {
      var group = RunResult.Group(
        peek: cases[index].peek, state: cases[index].state,
        regions: try outcome.rounds.joined().map { round in
          let region = try peeks[index].region(round: round, size: picture.size)
          return [region.x, region.y, region.width, region.height]
        }, refusals: refusals)
      for (number, contender) in contenders.enumerated() {
        var row = Row(contender.name, Row.Verdict(.agrees), at: subject.name, in: group)
        if let failure = outcome.arms[number].failure {
          if contender.isAuxiliary { continue }
          let reason = String(failure.trimmingPrefix(BenchWorkerCommand.refusal))
          if failure.hasPrefix(BenchWorkerCommand.refusal) {
            group.refusals.append(RunResult.Refusal(source: contender.name, reason: reason))
            continue
          }
          row.verdict = Row.Verdict(.failed, reason: reason)
        } else {
          if outcome.arms[number].wall.isEmpty { continue }
          row.add(outcome, number, contender.answers, condition: peeks[index].condition)
          // A process that has answered other cases is no longer fresh.
          let first = outcomes.lazy.map { $0.arms[number].counters }.first { !$0.isEmpty }
          row.counters[WorkerServer.peakMemory] =
            contender.isAuxiliary ? nil : first?[WorkerServer.peakMemory]
          if !result.contenders.contains(where: { $0.name == contender.name }) {
            result.contenders.append(contender.properties)
          }
        }
        result.rows.append(row)
      }
      result.groups["\(subject.name)/\(group.condition)"] = group
    }
    result.addRefusals(of: subject.name)
    return outcomes
  }

  /// Returns the contenders that can read a picture, naive first, and the sources that refuse it.
  private func contenders(
    for picture: Picture, _ peeks: [PeekCase], seed: UInt64
  ) throws -> (contenders: [Contender], refusals: [RunResult.Refusal]) {
    var contenders: [Contender] = []
    var refusals: [RunResult.Refusal] = []
    let memory = pipelines.limits.memory.limit
    // naive, also in a program's worker, briefly needs memory for the whole picture; the other sources share
    // the rest, because they may keep it.
    let share = max(0, memory - picture.rasterByteCount) / (plan.sources.count + programs.count)
    func add(
      _ name: String, _ kind: RunResult.Contender.Kind, _ words: [String],
      _ answers: Row.Answers = Row.Answers(), file: FilePath? = nil,
      clock: PairedLaunch.Clock = .cpu
    ) {
      var asked = [BenchWorkerCommand.name, "--seed", "\(seed)", "--peeks"]
      asked.append(plan.peeks.map(\.argument).joined(separator: ","))
      // A worker's --memory is in megabytes, at most a million.
      let bytes = name == "naive" || kind == .program ? memory : share
      asked += ["--memory", "\(min(1_000_000, bytes / 1_000_000))"]
      if let colour { asked += ["--colour", colour.rawValue] }
      asked += arguments + words + ["--", (file ?? picture.path).string]
      contenders.append(
        Contender(
          properties: RunResult.Contender(name: name, kind: kind, clock: clock), answers: answers,
          command: WorkerCommand(
            // A very large picture takes as long as it takes; programs have their own limits.
            label: name, executable: executable, arguments: asked, timeLimitSeconds: .infinity)))
    }
    for name in plan.sources {
      guard let pipeline = pipelines.reader(named: name) else { continue }
      do {
        let source = try pipeline.converting(to: colour).open(picture)
        let method = name == pipelines.partial.name ? source.explanation : nil
        add(name, .source, ["--source", name], Row.Answers(method: method))
      } catch {
        guard error.isRefusal, name != "naive" else { throw error }
        refusals.append(RunResult.Refusal(source: name, reason: error.reason))
      }
    }
    for (number, program) in programs.enumerated() {
      // A file, because its headers may hold a password, and other users can read arguments.
      let list = scratch.appending("program-\(number).json")
      try JSONEncoder().encode(PipelineList([program.entry])).write(
        to: URL(filePath: list.string))
      add(
        program.name, .program, ["--pipelines", list.string],
        Row.Answers(isExact: program.isExact, alike: Row.Likeness()),
        clock: PeekWorkerCommand.knowsTime(of: program) ? .cpu : .wall)
    }
    for kind in Set(programs.map(\.kind)).sorted(by: { $0.rawValue < $1.rawValue }) {
      guard let null = try NullProgram(kind, for: picture, peeks, executable, scratch) else {
        continue
      }
      add(
        "nothing (\(kind.rawValue))", .nothing, ["--pipeline", null.description],
        Row.Answers(isExact: false), file: null.file)
    }
    // The floor is optional, so its refusal is not reported; its decoder converts no colours.
    if colour == nil, plan.sources.count > 1,
      (try? FloorPipeline(pipelines.partial).open(picture)) != nil
    {
      add(FloorPipeline.name, .floor, ["--source", FloorPipeline.name])
    }
    return (contenders, refusals)
  }
}

extension Row {
  /// Creates the row of a picture that was not measured.
  fileprivate init(unmeasured subject: NamedPicture, _ reason: String) {
    self.init(name: subject.name, verdict: Verdict(.unmeasured, reason: reason))
  }

  /// Adds the samples of one contender in one case, and compares its answers with naive's, the first.
  fileprivate mutating func add(
    _ outcome: BenchmarkRun.Outcome, _ number: Int, _ promise: Answers, condition: String
  ) {
    let own = outcome.arms[number]
    // A run that was cancelled may have begun a launch without any round.
    let launches = outcome.rounds.prefix { !$0.isEmpty }.count
    wall = Array(own.wall.prefix(launches))
    cpu = Array(own.cpu.prefix(launches))
    counters = own.counters
    var answers = promise
    for (digest, expected) in zip(own.digests.joined(), outcome.arms[0].digests.joined()) {
      if digest == expected {
        answers.agreed += 1
      } else if let digest, let expected,
        let (largest, mean) = PixelChecksum.differences(in: digest, from: expected)
      {
        let most = max(answers.alike?.largest ?? 0, largest)
        answers.alike?.largest = most
        answers.alike?.count += 1
        answers.alike?.meanSum += mean
      } else {
        answers.differing += 1
      }
    }
    let mark = "\(condition) differs: "
    let line = own.log.split(whereSeparator: \.isNewline).first { $0.hasPrefix(mark) }
    answers.alike?.firstDifference = line.map { String($0.trimmingPrefix(mark)) }
    bench = answers
  }
}
