import PropertyTesting
import SystemPackage
import TestSupport
import Testing
import ZoomCorpus
import ZoomGeometry

@testable import ZoomPipeline

/// Checks the package's main law: every source gives exactly the pixels of a full decode.
struct ExactnessTests {
  static func pictures(_ sides: ClosedRange<Int>) throws -> [String] {
    try CorpusPictures.all().filter { sides.contains($0.structure.width) }.map(\.name)
  }

  @Test(arguments: try Self.pictures(1...1000))
  func `every source gives the pixels of naive on a small picture`(_ name: String) async throws {
    let path = try await CorpusPictures.file(name)
    let reference = try Reference(path)
    let regions = try TellingRegions(of: reference.region.size, seed: 11).all()
    var checked = 0
    for source in try Self.sources(name, path) {
      // These two share a decoder with another source: a third of the places suffices.
      let isThinned = ["sequential", "automatic"].contains(source.name)
      let step = Thoroughness.isFull && !isThinned ? 1 : 3
      let places = stride(from: regions.count - 1, through: 0, by: -step).map { regions[$0] }
      expectExact(source, places, reference)
      checked += places.count
    }
    #expect(checked > Thoroughness.pick(100, full: 200))
  }

  @Test(arguments: try Self.pictures(1001...5000))
  func `every source gives the pixels of naive on a large picture`(_ name: String) async throws {
    let path = try await CorpusPictures.file(name)
    let reference = try Reference(path)
    let telling = TellingRegions(of: reference.region.size, seed: 12)
    let more = Thoroughness.isFull ? try telling.edges() + telling.random(8) : []
    let few = try telling.corners() + more
    let many = try few + telling.singlePixels() + telling.aroundMCUs() + telling.lines()
    for source in try Self.sources(name, path) {
      let isSlow = ["naive", "sequential", "skip"].contains(source.name)
      expectExact(source, isSlow ? few : many, reference)
    }
  }

  /// The naive source decodes only the top of 100 megapixels, and in a full run also the foot.
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
      // A TIFF of the whole picture, or an unoptimised pass through it, takes minutes.
      for source in try Self.sources("panorama", path)
      where !["tiled", "indexed"].contains(source.name) || number == 0 {
        expectExact(source, source.name == "sequential" ? [regions[2]] : regions, reference)
      }
    }
  }

  // MARK: Helpers

  /// Returns the sources that serve a picture; expects refusals only as the manifest allows.
  static func sources(
    _ name: String, _ path: FilePath
  ) throws -> [(name: String, source: any RegionSource, pipeline: any Pipeline)] {
    var sources: [(name: String, source: any RegionSource, pipeline: any Pipeline)] = []
    let picture = try #require(try CorpusManifest.builtIn().pictures(named: [name]).first)
    for pipeline in StandardPipelines().all where pipeline.isExact && pipeline.name != "naive" {
      do throws(PipelineError) {
        sources.append((pipeline.name, try pipeline.open(path), pipeline))
        #expect(Self.mayRefuse(pipeline.name, picture) == false, "\(pipeline.name) served \(name)")
      } catch {
        #expect(error.isRefusal && error.file == path && !error.reason.isEmpty, "\(error)")
        #expect(Self.mayRefuse(pipeline.name, picture), "\(pipeline.name): \(error)")
      }
    }
    return sources
  }

  /// Whether a pipeline may refuse a picture, according to the manifest.
  ///
  /// `skip` and `indexed` serve baseline JPEGs with one scan, `indexed` also PNGs that are not
  /// interlaced, and `carved` WebP and TIFFs of strips, which the corpus lacks. Every other source
  /// serves every picture.
  static func mayRefuse(_ pipeline: String, _ picture: CorpusPicture) -> Bool {
    let isOneScan =
      picture.structure.process == .baseline && picture.recipe.encoding.separateScans != true
    let format = picture.recipe.encoding.format
    switch pipeline {
    case "carved": return format != .webp
    case "skip": return !isOneScan
    case "indexed":
      return !isOneScan && (format != .png || picture.recipe.encoding.interlaced == true)
    default: return false
    }
  }

  private func expectExact(
    _ served: (name: String, source: any RegionSource, pipeline: any Pipeline),
    _ regions: [PixelRegion], _ reference: Reference
  ) {
    var wrong: [String] = []
    for region in regions {
      do {
        let answer = try served.source.read(RegionRequest(region))
        guard let difference = answer.pixels.difference(from: reference.crop(region)) else {
          continue
        }
        wrong.append("\(served.name) \(region): \(difference)")
      } catch {
        wrong.append("\(served.name) \(region): \(error)")
      }
    }
    #expect(wrong.isEmpty, "\(wrong.count) of \(regions.count): \(wrong.prefix(5))")
  }
}
