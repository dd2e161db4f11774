import Measurement
import Testing

@Suite struct LaunchRatiosTests {
  @Test(arguments: PairedLaunch.Clock.allCases)
  func `swapped builds have exactly the negative logarithms`(clock: PairedLaunch.Clock) throws {
    var machine = SimulatedMachine(seed: 1, ratio: 1.3, spread: 0.2)
    let launch = machine.launch()
    let there = try launch.logRatios(clock)
    #expect(try launch.swapped.logRatios(clock) == there.map { -$0 })
    #expect(there.count == launch.pairs)
  }

  @Test func `each launch with pairs has its own median`() throws {
    let launches = [
      PairedLaunch(base: [8, 8, 8], candidate: [8, 16, 4]), PairedLaunch(base: [], candidate: []),
      PairedLaunch(base: [5], candidate: [5]),
    ]
    let ratios = try LaunchRatios(of: launches, clock: .cpu)
    #expect(ratios.pooled.count == 4 && ratios.medians == [0, 0])
  }
}
