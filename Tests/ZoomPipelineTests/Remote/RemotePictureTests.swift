import PropertyTesting
import Synchronization
import SystemPackage
import TestSupport
import Testing
import ZoomCorpus
import ZoomGeometry

@testable import ZoomPipeline

/// Pictures on a server give the pixels of the local file, for few requests.
@Suite struct RemotePictureTests {
  enum Kind: String, CaseIterable {
    case jpeg = "jpg"
    case restarts = "rows.jpg"
    case progressive = "progressive.jpg"
    case png
    case tiffStrips = "strips.tif"
    case tiffPlain = "plain.tif"
    case tiffTiles = "tiles.tif"
    case pnm = "ppm"
    case webp

    /// The settings of libvips' encoder; nil for files that our own encoder makes.
    var settings: String? {
      switch self {
      case .jpeg, .restarts, .progressive: nil
      case .png: "[compression=1]"
      case .tiffStrips: "[compression=deflate]"
      case .tiffPlain, .pnm, .webp: ""
      case .tiffTiles: "[tile,tile-width=64,tile-height=64,compression=deflate]"
      }
    }
  }

  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func write(_ kind: Kind, _ width: Int = 700, _ height: Int = 500) throws -> FilePath {
    let path = folder.path.appending("photo.\(kind.rawValue)")
    if let settings = kind.settings {
      try Image(Pixels.noise(width, height)).write(to: path, settings: settings)
      return path
    }
    var options = JPEGEncoding(quality: 90)
    if kind == .restarts { options = options.with(\.restart, .rows(1)) }
    if kind == .progressive { options = options.with(\.coding, .progressive) }
    return try folder.write(
      JPEGBytes(width, height, options).bytes, as: "photo.\(kind.rawValue)")
  }

  private static let place = "https://host.example/photos/"

  private func server(
    _ paths: [FilePath], lanes: Int = 32, fault: @escaping MemoryServer.Fault = { _, _, _ in nil }
  ) throws -> MemoryServer {
    let pairs = try paths.map { path in
      (Self.place + (path.lastComponent?.string ?? ""), try bytes(of: path))
    }
    return MemoryServer(Dictionary(uniqueKeysWithValues: pairs), lanes: lanes, fault: fault)
  }

  /// libvips marks its PNM loader as untrusted.
  private static func reference(_ path: FilePath) throws -> Reference {
    try Reference(path, limits: PictureLimits(loaders: .all))
  }

  private func address(of path: FilePath) -> FilePath {
    FilePath(Self.place + (path.lastComponent?.string ?? ""))
  }

  @Test(arguments: Kind.allCases)
  func `every source gives the pixels of the local file, and no byte is fetched twice`(
    _ kind: Kind
  ) throws {
    let path = try write(kind)
    let reference = try Self.reference(path)
    for pipeline in StandardPipelines(limits: PictureLimits(loaders: .all)).pictureReaders {
      let server = try server([path])
      let pipelines = StandardPipelines(limits: server.limits())
      let reader = try #require(pipelines.reader(named: pipeline.name))
      let picture = try Picture(address(of: path), limits: pipelines.limits)
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

  @Test func `a peek with a stored index takes one round trip, and few bytes more than local ones`()
    throws
  {
    let path = try write(.restarts, 3000, 2000)
    let store = SidecarStore(in: folder.path)
    try store.build(for: path)
    let server = try server([path])
    let name = address(of: path)
    // The index of the version on the server.
    let limits = server.limits()
    try store.build(for: name, limits: limits)
    let pipeline = PartialPipeline(stores: [store], limits: limits)
    let source = try pipeline.open(name)
    #expect(source.state == .index)
    #expect(source.openingWork.fetched?.roundTrips == 1)
    let local = try PartialPipeline(stores: [store]).open(path)
    var numbers = SplitMix64(seed: 8)
    for _ in 0..<20 {
      let region = try PixelRegion(
        x: Int.random(in: 0...2700, using: &numbers), y: Int.random(in: 0...1700, using: &numbers),
        width: 300, height: 300)
      let (answer, own) = (
        try source.read(RegionRequest(region)), try local.read(RegionRequest(region))
      )
      #expect(answer.pixels == own.pixels)
      let fetched = try #require(answer.work.fetched)
      #expect(fetched.roundTrips <= 1, "\(region)")
      #expect(own.work.fetched == nil)
      // What an earlier peek fetched beside its own bytes may serve this one.
      #expect(fetched.bytes * 10 <= (try #require(own.work.bytesRead)) * 13, "\(region)")
    }
  }

  /// Opens a picture with a stored index on a server with a fault, whose first batch opens it.
  private func indexed(
    _ path: FilePath, fault: @escaping MemoryServer.Fault
  ) throws -> (source: any RegionSource, server: MemoryServer) {
    let store = SidecarStore(in: folder.path)
    try store.build(for: address(of: path), limits: try server([path]).limits())
    let server = try server([path], fault: fault)
    let source = try PartialPipeline(stores: [store], limits: server.limits())
      .open(address(of: path))
    #expect(source.state == .index)
    #expect(server.asked.count == 1)
    return (source, server)
  }

  private func expectNothingTwice(_ server: MemoryServer) {
    let ranges = server.asked.joined().map(\.range)
    let all = RangeSet(ranges).ranges.reduce(0) { $0 + $1.count }
    #expect(ranges.reduce(0) { $0 + $1.count } == all, "\(ranges)")
  }

  @Test func `a server that answers two requests at a time gives the pixels in more rounds`() throws
  {
    let path = try write(.restarts, 3000, 2000)
    let (source, server) = try indexed(path) { _, batch, number in
      batch > 0 && number >= 2 ? 503 : nil
    }
    let region = try PixelRegion(x: 1300, y: 900, width: 300, height: 300)
    let answer = try source.read(RegionRequest(region))
    #expect(answer.pixels.difference(from: try Self.reference(path).crop(region)) == nil)
    // More rounds than may be without any progress.
    #expect(server.asked.count > 5)
    expectNothingTwice(server)
  }

  @Test func `what a busy server sent before it gave up is not requested again`() throws {
    let path = try write(.restarts, 3000, 2000)
    let (source, server) = try indexed(path) { _, batch, number in
      switch batch {
      case 1: number >= 3 ? 503 : nil
      case 2...5: 503
      default: nil
      }
    }
    let region = try PixelRegion(x: 1300, y: 900, width: 300, height: 300)
    expectError(.misbehaved) { try source.read(RegionRequest(region)) }
    #expect(server.asked.map(\.count).dropFirst() == [3, 0, 0, 0, 0])
    let answer = try source.read(RegionRequest(region))
    #expect(answer.pixels.difference(from: try Self.reference(path).crop(region)) == nil)
    expectNothingTwice(server)
  }

  @Test func `an index beside the picture is fetched with it`() throws {
    let path = try write(.jpeg, 1500, 1000)
    let key = SidecarKeyFile(folder.path.appending("key"))
    let local = SidecarStore(.folder(folder.path.appending("made")), key: key)
    let name = address(of: path)
    try local.build(for: name, limits: try server([path]).limits())
    let index = try local.location(for: name)
    let served = MemoryServer([
      Self.place + "photo.jpg": try bytes(of: path),
      Self.place + "photo.jpg.zidx": try bytes(of: index),
    ])
    let beside = PartialPipeline(
      stores: [SidecarStore(.beside, key: key)], limits: served.limits(expectsIndex: true))
    let source = try beside.open(name)
    #expect(source.state == .index)
    let region = try PixelRegion(x: 700, y: 500, width: 300, height: 300)
    let first = try source.read(RegionRequest(region))
    #expect(first.pixels.difference(from: try Self.reference(path).crop(region)) == nil)
    let trips = try #require(source.openingWork.fetched).roundTrips
    #expect(trips + (first.work.fetched?.roundTrips ?? 0) <= 3)
  }

  @Test func `an index whose server fails is asked once, and the pixels come without it`() throws {
    // One colour, without subsampling: quickly encoded, and with an entry point per 1,024 pixels.
    let (width, height) = (3600, 3400)
    let pixels = [UInt8](repeating: 90, count: width * height * 3)
    let path = folder.path.appending("photo.jpg")
    try Image(Pixels(width, height, 3, .uint8, bytes: pixels)).write(to: path, settings: "[Q=95]")
    let key = SidecarKeyFile(folder.path.appending("key"))
    let made = SidecarStore(.folder(folder.path.appending("made")), key: key)
    let name = address(of: path)
    try made.build(for: name, limits: try server([path]).limits())
    let index = RemoteAddress.text(of: name) + ".zidx"
    let indexBytes = try bytes(of: made.location(for: name))
    // Shorter ones are fetched whole when a picture is opened.
    #expect(indexBytes.count > 1 << 17)
    let isBroken = Switch()
    let server = MemoryServer([
      RemoteAddress.text(of: name): try bytes(of: path), index: indexBytes,
    ]) { question, _, _ in question.address == index && isBroken.isOn ? 500 : nil }
    let source = try PartialPipeline(
      stores: [SidecarStore(.beside, key: key)], limits: server.limits(expectsIndex: true)
    ).open(name)
    #expect(source.state == .index)
    isBroken.turnOn()
    let before = server.questions.count
    let region = try PixelRegion(x: 30, y: 1000, width: 300, height: 300)
    let answer = try source.read(RegionRequest(region))
    #expect(answer.pixels.difference(from: try Self.reference(path).crop(region)) == nil)
    let asked = server.questions.dropFirst(before).filter { $0.contains { $0.address == index } }
    #expect(asked.count == 1)
  }

  @Test(arguments: [Kind.tiffTiles, .webp])
  func `a failed request of a decoder in C is the error`(_ kind: Kind) throws {
    let path = try write(kind)
    let isBroken = Switch()
    let server = try server([path]) { _, batch, _ in
      // libvips reads all of a WebP when it is opened.
      isBroken.isOn || kind == .webp && batch > 0 ? 500 : nil
    }
    let pipeline = NaivePipeline(limits: server.limits())
    let request = RegionRequest(try PixelRegion(x: 400, y: 300, width: 100, height: 100))
    if kind == .webp {
      expectError(.misbehaved) { try pipeline.open(address(of: path)).read(request) }
      return
    }
    let source = try pipeline.open(address(of: path))
    isBroken.turnOn()
    expectError(.misbehaved) { try source.read(request) }
    isBroken.turnOff()
    #expect(
      try source.read(request).pixels.difference(from: Reference(path).crop(request.region)) == nil)
  }

  @Test func `a failed request of a decoder in C is the error of all that read meanwhile`() throws {
    let path = try write(.webp)
    let server = try server([path]) { _, batch, _ in batch > 0 ? 500 : nil }
    let file = try FileReader.open(address(of: path), server.limits())
    let before = file.failedReads
    var bytes = [UInt8](repeating: 0, count: 10)
    let count = bytes.withUnsafeMutableBytes { file.remote?.readForC(at: 40_000, into: $0) }
    #expect(count == -1)
    for _ in 0..<2 {
      expectError(.misbehaved) { try file.assertUntouched(since: before) }
    }
    try file.assertUntouched(since: file.failedReads)
    try file.assertUntouched()
  }

  /// A fault that begins later.
  private final class Switch: Sendable {
    private let state = Atomic<Bool>(false)

    var isOn: Bool { state.load(ordering: .relaxed) }

    func turnOn() { state.store(true, ordering: .relaxed) }

    func turnOff() { state.store(false, ordering: .relaxed) }
  }

  @Test func `a stored index of another version is not used`() throws {
    let path = try write(.jpeg)
    let store = SidecarStore(in: folder.path)
    let name = address(of: path)
    try store.build(for: name, limits: try server([path]).limits())
    let other = try JPEGBytes(700, 500, JPEGEncoding(quality: 90), seed: 9).bytes
    let changed = MemoryServer([name.remoteText: other])
    let source = try PartialPipeline(stores: [store], limits: changed.limits()).open(name)
    #expect(other.count != (try bytes(of: path)).count)
    #expect(source.state == .openFile)
  }

  @Test func `without a way to servers, an address is refused`() throws {
    let error = expectError(.unreadable) { try Picture("https://host.example/photo.jpg") }
    #expect(error?.description.contains("https://host.example/photo.jpg") == true)
  }

  @Test func `a cache smaller than the picture still gives its pixels`() throws {
    let path = try write(.tiffPlain)
    let server = try server([path])
    let limits = server.limits(memory: 2 << 20)
    let source = try SequentialPipeline(limits: limits).open(address(of: path))
    let reference = try Self.reference(path)
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

  @Test func `a PNG's later peeks take one round trip`() throws {
    let path = try write(.png, 400, 6000)
    let store = SidecarStore(in: folder.path)
    let server = try server([path])
    let name = address(of: path)
    try store.build(for: name, limits: server.limits())
    let source = try PartialPipeline(stores: [store], limits: server.limits()).open(name)
    #expect(source.state == .index)
    let reference = try Self.reference(path)
    for y in stride(from: 5500, to: 0, by: -700) {
      let region = try PixelRegion(x: 20, y: y, width: 300, height: 300)
      let answer = try source.read(RegionRequest(region))
      #expect(answer.pixels.difference(from: reference.crop(region)) == nil)
      #expect(try #require(answer.work.fetched).roundTrips <= 1, "\(y)")
    }
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
      let server = MemoryServer([Self.place + "a.tif": bytes])
      let reader = try FileReader.open(FilePath(Self.place + "a.tif"), server.limits())
      try TIFFDirectory.expectTables(of: reader)
      return server.asked.count - 1
    }
    #expect(try fetched(file("II*\0", tables: 1000)) == 1)
    #expect(try fetched(file("IIII", tables: 1000)) == 0)
    #expect(try fetched(file("II*\0", tables: 90_000)) == 0)
  }

  @Test func `only the start of a picture may take the whole time to open it`() throws {
    let path = try write(.jpeg)
    let server = try server([path])
    _ = try PartialPipeline(
      stores: [SidecarStore(.beside, key: SidecarKeyFile(folder.path.appending("key")))],
      limits: server.limits(expectsIndex: true)
    ).open(address(of: path))
    // The start, the index and the end.
    let opening = try #require(server.questions.first)
    #expect(opening.map { $0.seconds == nil } == [true, false, false])
  }

  @Test func `hundreds of requests are not sent all at once`() throws {
    let path = try write(.pnm, 3000, 600)
    let server = try server([path])
    let source = try StandardPipelines(limits: server.limits()).automatic.open(address(of: path))
    let region = try PixelRegion(x: 1500, y: 0, width: 10, height: 600)
    let answer = try source.read(RegionRequest(region))
    #expect(answer.pixels.difference(from: try Self.reference(path).crop(region)) == nil)
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

  @Test func `peeks into a tall PNG with an index beside it take two round trips`() throws {
    // Its points are more than the lanes.
    let path = try write(.png, 180, 10_000)
    let key = SidecarKeyFile(folder.path.appending("key"))
    let made = SidecarStore(.folder(folder.path.appending("made")), key: key)
    let name = address(of: path)
    try made.build(for: name, limits: try server([path]).limits())
    let server = MemoryServer([
      name.remoteText: try bytes(of: path),
      name.remoteText + ".zidx": try bytes(of: made.location(for: name)),
    ])
    let source = try PartialPipeline(
      stores: [SidecarStore(.beside, key: key)], limits: server.limits(expectsIndex: true)
    ).open(name)
    #expect(source.state == .index)
    let reference = try Self.reference(path)
    for y in stride(from: 9500, to: 0, by: -1900) {
      let region = try PixelRegion(x: 20, y: y, width: 150, height: 300)
      let answer = try source.read(RegionRequest(region))
      #expect(answer.pixels.difference(from: reference.crop(region)) == nil)
      #expect(try #require(answer.work.fetched).roundTrips <= 2, "\(y)")
    }
    #expect(source.state == .index)
  }

  @Test func `tiles of a peek are fetched at once`() throws {
    let path = try write(.tiffTiles, 1600, 1200)
    let server = try server([path])
    let source = try RandomPipeline(limits: server.limits()).open(address(of: path))
    let region = try PixelRegion(x: 700, y: 500, width: 300, height: 300)
    let answer = try source.read(RegionRequest(region))
    #expect(answer.pixels.difference(from: try Self.reference(path).crop(region)) == nil)
    #expect(try #require(answer.work.fetched).roundTrips <= 1)
  }
}

extension FilePath {
  fileprivate var remoteText: String { RemoteAddress.text(of: self) }
}
