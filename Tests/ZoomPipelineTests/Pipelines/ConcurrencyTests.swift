import SystemPackage
import TestSupport
import Testing
import ZoomGeometry

@testable import ZoomPipeline

/// Checks that concurrent requests to one source each get their pixels.
struct ConcurrencyTests {
  @Test(arguments: ["orientation-6", "jpeg-410", "png", "tiff-tiled"])
  func `eight tasks at once get the pixels of their regions`(_ name: String) async throws {
    let path = try await CorpusPictures.file(name)
    try await expectExact(path, StandardPipelines.serving(path))
  }

  @Test(arguments: [StripCoding.lzw, .deflate])
  func `eight tasks at once get the pixels of one strip`(_ coding: StripCoding) async throws {
    var tiff = TIFFBytes(width: 60, height: 300, kind: .init(2, 8, 3), rowsPerStrip: nil)
    (tiff.coding, tiff.predictor) = (coding, 2)
    let folder = try TestFolder()
    let path = try folder.write(tiff.file(seed: 3).bytes, as: "a.tif")
    try await expectExact(path, ["indexed"])
  }

  private func expectExact(_ path: FilePath, _ required: Set<String>) async throws {
    let reference = try Reference(path)
    let regions = try TellingRegions(of: reference.region.size, seed: 71).random(32)
    for (pipeline, source) in try StandardPipelines().opened(path, requiring: required) {
      // The source is cold, so that the first reads race to open, decode or index.
      let wrong = await withTaskGroup(of: [String].self) { group in
        for task in 0..<8 {
          group.addTask {
            stride(from: task, to: regions.count, by: 8).compactMap { number in
              let region = regions[number]
              do {
                return try source.read(RegionRequest(region)).pixels
                  .difference(from: reference.crop(region)).map { "\(region): \($0)" }
              } catch {
                return "\(region): \(error)"
              }
            }
          }
        }
        return await group.reduce([], +)
      }
      #expect(wrong.isEmpty, "\(pipeline.name): \(wrong.prefix(3))")
    }
  }

  @Test func `eight tasks that open the same pipeline share what it makes`() async throws {
    let path = try await CorpusPictures.file("grey")
    let pipelines = StandardPipelines(limits: PictureLimits(bytes: 1 << 28))
    let reference = try Reference(path)
    let region = try PixelRegion(x: 100, y: 90, width: 80, height: 70)
    let wanted = reference.crop(region)
    var tried = 0
    // `carved` does not read JPEGs.
    for pipeline in pipelines.all where pipeline.name != "carved" {
      let agreed = await withTaskGroup(of: Bool.self) { group in
        for _ in 0..<8 {
          group.addTask {
            let answer = try? pipeline.open(path).read(RegionRequest(region))
            return answer?.pixels == wanted
          }
        }
        return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }
      #expect(agreed == 8, "\(pipeline.name)")
      tried += 1
    }
    #expect(tried == pipelines.all.count - 1)
  }
}
