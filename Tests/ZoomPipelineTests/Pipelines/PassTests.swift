import SystemPackage
import TestSupport
import Testing
import ZoomCorpus
import ZoomGeometry

@testable import ZoomPipeline

/// Tests the sources that decode a picture from the top: `naive`, `sequential` and `skip`.
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
        "libvips does not report how far its decoder has gone")
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

  @Test(arguments: ["forest", "jpeg-444", "jpeg-410", "jpeg-422", "grey", "grey-2x2", "ycck"])
  func `skip decodes or walks through every MCU down to the region's foot, never both`(
    _ name: String
  ) async throws {
    let path = try await CorpusPictures.file(name)
    let source = try SkipPipeline().open(path)
    let jpeg = try JPEGStructure(of: path)
    for region in try TellingRegions(of: source.size, seed: 96).random(20) {
      let work = try source.read(RegionRequest(region)).work
      let label = "\(region) \(work)"
      let decoded = try #require(work.unitsDecoded)
      #expect((decoded + work.unitsWalked).isMultiple(of: jpeg.mcusPerRow), "\(label)")
      #expect(decoded + work.unitsWalked <= jpeg.mcuCount, "\(label)")
      #expect(
        (decoded + work.unitsWalked) / jpeg.mcusPerRow * jpeg.mcuSize.height >= region.maxY,
        "\(label)")
      // At most two more columns and rows of MCUs than the region touches.
      let across = region.width / jpeg.mcuSize.width + 4
      let down = region.height / jpeg.mcuSize.height + 5
      let isCropped =
        jpeg.components.count > 1
        || jpeg.components[0].horizontal * jpeg.components[0].vertical == 1
      #expect(decoded <= (isCropped ? across : jpeg.mcusPerRow) * down, "\(label)")
      #expect(work.pixelsDelivered == region.area)
      #expect(try #require(work.pixelsDecoded) >= region.area, "\(label)")
    }
  }
}
