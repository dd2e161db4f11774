import Measurement
import Testing

@Suite struct BenchmarkRunTests {
  private static let names = ["naive", "partial", "tiled"]

  private static func builds() -> [String: FakeMachine.Build] {
    var build = FakeMachine.Build()
    build.counters = { _, round in ["bytes read": 10 + round] }
    return Dictionary(uniqueKeysWithValues: names.map { ($0, build) })
  }

  /// Returns a run of two cases, the first of the suite, in two launches.
  private static func run(
    on machine: FakeMachine, rounds: ClosedRange<Int> = 4...4, seed: UInt64 = 5
  ) -> BenchmarkRun {
    var run = BenchmarkRun(
      contenders: names.map { WorkerCommand(label: $0, executable: $0) },
      cases: ["peek", "replay"].map {
        BenchmarkRun.Case(name: $0, names: [$0, $0, $0], rounds: rounds)
      }, launches: 2, seed: seed)
    run.start = { (command) throws(WorkerError) in try machine.start(command) }
    run.isCancelled = { false }
    return run
  }

  private static func measure(
    _ run: BenchmarkRun, on machine: FakeMachine, seconds: Double = 1000
  ) -> [BenchmarkRun.Outcome] {
    var budget = TimeBudget(
      nanoseconds: UInt64(seconds * 1e9), cases: run.cases.count * run.launches,
      now: machine.clock)
    return run.measure(within: &budget)
  }

  @Test(arguments: 1...5 as ClosedRange<UInt64>)
  func `every contender does each round once, and each launch has rounds of its own`(
    seed: UInt64
  ) {
    let machine = FakeMachine(builds: Self.builds())
    let outcomes = Self.measure(Self.run(on: machine, seed: seed), on: machine)
    #expect(outcomes.count == 2)
    for (index, outcome) in outcomes.enumerated() {
      let rounds = outcome.rounds.flatMap(\.self)
      #expect(rounds.count == 8 && Set(rounds).count == 8)
      for (name, arm) in zip(Self.names, outcome.arms) {
        let asked = machine.asked.compactMap { asked -> Int? in
          guard asked.label == name, case .sample(index, let round, 1, 0) = asked.request else {
            return nil
          }
          return round
        }
        #expect(asked == rounds)
        #expect(arm.failure == nil)
        for counts in [arm.wall.map(\.count), arm.cpu.map(\.count), arm.digests.map(\.count)] {
          #expect(counts == [4, 4])
        }
        // Round 0 is counted and never timed.
        #expect(arm.counters == ["bytes read": 10] && !rounds.contains(0))
      }
    }
    #expect(machine.started == 6 && machine.stillOpen == 0)
  }

  @Test func `the seed determines everything but the times`() {
    func asked(noise: UInt64, seed: UInt64) -> [FakeMachine.Asked] {
      let machine = FakeMachine(builds: Self.builds(), seed: noise)
      _ = Self.measure(Self.run(on: machine, seed: seed), on: machine)
      return machine.asked
    }
    #expect(asked(noise: 1, seed: 5) == asked(noise: 2, seed: 5))
    #expect(asked(noise: 1, seed: 5) != asked(noise: 1, seed: 6))
  }

  @Test func `a contender that fails loses its samples of that case only`() {
    var builds = Self.builds()
    builds["partial"]?.failing = { request in
      if case .sample(0, 4..., _, _) = request { .ended(.killed(signal: 11)) } else { nil }
    }
    let machine = FakeMachine(builds: builds)
    let outcomes = Self.measure(Self.run(on: machine), on: machine)
    // Its rounds of the first launch are 1, 3 and 5; it takes no part in the second.
    #expect(outcomes[0].arms.map { $0.wall.map(\.count) } == [[4, 4], [2], [4, 4]])
    #expect(outcomes[0].arms[1].failure?.contains("signal 11") == true)
    #expect(outcomes[0].arms[0].failure == nil && outcomes[0].arms[2].failure == nil)
    for arm in outcomes[1].arms {
      #expect(arm.wall.map(\.count) == [4, 4] && arm.failure == nil)
    }
    #expect(machine.stillOpen == 0)
  }

  @Test(arguments: [true, false])
  func `a contender that refuses or cannot be started fails in each case, the others are measured`(
    isThere: Bool
  ) {
    var builds = Self.builds()
    builds["tiled"]?.failing = { if case .open = $0 { .refused("no such file") } else { nil } }
    if !isThere { builds["tiled"] = nil }
    let machine = FakeMachine(builds: builds)
    let outcomes = Self.measure(Self.run(on: machine), on: machine)
    #expect(outcomes.count == 2)
    for outcome in outcomes {
      #expect(outcome.arms.map(\.wall.count) == [2, 2, 0])
      let failures = outcome.arms.map { $0.failure ?? "" }
      // A refusal is in the worker's own words.
      #expect(failures[..<2] == ["", ""])
      #expect(isThere ? failures[2] == "no such file" : failures[2].contains("cannot be started"))
    }
  }

  @Test func `the rounds fill the budget and no more`() {
    let machine = FakeMachine(builds: Self.builds())
    let run = Self.run(on: machine, rounds: 1...100_000)
    let outcomes = Self.measure(run, on: machine, seconds: 2)
    #expect((1_800_000_000...2_050_000_000).contains(machine.now))
    #expect(outcomes.allSatisfy { $0.rounds.allSatisfy { $0.count > 1 } })
  }

  @Test(arguments: [0, 1, 10, 30, 55])
  func `a cancelled run returns complete rounds`(requests: Int) {
    let machine = FakeMachine(builds: Self.builds())
    var run = Self.run(on: machine)
    run.isCancelled = { machine.asked.count >= requests }
    for outcome in Self.measure(run, on: machine) {
      let rounds = outcome.rounds.map(\.count)
      for arm in outcome.arms {
        // A launch may be cancelled before all contenders have opened the case.
        let samples = arm.wall.map(\.count)
        #expect(samples + [Int](repeating: 0, count: rounds.count - samples.count) == rounds)
        #expect(arm.failure == nil)
      }
    }
    // A worker that is being opened gets three requests.
    #expect(machine.asked.count <= requests + 2)
    #expect(machine.stillOpen == 0)
  }
}

@Suite struct WorkerGroupTests {
  private static let names = ["a", "b", "c"]

  private static func group(
    on machine: FakeMachine, order: [Int]
  ) throws(WorkerError) -> WorkerGroup {
    try WorkerGroup(
      case: "index",
      names.map { (command: WorkerCommand(label: $0, executable: $0), extra: 0) }, order: order
    ) { (command) throws(WorkerError) in try machine.start(command) }
  }

  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func `members are asked in the given order, and answers are in their own`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let order = random.permutation(of: 3)
    let machine = FakeMachine(
      builds: Dictionary(uniqueKeysWithValues: Self.names.map { ($0, FakeMachine.Build()) }))
    let group = try Self.group(on: machine, order: order)
    let answers = try group.each(in: order) { (member) throws(WorkerError) in
      _ = try member.open()
      return member.link.command.label
    }
    #expect(answers == Self.names)
    for request in [WorkerRequest.hello, .open(index: 2)] {
      let asked = machine.asked.filter { $0.request == request }.map(\.label)
      #expect(asked == order.map { Self.names[$0] })
    }
    group.close()
    #expect(machine.stillOpen == 0)
  }

  @Test func `a worker without the case ends all workers`() {
    let machine = FakeMachine(builds: [
      "a": FakeMachine.Build(), "b": FakeMachine.Build(), "c": FakeMachine.Build(cases: []),
    ])
    let error = #expect(throws: WorkerError.self) {
      try Self.group(on: machine, order: [0, 2, 1])
    }
    #expect(error?.command.label == "c")
    #expect(machine.started == 2 && machine.stillOpen == 0)
  }
}
