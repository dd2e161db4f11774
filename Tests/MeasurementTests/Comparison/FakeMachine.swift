import Measurement
import Synchronization

/// Workers without processes, on a machine whose time advances only with their work.
///
/// A command's executable is the name of the build. Nothing depends on the real clock, so a test that
/// passes for a seed always passes.
final class FakeMachine: Sendable {
  struct Build: Sendable {
    var cases = FakeMachine.suite
    /// Nanoseconds of one run, by case; a microsecond for others.
    var costs = FakeMachine.costs
    /// The part of an answer's digest besides case and round; nil for no digest.
    var answer: @Sendable (_ round: Int) -> String? = { _ in "a" }
    var counters: @Sendable (_ launch: Int, _ round: Int) -> [String: Int] = { _, _ in [:] }
    /// Nanoseconds that one run waits in addition to its cost, by case.
    var waits: [String: Double] = [:]
    /// The failures; a silent worker is silent until its time limit.
    var failing: @Sendable (WorkerRequest) -> WorkerError.Problem? = { _ in nil }
  }

  struct Asked: Sendable, Hashable {
    var worker: Int
    var label: String
    var request: WorkerRequest
  }

  struct State {
    var now: UInt64 = 1
    var random: SeededRandom
    var asked: [Asked] = []
    var started = 0
    var open: Set<Int> = []
  }

  let builds: [String: Build]
  /// The standard deviation of the logarithm of a sample.
  let noise: Double
  let state: Mutex<State>

  init(builds: [String: Build], noise: Double = 0.02, seed: UInt64 = 1) {
    self.builds = builds
    self.noise = noise
    state = Mutex(State(random: SeededRandom(seed: seed)))
  }

  var asked: [Asked] { state.withLock { $0.asked } }
  var started: Int { state.withLock { $0.started } }
  var stillOpen: Int { state.withLock { $0.open.count } }
  var now: UInt64 { state.withLock { $0.now } }

  /// Returns a run of the builds "base" and "candidate" on this machine.
  func run(
    settings: GateSettings = GateSettings(), names: [String]? = nil, seed: UInt64 = 42,
    budget: Double = 600, planted: Int = 0
  ) -> ComparisonRun {
    var run = ComparisonRun(
      base: WorkerCommand(label: "base", executable: "base"),
      candidate: WorkerCommand(label: "candidate", executable: "candidate"),
      settings: settings, caseNames: names, seed: seed, budgetSeconds: budget)
    run.plantedExtra = planted
    run.clock = clock
    run.start = { (command) throws(WorkerError) in try self.start(command) }
    run.isCancelled = { false }
    return run
  }

  /// The clock of this machine, which advances between two readings.
  var clock: NanosecondClock {
    {
      self.state.withLock { state in
        state.now += 20
        return state.now
      }
    }
  }

  func start(_ command: WorkerCommand) throws(WorkerError) -> any WorkerLink {
    try FakeWorker(machine: self, command)
  }
}

final class FakeWorker: WorkerLink {
  let machine: FakeMachine
  let command: WorkerCommand
  let number: Int
  let log = ""
  private let build: FakeMachine.Build

  init(machine: FakeMachine, _ command: WorkerCommand) throws(WorkerError) {
    guard let build = machine.builds[command.executable] else {
      throw WorkerError(command: command, problem: .cannotStart(code: 2))
    }
    self.machine = machine
    self.command = command
    self.build = build
    number = machine.state.withLock { state in
      state.started += 1
      state.now += 5_000_000
      state.open.insert(state.started)
      return state.started
    }
  }

  func answer(to request: WorkerRequest) throws(WorkerError) -> WorkerAnswer {
    machine.state.withLock {
      $0.asked.append(
        FakeMachine.Asked(worker: number, label: command.label, request: request))
    }
    if var problem = build.failing(request) {
      close()
      if case .silent = problem {
        let limit = machine.state.withLock { state in
          let limit = command.timeLimit(at: state.now)
          state.now += limit
          return limit
        }
        problem = .silent(nanoseconds: limit)
      }
      throw WorkerError(command: command, request: request.line, problem: problem)
    }
    switch request {
    case .hello: return .hello(WorkerListing(tool: command.executable, cases: build.cases))
    case .open(let index): return .opened(work(index, repeats: 1, extra: 0))
    case .sample(let index, let round, let repeats, let extra):
      return .sample(work(index, repeats: repeats, extra: extra), digest: build.answer(round))
    case .count(_, let round): return .counters(build.counters(number, round))
    case .quit: return .error("quit is said by close()")
    }
  }

  func close() { machine.state.withLock { _ = $0.open.remove(number) } }

  private func work(_ index: Int, repeats: Int, extra: Int) -> Elapsed {
    let cost = build.costs[build.cases[index].name] ?? 1000
    return machine.state.withLock { state in
      // The sum of twelve uniform numbers minus six has mean 0 and deviation 1, and needs no logarithm. To
      // first order, this is the noise of the logarithm.
      let normal = (0..<12).reduce(-6.0) { sum, _ in sum + state.random.unit() }
      let time = cost * Double(repeats) * (1 + Double(extra) / 1000) * (1 + machine.noise * normal)
      let nanoseconds = UInt64(max(time, 1))
      let wait = build.waits[build.cases[index].name] ?? 0
      let wall = nanoseconds + UInt64(wait * Double(repeats))
      state.now += wall + 20_000
      return Elapsed(wallNanoseconds: wall, cpuNanoseconds: nanoseconds)
    }
  }
}

extension FakeMachine {
  /// The usual suite: three gated cases, a control and a canary.
  static let suite: [WorkerListing.Entry] = [
    WorkerListing.Entry(name: "peek", role: .gated),
    WorkerListing.Entry(name: "replay", role: .gated),
    WorkerListing.Entry(name: "index", role: .gated),
    WorkerListing.Entry(name: "control", role: .control),
    WorkerListing.Entry(name: "canary", role: .canary),
  ]

  static let costs: [String: Double] = [
    "peek": 7e6, "replay": 3e5, "index": 2e6, "control": 2.5e6, "canary": 2.5e6,
  ]

  /// Creates two builds of the suite: `both` changes either, `candidate` the candidate alone.
  convenience init(
    noise: Double = 0.02, seed: UInt64 = 1, both: (inout Build) -> Void = { _ in },
    candidate: (inout Build) -> Void = { _ in }
  ) {
    var base = Build()
    both(&base)
    var changed = base
    candidate(&changed)
    self.init(builds: ["base": base, "candidate": changed], noise: noise, seed: seed)
  }

  /// Creates two builds of the suite, where the candidate takes `slowdown` times as long for "peek".
  convenience init(slowdown: Double, noise: Double = 0.02, seed: UInt64 = 1) {
    self.init(noise: noise, seed: seed, candidate: { $0.costs["peek", default: 1] *= slowdown })
  }
}

extension ComparisonRun.Outcome {
  func named(_ name: String) -> CaseComparison? { cases.first { $0.name == name } }
  func role(_ role: CaseComparison.Role) -> [CaseComparison] { cases.filter { $0.role == role } }
}
