import PropertyTesting
import SystemPackage
import TestSupport
import Testing
import ZoomCorpus
import ZoomGeometry

@testable import ZoomPipeline

/// Checks the package's main law: every source gives exactly the pixels of a full decode.
struct ExactnessTests {
  @Test(arguments: try CorpusPictures.all().filter { $0.structure.width <= 5000 }.map(\.name))
  func `every source gives the pixels of naive`(_ name: String) async throws {
    let path = try await CorpusPictures.file(name)
    let reference = try Reference(path)
    let telling = TellingRegions(of: reference.region.size, seed: 11)
    let sources = try Self.sources(name, path)
    // Besides naive: random, sequential, resident and automatic read every picture.
    #expect(sources.count >= 4)
    for (pipeline, source) in sources {
      let regions: [PixelRegion]
      if reference.region.width <= 1000 {
        // These two share a decoder with another source: a third of the places suffices.
        let isThinned = ["sequential", "automatic"].contains(pipeline.name) || !Thoroughness.isFull
        let all = try telling.all()
        regions = stride(from: all.count - 1, through: 0, by: isThinned ? -3 : -1).map { all[$0] }
      } else {
        let more = Thoroughness.isFull ? try telling.edges() + telling.random(8) : []
        regions =
          try telling.corners() + more
          + (pipeline.name == "sequential"
            ? [] : telling.singlePixels() + telling.aroundMCUs() + telling.lines())
      }
      try expectCrops(source, regions, of: reference, pipeline.name)
    }
  }

  /// The reference is only the top of 100 megapixels, and in a full run also the foot.
  @Test func `every source gives the pixels of naive on the panorama`() async throws {
    let path = try await CorpusPictures.file("panorama")
    let size = try Picture(path).size
    let tops = Thoroughness.pick([0], full: [0, size.height - 149])
    for (number, top) in tops.enumerated() {
      let band = try PixelRegion(x: 0, y: top, width: size.width, height: 149)
      let reference = try Reference(path, region: band)
      var numbers = SplitMix64(seed: 13)
      let regions = try [0, 1, 6143, size.width - 375].map { x in
        try PixelRegion(
          x: x, y: top + .random(in: 0...20, using: &numbers), width: 375, height: 128)
      }
      // An unoptimised pass through the whole picture takes minutes.
      for (pipeline, source) in try Self.sources("panorama", path)
      where pipeline.name != "partial" || number == 0 {
        let some = pipeline.name == "sequential" ? [regions[2]] : regions
        try expectCrops(source, some, of: reference, pipeline.name)
      }
    }
  }

  // MARK: Helpers

  /// Returns the sources that serve a picture; pipelines may refuse it only as the manifest allows.
  private static func sources(
    _ name: String, _ path: FilePath
  ) throws -> [(pipeline: any PicturePipeline, source: any RegionSource)] {
    let picture = try #require(try CorpusManifest.builtIn().pictures(named: [name]).first)
    let pipelines = StandardPipelines()
    let required = pipelines.names.filter { !Self.mayRefuse($0, picture) }
    return try pipelines.opened(path, requiring: Set(required))
      .filter { $0.pipeline.name != "naive" }
  }

  /// Whether a pipeline may refuse a picture, according to the manifest.
  ///
  /// `partial` serves baseline JPEGs with one scan, WebPs, and PNGs that are not interlaced. Every
  /// other source serves every picture.
  static func mayRefuse(_ pipeline: String, _ picture: CorpusPicture) -> Bool {
    let isOneScan =
      picture.structure.process == .baseline && picture.recipe.encoding.separateScans != true
    let format = picture.recipe.encoding.format
    return pipeline == "partial" && !isOneScan && format != .webp
      && (format != .png || picture.recipe.encoding.interlaced == true)
  }
}
