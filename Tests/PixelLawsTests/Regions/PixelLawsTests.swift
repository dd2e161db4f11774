import SystemPackage
import TestSupport
import Testing
import ZoomLaws
import ZoomPipeline

@testable import PixelLaws

@Suite struct PixelLawsTests {
  private static let pipelines = StandardPipelines()

  @Test func `laws have unique names, a statement and a source`() {
    let laws = RegionLaws.all + PictureLaws.all
    #expect(Set(laws.map(\.name)).count == laws.count)
    #expect(laws.allSatisfy { $0.name.hasPrefix("PX-") && $0.statement.hasSuffix(".") })
    #expect(laws.allSatisfy { !$0.source.isEmpty })
  }

  @Test(arguments: Self.pipelines.names)
  func `no law is broken by a sound pipeline`(_ name: String) async throws {
    let subject = try PixelSubject(try #require(Self.pipelines.named(name)))
    await expectUnbroken(subject.laws, held: true, on: subject, cases: 15)
  }

  /// Pictures of the corpus that differ in coding, sampling, orientation, samples or size.
  @Test(arguments: [
    "jpeg-444", "jpeg-422", "jpeg-440", "jpeg-411", "jpeg-410", "jpeg-scans", "orientation-2",
    "orientation-5", "orientation-6", "orientation-8", "grey", "cmyk", "ycck", "png", "png-16",
    "png-alpha", "webp", "tiff-tiled", "tiny-17x3", "tiny-1x1",
  ])
  func `no law of regions is broken on a picture of the corpus, whose file does not change`(
    _ name: String
  ) async throws {
    let path = try await CorpusPictures.file(name)
    let before = try bytes(of: path)
    for (pipeline, _) in try Self.pipelines.opened(path) {
      let subject = try PixelSubject(pipeline, picture: path)
      #expect(subject.name == "\(pipeline.name) \(path.lastComponent?.string ?? "")")
      let cases = Thoroughness.pick(3, full: 30)
      await expectUnbroken(RegionLaws.all, on: subject, cases: cases, seed: 2)
    }
    #expect(isSame(before, try bytes(of: path)))
  }
}
