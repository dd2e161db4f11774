import SystemPackage
import TestSupport
import Testing
import ZoomGeometry

@testable import ZoomPipeline

/// Tries each known fault of readers that enter PNGs in the middle.
struct PNGPitfallTests {
  private let folder: TestFolder
  private let rgb = RandomPNG.Kind(colourType: 2, depth: 8)

  init() throws { folder = try TestFolder() }

  @Test func `an empty IDAT, and cuts inside the zlib header and its checksum, change nothing`()
    throws
  {
    var made = RandomPNG(rgb, width: 50, height: 60, seed: 1)
    let end = made.stream.count
    made.cuts = [0, 0, 1, 1, 2, 3, end / 2, end / 2, end - 3, end - 1, end]
    try expectExact(made.bytes)
  }

  @Test func `chunks of an animation are left out, and the default image is shown`() throws {
    var made = RandomPNG(rgb, width: 50, height: 60, seed: 2)
    made.chunks += [
      ("acTL", [0, 0, 0, 1, 0, 0, 0, 0]),
      ("fcTL", [UInt8](repeating: 0, count: 26)),
    ]
    try expectExact(made.bytes)
  }

  @Test func `what stands between the pixels and the end changes nothing`() throws {
    var made = RandomPNG(rgb, width: 50, height: 60, seed: 3)
    made.trailer = RandomPNG.chunk("tEXt", Array("Comment\0behind".utf8))
    try expectExact(made.bytes)
  }

  @Test func `bytes behind the last row are left to libvips`() throws {
    var made = RandomPNG(rgb, width: 50, height: 60, seed: 4)
    // Bytes after the checksum, for which libpng gives a warning.
    made.stream += [1, 2, 3]
    try expectNoOtherPixels(made.bytes)
    let rows = RandomPNG(rgb, width: 50, height: 61, seed: 4)
    made.stream = rows.stream
    made.cuts = []
    try expectNoOtherPixels(made.bytes)
  }

  @Test(arguments: ["CRC", "Adler", "filter", "block", "stored length", "header", "distance"])
  func `damage that libvips reports is never shown as pixels`(_ what: String) throws {
    var made = RandomPNG(rgb, width: 40, height: 50, seed: 6)
    made.cuts = []
    var bytes = made.bytes
    switch what {
    case "CRC":
      // The CRC of the only IDAT, before IEND's twelve bytes.
      bytes[bytes.count - 13] ^= 1
    case "Adler":
      made.stream[made.stream.count - 1] ^= 1
      bytes = made.bytes
    case "filter":
      made.stream = Self.stored(made.raster.enumerated().map { $0 == 121 * 20 ? 9 : $1 })
      bytes = made.bytes
    case "block":
      made.stream = [0x78, 0x01, 7]
      bytes = made.bytes
    case "stored length":
      made.stream = Self.stored(made.raster)
      made.stream[3] ^= 1
      bytes = made.bytes
    case "distance":
      // A fixed block that begins with a match although no byte precedes it.
      made.stream = [0x78, 0x01, 0b0000_0011, 0b0000_0010, 0, 0, 0, 0]
      bytes = made.bytes
    default:
      made.stream[0] = 0x79
      bytes = made.bytes
    }
    try expectNoOtherPixels(bytes)
    let path = try folder.write(bytes, as: "damaged.png")
    #expect(throws: PipelineError.self) { try SidecarStore(in: folder.path).build(for: path) }
  }

  @Test func `a picture that is cut off is refused at opening`() throws {
    let made = RandomPNG(rgb, width: 40, height: 50, seed: 7)
    let path = try folder.write(Array(made.bytes.dropLast(30)), as: "cut.png")
    let error = #expect(throws: PipelineError.self) { try IndexedPipeline().open(path) }
    #expect(error?.code == .unsupported)
    #expect(error?.reason == "it does not end with an IEND chunk")
  }

  @Test func `an interlaced picture is refused with the reason`() throws {
    var bytes = RandomPNG(rgb, width: 8, height: 8, seed: 7).bytes
    let header = Array(bytes[16..<28]) + [1]
    bytes.replaceSubrange(8..<33, with: RandomPNG.chunk("IHDR", header))
    let path = try folder.write(bytes, as: "interlaced.png")
    let file = try FileReader(path)
    let error = #expect(throws: PipelineError.self) { try PNGHeaders(file) }
    #expect(error?.reason == "it is interlaced: each of its passes covers the whole picture")
  }

  @Test func `a stored index is refused when a byte of it changes`() throws {
    let made = RandomPNG(rgb, width: 700, height: 300, seed: 11)
    let path = try folder.write(made.bytes, as: "a.png")
    let store = SidecarStore(in: folder.path)
    let place = try store.build(for: path).path
    let bytes = try FileReader(place).bytes(at: 0, count: .max >> 1)
    let region = try PixelRegion(x: 300, y: 250, width: 40, height: 40)
    let wanted = try Reference(path, region: region).pixels
    for position in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 97)) {
      var changed = bytes
      changed[position] ^= 0x10
      try AtomicFile.write(changed, to: place)
      #expect(try store.refusal(for: path) != nil, "byte \(position)")
      let answer = try IndexedPipeline(stores: [store]).open(path).read(RegionRequest(region))
      #expect(answer.pixels.difference(from: wanted) == nil, "byte \(position)")
    }
    for length in [0, 3, 50, 95, 120, 200, bytes.count - 1] {
      try AtomicFile.write(Array(bytes.prefix(length)), to: place)
      #expect(try store.refusal(for: path) != nil, "\(length) bytes")
    }
    try AtomicFile.write(bytes, to: place)
    #expect(try store.refusal(for: path) == nil)
    try folder.write(RandomPNG(rgb, width: 700, height: 300, seed: 12).bytes, as: "a.png")
    #expect(try store.refusal(for: path) != nil)
  }

  // MARK: Helpers

  /// Returns a zlib stream of one stored block with a wrong checksum.
  private static func stored(_ bytes: [UInt8]) -> [UInt8] {
    let (low, high) = (UInt8(bytes.count & 255), UInt8(bytes.count >> 8))
    return [0x78, 0x01, 1, low, high, ~low, ~high] + bytes + [0, 0, 0, 0]
  }

  private func expectExact(_ bytes: [UInt8]) throws {
    let picture = try Picture(folder.write(bytes, as: "a.png"))
    let reader = try PNGReader(picture, try PNGHeaders(picture.file), nil, spacing: 3)
    try expectCrops(
      PartSource(picture, reader, bytesBefore: 0), TellingRegions(of: picture.size).all(),
      of: Reference(picture.path), unit: .row)
  }

  /// Expects that every region is refused or equals a full decode.
  private func expectNoOtherPixels(_ bytes: [UInt8]) throws {
    let path = try folder.write(bytes, as: "a.png")
    let reference = try? Reference(path)
    let source: any RegionSource
    do throws(PipelineError) {
      source = try IndexedPipeline().open(path)
    } catch {
      #expect(error.isRefusal || error.code == .damaged && reference == nil, "\(error)")
      return
    }
    for region in try TellingRegions(of: source.size).all().reversed() {
      let answer: RegionAnswer
      do throws(PipelineError) {
        answer = try source.read(RegionRequest(region))
      } catch {
        let isDamage = error.code == .damaged && reference == nil
        #expect(error.isRefusal || isDamage, "\(region): \(error)")
        continue
      }
      guard let reference else {
        // Damage below a region is not noticed, as in a pass from the top.
        #expect(region.maxY < source.size.height, "\(region)")
        continue
      }
      #expect(answer.pixels.difference(from: reference.crop(region)) == nil, "\(region)")
    }
  }
}
