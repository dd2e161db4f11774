import Foundation
import ModelViewers
import PropertyTesting
import Synchronization
import SystemPackage
import Testing
import ZoomLaws
import ZoomViewers

@testable import Measurement
@testable import zoombench

/// The verdicts of `verify` on web viewers, without a browser.
@Suite struct ViewerVerdictsTests {
  /// Returns a law on a model that plays in place of a page.
  private func item(_ law: String, _ subject: ViewerSubject) throws -> VerifyPlan.Item {
    let folder = try TestFolder()
    try folder.write(Array("<p>viewer</p>".utf8), to: "page.html")
    // The model plays; this program only has to have a version.
    try folder.writeProgram("#!/bin/sh\necho Chromium 1\n", to: "browser")
    let browser = try BrowserCommand.find(folder.file("browser"))
    let viewer = WebViewer(
      try ViewerEntry("model", page: folder.file("page.html").string), schemes: [.plain],
      browser: browser)
    let trials = LawCatalogue.suites(of: subject).flatMap { $0.trials }
    return VerifyPlan.Item(
      trial: try #require(trials.first { $0.law == law }), kind: .viewer, choice: "model",
      selection: [], cases: 200, viewer: ViewerTrial(viewer: viewer, subject: subject))
  }

  private func row(
    _ law: String, _ subject: ViewerSubject, seconds: Double? = nil
  ) async throws -> VerifyReport.LawRow {
    let item = try item(law, subject)
    let plan = VerifyPlan(items: [item], seed: 1, seconds: seconds, jobs: 1, replay: nil)
    let bar = ProgressBar(isQuiet: true)
    let rows = try await VerifyRunner(plan: plan, bar: bar) { _, _, _ in nil }.run()
    return try #require(rows.first)
  }

  @Test func `a refused token says that the page may have been measured otherwise`() async throws {
    let refusal = VerifyReport.refusal(try await row("W-P4", ModelViewer.subject(.gap)))
    let says = ", or the page was measured otherwise (replay it on a quiet machine)"
    #expect(refusal.hasSuffix("W-P4 model" + says))
  }

  @Test func `an error of the machine breaks no law, and is the reason`() async throws {
    var subject = try ModelViewer.subject()
    subject.play = { _ in throw ViewerFailure.protocol("it is closed") }
    subject.playFresh = subject.play
    let row = try await row("W-P4", subject)
    #expect(row.verdict == .undecided)
    #expect(row.reason?.contains("it is closed") == true, "\(row)")
  }

  @Test func `a breach counts if new browser contexts show the same one`() async throws {
    var subject = try ModelViewer.subject(.gap)
    #expect(try await row("W-P4", subject).verdict == .broken)
    subject.playFresh = { _ in throw ViewerFailure.pageFailed("it raises an error") }
    #expect(try await row("W-P4", subject).verdict == .undecided)
    subject.playFresh = try ModelViewer.subject().playFresh
    #expect(try await row("W-P4", subject).verdict == .undecided)
  }

  @Test func `with a time limit a breach is shrunk and repeated after all laws were tried`()
    async throws
  {
    var subject = try ModelViewer.subject(.gap)
    let (whole, limited) = (
      try await row("W-P4", subject), try await row("W-P4", subject, seconds: 600)
    )
    #expect(limited.verdict == .broken)
    #expect(limited.cases == whole.cases && whole.cases > 0)
    #expect(limited.breaches.first?.token == whole.breaches.first?.token)
    #expect(limited.breaches.first?.evaluations ?? 0 > 0)
    // Not even a run that is over at once counts a breach that new browser contexts do not show.
    subject.playFresh = try ModelViewer.subject().playFresh
    for seconds in [600, 1e-9] {
      #expect(try await row("W-P4", subject, seconds: seconds).verdict == .undecided)
    }
    // Nor one that does not occur again when it is to be shrunk.
    let (broken, sound) = (subject.play, subject.playFresh)
    let seen = Mutex<Set<ViewerCase>>([])
    subject.play = { each in
      try seen.withLock { $0.insert(each).inserted } ? broken(each) : sound(each)
    }
    #expect(try await row("W-P4", subject, seconds: 600).verdict == .undecided)
  }

  @Test func `a law that few cases test is undecided, with the advice to try another seed`()
    async throws
  {
    var subject = try ModelViewer.subject()
    subject.play = { _ in throw Discarded() }
    let row = try await row("W-P4", subject)
    #expect(row.verdict == .undecided)
    #expect(row.reason?.hasSuffix(": few test the law (try another --seed)") == true, "\(row)")
  }

  @Test func `a law of a viewer is undecided if the time allows only few cases`() async throws {
    var subject = try ModelViewer.subject()
    #expect(try await row("W-D1", subject).verdict == .held)
    let play = subject.play
    subject.play = { each in
      Thread.sleep(forTimeInterval: 0.4)
      return try play(each)
    }
    let row = try await row("W-D1", subject, seconds: 1.5)
    #expect(row.verdict == .undecided && row.cases < 10)
    #expect(row.cases == 0 || row.reason?.contains("more cases") == true, "\(row)")
  }

  @Test func `laws of viewers are tried by four jobs at most, each with a browser`() throws {
    let item = try item("W-P4", ModelViewer.subject())
    func used(_ items: [VerifyPlan.Item], _ jobs: Int) -> Int {
      VerifyPlan(items: items, seed: 1, seconds: nil, jobs: jobs, replay: nil).usedJobs
    }
    #expect(used([item], 256) == 4 && used([item], 2) == 2)
    #expect(used([], 256) == 256)
  }

  @Test func `without a law that can be tried, the result says why, and the status is 2`() throws {
    var result = RunResult(
      kind: .verify, startedAt: "2027-01-15T08:00:00Z", seed: 7,
      environment: RunResult.Environment(machine: MachineDescription()),
      contenders: [RunResult.Contender(name: "model", kind: .viewer)])
    let reasons = ["W-G4 on model: needs flicks", "W-R6 on model: needs tiles"]
    result.leftOut = reasons
    result.judge([VerifyReport.LawRow]())
    let conclusion = result.conclusion
    #expect(conclusion.word == .undecided && conclusion.exitCode == 2)
    let says = "no law could be tried: W-G4 on model: needs flicks (and 1 more reason)"
    #expect(conclusion.explanation == says)
    let text = TableWriter.rendered(result)
    for reason in reasons { #expect(text.contains("not tried: \(reason)"), "\(text)") }
  }
}
