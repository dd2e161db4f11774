import Measurement
import Synchronization
import Testing

@Suite struct ComparisonRunTests {
  /// With little or no CPU time, only the wall clock shows what users wait for.
  @Test(arguments: [(1.0, Verdict.same), (1.5, .slower), (0.6, .faster)])
  func `programs that wait are judged by wall time`(factor: Double, verdict: Verdict) throws {
    let machine = FakeMachine(
      both: {
        $0.costs = ["control": 2e6, "canary": 2e6]
        for name in ["peek", "replay", "index"] { ($0.costs[name], $0.waits[name]) = (7e5, 10e6) }
      }, candidate: { $0.waits = $0.waits.mapValues { $0 * factor } })
    let outcome = try machine.run().measure()
    for each in outcome.role(.gated) {
      #expect(each.verdict == verdict && each.clock == .wall)
      #expect(each.first == each.wall && each.cpu.verdict == .same)
      #expect(abs(each.change.ratio - (0.7 + 10 * factor) / 10.7) < 0.01)
      #expect(each.change(on: .cpu) == each.cpu && each.change(on: .wall) == each.change)
    }
    #expect(outcome.role(.sameBuild).allSatisfy { $0.clock == .wall && $0.verdict == .same })
  }

  @Test func `sources whose work is counted are judged by CPU time, however long they wait`() throws
  {
    let machine = FakeMachine(
      both: {
        $0.counters = { _, _ in ["rows": 5] }
        $0.waits = ["peek": 50e6, "replay": 50e6, "index": 50e6]
      }, candidate: { $0.waits = $0.waits.mapValues { $0 * 1.4 } })
    let outcome = try machine.run().measure()
    #expect(outcome.role(.gated).allSatisfy { $0.clock == .cpu && $0.verdict == .same })
    #expect(outcome.role(.gated).allSatisfy { $0.change(on: .wall).verdict == .slower })
  }

  static let seeds: [UInt64] = Array(0..<12)

  @Test(arguments: seeds)
  func `a build is never slower than itself`(seed: UInt64) throws {
    let machine = FakeMachine(slowdown: 1, seed: seed)
    let outcome = try machine.run(seed: seed).measure()
    #expect(outcome.role(.gated).map(\.name) == ["peek", "replay", "index"])
    // With the usual margins and 2 % of noise, a false "slower" is far beyond five deviations.
    #expect(outcome.cases.filter { $0.role != .canary }.allSatisfy { $0.verdict == .same })
    #expect(outcome.contamination.isEmpty)
  }

  @Test(arguments: seeds)
  func `five per cent are found, measured again in fresh processes, and named`(
    seed: UInt64
  ) throws {
    let machine = FakeMachine(slowdown: 1.05, seed: seed)
    let settings = GateSettings()
    let outcome = try machine.run(settings: settings, seed: seed).measure()
    let peek = try #require(outcome.named("peek"))
    #expect(peek.verdict == .slower)
    #expect(peek.confirmed?.verdict == .slower)
    #expect(settings.confirming(peek.cpu, among: 3).looks == [peek.confirmation.count])
    #expect(outcome.named("replay")?.verdict == .same)
    #expect(outcome.named("index")?.verdict == .same)
    #expect(outcome.role(.canary).map(\.verdict) == [.slower])
  }

  @Test func `each launch has two new workers`() throws {
    let machine = FakeMachine(slowdown: 1.05)
    let outcome = try machine.run().measure()
    let launches = outcome.cases.reduce(0) { $0 + $1.launches.count + $1.confirmation.count }
    // One worker of each build lists its cases; calibration opens each case once with a pair, except the
    // check of a case that has been calibrated already.
    #expect(machine.started == 2 + 2 * (outcome.cases.count - 1) + 2 * launches)
    #expect(machine.stillOpen == 0)
    let opens = Dictionary(grouping: machine.asked, by: \.worker).values.map { asked in
      asked.count { if case .open = $0.request { true } else { false } }
    }
    #expect(opens.allSatisfy { $0 <= 1 })
  }

  @Test func `a faster case is measured again, and an equal one only on request`() throws {
    for confirmsSame in [false, true] {
      var run = FakeMachine(slowdown: 0.9).run()
      run.confirmsSame = confirmsSame
      let outcome = try run.measure()
      let peek = try #require(outcome.named("peek"))
      #expect(peek.verdict == .faster)
      #expect(peek.confirmed?.verdict == .faster)
      for name in ["replay", "index"] {
        let same = try #require(outcome.named(name))
        #expect(same.verdict == .same)
        #expect(same.confirmed?.verdict == (confirmsSame ? .same : nil))
      }
      let checks = outcome.cases.filter { $0.role != .gated }
      #expect(!checks.isEmpty && checks.allSatisfy { $0.confirmed == nil })
    }
  }

  @Test func `a planted slow-down slows every gated case down and no check`() throws {
    let machine = FakeMachine(slowdown: 1)
    let outcome = try machine.run(planted: 80).measure()
    #expect(outcome.role(.gated).allSatisfy { $0.verdict == .slower })
    #expect(outcome.role(.sameBuild).map(\.verdict) == [.same])
    #expect(outcome.role(.control).map(\.verdict) == [.same])
  }

  @Test func `the cheapest gated case is compared with itself, both sides of the base`() throws {
    let machine = FakeMachine(slowdown: 1)
    let outcome = try machine.run().measure()
    let check = try #require(outcome.role(.sameBuild).first)
    #expect(check.name.hasPrefix("replay"))
    let labels = Set(machine.asked.map(\.label))
    #expect(labels == ["base", "candidate", "base again"])
  }

  @Test func `samples are repeated until they take a millisecond, in both builds alike`() throws {
    let machine = FakeMachine(slowdown: 1)
    let outcome = try machine.run().measure()
    let replay = try #require(outcome.named("replay"))
    // 300 µs, four times.
    #expect(replay.launches.allSatisfy { $0.repeats == 4 })
    #expect(outcome.named("peek")?.launches.allSatisfy { $0.repeats == 1 } == true)
    let samples = replay.launches.flatMap {
      $0.base.wallNanoseconds + $0.candidate.wallNanoseconds
    }
    #expect(samples.allSatisfy { $0 >= 1_000_000 })
  }

  @Test func `the seed determines everything except the times`() throws {
    let (one, same, other) = (
      FakeMachine(slowdown: 1.05), FakeMachine(slowdown: 1.05), FakeMachine(slowdown: 1.05)
    )
    let first = try one.run(seed: 5).measure()
    let second = try same.run(seed: 5).measure()
    _ = try other.run(seed: 6).measure()
    #expect((one.asked == same.asked) as Bool)
    #expect((first.cases == second.cases) as Bool)
    #expect((one.asked != other.asked) as Bool)
  }

  @Test func `progress grows and ends`() throws {
    let seen = Mutex<[ComparisonRunProgress]>([])
    var run = FakeMachine(slowdown: 1.05).run()
    run.report = { progress in seen.withLock { $0.append(progress) } }
    let outcome = try run.measure()
    let reports = seen.withLock { $0 }
    let launches = outcome.cases.reduce(0) { $0 + $1.launches.count }
    #expect(reports.count { $0.phase == .measuring } == launches)
    #expect(reports.allSatisfy { $0.launches <= $0.plannedLaunches })
    #expect(reports.last?.phase == .confirming)
    #expect(reports.last.map { $0.launches == $0.plannedLaunches } == true)
  }
}
