import Measurement
import Testing

@Suite struct ComparisonRunLaunchTests {
  @Test(arguments: [2, 3, 7, 20], [1, 2, 3] as [UInt64])
  func `the candidate is first in half of the pairs of each launch`(
    pairs: Int, seed: UInt64
  ) throws {
    let machine = FakeMachine(slowdown: 1)
    let settings = GateSettings(looks: [4], pairsPerLaunch: pairs)
    let outcome = try machine.run(settings: settings, seed: seed).measure()
    let launches = outcome.cases.flatMap(\.launches)
    for launch in launches {
      #expect(launch.pairs == pairs)
      let firsts = launch.candidateRanFirst.count { $0 }
      #expect([pairs / 2, pairs - pairs / 2].contains(firsts))
    }
    // Each launch draws its order: the chance that all are equal is at most 2^-23.
    #expect(Set(launches.map(\.candidateRanFirst)).count > 1)
  }

  @Test func `the order told is the order in which the workers were asked`() throws {
    let machine = FakeMachine(slowdown: 1)
    let settings = GateSettings(looks: [2], pairsPerLaunch: 6)
    // The cheaper case is also compared with itself, so the test uses the other case's labels.
    let outcome = try machine.run(settings: settings, names: ["peek", "replay"]).measure()
    let launch = try #require(outcome.named("peek")?.launches.first)
    let samples = machine.asked.compactMap { asked -> (worker: Int, label: String, round: Int)? in
      guard case .sample(0, let round, _, _) = asked.request, round >= 4 else { return nil }
      return (asked.worker, asked.label, round)
    }
    let start = try #require(samples.first { $0.label == "candidate" }).round
    let pairs = (0..<launch.pairs).map { start + launch.warmUpPairs + $0 }
    let first = pairs.map { round in samples.first { $0.round == round }?.label == "candidate" }
    #expect(first == launch.candidateRanFirst)
  }

  @Test func `each round is given once to both builds and never again`() throws {
    let machine = FakeMachine(slowdown: 1.05)
    let outcome = try machine.run().measure()
    #expect(outcome.named("peek")?.confirmation.isEmpty == false)
    // For each worker, its label and the rounds it sampled; calibration is round 0.
    var rounds: [Int: [Int]] = [:]
    var label: [Int: String] = [:]
    for asked in machine.asked {
      if case .sample(0, let round, _, _) = asked.request, round > 0 {
        rounds[asked.worker, default: []].append(round)
        label[asked.worker] = asked.label
      }
    }
    let base = rounds.filter { label[$0.key] == "base" }.values.sorted { $0[0] < $1[0] }
    let candidate = rounds.filter { label[$0.key] == "candidate" }.values.sorted { $0[0] < $1[0] }
    #expect(base == candidate)
    let all = base.flatMap(\.self)
    #expect(Set(all).count == all.count)
    #expect(all.allSatisfy { $0 >= 4 }, "rounds 0 to 3 are for counting")
  }

  @Test func `launches of all cases are shuffled within a look`() throws {
    let machine = FakeMachine(slowdown: 1)
    let settings = GateSettings(looks: [8], pairsPerLaunch: 2)
    let outcome = try machine.run(settings: settings).measure()
    let byStart = outcome.cases.flatMap { each in
      each.launches.map { (start: $0.startNanoseconds, name: each.name) }
    }.sorted { $0.start < $1.start }.map(\.name)
    let changes = zip(byStart, byStart.dropFirst()).count { $0 != $1 }
    // 48 launches of 6 cases would change 5 times in blocks, and about 39 times if shuffled.
    #expect(changes > 24)
  }

  @Test func `which build is started first is chosen by chance`() throws {
    let machine = FakeMachine(slowdown: 1)
    _ = try machine.run().measure()
    let starts = machine.asked.filter { $0.request == .hello }.map(\.label)
    #expect(Set(zip(starts, starts.dropFirst()).map { "\($0) \($1)" }).count > 3)
  }

  @Test func `answers that differ are told by round`() throws {
    let base = FakeMachine.Build(cases: FakeMachine.suite, costs: FakeMachine.costs)
    var candidate = base
    candidate.answer = { $0.isMultiple(of: 10) ? "b" : "A" }
    let machine = FakeMachine(builds: ["base": base, "candidate": candidate])
    let outcome = try machine.run(settings: GateSettings(looks: [4])).measure()
    let peek = try #require(outcome.named("peek"))
    let pairs = peek.launches.reduce(0) { $0 + $1.pairs + $1.warmUpPairs }
    #expect(peek.answersCompared == pairs)
    #expect(!peek.differingRounds.isEmpty)
    #expect(peek.differingRounds.allSatisfy { $0.isMultiple(of: 10) })
    #expect(outcome.role(.sameBuild).first?.differingRounds == [])
  }

  @Test func `answers without a digest are not compared`() throws {
    let base = FakeMachine.Build(cases: FakeMachine.suite, costs: FakeMachine.costs)
    var candidate = base
    candidate.answer = { _ in nil }
    let machine = FakeMachine(builds: ["base": base, "candidate": candidate])
    let outcome = try machine.run(settings: GateSettings(looks: [4])).measure()
    #expect(outcome.role(.gated).allSatisfy { $0.answersCompared == 0 })
    #expect(outcome.role(.gated).allSatisfy { $0.differingRounds.isEmpty })
  }

  /// Returns the counters of "peek" with given memory peaks for the launches of each build.
  private static func counters(
    _ base: @escaping @Sendable (Int) -> Int, _ candidate: @escaping @Sendable (Int) -> Int
  ) throws -> CaseComparison.Counters {
    func build(_ peak: @escaping @Sendable (Int) -> Int) -> FakeMachine.Build {
      var build = FakeMachine.Build(cases: FakeMachine.suite, costs: FakeMachine.costs)
      build.counters = { launch, round in ["peak memory": peak(launch) - (round == 1 ? 0 : 1)] }
      return build
    }
    let machine = FakeMachine(builds: ["base": build(base), "candidate": build(candidate)])
    let outcome = try machine.run(settings: GateSettings(looks: [4])).measure()
    return try #require(outcome.named("peek")).counters
  }

  @Test func `a peak of memory is the greatest of its rounds, and exact in no case`() throws {
    // Equal in all launches of a build, and a few pages apart between builds: not exact for either.
    let few = try Self.counters({ _ in 100 << 20 }, { _ in 100 << 20 + 1 << 14 })
    #expect(few.base == ["peak memory": 100 << 20])
    #expect(few.unsteady == ["peak memory"])
    #expect(few.exact.isEmpty)
  }

  @Test func `a peak of memory gates beyond its slack, in a fraction and in bytes`() throws {
    let mebi = 1 << 20
    // More than a tenth, and more than 8 MiB.
    let far = try Self.counters({ _ in 100 * mebi }, { _ in 111 * mebi })
    #expect(far.unsteady.isEmpty)
    #expect(far.base == ["peak memory": 100 * mebi])
    #expect(far.candidate == ["peak memory": 111 * mebi])
    #expect(far.exact.isEmpty, "no other run is held against it")
    let near = try Self.counters({ _ in 100 * mebi }, { _ in 110 * mebi })
    #expect(near.unsteady == ["peak memory"])
    let overlapping = try Self.counters({ ($0 % 3 == 0 ? 130 : 100) * mebi }, { _ in 115 * mebi })
    #expect(overlapping.unsteady == ["peak memory"])
    // A small process may grow by more than a tenth.
    let small = try Self.counters({ _ in 20 * mebi }, { _ in 28 * mebi })
    #expect(small.unsteady == ["peak memory"])
    let grown = try Self.counters({ _ in 20 * mebi }, { _ in 28 * mebi + 1 })
    #expect(grown.unsteady.isEmpty)
    let fallen = try Self.counters({ _ in 111 * mebi }, { _ in 100 * mebi })
    #expect(fallen.candidate == ["peak memory": 100 * mebi] && fallen.unsteady.isEmpty)
  }

  @Test func `a count that varies is not exact, however far it lies from the base's`() throws {
    var base = FakeMachine.Build(cases: FakeMachine.suite, costs: FakeMachine.costs)
    base.counters = { _, _ in ["allocations": 100] }
    // Its wall time is mostly waiting, so CPU time decides only if there are exact counts.
    base.waits["peek"] = 50e6
    var candidate = base
    candidate.counters = { launch, _ in ["allocations": 200 + launch] }
    let machine = FakeMachine(builds: ["base": base, "candidate": candidate])
    let outcome = try machine.run(settings: GateSettings(looks: [4])).measure()
    let peek = try #require(outcome.named("peek"))
    #expect(peek.counters.unsteady.isEmpty && peek.counters.varied == ["allocations"])
    #expect(peek.counters.base == ["allocations": 400])
    #expect(peek.counters.candidate["allocations"] ?? 0 > 800)
    #expect(peek.counters.exact.isEmpty)
    #expect(peek.decidingClock == .wall)
  }

  @Test func `counts are summed over four rounds, and those that waver are named`() throws {
    var base = FakeMachine.Build(cases: FakeMachine.suite, costs: FakeMachine.costs)
    base.counters = { _, round in ["bytes": 100 + round, "huge": .max] }
    var candidate = base
    candidate.counters = { launch, round in ["bytes": 50, "pages": launch, "huge": .max] }
    let machine = FakeMachine(builds: ["base": base, "candidate": candidate])
    let outcome = try machine.run(settings: GateSettings(looks: [4])).measure()
    let counters = try #require(outcome.named("peek")).counters
    #expect(counters.base == ["bytes": 406, "huge": .max])
    #expect(counters.candidate["bytes"] == 200)
    #expect(counters.unsteady == ["pages"])
  }
}

@Suite struct WarmUpTests {
  @Test(arguments: 0..<40 as Range<UInt64>)
  func `what is dropped is never more than can be judged, and a longer unit changes nothing`(
    seed: UInt64
  ) {
    var random = SeededRandom(seed: seed, label: "warm-up")
    let samples = (0..<random.index(below: 40)).map { _ in UInt64(1000 + random.index(below: 200)) }
    let dropped = WarmUp.samplesToDrop(samples)
    #expect((0...WarmUp.most).contains(dropped))
    #expect(dropped == 0 || dropped + 10 <= samples.count)
    #expect(WarmUp.samplesToDrop(samples.map { $0 * 1024 }) == dropped)
    // Samples after the largest examined number are ignored.
    if samples.count >= 20 {
      #expect(WarmUp.samplesToDrop(samples + [9, 9_000_000]) == dropped)
    }
  }

  @Test(arguments: 0...12)
  func `slow first samples are dropped but for those a median bears and a long plateau`(slow: Int) {
    let samples = [UInt64](repeating: 20_000, count: slow) + [UInt64](repeating: 1000, count: 30)
    // Two slow samples of five do not move the median; eight of ten look like a steady start.
    let expected = slow < 8 ? max(slow - 2, 0) : 0
    #expect(WarmUp.samplesToDrop(samples) == expected)
  }

  @Test func `five per cent are steady and more are not`() {
    func steps(_ before: UInt64, _ after: UInt64) -> [UInt64] {
      [UInt64](repeating: before, count: 5) + [UInt64](repeating: after, count: 15)
    }
    #expect(WarmUp.samplesToDrop(steps(105, 100)) == 0)
    #expect(WarmUp.samplesToDrop(steps(106, 100)) == 3)
    // A process that becomes slower is not steady either.
    #expect(WarmUp.samplesToDrop(steps(100, 105)) == 0)
    #expect(WarmUp.samplesToDrop(steps(100, 106)) == 3)
  }

  @Test func `samples that never settle are dropped as far as was tried`() {
    let growing = (0..<30).map { UInt64(1) << UInt64($0) }
    #expect(WarmUp.samplesToDrop(growing) == 10)
    #expect(WarmUp.samplesToDrop(Array(growing[..<15])) == 5)
    #expect(WarmUp.samplesToDrop(Array(growing[..<9])) == 0)
    #expect(WarmUp.samplesToDrop([]) == 0)
    #expect(WarmUp.samplesToDrop([UInt64](repeating: 0, count: 20)) == 0)
  }
}
