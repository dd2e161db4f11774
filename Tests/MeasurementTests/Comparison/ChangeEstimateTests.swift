import Foundation
import Measurement
import Testing

@Suite struct ChangeEstimateLaunchesTests {
  private static let settings = GateSettings()

  private static func estimate(
    _ launches: [PairedLaunch], errorRate: Double = 0.01
  ) throws(SampleError) -> ChangeEstimate {
    try ChangeEstimate(of: launches, clock: .cpu, settings: settings, errorRate: errorRate)
  }

  /// Returns launches of a machine whose properties depend on the seed.
  private static func launches(seed: UInt64) -> [PairedLaunch] {
    var random = SeededRandom(seed: seed, label: "machines")
    var machine = SimulatedMachine(
      seed: seed, ratio: 0.94 + 0.12 * random.unit(), spread: 0.002 + 0.05 * random.unit())
    machine.launchSpread = random.unit() < 0.5 ? 0 : 0.03
    machine.noise = random.unit() < 0.5 ? .normal : .heavyTailed
    machine.pairsPerLaunch = 1 + random.index(below: 20)
    return machine.launches(1 + random.index(below: 20))
  }

  @Test(arguments: [(SimulatedMachine.Noise.normal, 0.0), (.normal, 0.02), (.heavyTailed, 0.02)])
  func `the interval covers the change, whether launches differ or not`(
    noise: SimulatedMachine.Noise, launchSpread: Double
  ) throws {
    var machine = SimulatedMachine(seed: 5, ratio: 1.02)
    machine.noise = noise
    machine.launchSpread = launchSpread
    let repetitions = 200
    let misses = try (0..<repetitions).count { _ in
      let interval = try #require(try Self.estimate(machine.launches(10), errorRate: 0.05).interval)
      return interval.lower > 1.02 || interval.upper < 1.02
    }
    // 20 misses at 10 %, and four binomial deviations of 4.2. An interval over pairs would miss six
    // times in ten with this variation of launches.
    #expect(misses <= 37)
    // An interval that is too wide would miss none.
    #expect(misses >= 4)
  }

  @Test(arguments: 0..<60 as Range<UInt64>)
  func `swapping the builds gives the reciprocal and mirrors the verdict`(seed: UInt64) throws {
    let launches = Self.launches(seed: seed)
    let there = try Self.estimate(launches)
    let back = try Self.estimate(launches.map(\.swapped))
    // Rounding errors of logarithms below 64: 2^-47 each.
    func alike(_ left: Double, _ right: Double) -> Bool { abs(left / right - 1) < 0x1p-44 }
    #expect(alike(there.ratio, 1 / back.ratio))
    #expect((there.interval == nil) == (back.interval == nil))
    if let left = there.interval, let right = back.interval {
      #expect(alike(left.lower, 1 / right.upper))
      #expect(alike(left.upper, 1 / right.lower))
      #expect(left.coverage == right.coverage)
    }
    let mirror: [Verdict: Verdict] = [
      .slower: .faster, .faster: .slower, .same: .same, .inconclusive: .inconclusive,
    ]
    #expect(back.verdict == mirror[there.verdict])
  }

  @Test(arguments: 0..<30 as Range<UInt64>)
  func `a machine of another speed changes nothing`(seed: UInt64) throws {
    let launches = Self.launches(seed: seed)
    let there = try Self.estimate(launches)
    let slowed = launches.map { launch in
      PairedLaunch(
        base: launch.base.cpuNanoseconds.map { $0 * 1000 },
        candidate: launch.candidate.cpuNanoseconds.map { $0 * 1000 })
    }
    let scaled = try Self.estimate(slowed)
    #expect(abs(scaled.ratio / there.ratio - 1) < 0x1p-44)
    #expect(abs(scaled.spread - there.spread) < 0x1p-44)
    #expect(scaled.verdict == there.verdict)
    #expect(abs(scaled.chance / there.chance - 1) < 1e-9)
  }

  @Test func `few launches that disagree give no verdict, however precise their pairs are`()
    throws
  {
    func launch(_ ratio: Double) -> PairedLaunch {
      PairedLaunch(base: 1_000_000, candidate: UInt64(1_000_000 * ratio), pairs: 20)
    }
    // Three of four launches are 3 % slower; all pairs of the fourth are below the margin.
    let three = [launch(1.03), launch(1.031), launch(1.029), launch(1.005)]
    #expect(try Self.estimate(three).verdict == .inconclusive)
    #expect(try Self.estimate(three.map { $0 == three[3] ? launch(1.03) : $0 }).verdict == .slower)
  }

  @Test func `the least detectable change is found about nine times in ten`() throws {
    var machine = SimulatedMachine(seed: 9, spread: 0.04)
    let planned = try #require(try Self.estimate(machine.launches(12)).detectableChange)
    // By the formula: exp(ln 1.01 + 3.608 · 1.2533 · 0.04 / √240) - 1 = 2.19 %, where the robust
    // deviation of 240 numbers is known to about 7 %.
    #expect(abs(planned - 0.0219) < 0.004)
    machine.ratio = 1.0219
    let repetitions = 120
    let found = try (0..<repetitions).count { _ in
      try Self.estimate(machine.launches(12)).verdict == .slower
    }
    // Nine in ten, minus four binomial deviations of 2.7 %, and less than all.
    #expect((95...118).contains(found))
  }

  @Test func `the verdict changes at each margin`() throws {
    func verdict(_ candidate: UInt64) throws -> Verdict {
      let launch = PairedLaunch(base: 1000, candidate: candidate, pairs: 20)
      return try Self.estimate([launch, launch]).verdict
    }
    #expect(try verdict(1011) == .slower)
    #expect(try verdict(1009) == .same)
    #expect(try verdict(991) == .same)
    #expect(try verdict(989) == .faster)
  }

  @Test func `one launch has a ratio and no verdict, however many pairs it has`() throws {
    let estimate = try Self.estimate([PairedLaunch(base: 10, candidate: 30, pairs: 60)])
    #expect(abs(estimate.ratio - 3) < 1e-12)
    #expect(estimate.interval == nil)
    #expect(estimate.detectableChange == nil)
    #expect(estimate.verdict == .inconclusive)
  }

  @Test func `the requested clock is read, and empty launches are ignored`()
    throws
  {
    var launch = PairedLaunch(base: 10, candidate: 30, pairs: 9)
    launch.candidate.wallNanoseconds = [UInt64](repeating: 20, count: 9)
    let launches = [launch, PairedLaunch(base: [], candidate: [])]
    for (clock, ratio) in [(PairedLaunch.Clock.cpu, 3.0), (.wall, 2)] {
      let estimate = try ChangeEstimate(
        of: launches, clock: clock, settings: Self.settings, errorRate: 0.01)
      #expect(abs(estimate.ratio - ratio) < 1e-12 && estimate.launches == 1)
    }
  }

  @Test func `invalid margins give no verdict`() throws {
    let launch = PairedLaunch(base: 10, candidate: 30, pairs: 9)
    for margin in [-0.01, -2, .nan] {
      let settings = GateSettings(margin: margin)
      let estimate = try ChangeEstimate(
        of: [launch], clock: .cpu, settings: settings, errorRate: 0.01)
      #expect(estimate.verdict == .inconclusive)
    }
  }

  @Test(arguments: [0, 0.5, .nan] as [Double])
  func `an error rate that leaves no interval is refused`(errorRate: Double) {
    let launch = PairedLaunch(base: [1], candidate: [1])
    #expect(throws: SampleError.self) { try Self.estimate([launch], errorRate: errorRate) }
  }

  @Test func `an estimate survives JSON, however wild its samples`() throws {
    let wild = PairedLaunch(
      base: (0..<20).map { $0.isMultiple(of: 2) ? 1 : .max },
      candidate: (0..<20).map { $0.isMultiple(of: 2) ? .max : 1 })
    let estimate = try Self.estimate([wild])
    let decoded = try JSONDecoder().decode(
      ChangeEstimate.self, from: JSONEncoder().encode(estimate))
    #expect(decoded == estimate)
  }
}
