import SystemPackage
import TestSupport
import Testing
import ZoomGeometry

@testable import ZoomPipeline

/// Checks that the size of a tile is read from its coded data, whatever the tables say.
struct HEIFCodedSizeTests {
  /// Sizes that are multiples of HEVC's blocks, and others, which its conformance window crops.
  private static let sizes = [(64, 64), (70, 66), (200, 120), (130, 514)]

  @Test(arguments: ["heic", "avif"], ["[effort=0]", "[effort=0,lossless]"])
  func `a tile is of the size that it was encoded in, and of no other`(
    _ suffix: String, _ settings: String
  ) throws {
    let folder = try TestFolder()
    for (width, height) in Self.sizes {
      let path = folder.path.appending("\(width).\(suffix)")
      let picture = try Pixels.noise(width, height)
      guard (try? Image(picture).write(to: path, settings: settings)) != nil else {
        reportMissingCodec(suffix)
        continue
      }
      let item = try CodedTiles.Item(of: FileReader(path))
      let (coded, configuration) = (item.bytes, item.properties.first { $0.type == "hvcC" })
      func isOfSize(_ size: PixelSize) -> Bool {
        guard let configuration else { return AV1Tile.isOfSize(size, coded: coded) }
        return HEVCTile.refusal(ofConfiguration: configuration, size: size) == nil
          && HEVCTile.isOfSize(size, coded: coded)
      }
      #expect(isOfSize(picture.size), "\(picture.size)")
      for (width, height) in [(width + 2, height), (width, height - 2), (width + 1, height)] {
        #expect(!isOfSize(try PixelSize(width: width, height: height)))
      }
    }
  }

  @Test func `a parameter set of another size inside a HEVC tile is seen`() throws {
    let folder = try TestFolder()
    func item(_ width: Int) throws -> (HEIFItems.Property, [UInt8])? {
      let path = folder.path.appending("\(width).heic")
      let image = try Image(try Pixels.noise(width, 64))
      guard (try? image.write(to: path, settings: "[effort=0]")) != nil else { return nil }
      let item = try CodedTiles.Item(of: FileReader(path))
      return (try #require(item.properties.first { $0.type == "hvcC" }), item.bytes)
    }
    guard let (_, coded) = try item(64), let (other, _) = try item(128) else {
      return reportMissingCodec("HEVC")
    }
    // After 22 bytes come the arrays: type and count, then units preceded by their lengths.
    var reader = other.content
    _ = try reader.take(22)
    var types: Set<Int> = []
    for _ in 0..<(try reader.number(1)) {
      let type = try reader.number(1) & 63
      types.insert(type)
      _ = try reader.number(2)
      let length = try reader.number(2)
      let unit = Array(try reader.take(length))
      let size = try PixelSize(width: 64, height: 64)
      let tile = number(length, 4) + unit + coded
      #expect(HEVCTile.isOfSize(size, coded: tile) == (type != 33))
    }
    // Sequence and picture parameter sets.
    #expect(types.isSuperset(of: [33, 34]), "\(types)")
  }
}
