import SystemPackage
import TestSupport
import Testing
import ZoomCorpus
import ZoomGeometry

@testable import ZoomPipeline

/// Tests `partial` beyond exact windows (`JPEGExactnessTests`, `RandomJPEGTests`).
@Suite struct PartialPipelineTests {
  @Test func `tables that lack a code which a window needs are replaced, with the same pixels`()
    throws
  {
    // Small differences everywhere give tables with small categories only. A window that begins in
    // the middle of a row needs a large one.
    let size = try PixelSize(width: 512, height: 64)
    let bytes = (0..<size.area).map { UInt8(clamping: 4 * ($0 % size.width / 8)) }
    for restart in [JPEGEncoding.Restart.none, .rows(1)] {
      let options = JPEGEncoding(colour: .gray, quality: 95).with(\.restart, restart)
        .with(\.coding, .optimised)
      let made = try MadeJPEG(try JPEGEncoder.encode(bytes, size: size, options))
      let tables = try ScanTables(try JPEGStructure(of: made.path), of: made.path)
      #expect((0...11).contains { tables.dcTables[0].code(of: UInt8($0)) == nil })
      try made.expectWindows(try made.regions(80, seed: 12))
    }
  }

  @Test func `the first peek passes what lies above it, and the next one does not`() throws {
    let made = try MadeJPEG(JPEGEncoding(quality: 80), 800, 640)
    let source = try PartialPipeline().open(made.path)
    #expect(source.state == .openFile)
    let request = RegionRequest(try PixelRegion(x: 400, y: 300, width: 20, height: 20))
    let first = try source.read(request).work
    #expect(source.state == .index)
    #expect(first.unitsWalked >= 50 * 18)
    let second = try source.read(request).work
    #expect(second.unitsWalked < 60)
    #expect(second.unitsDecoded == first.unitsDecoded)
    source.forget()
    #expect(source.state == .openFile)
    #expect(try source.read(request).work == first)
  }

  @Test func `with markers at whole rows a first peek walks its own rows, and a second one less`()
    throws
  {
    let made = try MadeJPEG(JPEGEncoding(quality: 80).with(\.restart, .rows(1)), 1600, 640)
    let source = try PartialPipeline().open(made.path)
    let request = RegionRequest(try PixelRegion(x: 1200, y: 328, width: 60, height: 60))
    let first = try source.read(request).work
    // Before the region each row has 76 MCUs; rows above the region are not scanned.
    #expect(first.unitsWalked <= 6 * 76 && first.unitsWalked > 4 * 70)
    #expect(try #require(first.bytesRead) < made.bytes.count)
    let second = try source.read(request).work
    #expect(second.unitsWalked < 6 * 8)
    #expect(try #require(second.bytesRead) * 4 < first.bytesRead ?? 0)
  }

  @Test func `other bytes of the same length and time are refused`() throws {
    let folder = try TestFolder()
    let jpeg = try JPEGBytes.small()
    let path = try folder.write(jpeg.bytes, as: "a.jpg")
    let source = try PartialPipeline().open(path)
    let requests = try [9, 150].map {
      RegionRequest(try PixelRegion(x: 0, y: 150, width: $0, height: 9))
    }
    for request in requests { _ = try source.read(request) }
    let modified = try FileVersion(of: path).modified
    // Written in place, not renamed; then the modification time is restored.
    let file = try FileDescriptor.open(path, .writeOnly)
    try file.closeAfter {
      _ = try file.writeAll(toAbsoluteOffset: 0, jpeg.patched { $0[jpeg.end - 40] ^= 1 }.bytes)
    }
    try setModified(path, to: modified)
    for request in requests {
      expectError(.changed) { try source.read(request) }
    }
  }
}
