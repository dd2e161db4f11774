import ArgumentParser
import SystemPackage
import Testing
import ZoomCorpus
import ZoomPipeline

@testable import zoombench

@Suite struct DiagnosticsTests {
  @Test func `an error of a pipeline keeps its file, its reason and its advice`() throws {
    let error = PipelineError(
      .damaged, operation: "open", file: FilePath("x.jpg"), reason: "of a reason",
      advice: "do this")
    let line = try #require(Diagnostics.diagnosis(of: error)).line
    for part in ["x.jpg", "of a reason", "do this"] { #expect(line.contains(part)) }
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
