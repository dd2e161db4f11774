import Measurement
import Testing

@Suite struct GateSettingsValidationTests {
  @Test func `the defaults are fit for use`() throws {
    try GateSettings().validate()
    try GateSettings(margin: 0, sameMargin: 0.5, errorRate: 0.4, looks: [1]).validate()
  }

  @Test(
    arguments: [
      (GateSettings(margin: -0.01), "-0.01"), (GateSettings(margin: 0.03), "0.03"),
      (GateSettings(margin: .nan), "nan"), (GateSettings(sameMargin: .infinity), "inf"),
      (GateSettings(errorRate: 0), "0.0"), (GateSettings(errorRate: 0.5), "0.5"),
      (GateSettings(errorRate: .nan), "nan"), (GateSettings(looks: []), "[]"),
      (GateSettings(looks: [0]), "[0]"), (GateSettings(looks: [4, 4]), "[4, 4]"),
      (GateSettings(looks: [8, 4]), "[8, 4]"), (GateSettings(pairsPerLaunch: 0), "0 is too few"),
      (GateSettings(confirmingLaunches: -2), "-2 is too few confirming"),
    ])
  func `what no gate can work with is refused, and said in one line`(
    settings: GateSettings, words: String
  ) throws {
    let error = try #require(throws: GateSettingsError.self) { try settings.validate() }
    #expect(error.description.contains(words))
    #expect(!error.description.contains(where: \.isNewline) && !error.description.hasSuffix("."))
  }

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
