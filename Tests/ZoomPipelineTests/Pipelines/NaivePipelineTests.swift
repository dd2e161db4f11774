import SystemPackage
import TestSupport
import Testing
import ZoomCorpus
import ZoomGeometry

@testable import ZoomPipeline

struct NaivePipelineTests {
  /// The only reference made without libvips is the scene, stored losslessly.
  @Test(arguments: [
    ("png", SceneRecipe.mosaic, UInt64(2), PixelForm.rgb8),
    ("png-interlaced", .mosaic, 3, .rgb8), ("png-alpha", .pharmacy, 5, .rgba8),
    ("png-16", .panorama, 3, .rgb16), ("png-grey", .forest, 5, .gray8),
    ("webp", .panorama, 4, .rgb8), ("tiff-tiled", .forest, 6, .rgb8),
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

  @Test func `it keeps nothing and decodes all for every region`() async throws {
    let path = try await CorpusPictures.file("jpeg-422")
    let source = try NaivePipeline().open(path)
    let request = RegionRequest(try PixelRegion(x: 9, y: 8, width: 7, height: 6))
    let wanted = try source.read(request).work
    #expect(wanted.pixelsDecoded == 613 * 457)
    #expect(wanted.pixelsDelivered == 42)
    #expect(try #require(wanted.bytesRead) >= FileVersion(of: path).length)
    for _ in 0..<2 {
      #expect(try source.read(request).work == wanted)
      #expect(source.state == .nothing)
      source.forget()
    }
  }
}
