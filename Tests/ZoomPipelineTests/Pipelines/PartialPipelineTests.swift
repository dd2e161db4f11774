import SystemPackage
import TestSupport
import Testing
import ZoomCorpus
import ZoomGeometry

@testable import ZoomPipeline

/// Tests what `partial` reads; `JPEGExactnessTests` and `RandomJPEGTests` test its windows.
@Suite struct PartialPipelineTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

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

  @Test func `the first peek parses what lies above it, and the next one does not`() throws {
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

  // MARK: Opening

  /// The end marker is searched from the end of the file.
  @Test(arguments: ["forest", "pharmacy"])
  func `a first peek at the top reads little`(name: String) async throws {
    let path = try await CorpusPictures.file(name)
    let source = try PartialPipeline().open(path)
    let top = RegionRequest(try PixelRegion(x: 0, y: 0, width: 20, height: 9))
    let work = try source.openingWork + source.read(top).work
    #expect(try #require(work.bytesRead) * 3 < (try FileVersion(of: path).length))
  }

  @Test(arguments: ["forest", "pharmacy"])
  func `with an index, opening reads headers and little of the index`(name: String) async throws {
    let path = try await CorpusPictures.file(name)
    let store = SidecarStore(in: folder.path)
    let facts = try store.build(for: path)
    for source in [
      try PartialPipeline(stores: [store]).open(path),
      try AutomaticPipeline(PartialPipeline(stores: [store])).choose(path).source,
    ] {
      let bytes = try #require(source.openingWork.bytesRead)
      #expect(bytes > 0)
      // The headers are one read of 16 KB; of the index, only header, table and tag.
      #expect(bytes <= 16_384 + min(facts.byteCount, 8192))
    }
  }

  @Test func `bytes after the end marker do no harm; a picture without one is cut off`() throws {
    var jpeg = try JPEGBytes(70, 60, JPEGEncoding()).bytes
    let structure = try JPEGStructure(of: folder.write(jpeg, as: "a.jpg"))
    let end = jpeg.count
    jpeg += [UInt8](repeating: 0xFF, count: 100_000) + [UInt8](repeating: 0x5A, count: 100_000)
    try structure.assertComplete(FileReader(folder.write(jpeg, as: "trailed.jpg")))
    let cut = try folder.write(Array(jpeg[..<(end - 2)]), as: "cut.jpg")
    expectError(.damaged) { try structure.assertComplete(FileReader(cut)) }
  }
}
