import PropertyTesting
import Testing
import ZoomGeometry
import ZoomLaws
import ZoomPlay
import zoombench

@testable import zoombench_play

@Suite struct FoundCasesTests {
  /// Returns the gesture of a case, after checking that it is legible.
  private func found(_ law: String, _ subject: String, _ token: String?) async throws
    -> PlayLibrary.FoundCase
  {
    let wanted = PlayedCase(law: law, subject: subject, token: token)
    let found = try await FoundCases.find(wanted)
    let (screen, picture) = (found.gesture.script.screen.size, found.gesture.picture)
    #expect(min(screen.width, screen.height) >= 100, "\(found.law.input)")
    #expect(max(screen.width, screen.height) <= 3 * min(screen.width, screen.height))
    #expect(max(picture.width, picture.height) <= 3 * min(picture.width, picture.height))
    // The side of a live peek depends on its screen.
    #expect(!found.law.input.contains("peek of"))
    return found
  }

  @Test func `the example of Play.md opens with a case that people can see`() async throws {
    let found = try await found("FZ-P4", "peek original", "pt1_AAgKCgIKADKZWa0")
    let again = try await self.found("FZ-P4", "peek original", "pt1_AAgKCgIKADKZWa0")
    #expect(again.law.input == found.law.input && again.law.complaint == found.law.complaint)
    #expect(again.gesture == found.gesture)
    // The drawn input comes first, because the smallest one is illegible.
    let lines = found.law.complaint.split(separator: "\n")
    #expect(lines.count == 2 && lines[0].contains("the touched pixel"), "\(found.law.complaint)")
    #expect(lines.last?.hasPrefix("The smallest case found is hard to see: touch") == true)
  }

  @Test
  func `every law of peeks that is broken as published opens with a case that people can see`()
    async throws
  {
    var opened = 0
    for suite in LawCatalogue.suites(of: .peek, .original) where suite.subject == "peek original" {
      for trial in suite.trials where trial.isBrokenAsPublished {
        let report = await trial.check(PropertySettings(cases: 100, seed: 3))
        guard let breach = report.breaches.first(where: { $0.gesture != nil }),
          let token = breach.token
        else { continue }
        do {
          _ = try await found(trial.law, suite.subject, "\(token)")
          opened += 1
        } catch let failure as Failure {
          // Laws whose inputs no live peek has, such as rejected letterboxes.
          #expect(failure.description.contains("no gesture was found"), "\(failure)")
        }
      }
    }
    #expect(opened >= 5, "\(opened)")
  }
}
