import Measurement
import Testing

@Suite struct TailLatencyTests {
  private static func tails(
    _ launches: [PairedLaunch], seed: UInt64 = 1
  ) throws(SampleError) -> TailLatency {
    try TailLatency(of: launches, clock: .cpu, seed: seed)
  }

  @Test func `tails are the pooled quantiles and lie in their intervals`() throws {
    var machine = SimulatedMachine(seed: 3, ratio: 1.2, spread: 0.1)
    let launches = machine.launches(15)
    let p99 = try #require(try Self.tails(launches).p99)
    let base = try SortedSamples(nanoseconds: launches.flatMap(\.base.cpuNanoseconds))
    let candidate = try SortedSamples(nanoseconds: launches.flatMap(\.candidate.cpuNanoseconds))
    #expect(p99.base.value == base.quantile(0.99))
    #expect(p99.candidate.value == candidate.quantile(0.99))
    #expect(p99.ratio.value == p99.candidate.value / p99.base.value)
    for estimate in [p99.base, p99.candidate, p99.ratio] {
      let (lower, upper) = (try #require(estimate.lower), try #require(estimate.upper))
      #expect(lower <= estimate.value && estimate.value <= upper)
    }
  }

  @Test func `the ratio of two equal builds is one in every draw`() throws {
    var machine = SimulatedMachine(seed: 4)
    let launches = machine.launches(4).map { launch in
      PairedLaunch(base: launch.base.cpuNanoseconds, candidate: launch.base.cpuNanoseconds)
    }
    let p95 = try #require(try Self.tails(launches).p95)
    #expect(p95.ratio.value == 1 && p95.ratio.lower == 1 && p95.ratio.upper == 1)
  }

  @Test func `too few samples have no tail, and one launch has one without an interval`() throws {
    func tails(_ pairs: Int) throws -> TailLatency {
      let samples = (0..<pairs).map { UInt64(100 + $0) }
      return try Self.tails([PairedLaunch(base: samples, candidate: samples)])
    }
    #expect(try tails(58).p95 == nil)
    #expect(try tails(298).p99 == nil)
    for tail in [try tails(59).p95, try tails(299).p99] {
      let base = try #require(tail).base
      #expect(base.value > 150 && base.lower == nil && base.upper == nil)
    }
  }

  @Test func `samples of repeated work are told for the work done once`() throws {
    var launch = PairedLaunch(base: 800, candidate: 1600, pairs: 60)
    launch.repeats = 8
    let tails = try Self.tails([launch, launch])
    #expect(tails.repeats == 8)
    #expect(tails.p95?.base.value == 100)
    #expect(tails.p95?.candidate.value == 200)
    #expect(tails.p95?.ratio.upper == 2)
  }
}
