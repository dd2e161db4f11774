import PropertyTesting
import Testing
import ZoomLaws
import ZoomPipeline

@testable import PixelLaws

@Suite struct PixelLawsTests {
  private static let pipelines = StandardPipelines()

  @Test func `laws have names of their own, a statement and a source`() {
    let laws = RegionLaws.all + PictureLaws.all
    #expect(Set(laws.map(\.name)).count == laws.count)
    #expect(laws.allSatisfy { $0.name.hasPrefix("PX-") && $0.statement.hasSuffix(".") })
    #expect(laws.allSatisfy { !$0.source.isEmpty })
  }

  // `carved` opens no kind of file that laws generate.
  @Test(arguments: Self.pipelines.names.filter { $0 != "carved" })
  func `no law is broken by a sound pipeline`(_ name: String) async throws {
    let subject = try PixelSubject(try #require(Self.pipelines.named(name)))
    for law in subject.laws {
      let report = await law.check(subject, settings: PropertySettings(cases: 15, seed: 1))
      let breach = report.breaches.first
      #expect(
        report.verdict == .held,
        "\(law.name): \(report.verdict) \(breach?.input ?? ""): \(breach?.complaint ?? "")")
    }
  }
}
