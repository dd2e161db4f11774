import SystemPackage
import TestSupport
import Testing
import ZoomGeometry

@testable import ZoomPipeline

/// Checks that concurrent requests each get their pixels; law PX-8 checks it for warm sources.
struct ConcurrencyTests {
  @Test(arguments: ["orientation-6", "jpeg-410", "png", "tiff-tiled"])
  func `concurrent requests get the pixels of their regions`(_ name: String) async throws {
    let path = try await CorpusPictures.file(name)
    for (pipeline, _) in try StandardPipelines().opened(path) {
      try expectExact(path, pipeline.name)
    }
  }

  @Test(arguments: [StripCoding.lzw, .deflate])
  func `concurrent requests get the pixels of one strip`(_ coding: StripCoding) throws {
    var tiff = TIFFBytes(width: 60, height: 300, kind: .init(2, 8, 3), rowsPerStrip: nil)
    (tiff.coding, tiff.predictor) = (coding, 2)
    let folder = try TestFolder()
    let path = try folder.write(tiff.file(seed: 3).bytes, as: "a.tif")
    try expectExact(path, "partial")
  }

  /// Callers first open a source each, of one pipeline, and then share one source.
  private func expectExact(_ path: FilePath, _ name: String) throws {
    let pipeline = try #require(StandardPipelines().named(name))
    let reference = try Reference(path)
    let regions = try TellingRegions(of: reference.region.size, seed: 71).random(32)
    for isShared in [false, true] {
      // The source is cold, so that the first reads race to decode or index.
      let shared = isShared ? try pipeline.open(path) : nil
      let wrong = try concurrently(8) { (caller: Int) throws -> [String] in
        let source = try shared ?? pipeline.open(path)
        return try stride(from: caller, to: regions.count, by: 8).compactMap { number in
          let region = regions[number]
          return try source.read(RegionRequest(region)).pixels
            .difference(from: reference.crop(region)).map { "\(region): \($0)" }
        }
      }.flatMap(\.self)
      #expect(wrong.isEmpty, "\(name): \(wrong.prefix(3))")
    }
  }
}
