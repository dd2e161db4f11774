import Foundation
import Measurement
import Testing

@Suite struct GateSettingsValidationTests {
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
  func `unusable settings are refused, with the problem in one line`(
    settings: GateSettings, words: String
  ) throws {
    let problem = try #require(settings.problem)
    #expect(problem.contains(words))
    #expect(!problem.contains(where: \.isNewline) && !problem.hasSuffix("."))
  }
}

@Suite struct ConfirmationTests {
  private static func confirming(
    ratio: Double, launchSpread: Double, launches: Int
  ) throws -> GateSettings {
    var machine = SimulatedMachine(seed: 1, ratio: ratio)
    machine.launchSpread = launchSpread
    let first = try ChangeEstimate(
      of: machine.launches(launches), clock: .cpu, settings: GateSettings(), errorRate: 0.001)
    return GateSettings().confirming(first)
  }

  @Test(arguments: [0.96, 1, 1.05], [1, 6, 16, 40, 50])
  func `a confirmation has one look, after as many launches as the settings allow`(
    ratio: Double, launches: Int
  ) throws {
    let confirming = try Self.confirming(
      ratio: ratio, launchSpread: 0.004, launches: launches)
    #expect(confirming.problem == nil)
    #expect(confirming.looks.count == 1)
    #expect(confirming.looks.allSatisfy { (8...40).contains($0) })
    var same = GateSettings()
    same.looks = confirming.looks
    #expect(confirming == same)
  }

  @Test func `the noisier the launches and the smaller the change, the longer it is`() throws {
    func launches(_ ratio: Double, _ spread: Double) throws -> Int {
      try Self.confirming(ratio: ratio, launchSpread: spread, launches: 26).looks[0]
    }
    #expect(try launches(1.05, 0.004) == 26)
    #expect(try launches(1, 0.004) == 8)
    #expect(try launches(1.05, 0.03) > launches(1.05, 0.02))
    #expect(try launches(1.05, 0.03) > launches(1.08, 0.03))
    #expect(try launches(0.95, 0.03) > launches(0.92, 0.03))
  }

  @Test(arguments: [(1.03, Verdict.slower), (0.97, .faster), (1.0, .same)])
  func `a verdict is confirmed nine times in ten, and the second estimate is unbiased`(
    ratio: Double, verdict: Verdict
  ) throws {
    var machine = SimulatedMachine(seed: 4, ratio: ratio)
    machine.launchSpread = 0.008
    var (found, confirmed, sum) = (0, 0, 0.0)
    let repetitions = 150
    for _ in 0..<repetitions {
      guard let first = try machine.compared(), first.verdict == verdict else { continue }
      found += 1
      let settings = GateSettings().confirming(first)
      let second = try ChangeEstimate(
        of: machine.launches(settings.looks[0]), clock: .cpu, settings: settings,
        errorRate: settings.errorRate)
      if second.verdict == verdict { confirmed += 1 }
      sum += log(second.ratio)
    }
    #expect(found > repetitions * 8 / 10)
    #expect(confirmed * 10 >= found * 9, "\(confirmed) of \(found)")
    // At least 8 launches of 0.8 % each: the mean of 120 such estimates has a standard error of 0.026 %.
    #expect(abs(sum / Double(max(1, found)) - log(ratio)) < 0.0011)
  }
}
