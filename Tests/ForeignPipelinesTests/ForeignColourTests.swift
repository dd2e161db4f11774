import PixelLaws
import PropertyTesting
import Testing
import ZoomLaws
import ZoomPipeline

@testable import ForeignPipelines

extension Foreign {
  struct ForeignColourTests {
    private func verdicts(of program: ForeignPipeline) async throws -> [Bool] {
      let subject = try PixelSubject(program)
      var settings = PropertySettings(cases: 15, seed: 1)
      // Required classes are for long runs.
      settings.classCases = 1
      settings.failureLimit = 1
      settings.phases = [.explicit, .generate]
      var verdicts: [Bool] = []
      for law in subject.laws where ["PX-21", "PX-31"].contains(law.name) {
        let report = await law.check(subject, settings: settings)
        verdicts.append(report.verdict != .broken)
      }
      return verdicts
    }

    @Test func `a program that says that it converts has to, and need not give libvips' bytes`()
      async throws
    {
      let converting = try worker("source naive srgb", options: ",upright,colour=srgb")
      #expect(converting.colour == .srgb && !converting.isExact)
      #expect(try await verdicts(of: converting) == [true, true])
      let ignoring = try worker("source naive", options: ",upright,colour=srgb")
      #expect(try await verdicts(of: ignoring) == [false, false])
    }

    @Test func `colours that nothing is converted to are an unknown option`() {
      let error = #expect(throws: PipelineArgumentError.self) {
        try ForeignPipeline("mine=worker,colour=lab:cat")
      }
      #expect(error?.description.contains("colour=srgb") == true)
    }
  }
}
