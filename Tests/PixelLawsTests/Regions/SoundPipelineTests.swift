import PropertyTesting
import Testing
import ZoomPipeline

@testable import ZoomLaws

@Suite struct SoundPipelineTests {
  private static let pipelines = StandardPipelines()

  @Test(arguments: Self.pipelines.names)
  func `no law is broken by a sound pipeline`(_ name: String) async throws {
    let pipeline = try #require(Self.pipelines.named(name))
    let subject = try PixelSubject(pipeline)
    for law in RegionLaws.all + PictureLaws.applicable(to: subject) {
      let report = await law.check(subject, settings: PropertySettings(cases: 15, seed: 1))
      let breach = report.breaches.first
      #expect(
        report.verdict == .held,
        "\(law.name): \(report.verdict) \(breach?.input ?? ""): \(breach?.complaint ?? "")")
    }
  }
}
