import SystemPackage
import TestSupport
import Testing
import ZoomGeometry

@testable import ZoomPipeline

/// Tests the properties that the work of every source shares, beside laws PX-16 and PX-17.
struct WorkLawsTests {
  static let pictures = [
    "jpeg-444", "jpeg-422", "jpeg-410", "orientation-8", "ycck", "grey-2x2", "tiny-17x3", "png",
    "png-interlaced", "webp", "tiff-tiled", "jpeg-scans",
  ]

  @Test(arguments: pictures)
  func `decoded is no less than the region, unless from memory`(
    _ name: String
  ) async throws {
    let path = try await CorpusPictures.file(name)
    let length = try FileVersion(of: path).length
    let picture = try Picture(path)
    let telling = TellingRegions(of: picture.size, seed: 31)
    for (pipeline, source) in try StandardPipelines().opened(path) {
      for region in try telling.corners() + telling.edges() + telling.random(3) {
        let holdsRaster = source.state == .raster
        let work = try source.read(RegionRequest(region)).work
        let label = "\(pipeline.name) \(region) \(work)"
        #expect((work.unit == nil) == (work.unitsDecoded == nil) || holdsRaster, "\(label)")
        if holdsRaster {
          #expect(work == .fromMemory(delivering: region.area), "\(label)")
        } else {
          // `automatic` may hold some rows of the region.
          let least = pipeline.name == "automatic" ? 0 : region.area
          #expect(work.pixelsDecoded ?? least >= least, "\(label)")
          #expect((work.unitsDecoded ?? 1) >= 1, "\(label)")
          // `partial` first scans the file, then reads the region; libvips reads headers twice.
          let most = 2 * length + 1 << 16
          #expect((work.bytesRead ?? 0) <= most, "\(label)")
        }
      }
      let opening = source.openingWork
      #expect(opening == Work(opening: opening.bytesRead), "\(pipeline.name)")
      // Opening reads the header, and in a short file the same bytes again for its end.
      let bytes = try #require(opening.bytesRead)
      #expect(bytes > 0 && bytes <= 2 * length, "\(pipeline.name)")
    }
  }

  /// Law PX-11 checks the pixels.
  @Test(arguments: ["jpeg-422", "orientation-5", "grey", "png-alpha", "webp", "tiff-tiled"])
  func `a turned answer costs what the upright one costs`(_ name: String) async throws {
    let path = try await CorpusPictures.file(name)
    for (pipeline, source) in try StandardPipelines().opened(path) {
      let region = try TellingRegions(of: source.size, seed: 81).random(1)[0]
      source.forget()
      let upright = try source.read(RegionRequest(region)).work
      for turn in QuarterTurn.allCases {
        source.forget()
        let turned = try source.read(RegionRequest(region, turn: turn))
        #expect(turned.work == upright, "\(pipeline.name) \(region) \(turn)")
        #expect(turned.resampling == .none, "\(pipeline.name) \(region) \(turn)")
      }
    }
  }

  @Test(arguments: pictures)
  func `a peek decodes no more than the cost that its pipeline gave, if any`(
    _ name: String
  ) async throws {
    let path = try await CorpusPictures.file(name)
    let picture = try Picture(path)
    var told: Set<String> = []
    for (pipeline, source) in try StandardPipelines().opened(path) {
      for region in try TellingRegions(of: picture.size, seed: 33).random(5) {
        source.forget()
        guard let cost = try pipeline.cost(of: region, in: picture) else { continue }
        told.insert(pipeline.name)
        #expect(cost.later <= cost.first, "\(pipeline.name) \(region)")
        // The second peek of `automatic` may decode all, for later ones.
        let second = pipeline.name == "automatic" ? [Int.max] : []
        for bound in [cost.first] + second + [cost.later] {
          let work = try source.read(RegionRequest(region)).work
          guard let decoded = work.pixelsDecoded else { continue }
          #expect(decoded <= bound, "\(pipeline.name) \(region): \(decoded) of \(bound)")
        }
      }
    }
    #expect(told.isSuperset(of: ["naive", "random", "resident", "automatic"]), "\(told)")
  }

  /// The state after a read, for every picture.
  private static let kept: [String: SourceState] = [
    "naive": .nothing, "sequential": .nothing, "partial": .index, "resident": .raster,
  ]

  @Test(arguments: ["jpeg-444", "orientation-5", "png", "tiff-tiled"])
  func `forgetting returns a source to the state it was opened in`(_ name: String) async throws {
    let path = try await CorpusPictures.file(name)
    let request = RegionRequest(try PixelRegion(x: 3, y: 4, width: 20, height: 10))
    for (pipeline, source) in try StandardPipelines().opened(path) {
      let opened = source.state
      for _ in 0..<2 {
        _ = try source.read(request)
        let kept = Self.kept[pipeline.name] ?? source.state
        #expect(source.state == kept, "\(pipeline.name)")
      }
      source.forget()
      source.forget()
      #expect(source.state == opened, "\(pipeline.name)")
    }
  }

  private let one = Work(
    bytesRead: 10, unitsDecoded: 3, unit: .mcu, pixelsDecoded: 100, pixelsDelivered: 25)

  @Test func `a count that is not known stays unknown`() {
    let unknown = Work(bytesRead: nil, pixelsDecoded: nil, pixelsDelivered: 1)
    for sum in [one + unknown, unknown + one] {
      #expect(sum.bytesRead == nil)
      #expect(sum.pixelsDecoded == nil)
      #expect(sum.decodedPerDelivered == nil)
    }
    #expect((one + unknown).unitsDecoded == 3)
  }

  @Test func `decoded per delivered does not divide by zero`() {
    #expect(one.decodedPerDelivered == 4)
    #expect(Work.fromMemory(delivering: 9).decodedPerDelivered == 0)
    #expect(Work(bytesRead: 0, pixelsDecoded: 6, pixelsDelivered: 0).decodedPerDelivered == 6)
  }
}
