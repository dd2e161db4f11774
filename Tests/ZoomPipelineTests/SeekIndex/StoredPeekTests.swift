import SystemPackage
import TestSupport
import Testing
import ZoomCorpus
import ZoomGeometry

@testable import ZoomPipeline

/// Tests peeks through stored indexes, whole and damaged.
@Suite struct StoredPeekTests {
  enum Kind: CaseIterable {
    case png, jpeg, progressive
  }

  private let folder: TestFolder
  private let store: SidecarStore

  init() throws {
    folder = try TestFolder()
    store = SidecarStore(in: folder.path)
  }

  private func write(_ kind: Kind) throws -> FilePath {
    switch kind {
    case .png:
      let kind = RandomPNG.Kind(colourType: 2, depth: 8)
      let made = RandomPNG(kind, width: 300, height: 700, seed: 5)
      return try folder.write(made.bytes, as: "a.png")
    case .jpeg:
      return try folder.write(JPEGBytes(300, 200, JPEGEncoding(quality: 85)).bytes, as: "a.jpg")
    case .progressive:
      return try folder.write(JPEGBytes.progressive(300, 200).bytes, as: "a.jpg")
    }
  }

  @Test(arguments: Kind.allCases)
  func `a peek counts the bytes that it reads of its picture and of the index`(
    _ kind: Kind
  ) throws {
    let path = try write(kind)
    let index = try FileReader(try store.build(for: path).path)
    let picture = try Picture(path)
    let headers = try IndexedHeaders(picture.file)
    let sidecar = try Sidecar(index, key: try #require(try store.key.read()), of: headers)
    #expect(sidecar.bytesRead == index.bytesRead)
    func source(_ reader: some RegionReader) -> any RegionSource {
      PartSource(picture, reader, bytesBefore: 0)
    }
    let opened: any RegionSource
    switch headers {
    case .png(let png): opened = source(try PNGReader(picture, png, .success(sidecar)))
    case .jpeg: opened = source(try JPEGReader(picture, .success(sidecar)))
    }
    for region in try TellingRegions(of: picture.size, seed: 3).random(12) {
      let before = picture.file.bytesRead + index.bytesRead
      let work = try opened.read(RegionRequest(region)).work
      #expect(work.unitsDecoded ?? 0 > 0, "\(region): a full decode")
      #expect(work.bytesRead == picture.file.bytesRead + index.bytesRead - before, "\(region)")
    }
  }

  @Test func `after a damaged block, a PNG's peeks find points as without an index`() throws {
    let path = try write(.png)
    let place = try store.build(for: path).path
    let whole = try bytes(of: place)
    let header = try SidecarHeader(whole, key: try #require(try store.key.read()))
    let reference = try Reference(path)
    func region(_ block: Int) throws -> PixelRegion {
      try PixelRegion(x: 10, y: block * header.spacing + 5, width: 20, height: 9)
    }
    #expect(header.blockCount == 6)
    var start = header.blocksOffset
    for block in 0..<header.blockCount {
      var damaged = whole
      damaged[start] ^= 1
      try AtomicFile.write(damaged, to: place)
      start += whole.integer(
        at: SidecarHeader.byteCount + block * SidecarHeader.entryByteCount, byteCount: 4)
      let source = try PartialPipeline(stores: [store]).open(path)
      // The other blocks are used.
      try expectCrops(source, [region((block + 3) % 6)], of: reference, unit: .row)
      #expect(source.explanation.hasPrefix("stored index"))
      let request = RegionRequest(try region(block))
      #expect(try source.read(request).work.unitsDecoded == request.region.maxY)
      #expect(source.explanation.hasPrefix("index in memory"))
      // The rows from the nearest point, as if no index were stored.
      #expect(try source.read(request).work.unitsDecoded == 14)
      try expectCrops(source, (0..<6).map(region), of: reference, unit: .row)
      source.forget()
      #expect(source.explanation.hasPrefix("stored index"))
    }
  }
}
