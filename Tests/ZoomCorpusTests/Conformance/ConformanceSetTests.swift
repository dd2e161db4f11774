import Foundation
import SystemPackage
import TestSupport
import Testing
import ZoomGeometry
import ZoomPipeline

@testable import ZoomCorpus

@Suite struct ConformanceSetTests {
  private static let limits = PictureLimits(loaders: .all)
  /// The pictures that libvips (8.14) refuses: a late height, and planes in tiles.
  private static let refused = ["dnl.jpg", "planar-tiles.tif"]

  @Test func `made twice the set is the same, in all its bytes`() throws {
    let (one, other) = (try TestFolder(), try TestFolder())
    let set = try ConformanceSet()
    try set.write(to: one.path)
    try ConformanceSet().write(to: other.path)
    for folder in ["", "pictures", "expected"] {
      let path = one.path.appending(folder)
      let names = try names(in: path).filter { $0.contains(".") }
      #expect(try names == self.names(in: other.path.appending(folder)).filter { $0.contains(".") })
      for name in names {
        let twin = other.path.appending(folder).appending(name)
        #expect(try isSame(bytes(of: path.appending(name)), bytes(of: twin)), "\(name)")
      }
    }
    #expect(set.byteCount < 30_000_000)
    #expect(set.pictureCount > 60)
    #expect(set.trapCount > 30)
  }

  @Test func `every trap has pictures, and every picture a trap`() throws {
    let names = ConformanceTrap.all.map(\.name)
    #expect(Set(names).count == names.count)
    #expect(try Set(ConformanceMaker().pictures().keys) == Set(names))
  }

  @Test func `libvips decodes every picture to what is expected`() throws {
    let maker = try ConformanceMaker()
    let pictures = try maker.pictures().values.joined().filter { !Self.refused.contains($0.file) }
    #expect(pictures.count > 60)
    for picture in pictures {
      let (seen, orientation) = try maker.decoded(picture.bytes, as: picture.file)
      #expect(orientation == picture.orientation, "\(picture.file)")
      #expect(seen.size == picture.expected.size, "\(picture.file)")
      #expect(seen.bands == picture.expected.bands, "\(picture.file)")
      #expect(seen.format == picture.expected.format, "\(picture.file)")
      let isInks = picture.expected.interpretation == .cmyk
      #expect((seen.interpretation == .cmyk) == isInks, "\(picture.file)")
      #expect(isSame(seen.bytes, picture.expected.bytes), "\(picture.file)")
    }
  }

  @Test func `every source gives what is expected, or refuses the picture`() throws {
    let folder = try TestFolder()
    let pipelines = StandardPipelines(limits: Self.limits)
    let pictures = try ConformanceMaker().pictures()
    var answered: [String: Int] = [:]
    for trap in ConformanceTrap.all {
      for picture in pictures[trap.name] ?? [] where !Self.refused.contains(picture.file) {
        let path = try folder.write(picture.bytes, as: picture.file)
        for pipeline in pipelines.all {
          guard let source = try opened(pipeline, path) else { continue }
          for region in trap.regions(of: picture.expected.size) {
            let pixels = try source.read(RegionRequest(region)).pixels
            #expect(
              isSame(pixels.bytes, picture.expected.cut(region).bytes),
              "\(picture.file) \(region) by \(pipeline.name)")
            answered[pipeline.name, default: 0] += 1
          }
        }
      }
    }
    #expect(answered.count == pipelines.all.count)
    #expect(answered.values.allSatisfy { $0 > 30 }, "\(answered)")
  }

  /// Returns nil if the pipeline refuses the picture.
  private func opened(_ pipeline: any Pipeline, _ path: FilePath) throws -> (any RegionSource)? {
    do { return try pipeline.open(path) } catch  where error.isRefusal { return nil }
  }

  @Test func `regions are inside, the whole is the first, and none comes twice`() throws {
    let pictures = try ConformanceMaker().pictures()
    #expect(ConformanceTrap.all.allSatisfy { pictures[$0.name]?.isEmpty == false })
    for trap in ConformanceTrap.all {
      for picture in pictures[trap.name] ?? [] {
        for pixels in [picture.expected] + picture.levels {
          let regions = trap.regions(of: pixels.size)
          #expect(regions.first == PixelRegion(whole: pixels.size))
          #expect(regions.allSatisfy { $0.isInside(pixels.size) })
          #expect(Set(regions).count == regions.count)
        }
      }
    }
  }

  @Test(arguments: [1, 2, 3, 257, 258, 259, 5_000, 5_001, 40_000])
  func `libpng inflates what the coder writes`(_ count: Int) throws {
    // Runs, and bytes that hardly repeat.
    let bytes = (0..<count).map { (place: Int) -> UInt8 in
      (place / 300).isMultiple(of: 2) ? 7 : UInt8(place * place % 251)
    }
    let pixels = Pixels(
      size: try PixelSize(width: count, height: 1), bands: 1, format: .uint8,
      interpretation: .grey, bytes: bytes)
    var png = PNGFile(pixels)
    png.pieces = count.isMultiple(of: 2) ? [] : [100]
    let seen = try ConformanceMaker().decoded(png.bytes, as: "row.png").pixels
    #expect(isSame(seen.bytes, bytes))
  }

  private func names(in folder: FilePath) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.string).sorted()
  }
}
