import SystemPackage
import TestSupport
import Testing
import ZoomCorpus
import ZoomGeometry

@testable import ZoomPipeline

/// Known faults of partial JPEG readers: kinds of files (see `PitfallTests`).
@Suite struct PitfallFormatTests {
  /// The second number is the precision of the samples in bits.
  @Test(
    arguments: [
      (0xC2, 8), (0xC3, 8), (0xC5, 8), (0xC6, 8), (0xC9, 8), (0xCA, 8), (0xCB, 8), (0xCD, 8),
      (0xC1, 12),
    ] as [(UInt8, UInt8)])
  func `10 progressive, lossless, hierarchical, arithmetic and deep pictures are refused`(
    _ marker: UInt8, _ precision: UInt8
  ) throws {
    let jpeg = try JPEGBytes(60, 40, JPEGEncoding())
    let frame = try #require(jpeg.places(of: 0xC0).first)
    let changed = jpeg.patched { ($0[frame], $0[frame + 3]) = (marker, precision) }
    let file = MemoryFile(changed.bytes, madeFrom: "made.jpg")
    let structure = try JPEGParser.parse(file)
    expectError(.unsupported) { try SeekIndex.build(of: file, structure) }
  }

  @Test func `10 a thumbnail in the metadata is another JPEG, not the picture`() throws {
    let thumbnail = try MadeJPEG(JPEGEncoding(quality: 30), 40, 30, seed: 2).bytes
    // A big-endian TIFF: an empty directory, then one with the thumbnail's offset and length (EXIF
    // 2.32, 4.6.5: tags 0201 and 0202), then the thumbnail.
    let directories: [UInt8] =
      [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 0, 0, 0, 0, 14, 0, 2]
      + [2, 1, 0, 4, 0, 0, 0, 1, 0, 0, 0, 44, 2, 2, 0, 4, 0, 0, 0, 1, 0, 0]
      + [UInt8(thumbnail.count >> 8), UInt8(thumbnail.count & 0xFF), 0, 0, 0, 0]
    #expect(directories.count == 44)
    let body = Array("Exif\0\0".utf8) + directories + thumbnail
    let jpeg = JPEGBytes(try MadeJPEG(JPEGEncoding(quality: 85), 150, 110).bytes)
    let made = try MadeJPEG(jpeg.inserting(0xE1, body).bytes)
    #expect(try JPEGStructure(of: made.path).size == PixelSize(width: 150, height: 110))
    try made.expectWindows(try made.regions(30, seed: 10))
  }

  @Test func `10 tables that change between scans are refused, not taken for the first scan's`()
    throws
  {
    var jpeg = try JPEGBytes(
      100, 80, JPEGEncoding(quality: 80).with(\.isOneScanPerComponent, true))
    let second = jpeg.places(of: 0xDA)[1] - 1
    // A quantisation table 0 of ones. Luma uses table 0, and its scan is over.
    let table: [UInt8] = [0xFF, 0xDB, 0, 67, 0] + [UInt8](repeating: 1, count: 64)
    jpeg.bytes.insert(contentsOf: table, at: second)
    let made = try MadeJPEG(jpeg.bytes)
    _ = try Reference(made.path)
    expectError(.unsupported) { try IndexedPipeline().open(made.path) }
  }

  @Test func `13 a profile changes no pixel and stays with the picture`() async throws {
    let path = try await CorpusPictures.file("jpeg-profile")
    let profile = try #require(try Picture(path).iccProfile())
    let made = try MadeJPEG(try bytes(of: path))
    let region = try PixelRegion(x: 100, y: 77, width: 200, height: 90)
    try made.expectWindows([region])
    let source = try IndexedPipeline().open(made.path)
    #expect(try (source as? any StoredSource)?.picture.iccProfile() == profile)
    // A window leaves the profile out unless it is asked to include it.
    let window = try #require(try (source as? any JPEGWindowSource)?.window(for: region))
    let bare = try MadeJPEG(window.bytes)
    #expect(try Picture(bare.path).iccProfile() == nil)
    let carrying = try MadeJPEG(try #require(window.bytes(withProfile: profile)))
    #expect(try Picture(carrying.path).iccProfile() == profile)
    let pixels = try Reference(carrying.path).pixels
    #expect(try pixels.difference(from: Reference(bare.path).pixels) == nil)
  }

  @Test func `18 what is decoded is a standard JPEG that anybody can read`() throws {
    let options = JPEGEncoding(quality: 85).with(\.restart, .mcus(7))
    let made = try MadeJPEG(options, 400, 300)
    let file = try FileReader(made.path)
    let jpeg = try JPEGParser.parse(file)
    let tables = try ScanTables(jpeg, of: file.path)
    let window = MCUWindow(jpeg, region: try PixelRegion(x: 150, y: 99, width: 90, height: 80))
    let plan = try #require(try GrowingIndex(file, jpeg, tables).plan([window]).plans?.first)
    let encoder = WindowEncoder(jpeg: jpeg, tables: tables, file: file)
    let bytes = try #require(try encoder.encode(plan, noting: nil)).bytes
    let written = try MadeJPEG(bytes)
    let structure = try JPEGStructure(of: written.path)
    #expect(structure.process == .baseline && structure.restartInterval == 0)
    #expect((structure.size.width, structure.size.height) == window.size(jpeg))
    // The pass is stricter than decoders: it checks every code and every bit up to the end marker.
    let check = try SeekIndex.build(of: FileReader(written.path), structure)
    #expect(try FileReader(written.path).length == check.scanEnd + 2)
  }
}
