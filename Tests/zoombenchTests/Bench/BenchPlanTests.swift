import Measurement
import Synchronization
import SystemPackage
import Testing
import ZoomCorpus

@testable import zoombench

@Suite struct BenchPlanTests {
  static func plan(pictures: Int, budgetSeconds: Double? = nil) -> BenchPlan {
    BenchPlan(
      subjects: (0..<pictures).map { NamedPicture(name: "\($0)", path: "a.jpg") },
      sources: BenchPlan.standardSources, peeks: BenchPlan.standardPeeks,
      states: BenchPlan.FileState.allCases, coldRounds: 3...25, warmRounds: 3...60,
      budgetSeconds: budgetSeconds, seed: 1)
  }

  @Test func `a kind of peek is named by its points and scale`() {
    #expect(BenchPlan.PeekKind(side: 375, scale: 2).name == "375 pt @2")
    #expect(BenchPlan.PeekKind(side: 100.5, scale: 1.5).name == "100.5 pt @1.5")
    for kind in BenchPlan.standardPeeks {
      #expect(BenchPlan.PeekKind(argument: kind.argument[...]) == kind)
    }
    for text in ["", "375", "375@", "a@1", "-1@1", "0@9", "1@1@1", "1e9@1e9", "nan@1"] {
      #expect(BenchPlan.PeekKind(argument: text[...]) == nil, "\(text)")
    }
  }

  @Test func `the standard pictures are among those made by default`() throws {
    let made = try CorpusManifest.builtIn().pictures(named: []).map(\.name)
    #expect(Set(BenchPlan.standardPictures).isSubset(of: made))
    // Others are compared with the first source.
    #expect(BenchPlan.standardSources.first == "naive")
  }

  @Test func `each extent has less work than the one before`() {
    let plan = Self.plan(pictures: 1)
    let cost = BenchSchedule.Cost(start: 1, round: 1)
    let seconds = BenchPlan.Extent.allCases.map {
      plan.seconds(of: cost, plan.cases($0).map(\.rounds.lowerBound))
    }
    #expect(seconds == seconds.sorted(by: >) && Set(seconds).count == seconds.count)
    #expect(plan.cases(.onePeek).map(\.state) == [.warm])
  }
}

@Suite struct BenchScheduleTests {
  /// A clock that only a test moves.
  private final class TestClock: Sendable {
    private let time = Mutex<UInt64>(0)
    var now: UInt64 { time.withLock { $0 } }
    func add(_ seconds: Double) { time.withLock { $0 += UInt64(seconds * 1e9) } }
  }

  @Test(arguments: 1...100 as ClosedRange<UInt64>)
  func `a run exceeds its time by at most a quarter, whatever its pictures cost`(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let costs = (0..<12 + Int(random.unit() * 50)).map { _ in
      BenchSchedule.Cost(start: 0.6, round: 0.01 + random.unit())
    }
    var plan = BenchPlanTests.plan(pictures: costs.count)
    plan.setStandardBudget(costs, atLeast: 95)
    let budget = plan.budgetSeconds ?? 0
    let clock = TestClock()
    var schedule = BenchSchedule(plan, costs, now: { clock.now })
    // The estimates are wrong by a factor, and each by up to a fifth in addition.
    let error = 0.2 + 7.8 * random.unit()
    var skipped = 0
    for (picture, cost) in costs.enumerated() {
      guard let part = schedule.part(of: picture) else {
        skipped += 1
        continue
      }
      let cases = plan.cases(part.extent)
      let scale = error * (0.8 + 0.4 * random.unit())
      let start = clock.now
      clock.add(cost.start * scale)
      let share = Double(part.nanoseconds) / 1e9 - cost.start * scale
      let rounds = cases.map { one in
        let most = Int(share / Double(cases.count) / (cost.round * scale)) - 2
        return min(max(most, one.rounds.lowerBound), one.rounds.upperBound)
      }
      for count in rounds { clock.add(Double(count + 2) * cost.round * scale) }
      schedule.note(picture, rounds: rounds, seconds: Double(clock.now - start) / 1e9)
    }
    #expect(Double(clock.now) / 1e9 <= 1.25 * budget, "\(clock.now) of \(budget)")
    // Estimates that are too high cost no picture.
    if error < 0.8 { #expect(skipped == 0) }
  }

  @Test func `a given number of rounds is kept, whatever the time`() {
    let clock = TestClock()
    let plan = BenchPlanTests.plan(pictures: 3)
    let schedule = BenchSchedule(
      plan, [BenchSchedule.Cost](repeating: .init(start: 1, round: 1), count: 3),
      now: { clock.now })
    clock.add(1e6)
    #expect(schedule.part(of: 2)?.extent == .whole)
  }
}
