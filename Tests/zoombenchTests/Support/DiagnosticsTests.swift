import ArgumentParser
import Testing
import ZoomCorpus

@testable import zoombench

@Suite struct DiagnosticsTests {
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
