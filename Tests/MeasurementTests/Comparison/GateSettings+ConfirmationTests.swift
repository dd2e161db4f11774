import Measurement
import Testing

@Suite struct GateSettingsConfirmationTests {
  @Test(arguments: [
    (1, [8, 14, 24, 40]), (8, [8, 14, 24, 40]), (9, [9, 14, 24, 40]), (40, [40]), (50, [50]),
  ])
  func `a confirmation is no coarser than what it confirms`(
    launches: Int, looks: [Int]
  ) throws {
    var machine = SimulatedMachine(seed: 1)
    let settings = GateSettings(errorRate: 0.02, confirmingLaunches: 8)
    let first = try ChangeEstimate(
      of: machine.launches(launches), clock: .cpu, settings: settings, errorRate: 0.01)
    let confirming = settings.confirming(first)
    #expect(confirming == GateSettings(errorRate: 0.02, looks: looks, confirmingLaunches: 8))
    try confirming.validate()
  }
}
