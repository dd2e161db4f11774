import Measurement
import Testing

@Suite struct TailLatencyTests {
  private static func tails(
    _ launches: [PairedLaunch], seed: UInt64 = 1
  ) throws(SampleError) -> TailLatency {
    try TailLatency(of: launches, clock: .cpu, seed: seed)
  }

  @Test func `tails are ratios of pooled quantiles and lie in their intervals`() throws {
    var machine = SimulatedMachine(seed: 3, ratio: 1.2, spread: 0.1)
    let launches = machine.launches(15)
    let p99 = try #require(try Self.tails(launches).p99)
    let base = try SortedSamples(nanoseconds: launches.flatMap(\.base.cpuNanoseconds))
    let candidate = try SortedSamples(nanoseconds: launches.flatMap(\.candidate.cpuNanoseconds))
    let before = try #require(base.quantile(0.99))
    #expect(p99.ratio == (try #require(candidate.quantile(0.99))) / before)
    let interval = try #require(p99.interval)
    #expect(interval.lower <= p99.ratio && p99.ratio <= interval.upper)
  }

  @Test func `the ratio of two equal builds is one in every draw`() throws {
    var machine = SimulatedMachine(seed: 4)
    let launches = machine.launches(4).map { launch in
      PairedLaunch(base: launch.base.cpuNanoseconds, candidate: launch.base.cpuNanoseconds)
    }
    let p95 = try #require(try Self.tails(launches).p95)
    #expect(p95.ratio == 1 && p95.interval?.lower == 1 && p95.interval?.upper == 1)
  }

  @Test func `too few samples have no tail, and one launch has one without an interval`() throws {
    func tails(_ pairs: Int) throws -> TailLatency {
      try Self.tails([PairedLaunch(base: 100, candidate: 150, pairs: pairs)])
    }
    #expect(try tails(58).p95 == nil)
    #expect(try tails(298).p99 == nil)
    for tail in [try tails(59).p95, try tails(299).p99] {
      #expect(tail?.ratio == 1.5 && tail?.interval == nil)
    }
  }

  @Test func `samples of repeated work are divided by the repeats`() throws {
    var repeated = PairedLaunch(base: 800, candidate: 800, pairs: 60)
    repeated.repeats = 8
    let single = PairedLaunch(base: 100, candidate: 200, pairs: 60)
    #expect(try Self.tails([repeated, single]).p95?.ratio == 2)
  }
}
