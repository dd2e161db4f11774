import PropertyTesting
import Testing

@Suite struct ShrinkLawsTests {
  private static let shrinker: ShrinkFunction = { start, limits, onSlip, evaluate in
    await shrink(start, limits: limits, onSlip: onSlip, evaluate: evaluate)
  }

  @Test(arguments: ShrinkProblem.all.indices)
  func `no law is broken on any generator and property`(number: Int) async {
    let problem = ShrinkProblem.all[number]
    var tried = 0
    for seed in 0..<UInt64(4) {
      guard let start = problem.firstFailure(seed: seed) else { continue }
      let broken = await ShrinkLaw.broken(by: Self.shrinker, on: problem, from: start)
      #expect(broken.isEmpty, "\(problem.name), seed \(seed)")
      tried += 1
    }
    #expect(tried >= 1, "\(problem.name) never fails")
  }

  @Test(arguments: [0, 1, 2, 7, 30])
  func `no law is broken under tight limits`(most: Int) async {
    var limits = ShrinkLimits()
    limits.evaluations = most
    var tried = 0
    for problem in ShrinkProblem.all {
      guard let start = problem.firstFailure(seed: 5) else { continue }
      let broken = await ShrinkLaw.broken(
        by: Self.shrinker, on: problem, from: start, limits: limits)
      #expect(broken.isEmpty, "\(problem.name)")
      tried += 1
    }
    #expect(tried * 2 > ShrinkProblem.all.count)
  }

  @Test(arguments: FaultyShrinker.allCases)
  func `each planted fault is caught by its law`(fault: FaultyShrinker) async {
    var limits = ShrinkLimits()
    limits.evaluations = 40
    var broken: Set<ShrinkLaw> = []
    for problem in ShrinkProblem.all {
      guard let start = problem.firstFailure(seed: 1) else { continue }
      broken.formUnion(
        await ShrinkLaw.broken(
          by: FaultyShrinker.function(fault), on: problem, from: start, limits: limits))
    }
    #expect(broken.contains(fault.breaks))
  }

  @Test func `the small shrinker without a fault keeps the laws`() async {
    var tried = 0
    for problem in ShrinkProblem.all {
      guard let start = problem.firstFailure(seed: 1) else { continue }
      let broken = await ShrinkLaw.broken(
        by: FaultyShrinker.function(nil), on: problem, from: start)
      #expect(broken.isEmpty, "\(problem.name)")
      tried += 1
    }
    #expect(tried * 2 > ShrinkProblem.all.count)
  }
}
