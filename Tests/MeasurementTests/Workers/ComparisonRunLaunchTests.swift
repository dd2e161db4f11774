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
    // Orders are drawn for each launch: that all are alike has a chance of at most 2^-23.
    #expect(Set(launches.map(\.candidateRanFirst)).count > 1)
  }

  @Test func `the order told is the order in which the workers were asked`() throws {
    let machine = FakeMachine(slowdown: 1)
    let settings = GateSettings(looks: [2], pairsPerLaunch: 6)
    // The cheaper one is also compared with itself, the other only by base and candidate.
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
    // By worker, the case it opened, and the rounds it sampled; calibration is round 0.
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
    // 48 launches of 6 cases in blocks would change 5 times, shuffled about 39 times.
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
