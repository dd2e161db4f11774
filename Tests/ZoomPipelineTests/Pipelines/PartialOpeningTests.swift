import SystemPackage
import TestSupport
import Testing
import ZoomCorpus
import ZoomGeometry

@testable import ZoomPipeline

/// Tests the cost of opening: a peek at the top of a large picture does not read all of the file.
@Suite struct PartialOpeningTests {
  private let folder: TestFolder
  private let store: SidecarStore

  init() throws {
    folder = try TestFolder()
    store = SidecarStore(in: folder.path)
  }

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
    let facts = try store.build(for: path)
    for source in [
      try PartialPipeline(stores: [store]).open(path),
      try AutomaticPipeline(PartialPipeline(stores: [store])).choose(path).source,
    ] {
      let bytes = try #require(source.openingWork.bytesRead)
      #expect(bytes > 0)
      // The headers are one read of 16 KB; of the index, only the part of fixed size is read.
      #expect(bytes <= 16_384 + min(facts.byteCount, 8192))
    }
  }

  @Test func `a picture whose end lies before much else is complete, one without is not`() throws {
    let options = JPEGEncoding()
    var jpeg = try JPEGBytes(70, 60, options).bytes
    let structure = try JPEGStructure(of: folder.write(jpeg, as: "a.jpg"))
    let end = jpeg.count
    jpeg += [UInt8](repeating: 0xFF, count: 100_000) + [UInt8](repeating: 0x5A, count: 100_000)
    try structure.assertComplete(FileReader(folder.write(jpeg, as: "trailed.jpg")))
    let cut = try folder.write(Array(jpeg[..<(end - 2)]), as: "cut.jpg")
    expectError(.damaged) { try structure.assertComplete(FileReader(cut)) }
  }
}
