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

  @Test func `the reported order is the order in which the workers were asked`() throws {
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

  @Test func `answers that differ are reported by round`() throws {
    let machine = FakeMachine(candidate: {
      $0.answer = { $0.isMultiple(of: 10) ? "b" : "A" }
    })
    let outcome = try machine.run(settings: GateSettings(looks: [4])).measure()
    let peek = try #require(outcome.named("peek"))
    let pairs = peek.launches.reduce(0) { $0 + $1.pairs + $1.warmUpPairs }
    #expect(peek.answersCompared == pairs)
    #expect(!peek.differingRounds.isEmpty)
    #expect(peek.differingRounds.allSatisfy { $0.isMultiple(of: 10) })
    #expect(outcome.role(.sameBuild).first?.differingRounds == [])
  }

  @Test func `answers without a digest are not compared`() throws {
    let machine = FakeMachine(candidate: { $0.answer = { _ in nil } })
    let gated = try machine.run(settings: GateSettings(looks: [4])).measure().role(.gated)
    #expect(gated.allSatisfy { $0.answersCompared == 0 && $0.differingRounds.isEmpty })
  }

  /// The peaks of the base's launches and of the candidate, in KiB, and whether they gate.
  @Test(
    arguments: [
      // Equal in all launches of a build, and a few pages apart between builds.
      ([102_400], 102_416, false),
      // More than a tenth and 8 MiB, up and down; a tenth; launches that overlap.
      ([102_400], 113_664, true), ([113_664], 102_400, true), ([102_400], 112_640, false),
      ([133_120, 102_400, 102_400], 117_760, false),
      // A small process may grow by more than a tenth.
      ([20_480], 28_672, false), ([20_480], 28_673, true),
    ] as [([Int], Int, Bool)])
  func `a peak of memory is the greatest of its rounds, gates beyond its slack, and is not exact`(
    base: [Int], candidate: Int, gates: Bool
  ) throws {
    func peaks(_ launches: [Int]) -> @Sendable (Int, Int) -> [String: Int] {
      { launch, round in
        ["peak memory": launches[launch % launches.count] * 1024 - (round == 1 ? 0 : 1)]
      }
    }
    let machine = FakeMachine(
      both: { $0.counters = peaks(base) }, candidate: { $0.counters = peaks([candidate]) })
    let outcome = try machine.run(settings: GateSettings(looks: [4])).measure()
    let found = try #require(outcome.named("peek")).counters
    #expect(found.unsteady == (gates ? [] : ["peak memory"]))
    #expect(found.exact.isEmpty, "no other run is compared with it")
    guard gates else { return }
    #expect(found.base == ["peak memory": base[0] * 1024])
    #expect(found.candidate == ["peak memory": candidate * 1024])
  }

  @Test func `a count that varies is not exact, however far it lies from the base's`() throws {
    let machine = FakeMachine(
      both: {
        $0.counters = { _, _ in ["allocations": 100] }
        // Its wall time is mostly waiting, so CPU time decides only if there are exact counts.
        $0.waits["peek"] = 50e6
      }, candidate: { $0.counters = { launch, _ in ["allocations": 200 + launch] } })
    let outcome = try machine.run(settings: GateSettings(looks: [4])).measure()
    let peek = try #require(outcome.named("peek"))
    #expect(peek.counters.unsteady.isEmpty && peek.counters.varied == ["allocations"])
    #expect(peek.counters.base == ["allocations": 400])
    #expect(peek.counters.candidate["allocations"] ?? 0 > 800)
    #expect(peek.counters.exact.isEmpty)
    #expect(peek.clock == .wall)
  }

  @Test func `counts are summed over four rounds, and those that vary are named`() throws {
    let machine = FakeMachine(
      both: { $0.counters = { _, round in ["bytes": 100 + round, "huge": .max] } },
      candidate: {
        $0.counters = { launch, _ in ["bytes": 50, "pages": launch, "huge": .max] }
      })
    let outcome = try machine.run(settings: GateSettings(looks: [4])).measure()
    let counters = try #require(outcome.named("peek")).counters
    #expect(counters.base == ["bytes": 406, "huge": .max])
    #expect(counters.candidate["bytes"] == 200)
    #expect(counters.unsteady == ["pages"])
  }
}

@Suite struct WarmUpTests {
  @Test(arguments: 0..<40 as Range<UInt64>)
  func `no more samples are dropped than can be judged, whatever the unit of time`(
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
  func `slow first samples are dropped, except two or a long plateau`(slow: Int) {
    let samples = [UInt64](repeating: 20_000, count: slow) + [UInt64](repeating: 1000, count: 30)
    // Two slow samples of five do not move the median; eight of ten look like a steady start.
    let expected = slow < 8 ? max(slow - 2, 0) : 0
    #expect(WarmUp.samplesToDrop(samples) == expected)
  }

  /// A process that becomes slower is not steady either.
  @Test(
    arguments: [(105, 100, 0), (106, 100, 3), (100, 105, 0), (100, 106, 3)]
      as [(UInt64, UInt64, Int)])
  func `five per cent are steady and more are not`(before: UInt64, after: UInt64, expected: Int) {
    let samples = [UInt64](repeating: before, count: 5) + [UInt64](repeating: after, count: 15)
    #expect(WarmUp.samplesToDrop(samples) == expected)
  }

  @Test func `samples that never settle are dropped as far as was tried`() {
    let growing = (0..<30).map { UInt64(1) << UInt64($0) }
    #expect(WarmUp.samplesToDrop(growing) == 10)
    #expect(WarmUp.samplesToDrop(Array(growing[..<15])) == 5)
    #expect(WarmUp.samplesToDrop(Array(growing[..<9])) == 0)
  }
}
