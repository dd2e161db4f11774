import Measurement
import Synchronization
import Testing

/// Runs that cannot continue as planned.
@Suite struct ComparisonRunEndTests {
  @Test(arguments: [0.01, 1, 3, 8])
  func `cases undecided when time runs out are inconclusive, with the reason`(
    budget: Double
  ) throws {
    // The noise is too great for an early decision.
    let machine = FakeMachine(slowdown: 1.02, noise: 0.3)
    let outcome = try machine.run(budget: budget).measure()
    // The check of the same build needs a case that was tried.
    #expect(outcome.cases.count == (budget < 1 ? 5 : 6))
    for each in outcome.cases {
      #expect(each.verdict == .inconclusive)
      // An undecided case reports its number of launches, and did not exceed the plan.
      let reason = each.reason ?? ""
      let untried = budget < 1 ? "it was not tried: " : ""
      #expect(
        reason.hasPrefix("\(untried)the time budget of \(Int(budget.rounded(.up))) s "), "\(reason)"
      )
      #expect(reason.contains("after \(each.launches.count) launches"), "\(reason)")
      #expect(each.launches.count < 40)
      // No case looks slower, so no time is reserved for a second measurement.
      #expect(!reason.contains("second measurements"), "\(reason)")
      guard budget == 8 else { continue }
      // The budget, the launches so far, the remaining time, and the time needed by so many launches.
      let numbers = reason.split { !$0.isNumber }.compactMap { Int($0) }
      #expect(reason.contains("is too short") && !reason.contains("ran out"), "\(reason)")
      #expect(numbers.count == 5 && numbers[0] == 8 && numbers[2] <= 8, "\(reason)")
    }
    // A canary that was cut short does not contaminate the run.
    #expect(outcome.contamination.isEmpty)
    let launches = outcome.cases.map(\.launches.count).reduce(0, +)
    #expect((launches > 0) == (budget >= 1))
    // A launch in progress is completed: 0.3 s with noise.
    #expect(outcome.seconds < budget + 6)
  }

  @Test func `time is reserved for the planned launches of second measurements`() throws {
    // Two cases between the margins would use all of the time.
    let machine = FakeMachine(
      noise: 0.03,
      candidate: {
        for (name, slowdown) in [("peek", 1.1), ("replay", 1.02), ("index", 1.02)] {
          $0.costs[name, default: 1] *= slowdown
        }
      })
    let outcome = try machine.run(budget: 13).measure()
    let reasons = outcome.cases.compactMap(\.reason)
    #expect(reasons.contains { $0.contains("of them for second measurements") }, "\(reasons)")
    let peek = try #require(outcome.named("peek"))
    // Checks may take the time of some of the 26 planned launches.
    #expect(peek.verdict == .slower && peek.confirmation.count >= 24, "\(peek.confirmation.count)")
    #expect(outcome.seconds < 13.5)
  }

  @Test func `checks take the time reserved for second measurements`() throws {
    // Equal code needs 26 launches at this noise, and a slow-down of half is found at once.
    let machine = FakeMachine(slowdown: 1.5, noise: 0.08)
    let outcome = try machine.run(budget: 14).measure()
    // Its second measurement is cut short, and decides.
    #expect(outcome.named("peek")?.verdict == .slower)
    #expect((6..<26).contains(outcome.named("peek")?.confirmation.count ?? 0))
    for check in outcome.cases where check.role != .gated {
      #expect(check.verdict != .inconclusive, "\(check.name): \(check.reason ?? "")")
    }
    #expect(outcome.seconds < 14.5)
  }

  @Test(arguments: [10.0, 100])
  func `a candidate that hangs takes no more than the budget`(budget: Double) throws {
    let machine = FakeMachine(candidate: {
      $0.failing = { request in
        if case .sample(0...2, _, _, _) = request { .silent(nanoseconds: 0) } else { nil }
      }
    })
    let outcome = try machine.run(budget: budget).measure()
    #expect(outcome.seconds < budget + 6)
    for (index, each) in outcome.role(.gated).enumerated() {
      #expect(each.verdict == .inconclusive)
      // A whole minute of silence is a failure; a shorter one, at the end of the budget, is not.
      let isFailure = budget > 60 && index == 0
      #expect((each.failure != nil) == isFailure)
      let isCut = budget < 60 ? index == 0 : index == 1
      #expect(
        each.reason?.contains(isFailure || isCut ? "did not answer within" : "it was not tried")
          == true,
        "\(each.reason ?? "")")
    }
    #expect(outcome.contamination.isEmpty && machine.stillOpen == 0)
  }

  @Test func `a time limit of fractional nanoseconds is not the end of the budget`() throws {
    let machine = FakeMachine(candidate: {
      $0.failing = { request in
        if case .sample(0, _, _, _) = request { .silent(nanoseconds: 0) } else { nil }
      }
    })
    var run = machine.run()
    (run.base.timeLimitSeconds, run.candidate.timeLimitSeconds) = (4.0 / 3, 4.0 / 3)
    let outcome = try run.measure()
    #expect(outcome.named("peek")?.failure?.contains("did not answer within 1.333 s") == true)
    #expect(outcome.named("replay")?.verdict == .same)
  }

  @Test func `a base that hangs when it is asked again takes no more than the budget`() throws {
    let machine = FakeMachine(
      both: {
        // Only repeated requests have one repeat: a launch of this case has four.
        $0.failing = { request in
          if case .sample(1, 41..., 1, _) = request { .silent(nanoseconds: 0) } else { nil }
        }
      }, candidate: { $0.failing = Self.crash(afterRound: 40) })
    let outcome = try machine.run(budget: 30).measure()
    #expect(outcome.seconds < 36)
    let failed = try #require(outcome.named("replay"))
    #expect(failed.failure == nil && failed.verdict == .inconclusive)
    #expect(
      failed.reason?.contains("no time was left to see whether the base fails, too") == true,
      "\(failed.reason ?? "")")
  }

  @Test func `workers ended by a signal do not fail a case, and no other is started`() async {
    // In a separate process, because no worker can be started there afterwards.
    await #expect(processExitsWith: .success) {
      let machine = FakeMachine(both: {
        $0.failing = { request in
          guard case .sample(1, 41..., _, _) = request else { return nil }
          LiveWorkers.endAll()
          return .ended(.killed(signal: 9))
        }
      })
      let run = machine.run()
      let started = Mutex(0)
      #expect(throws: ComparisonRunError.cancelled) {
        var run = run
        run.report = { _ in started.withLock { $0 = machine.started } }
        return try run.measure()
      }
      // Only the pair of the interrupted launch.
      #expect(machine.started == started.withLock { $0 } + 2)
      #expect(machine.stillOpen == 0)
    }
  }

  @Test func `with little time the checks are measured first`() throws {
    let machine = FakeMachine(slowdown: 1, noise: 0.3)
    // Enough for only a part of the checks' first look.
    let outcome = try machine.run(budget: 2.5).measure()
    #expect(
      outcome.cases.filter { $0.role != .gated }.allSatisfy { !$0.launches.isEmpty })
    #expect(outcome.named("peek")?.launches.isEmpty == true)
    #expect(outcome.named("peek")?.verdict == .inconclusive)
  }

  @Test func `a case without time for a second measurement is not called slower`() throws {
    let machine = FakeMachine(slowdown: 1.05)
    var run = machine.run(settings: GateSettings(looks: [4]), budget: 600)
    run.report = { progress in
      guard progress.phase == .measuring, progress.launches == progress.plannedLaunches else {
        return
      }
      // The machine sleeps for an hour.
      machine.state.withLock { $0.now += 3_600_000_000_000 }
    }
    let peek = try #require(try run.measure().named("peek"))
    #expect(peek.cpu.verdict == .slower)
    #expect(peek.confirmation.isEmpty)
    #expect(peek.verdict == .inconclusive)
    #expect(peek.reason?.contains("it was not measured again") == true)
  }

  /// The time is enough for about twelve of 26 planned launches.
  @Test func `a second measurement cut short decides with the launches it has`() throws {
    let machine = FakeMachine(slowdown: 1.05)
    var run = machine.run(budget: 600)
    run.report = { progress in
      guard progress.phase == .measuring, progress.launches == progress.plannedLaunches else {
        return
      }
      machine.state.withLock { $0.now = max($0.now, 596_000_000_000) }
    }
    let outcome = try run.measure()
    let peek = try #require(outcome.named("peek"))
    #expect((6..<26).contains(peek.confirmation.count))
    #expect(peek.confirmed?.launches == peek.confirmation.count)
    #expect(peek.verdict == .slower && peek.reason == nil)
    #expect(outcome.seconds < 601)
  }

  @Test func `a run that is stopped ends its workers`() {
    let machine = FakeMachine(slowdown: 1)
    var run = machine.run()
    run.isCancelled = { machine.asked.count > 300 }
    #expect(throws: ComparisonRunError.cancelled) { try run.measure() }
    #expect(machine.stillOpen == 0)
    #expect(machine.asked.count < 360)
  }

  /// Returns a failure in the case "replay", in samples of later rounds or at once.
  private static func crash(
    afterRound first: Int
  ) -> @Sendable (WorkerRequest) -> WorkerError.Problem? {
    { request in
      switch request {
      case .sample(1, let round, _, _) where round > first: .ended(.killed(signal: 11))
      case .open(1) where first < 0: .ended(.killed(signal: 11))
      default: nil
      }
    }
  }

  @Test func `builds with the same label are distinguished`() throws {
    var run = FakeMachine(candidate: { $0.failing = Self.crash(afterRound: 40) }).run()
    (run.base.label, run.candidate.label) = ("main", "main")
    let outcome = try run.measure()
    #expect(outcome.named("replay")?.failure?.contains("the main (candidate) worker") == true)
    #expect(outcome.named("peek")?.verdict == .same)
  }

  @Test(arguments: [-1, 40, 150])
  func `a candidate that crashes in one case fails there, and the other cases are judged`(
    afterRound first: Int
  ) throws {
    let machine = FakeMachine(candidate: { $0.failing = Self.crash(afterRound: first) })
    let outcome = try machine.run().measure()
    let failed = try #require(outcome.named("replay"))
    #expect(failed.failure?.contains("candidate worker (candidate) was ended by signal 11") == true)
    #expect(failed.verdict == .inconclusive && failed.reason == failed.failure)
    for name in ["peek", "index"] {
      #expect(outcome.named(name)?.verdict == .same)
      #expect(outcome.named(name)?.failure == nil)
    }
    #expect(outcome.contamination.isEmpty)
    #expect(machine.stillOpen == 0)
  }

  @Test(arguments: [(false, "the base worker"), (true, "both builds fail: the candidate worker")])
  func `a case that the base fails at, too, is undecided and no fault of the candidate`(
    candidateFails: Bool, reason: String
  ) throws {
    var builds = ["base": FakeMachine.Build(), "candidate": FakeMachine.Build()]
    builds["base"]?.failing = Self.crash(afterRound: 40)
    if candidateFails {
      builds["candidate"] = builds["base"]
      // Only repeated requests have one repeat, so the candidate fails first.
      builds["base"]?.failing = { request in
        if case .sample(1, 41..., 1, _) = request { .ended(.killed(signal: 11)) } else { nil }
      }
    }
    let machine = FakeMachine(builds: builds)
    let outcome = try machine.run().measure()
    let failed = try #require(outcome.named("replay"))
    #expect(failed.failure == nil && failed.verdict == .inconclusive)
    #expect(failed.reason?.hasPrefix(reason) == true, "\(failed.reason ?? "")")
    #expect(failed.reason?.contains("worker (base) was ended by signal 11") == true)
    #expect(outcome.named("peek")?.verdict == .same)
    #expect(machine.stillOpen == 0)
  }

  @Test func `two builds that fail at every case are an error`() {
    let machine = FakeMachine(both: {
      $0.failing = { if case .open = $0 { .silent(nanoseconds: 60_000_000_000) } else { nil } }
    })
    let error = #expect(throws: ComparisonRunError.self) { try machine.run().measure() }
    guard case .worker(_, case: "peek")? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(machine.stillOpen == 0)
  }

  @Test func `a worker that cannot be started ends the run`() {
    let machine = FakeMachine(builds: ["base": FakeMachine.Build()])
    #expect(throws: ComparisonRunError.self) { try machine.run().measure() }
    #expect(machine.stillOpen == 0)
  }

  @Test func `work that takes no time is refused and not repeated forever`() {
    let machine = FakeMachine(both: { $0.costs["index"] = 1e-6 })
    #expect(throws: ComparisonRunError.tooShort(case: "index", repeats: 1 << 20)) {
      try machine.run().measure()
    }
    #expect(machine.stillOpen == 0)
  }

  /// Returns a build of some cases and one more.
  private static func build(
    _ name: String, role: WorkerCase.Role = .gated, beside cases: [WorkerListing.Entry] = []
  ) -> FakeMachine.Build {
    FakeMachine.Build(cases: cases + [WorkerListing.Entry(name: name, role: role)])
  }

  @Test func `cases of one build only are listed and left out`() throws {
    // The lists may have different orders, because cases are matched by name.
    let machine = FakeMachine(builds: [
      "base": Self.build("old", beside: FakeMachine.suite),
      "candidate": Self.build("new", beside: FakeMachine.suite.reversed()),
    ])
    let outcome = try machine.run().measure()
    #expect(outcome.onlyInBase == ["old"])
    #expect(outcome.onlyInCandidate == ["new"])
    #expect(outcome.role(.gated).map(\.name) == ["peek", "replay", "index"])
    #expect(outcome.role(.gated).allSatisfy { $0.verdict == .same })
    let chosen = try machine.run(names: ["peek", "new"]).measure()
    #expect(chosen.role(.gated).map(\.name) == ["peek"])
    #expect(chosen.onlyInBase == [])
    #expect(chosen.onlyInCandidate == ["new"])
  }

  @Test func `a candidate that lacks every case is reported at once, not refused`() throws {
    let machine = FakeMachine(builds: ["base": Self.build("a"), "candidate": Self.build("b")])
    let outcome = try machine.run().measure()
    #expect(outcome.cases.isEmpty && outcome.contamination.isEmpty)
    #expect(outcome.onlyInBase == ["a"] && outcome.onlyInCandidate == ["b"])
    #expect(machine.stillOpen == 0)
  }

  @Test func `names that neither build has, and a base without a case, are refused`() {
    let machine = FakeMachine(slowdown: 1)
    #expect(
      throws: ComparisonRunError.unknownCases(["peak"], known: ["peek", "replay", "index"])
    ) { try machine.run(names: ["peak", "peek"]).measure() }
    let apart = FakeMachine(
      builds: ["base": FakeMachine.Build(cases: []), "candidate": Self.build("b")])
    #expect(throws: ComparisonRunError.noCommonCase(base: [], candidate: ["b"])) {
      try apart.run().measure()
    }
    let roles = FakeMachine(
      builds: ["base": Self.build("a"), "candidate": Self.build("a", role: .control)])
    #expect(throws: ComparisonRunError.roleDiffers(case: "a")) { try roles.run().measure() }
  }

  @Test func `settings that contradict themselves are refused before a worker is started`() {
    let machine = FakeMachine(slowdown: 1)
    for run in [
      machine.run(settings: GateSettings(looks: [])),
      machine.run(settings: GateSettings(pairsPerLaunch: 1)), machine.run(planted: -1),
      machine.run(budget: 0), machine.run(budget: .nan),
    ] {
      #expect(throws: ComparisonRunError.self) { try run.measure() }
    }
    #expect(machine.started == 0)
  }
}
