import ArgumentParser
import SystemPackage
import Testing
import ZoomCorpus
import ZoomPipeline

@testable import zoombench

@Suite struct DiagnosticsTests {
  static let codes: [(PipelineError.Code, zoombench.ExitStatus)] = [
    (.noSuchFile, .noInput), (.unreadable, .noInput), (.notAPicture, .badInput),
    (.damaged, .badInput), (.changed, .badInput), (.unsupported, .badInput),
    (.overBudget, .badInput), (.outside, .usage), (.unwritable, .cannotCreate), (.fault, .fault),
    (.misbehaved, .finding), (.notInstalled, .unavailable), (.outOfTime, .inconclusive),
  ]

  @Test(arguments: codes)
  func `each kind of pipeline error has its exit status`(
    code: PipelineError.Code, status: zoombench.ExitStatus
  ) throws {
    let error = PipelineError(
      code, operation: "open", file: FilePath("x.jpg"), reason: "of a reason", advice: "do this")
    let diagnosis = try #require(Diagnostics.diagnosis(of: error))
    #expect(diagnosis.status == status)
    for part in ["x.jpg", "of a reason", "do this"] { #expect(diagnosis.line.contains(part)) }
  }

  @Test func `exit statuses are the numbers that scripts rely on`() {
    #expect(
      zoombench.ExitStatus.allCases.map(\.rawValue) == [
        0, 1, 2, 64, 65, 66, 69, 70, 73, 74, 75,
      ])
  }

  @Test func `an unexpected error is our own fault, and one of the corpus is bad input`() {
    struct Surprise: Error {}
    #expect(Diagnostics.diagnosis(of: Surprise())?.status == .fault)
    #expect(Diagnostics.diagnosis(of: CancellationError())?.status == .fault)
    #expect(Diagnostics.diagnosis(of: CorpusError("x"))?.status == .badInput)
  }

  @Test func `help and exit codes are left to the argument parser`() {
    #expect(Diagnostics.diagnosis(of: CleanExit.helpRequest()) == nil)
    #expect(Diagnostics.diagnosis(of: ExitCode(3)) == nil)
  }
}
