import Measurement
import Synchronization
import Testing

@Suite struct LayoutPairTests {
  /// The requested layouts, in order.
  private final class Asked: Sendable {
    let numbers = Mutex<[(build: String, number: Int)]>([])

    func pair() -> LayoutPair {
      LayoutPair(base: link("base"), candidate: link("candidate"))
    }

    private func link(_ build: String) -> LayoutPair.Link {
      { (number) throws(LayoutError) in
        self.numbers.withLock { $0.append((build, number)) }
        return build
      }
    }
  }

  @Test func `each launch of a case has a layout of its own, the second measurement's included`()
    throws
  {
    let asked = Asked()
    var run = FakeMachine(slowdown: 1.05).run()
    run.layouts = asked.pair()
    let outcome = try run.measure()
    let peek = try #require(outcome.named("peek"))
    #expect(peek.verdict == .slower)
    let numbers = (peek.launches + peek.confirmation).map(\.layout)
    #expect(numbers == Array(0..<numbers.count))
    for each in outcome.cases {
      #expect(each.launches.map(\.layout) == Array(0..<each.launches.count))
    }
    // A check of one build has that build on both sides, in the same order.
    let same = try #require(outcome.role(.sameBuild).first)
    let ofBase = asked.numbers.withLock { $0.count { $0.build == "base" } }
    let ofCandidate = asked.numbers.withLock { $0.count { $0.build == "candidate" } }
    let canary = try #require(outcome.role(.canary).first)
    #expect(ofBase - ofCandidate == 2 * (same.launches.count + canary.launches.count))
  }

  @Test func `unless both builds can be linked again, both run as they are`() throws {
    for pair in [
      LayoutPair(base: { (_) throws(LayoutError) in "base" }),
      LayoutPair(candidate: { (_) throws(LayoutError) in "candidate" }), LayoutPair(),
    ] {
      var run = FakeMachine(slowdown: 1).run()
      run.layouts = pair
      let outcome = try run.measure()
      #expect(outcome.cases.flatMap(\.launches).allSatisfy { $0.layout == nil })
    }
  }

  @Test func `a build that cannot be linked again ends the run with the reason`() {
    let machine = FakeMachine(slowdown: 1)
    var run = machine.run()
    run.layouts = LayoutPair(
      base: { (_) throws(LayoutError) in throw LayoutError("no room") },
      candidate: { (_) throws(LayoutError) in "candidate" })
    let error = #expect(throws: ComparisonRunError.self) { try run.measure() }
    #expect(error == .notLinked("no room"))
    #expect(error?.description == "no room")
    #expect(machine.stillOpen == 0)
  }

  @Test func `each worker has an environment of its own size, up to a page`() throws {
    let lengths = Mutex<[Int]>([])
    let machine = FakeMachine(slowdown: 1)
    var run = machine.run()
    run.start = { (command) throws(WorkerError) in
      if let padding = command.environment["ZOOMBENCH_PADDING"] {
        lengths.withLock { $0.append(padding.utf8.count) }
      }
      return try FakeWorker(machine: machine, command)
    }
    let launches = try run.measure().cases.reduce(0) { $0 + $1.launches.count }
    let found = lengths.withLock { $0 }
    #expect(found.count == 2 * launches)
    #expect(found.allSatisfy { (0..<4096).contains($0) })
    // A hundred numbers below 4096 rarely repeat, and each quarter has some.
    #expect(Set(found).count > found.count * 9 / 10)
    #expect(Set(found.map { $0 / 1024 }) == [0, 1, 2, 3])
  }

  @Test func `the control is the worker for checks on both sides, where there is one`() throws {
    // Frozen code at another address in the candidate, and 3 % slower because of that.
    var candidate = FakeMachine.Build()
    candidate.costs["control", default: 1] *= 1.03
    let checks = FakeMachine.Build(cases: FakeMachine.suite.filter { $0.role != .gated })
    let builds = ["base": FakeMachine.Build(), "candidate": candidate, "checks": checks]
    let alone = try FakeMachine(builds: builds).run().measure()
    #expect(alone.contamination.count == 1)
    var run = FakeMachine(builds: builds).run()
    run.checks = WorkerCommand(label: "checks", executable: "checks")
    let outcome = try run.measure()
    #expect(outcome.contamination.isEmpty)
    #expect(outcome.role(.control).map(\.verdict) == [.same])
  }
}
