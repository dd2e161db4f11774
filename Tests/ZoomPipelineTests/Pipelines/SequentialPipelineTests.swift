import SystemPackage
import TestSupport
import Testing
import ZoomGeometry

@testable import ZoomPipeline

struct SequentialPipelineTests {
  /// Sources that decode a picture from the top.
  private static let fromTheTop: [(any PicturePipeline, String)] = [
    (SequentialPipeline(), "forest"), (SequentialPipeline(), "petronas-norestart"),
    (SequentialPipeline(), "png"), (SequentialPipeline(), "jpeg-410"), (SkipPipeline(), "forest"),
    (SkipPipeline(), "petronas-norestart"), (SkipPipeline(), "jpeg-410"),
  ]

  @Test(arguments: fromTheTop)
  func `the lower a region ends, the more is read, up to the whole file`(
    _ pipeline: any PicturePipeline, _ name: String
  ) async throws {
    let path = try await CorpusPictures.file(name)
    let source = try pipeline.open(path)
    let size = source.size
    let works = try (0...6).map { sixth in
      let foot = max(3, size.height * sixth / 6)
      let region = try PixelRegion(x: 5, y: foot - 3, width: 9, height: 3)
      return try source.read(RegionRequest(region)).work
    }
    let read = try works.map { try #require($0.bytesRead) }
    #expect(read == read.sorted())
    // The headers are read for the picture's size and again for its pixels.
    let length = try FileVersion(of: path).length
    #expect(read[6] <= length + (pipeline.name == "skip" ? 0 : 1 << 14))
    #expect(read[6] * 10 > length * 9)
    // The file is read in blocks; those of `sequential` have a few kilobytes.
    if length > 1 << 18 { #expect(read[0] * (pipeline.name == "skip" ? 4 : 10) < length) }
    if pipeline.name == "sequential" {
      #expect(
        works.allSatisfy { $0.pixelsDecoded == nil },
        "libvips does not tell how far its decoder has gone")
    }
  }

  @Test(arguments: ["png-interlaced", "petronas-progressive"])
  func `of passes over the whole picture most is read for any region`(_ name: String) async throws {
    let source = try #require(
      try SequentialPipeline().open(try await CorpusPictures.file(name)) as? SequentialSource)
    #expect(source.picture.isInterlaced)
    let region = try PixelRegion(x: 0, y: 0, width: 1, height: 1)
    let work = try source.read(RegionRequest(region)).work
    #expect(try #require(work.bytesRead) > source.picture.version.length / 2)
  }
}
