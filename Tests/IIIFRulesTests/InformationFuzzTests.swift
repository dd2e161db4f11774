import Foundation
import PropertyTesting
import SystemPackage
import TestSupport
import Testing
import ZoomGeometry
import ZoomPipeline

@testable import ForeignPipelines
@testable import IIIFRules

/// A hostile info.json may only cause findings.
@Suite("An info.json that was changed at random")
struct InformationFuzzTests {
  private static let documents = [
    """
    {"@context": "http://iiif.io/api/image/3/context.json", "id": "http://localhost/p",
     "type": "ImageService3", "protocol": "http://iiif.io/api/image", "profile": "level2",
     "width": 113, "height": 79, "maxWidth": 200, "maxHeight": 200, "maxArea": 40000,
     "sizes": [{"width": 57, "height": 40}, {"width": 113, "height": 79}],
     "tiles": [{"width": 16, "height": 32, "scaleFactors": [1, 2, 4]}, {"width": 64, "scaleFactors": [1]}],
     "extraFormats": ["tif", "webp"], "extraQualities": ["color", "gray", "bitonal"],
     "extraFeatures": ["regionByPct", "mirroring", "rotationArbitrary", "sizeUpscaling"]}
    """,
    """
    {"@context": "http://iiif.io/api/image/2/context.json", "@id": "http://localhost/p",
     "protocol": "http://iiif.io/api/image", "width": 113, "height": 79,
     "profile": ["http://iiif.io/api/image/2/level1.json",
      {"formats": ["png", "gif"], "qualities": ["gray"], "supports": ["mirroring", "sizeAboveFull"],
       "maxWidth": 150, "maxArea": 20000}],
     "sizes": [{"width": 28, "height": 20}], "tiles": [{"width": 32, "scaleFactors": [1, 2, 4, 8]}]}
    """,
  ]

  /// Values that only an info.json can trip over.
  private static let values = [
    "2", "65536", "4503599627370496", #""max""#, #""level2""#, #"{"width":{"width":1}}"#,
    #"["png","png",7]"#, #"[{"width":9223372036854775807,"height":1}]"#,
    #"[{"width":16,"scaleFactors":[9223372036854775807,0,-1,1]}]"#,
    "[" + String(repeating: "1,", count: 1999) + "1]",
  ]

  @Test("is read or refused, and its numbers never make a calculation overflow")
  func survives() throws {
    let environment = ProcessInfo.processInfo.environment
    // 20,000 take some minutes: ZOOMBENCH_INFO_FUZZ=20000.
    let count = environment["ZOOMBENCH_INFO_FUZZ"].flatMap { Int($0) } ?? 400
    let served = try Served()
    let size = served.pixels.size
    var random = SplitMix64(seed: 36)
    var (read, laidOut, refused) = (0, 0, 0)
    for number in 0..<count {
      let document = Self.documents[number % Self.documents.count]
      var bytes = Array(document.utf8)
      if number % 3 != 0 {
        var tree = try JSONTree(parsing: document)
        for _ in 0...Int.random(in: 0...2, using: &random) {
          tree.mutate(&random, among: Self.values)
        }
        bytes = Array(tree.text.utf8)
      }
      if number % 3 != 1 { bytes.mutate(most: 4, &random) }
      do {
        let information = try IIIFInformation(json: bytes)
        read += 1
        // Calls everything that is calculated from it.
        _ = (information.fullSize, information.format)
        for feature in ["mirroring", "regionByPct"] { _ = information.supports(feature) }
        _ = information.nextLevel(with: ["regionByPx", "sizeByW"])
      } catch { refused += 1 }
      let layout = try? TileLayout.find(
        "http://h/p/info.json", size: size, exists: { _, _ in false }, read: { _ in bytes })
      // Smaller tiles are refused.
      if let layout, min(layout.tileWidth, layout.tileHeight) >= 16 {
        laidOut += 1
        let grid = try layout.grid(of: size, in: "p")
        for (x, y) in [(0, 0), (size.width - 1, size.height - 1)] {
          let pixel = try PixelRegion(x: x, y: y, width: 1, height: 1)
          for tile in grid.tiles(covering: pixel, factor: 1) {
            let region = tile.request.region
            #expect(region.isInside(size))
            #expect(layout.address(tile).hasPrefix("http://h/p/"))
          }
        }
      }
      // All rules, with few requests of each kind.
      if number % 8 == 0 {
        let report = try served.verifier(seed: 1, mostRequests: 60) { [bytes] request in
          request.path == "/info.json" || request.path.isEmpty
            ? ServerAnswer(
              status: 200, headers: ["content-type": "application/json"], body: bytes)
            : ServerAnswer(
              status: 400, headers: ["content-type": "text/plain"], body: Array("no".utf8))
        }.run()
        // The server refuses every picture, so there is at least one finding.
        #expect(!report.findings.isEmpty && report.requests > 0)
      }
    }
    // Each outcome must be frequent, or the changes would test only one.
    #expect(read > count / 5 && refused > count / 10 && laidOut > count / 10)
  }
}
