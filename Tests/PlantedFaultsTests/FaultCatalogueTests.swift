import PropertyTesting
import Testing
import ZoomGeometry
import ZoomLaws

@testable import PlantedFaults

/// Tests that the laws find every planted fault of geometry.
@Suite struct FaultCatalogueTests {
  /// A planted fault, and the number of cases in which a law must find it.
  struct Planted: Sendable, CustomTestStringConvertible {
    let subject: String
    let fault: FaultTrial
    let cases: Int

    var testDescription: String { "\(fault.name) in \(subject)" }
  }

  private static let suites =
    ZoomSystem.allCases.flatMap { FaultCatalogue.suites(of: $0) } + [FaultCatalogue.arithmetic]

  /// The numbers of cases for subjects whose faults show at once but whose laws are slow.
  private static let cases = ["force corrected": 60, "transition corrected": 150]

  private static let planted = suites.flatMap { suite in
    // Finding every fault of gestures takes an optimised build; ci/faults runs `zoombench verify --faults` for that.
    let isPlayed = suite.faults[0].trials[0].caseCost > 1
    return suite.faults.prefix(isPlayed ? 3 : .max).map {
      Planted(
        subject: suite.subject, fault: $0, cases: isPlayed ? 40 : cases[suite.subject] ?? 2000)
    }
  }

  @Test func `faults of a subject have names of their own and say what goes wrong`() {
    for suite in Self.suites {
      #expect(Set(suite.faults.map(\.name)).count == suite.faults.count, "\(suite.subject)")
      #expect(suite.faults.allSatisfy { $0.summary.hasSuffix(".") })
    }
  }

  @Test(arguments: planted)
  func `a fault is found by a law unless no input shows it`(planted: Planted) async {
    #expect(
      await isFound(planted.fault, cases: planted.cases) == (planted.fault.equivalence == nil))
  }

  @Test func `single precision is found by the budgets of peeks and double taps alone`()
    async throws
  {
    let peek = try #require(PeekFaults.all.first { $0.name == "single precision" })
    #expect(await isFound(FaultTrial(peek, in: .corrected, laws: NumberLaws.peek)))
    let tap = try #require(DoubleTapFaults.all.first { $0.name == "whole points" })
    #expect(await isFound(FaultTrial(tap, in: .corrected, laws: NumberLaws.doubleTap)))
  }

  /// Returns whether random search finds a fault, without examples and shrinking.
  private func isFound(_ trial: FaultTrial, cases: Int = 2000) async -> Bool {
    var settings = PropertySettings(cases: cases, seed: 1)
    settings.phases = [.generate]
    for law in trial.trials where await !law.check(settings).breaches.isEmpty { return true }
    return false
  }
}
