import PropertyTesting
public import Testing
import ZoomGeometry
public import ZoomLaws

/// Every law that comes along, held against every subject that comes along.
@Suite struct LawCatalogueTests {
  private static func trials(_ form: ZoomForm) -> [LawTrial] {
    ZoomSystem.allCases.flatMap { LawCatalogue.suites(of: $0, form).flatMap(\.trials) }
  }

  private static let corrected = trials(.corrected) + LawCatalogue.arithmetic.trials

  /// Enough cases that every class of the laws is met, from one seed.
  ///
  /// Fewer where gestures are played. ci/test has `zoombench verify` try many more.
  private func settings(of trial: LawTrial) -> PropertySettings {
    var settings = PropertySettings(cases: trial.caseCost > 1 ? 20 : 500, seed: 20)
    // That the machine is busy says nothing of a law.
    settings.suppressing = [.tooSlow]
    return settings
  }

  @Test func `laws of a subject have names of their own, a statement and a source`() {
    for suites in [ZoomForm.corrected, .original].flatMap({ form in
      ZoomSystem.allCases.flatMap { LawCatalogue.suites(of: $0, form) }
    }) + [LawCatalogue.arithmetic] {
      #expect(Set(suites.trials.map(\.law)).count == suites.trials.count, "\(suites.subject)")
      #expect(suites.trials.allSatisfy { $0.statement.hasSuffix(".") && !$0.source.isEmpty })
    }
  }

  @Test(arguments: corrected) func `the corrected systems keep every law`(trial: LawTrial) async {
    let report = await trial.check(settings(of: trial))
    let breach = report.breaches.first.map { "\($0.input): \($0.complaint)" } ?? ""
    #expect(report.verdict == .held, "\(report.verdict) \(breach)")
  }

  @Test(arguments: trials(.original))
  func `the published systems break no laws but those marked so`(trial: LawTrial) async {
    let report = await trial.check(settings(of: trial))
    // That they break all of those takes thousands of cases: ci/test has `zoombench verify --original` say so.
    let isBroken = report.verdict == .broken
    #expect(!isBroken || trial.isBrokenAsPublished)
    // As chance drew them, four to six numbers of 17 digits, inputs have more than a hundred
    // characters; a boundary's place may keep its digits.
    guard isBroken, let breach = report.breaches.first, trial.hasShortInputs else { return }
    #expect(breach.input.count <= 100, "\(breach.input) is not small")
  }
}

extension LawTrial: CustomTestStringConvertible {
  /// The law and the subject, by their names.
  public var testDescription: String { "\(law) \(subject)" }

  /// Whether an input is a touch with its surroundings, and no list.
  fileprivate var hasShortInputs: Bool { ["FZ", "DT", "NUM"].contains { law.hasPrefix($0) } }
}
