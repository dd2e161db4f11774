import SystemPackage
import TestSupport
import Testing
import ZoomCorpus
import ZoomGeometry

@testable import ZoomPipeline

/// Tests the sources that decode a picture from the top: `naive` and `sequential`.
struct PassTests {
  /// The only reference made without libvips is the scene, stored losslessly.
  @Test(arguments: [
    ("png", SceneRecipe.mosaic, UInt64(2), PixelForm.rgb8),
    ("png-interlaced", .mosaic, 3, .rgb8), ("png-alpha", .pharmacy, 5, .rgba8),
    ("png-16", .petronas, 3, .rgb16), ("png-grey", .mosaic, 5, .gray8),
    ("webp", .petronas, 4, .rgb8), ("tiff-tiled", .mosaic, 6, .rgb8),
  ])
  func `a picture stored without loss comes out as it was painted`(
    _ name: String, _ recipe: SceneRecipe, _ seed: UInt64, _ form: PixelForm
  ) async throws {
    let reference = try Reference(try await CorpusPictures.file(name))
    let scene = try SyntheticScene(
      recipe, size: PixelSize(width: 613, height: 457), seed: seed, form: form)
    #expect(isSame(reference.pixels.bytes, scene.pixels()))
    #expect(reference.pixels.bands == form.bands)
  }

  @Test(arguments: [Reduction.none, .quarter])
  func `naive decodes all for every region, reduced or not`(_ reduction: Reduction) async throws {
    let path = try await CorpusPictures.file("jpeg-422")
    let region = try PixelRegion(x: 8, y: 8, width: 24, height: 16)
    let request = RegionRequest(region, reduction: reduction)
    let work = try NaivePipeline().open(path).read(request).work
    #expect(work.pixelsDecoded == 613 * 457)
    #expect(work.pixelsDelivered == request.outputSize.area)
    #expect(try #require(work.bytesRead) >= FileVersion(of: path).length)
  }

  @Test(arguments: ["forest", "petronas-norestart", "png", "jpeg-410"])
  func `the lower a region ends, the more is read, up to the whole file`(
    _ name: String
  ) async throws {
    let path = try await CorpusPictures.file(name)
    let source = try SequentialPipeline().open(path)
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
    #expect(read[6] <= length + (1 << 14))
    #expect(read[6] * 10 > length * 9)
    // The file is read in blocks of a few kilobytes.
    if length > 1 << 18 { #expect(read[0] * 10 < length) }
    #expect(
      works.allSatisfy { $0.pixelsDecoded == nil },
      "libvips does not report how far its decoder has gone")
  }

  @Test(arguments: ["png-interlaced", "petronas-progressive"])
  func `for any region of an interlaced picture, most is read`(_ name: String) async throws {
    let source = try #require(
      try SequentialPipeline().open(try await CorpusPictures.file(name)) as? SequentialSource)
    #expect(source.picture.isInterlaced)
    let region = try PixelRegion(x: 0, y: 0, width: 1, height: 1)
    let work = try source.read(RegionRequest(region)).work
    #expect(try #require(work.bytesRead) > source.picture.version.length / 2)
  }
}
