import PropertyTesting
import SystemPackage
import TestSupport
import Testing
import ZoomCorpus
import ZoomGeometry

@testable import ZoomPipeline

/// Pictures on a server give the pixels of the local file, for few requests.
@Suite struct RemotePictureTests {
  private let files: ServedFiles

  init() throws { files = try ServedFiles() }

  @Test(arguments: ServedFiles.Kind.allCases)
  func `every source gives the pixels of the local file, and no byte is fetched twice`(
    _ kind: ServedFiles.Kind
  ) throws {
    let path = try files.write(kind)
    let reference = try ServedFiles.reference(path)
    for pipeline in StandardPipelines(limits: PictureLimits(loaders: .all)).pictureReaders {
      let server = try files.server([path])
      let pipelines = StandardPipelines(limits: server.limits())
      let reader = try #require(pipelines.reader(named: pipeline.name))
      let picture = try Picture(files.address(of: path), limits: pipelines.limits)
      #expect(picture.size == reference.region.size)
      let source: any RegionSource
      do throws(PipelineError) { source = try reader.open(picture) } catch {
        #expect(throws: PipelineError.self) { try pipeline.open(path) }
        #expect(error.isRefusal)
        continue
      }
      let regions = try TellingRegions(of: picture.size, seed: 5).random(10)
      try expectCrops(source, regions, of: reference, "\(pipeline.name)")
      // Warm, and in another order.
      let before = server.asked.count
      try expectCrops(source, regions.reversed(), of: reference, "\(pipeline.name), warm")
      #expect(server.asked.count == before, "\(pipeline.name)")
      var seen = RangeSet<Int>()
      for asked in server.asked.joined() {
        #expect(seen.intersection(RangeSet([asked.range])).isEmpty, "\(pipeline.name)")
        seen.insert(contentsOf: asked.range)
      }
    }
  }

  @Test func `without a way to servers, an address is refused`() throws {
    let error = expectError(.unreadable) { try Picture("https://host.example/photo.jpg") }
    #expect(error?.description.contains("https://host.example/photo.jpg") == true)
  }

  @Test func `a cache smaller than the picture still gives its pixels`() throws {
    let path = try files.write(.tiffPlain)
    let server = try files.server([path])
    let limits = server.limits(memory: 2 << 20)
    let source = try SequentialPipeline(limits: limits).open(files.address(of: path))
    let reference = try ServedFiles.reference(path)
    let regions = try TellingRegions(of: source.size, seed: 2).random(4)
    try expectCrops(source, regions + regions.reversed(), of: reference)
    var seen = RangeSet<Int>()
    var isRepeated = false
    for asked in server.asked.joined() {
      isRepeated = isRepeated || !seen.intersection(RangeSet([asked.range])).isEmpty
      seen.insert(contentsOf: asked.range)
    }
    // Otherwise nothing was dropped.
    #expect(isRepeated)
  }

  @Test func `tiles of a peek are fetched at once`() throws {
    let path = try files.write(.tiffTiles, 1600, 1200)
    let server = try files.server([path])
    let source = try RandomPipeline(limits: server.limits()).open(files.address(of: path))
    let region = try PixelRegion(x: 700, y: 500, width: 300, height: 300)
    let answer = try source.read(RegionRequest(region))
    #expect(answer.pixels.difference(from: try ServedFiles.reference(path).crop(region)) == nil)
    #expect(try #require(answer.work.fetched).roundTrips <= 1)
  }

  @Test func `tables are only fetched ahead for a TIFF, and if their length is plausible`() throws {
    // A directory of one entry: tile offsets, of 8 bytes each, at offset 100,000.
    func file(_ magic: String, tables count: Int) -> [UInt8] {
      let little = { (number: Int) in (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
      }
      let head = Array(magic.utf8) + little(8) + [1, 0, 0x44, 1, 16, 0]
      let directory = head + little(count) + little(100_000) + little(0)
      return directory + [UInt8](repeating: 0, count: 1_000_000 - directory.count)
    }
    func fetched(_ bytes: [UInt8]) throws -> Int {
      let server = MemoryServer([ServedFiles.place + "a.tif": bytes])
      let reader = try FileReader.open(FilePath(ServedFiles.place + "a.tif"), server.limits())
      try TIFFDirectory.expectTables(of: reader)
      return server.asked.count - 1
    }
    #expect(try fetched(file("II*\0", tables: 1000)) == 1)
    #expect(try fetched(file("IIII", tables: 1000)) == 0)
    #expect(try fetched(file("II*\0", tables: 90_000)) == 0)
  }

  @Test func `hundreds of requests are not sent all at once`() throws {
    let path = try files.write(.pnm, 3000, 600)
    let server = try files.server([path])
    let source = try StandardPipelines(limits: server.limits()).automatic.open(
      files.address(of: path))
    let region = try PixelRegion(x: 1500, y: 0, width: 10, height: 600)
    let answer = try source.read(RegionRequest(region))
    #expect(answer.pixels.difference(from: try ServedFiles.reference(path).crop(region)) == nil)
    #expect(server.questions.joined().count > 4 * 32)
    #expect(server.questions.allSatisfy { $0.count <= 4 * 32 })
  }

  @Test func `a read of many requests gets time for their round trips`() {
    let server = MemoryServer([:])
    let session = RemoteSession(
      RemoteAccess(RemoteAccess.Settings(), RemoteAddressBook()) { server })
    let short = session.deadline(requests: 0, bytes: 0)
    // The connection is assumed to have one lane, with 50 ms for each request.
    #expect(session.deadline(requests: 300, bytes: 0) >= short.advanced(by: .seconds(4 * 15)))
  }

  @Test func `only the start of a picture may take the whole time to open it`() throws {
    let path = try files.write(.jpeg)
    let server = try files.server([path])
    _ = try PartialPipeline(
      stores: [SidecarStore(.beside, key: SidecarKeyFile(files.folder.path.appending("key")))],
      limits: server.limits(expectsIndex: true)
    ).open(files.address(of: path))
    // The start, the index and the end.
    let opening = try #require(server.questions.first)
    #expect(opening.map { $0.seconds == nil } == [true, false, false])
  }

  @Test func `opening a picture with an index gets time for the bytes of both`() throws {
    let path = try files.write(.jpeg)
    let server = try files.server([path])
    let start = ContinuousClock.now
    _ = try FileReader.open(files.address(of: path), server.limits(expectsIndex: true))
    // At 20 Mbit/s, 160 kB take 65 ms.
    #expect(try #require(server.deadlines.first) >= start.advanced(by: .seconds(30 + 4 * 0.065)))
  }

  @Test func `a read fetches at most 64 MB more than it needs, and so does the next`() throws {
    let address = ServedFiles.place + "a"
    let server = MemoryServer([address: [UInt8](repeating: 0, count: 1 << 23)])
    let session = RemoteSession(
      RemoteAccess(RemoteAccess.Settings(), RemoteAddressBook()) { server })
    func answers(_ count: Int) throws -> Int {
      let wanted = RemoteSession.Wanted(
        address: try #require(RemoteAddress(address)), part: .range(0..<count))
      let deadline = session.deadline(requests: 1, bytes: 1 << 40)
      return (0..<30_000).prefix {
        _ in (try? session.send([wanted], until: deadline)[0].get()) != nil
      }.count
    }
    // The last answer exceeds the limit.
    #expect(try answers(1 << 23) == 8 + 1)
    #expect(try answers(1 << 23) == 0)
    session.begin(needing: 1 << 24)
    #expect(try answers(1 << 23) == 10 + 1)
    session.begin(needing: 0)
    // A round trip for each 16 kB, and 10,000.
    #expect(try answers(1) == 5 << 10 + 10_000 + 1)
  }

  @Test func `a strip is fetched up to the length that its rows can have`() throws {
    let path = files.folder.path.appending("photo.tif")
    try Image(Pixels.noise(100, 50)).write(to: path, settings: "[compression=deflate]")
    var tiff = try bytes(of: path)
    func number(_ place: Int, _ count: Int) -> Int {
      (0..<count).reduce(0) { $0 | Int(tiff[place + $1]) << (8 * $1) }
    }
    #expect(tiff.starts(with: "II*\0".utf8))
    let directory = number(4, 4)
    let entries = (0..<number(directory, 2)).map { directory + 2 + 12 * $0 }
    // StripByteCounts: one number of 32 bits.
    let entry = try #require(entries.first { number($0, 2) == 279 })
    tiff.replaceSubrange(entry + 2..<entry + 12, with: [4, 0, 1, 0, 0, 0, 0, 0, 16, 0])
    tiff += [UInt8](repeating: 0, count: 2 << 20)
    let server = MemoryServer([ServedFiles.place + "a.tif": tiff])
    let picture = try Picture(FilePath(ServedFiles.place + "a.tif"), limits: server.limits())
    let strips = try TIFFStrips(of: picture)
    #expect(strips.count == 1 && strips.mostCodedBytes < 1 << 18)
    try strips.expect(PixelRegion(x: 0, y: 0, width: 9, height: 9), in: picture.file)
    #expect(server.sent < 1 << 19)
  }
}
