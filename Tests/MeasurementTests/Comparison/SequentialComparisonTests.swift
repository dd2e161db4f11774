import Measurement
import Testing

@Suite struct SequentialComparisonTests {
  /// Returns a machine with one of two kinds of noise: normal, or with outliers and varying launches.
  private static func machine(
    _ noise: SimulatedMachine.Noise, seed: UInt64, ratio: Double
  ) -> SimulatedMachine {
    var machine = SimulatedMachine(seed: seed, ratio: ratio, spread: 0.02)
    machine.noise = noise
    machine.launchSpread = noise == .normal ? 0 : 0.004
    return machine
  }

  /// Without a margin, only the error rate prevents equal builds from being called "slower".
  @Test(arguments: [SimulatedMachine.Noise.normal, .heavyTailed])
  func `equal builds are called different as rarely as stated, without a margin`(
    noise: SimulatedMachine.Noise
  ) throws {
    let settings = GateSettings(margin: 0, sameMargin: 1e-6, errorRate: 0.05)
    var machine = Self.machine(noise, seed: 1, ratio: 1)
    machine.pairsPerLaunch = 3
    let verdicts = try (0..<400).map { _ in
      try machine.compared(settings)?.verdict
    }
    for verdict in [Verdict.slower, .faster] {
      let count = verdicts.count { $0 == verdict }
      // At most 5 % of 400 on each side, and four binomial deviations of 4.4; five looks at 5 %
      // each would make 14 %. An interval that is far too wide would make none.
      #expect((2...37).contains(count), "\(verdict)")
    }
  }

  @Test(arguments: [SimulatedMachine.Noise.normal, .heavyTailed])
  func `three per cent are found 95 times in a hundred, five per cent 99 times`(
    noise: SimulatedMachine.Noise
  ) throws {
    // A power of 90 % instead of 95 % would pass once in 70 times.
    let repetitions = 150
    for (ratio, power) in [(1.03, 0.95), (1.05, 0.99)] {
      var machine = Self.machine(noise, seed: 2, ratio: ratio)
      let slower = try (0..<repetitions).count { _ in try machine.compared()?.verdict == .slower }
      #expect(Double(slower) >= power * Double(repetitions), "ratio \(ratio)")
    }
  }

  /// Returns contradictory launches: the candidate takes a tenth of the time in one and ten times as long
  /// in the next.
  private static func noisy(_ count: Int) -> [PairedLaunch] {
    (0..<count).map { number in
      let (base, candidate): (UInt64, UInt64) = number.isMultiple(of: 2) ? (100, 10) : (10, 100)
      return PairedLaunch(base: base, candidate: candidate, pairs: 20)
    }
  }

  @Test func `looks are at the planned numbers of launches, and end with the last`() throws {
    var comparison = SequentialComparison(settings: GateSettings())
    var untils: [Int] = []
    var count = 0
    while let until = try comparison.next(after: Self.noisy(count)) {
      untils.append(until)
      count = until
    }
    #expect(untils == [6, 10, 16, 26, 40])
    #expect(comparison.latest?.launches == 40)
    #expect(comparison.latest?.verdict == .inconclusive)
  }

  @Test func `no look is taken before it is due, and a finished comparison stays finished`() throws
  {
    var machine = SimulatedMachine(seed: 7, ratio: 1.2)
    let launches = machine.launches(8)
    var comparison = SequentialComparison(settings: GateSettings())
    #expect(try comparison.next(after: []) == 6)
    #expect(try comparison.next(after: Array(launches[..<5])) == 6)
    #expect(comparison.latest == nil)
    // The look after 6 launches is due after 8.
    #expect(try comparison.next(after: launches) == nil)
    let latest = comparison.latest
    #expect(latest?.launches == 8 && latest?.verdict == .slower)
    // It stays done, with more launches and without time.
    let more = launches + launches
    #expect(try comparison.next(after: more) == nil)
    #expect(try comparison.stop(after: more) == latest)
    #expect(comparison.latest == latest)
  }

  @Test func `each look spends its share of the error rate and all together spend it all`() throws {
    let launches = Self.noisy(40)
    var comparison = SequentialComparison(settings: GateSettings())
    for (look, share) in [(6, 0.15), (10, 0.1), (16, 0.15), (26, 0.25), (40, 0.35)] {
      _ = try comparison.next(after: Array(launches[..<look]))
      let alone = try ChangeEstimate(
        of: Array(launches[..<look]), clock: .cpu, settings: GateSettings(),
        errorRate: 0.01 * share)
      #expect(comparison.latest == alone)
    }
    // The look that is taken also spends the parts of the looks passed over.
    var late = SequentialComparison(settings: GateSettings())
    _ = try late.next(after: Array(launches[..<27]))
    let alone = try ChangeEstimate(
      of: Array(launches[..<27]), clock: .cpu, settings: GateSettings(), errorRate: 0.0065)
    #expect(late.latest == alone)
  }

  @Test func `asking again without new launches spends nothing`() throws {
    let launches = Self.noisy(6)
    var comparison = SequentialComparison(settings: GateSettings())
    #expect(try comparison.next(after: launches) == 10)
    let once = comparison
    #expect(try comparison.next(after: launches) == 10)
    #expect(comparison == once)
  }

  @Test func `a comparison that runs out of time spends the rest at once`() throws {
    let launches = Self.noisy(8)
    var comparison = SequentialComparison(settings: GateSettings())
    _ = try comparison.next(after: Array(launches[..<6]))
    let unchanged = try comparison.stop(after: Array(launches[..<6]))
    #expect(unchanged == comparison.latest)
    let rest = try ChangeEstimate(
      of: launches, clock: .cpu, settings: GateSettings(), errorRate: 0.0085)
    #expect(try comparison.stop(after: launches) == rest)
    #expect(try comparison.next(after: launches) == nil)
    #expect(comparison.latest == rest)
    var empty = SequentialComparison(settings: GateSettings())
    #expect(throws: SampleError.noSamples) { try empty.stop(after: []) }
  }
}
