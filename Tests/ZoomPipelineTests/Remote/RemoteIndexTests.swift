import PropertyTesting
import Synchronization
import SystemPackage
import TestSupport
import Testing
import ZoomCorpus
import ZoomGeometry

@testable import ZoomPipeline

/// Indexes of pictures on a server, in a folder or beside the picture.
@Suite struct RemoteIndexTests {
  private let files: ServedFiles

  init() throws { files = try ServedFiles() }

  @Test func `a peek with a stored index takes one round trip, and few bytes more than local ones`()
    throws
  {
    let path = try files.write(.restarts, 3000, 2000)
    let store = SidecarStore(in: files.folder.path)
    try store.build(for: path)
    let server = try files.server([path])
    let name = files.address(of: path)
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

  @Test func `a stored index of another version is not used`() throws {
    let path = try files.write(.jpeg)
    let store = SidecarStore(in: files.folder.path)
    let name = files.address(of: path)
    try store.build(for: name, limits: try files.server([path]).limits())
    let other = try JPEGBytes(700, 500, JPEGEncoding(quality: 90), seed: 9).bytes
    let changed = MemoryServer([name.remoteText: other])
    let source = try PartialPipeline(stores: [store], limits: changed.limits()).open(name)
    #expect(other.count != (try bytes(of: path)).count)
    #expect(source.state == .openFile)
  }

  @Test func `a PNG's later peeks take one round trip`() throws {
    let path = try files.write(.png, 400, 6000)
    let store = SidecarStore(in: files.folder.path)
    let server = try files.server([path])
    let name = files.address(of: path)
    try store.build(for: name, limits: server.limits())
    let source = try PartialPipeline(stores: [store], limits: server.limits()).open(name)
    #expect(source.state == .index)
    let reference = try ServedFiles.reference(path)
    for y in stride(from: 5500, to: 0, by: -700) {
      let region = try PixelRegion(x: 20, y: y, width: 300, height: 300)
      let answer = try source.read(RegionRequest(region))
      #expect(answer.pixels.difference(from: reference.crop(region)) == nil)
      #expect(try #require(answer.work.fetched).roundTrips <= 1, "\(y)")
    }
  }

  @Test func `an index beside the picture is fetched with the picture's start`() throws {
    let path = try files.write(.jpeg, 1500, 1000)
    let name = files.address(of: path)
    let index = try files.index(of: path)
    let server = MemoryServer([
      name.remoteText: try bytes(of: path), name.remoteText + ".zidx": index,
    ])
    let source = try files.openBesideIndex(name, on: server)
    #expect(source.state == .index)
    #expect(source.openingWork.fetched?.roundTrips == 1)
    let region = try PixelRegion(x: 700, y: 500, width: 300, height: 300)
    let first = try source.read(RegionRequest(region))
    #expect(first.pixels.difference(from: try ServedFiles.reference(path).crop(region)) == nil)
    #expect(first.work.fetched?.roundTrips == 1)
    #expect(server.asked.joined().filter { $0.address.hasSuffix(".zidx") }.count == 1)
  }

  @Test func `an index that is missing or of another version costs no further request`() throws {
    let path = try files.write(.jpeg, 1500, 1000)
    let name = files.address(of: path)
    let index = try files.index(of: path)
    let other = try JPEGBytes(1500, 1000, JPEGEncoding(quality: 90), seed: 9).bytes
    #expect(other.count != (try bytes(of: path)).count)
    for served in [[name.remoteText + ".zidx": index], [:]] {
      let server = MemoryServer(served.merging([name.remoteText: other]) { $1 })
      let source = try files.openBesideIndex(name, on: server)
      #expect(source.state == .openFile)
      #expect(server.questions.map(\.count) == [3])
    }
  }

  @Test func `an index is only requested for a suffix of JPEG or PNG, or none`() throws {
    for (name, count) in [("a.jpg", 3), ("a.PNG", 3), ("a", 3), ("a.tif", 2), ("a.webp", 2)] {
      let server = MemoryServer([ServedFiles.place + name: [1, 2, 3]])
      _ = try FileReader.open(
        FilePath(ServedFiles.place + name), server.limits(expectsIndex: true))
      #expect(server.questions.map(\.count) == [count], "\(name)")
    }
  }

  @Test func `an index that is not sent or has no key is neither damaged nor missing`() throws {
    let path = try files.write(.jpeg)
    let server = try files.server([path]) { question, _, _ in
      question.address.hasSuffix(".zidx") ? 500 : nil
    }
    let store = SidecarStore(.beside, key: SidecarKeyFile(files.folder.path.appending("none")))
    func load(expectsIndex: Bool) throws -> Sidecar {
      let file = try FileReader.open(
        files.address(of: path), server.limits(expectsIndex: expectsIndex))
      return try store.load(for: file, IndexedHeaders(file)).get()
    }
    #expect(throws: SidecarRefusal.unreachable("the server answers with status 500")) {
      _ = try load(expectsIndex: true)
    }
    #expect(throws: SidecarRefusal.notOurs("the key file \(store.key.path) is missing")) {
      _ = try load(expectsIndex: false)
    }
  }

  /// An index on a server, which keeps the announced reads.
  private final class ServedIndex: CodedSource {
    private let file: MemoryFile
    private let announced = Mutex<[Range<Int>]>([])

    init(_ bytes: [UInt8]) { file = MemoryFile(bytes, madeFrom: "a.zidx") }

    var path: FilePath { file.path }
    var length: Int { file.length }
    var isRemote: Bool { true }
    var expected: [Range<Int>] { announced.withLock { $0 } }

    func read(at offset: Int, into target: UnsafeMutableRawBufferPointer) -> Int {
      file.read(at: offset, into: target)
    }

    func expect(_ ranges: [Range<Int>]) { announced.withLock { $0 += ranges } }
  }

  @Test func `an index of another version is refused before the rest of it is fetched`() throws {
    var random = SplitMix64(seed: 5)
    let key = try SampleSidecar.key(7)
    let draft = try #require(
      SampleSidecar.random(&random, mcus: 5000, spacing: 1, hasPayload: false))
    let old = ServedIndex(draft.encoded(with: key))
    let version = try RemoteVersion(MemoryServer.headers, length: 1)
    #expect(throws: SidecarRefusal.stale("the server has another version of the picture")) {
      _ = try Sidecar(old, key: key, served: version)
    }
    #expect(old.expected.isEmpty)
    let current = ServedIndex(draft.encoded(with: key))
    _ = try Sidecar(current, key: key)
    #expect(current.expected == [0..<current.length])
  }

  @Test func `peeks into a tall PNG with an index beside it take two round trips`() throws {
    // Its points are more than the lanes.
    let path = try files.write(.png, 180, 10_000)
    let name = files.address(of: path)
    let server = MemoryServer([
      name.remoteText: try bytes(of: path), name.remoteText + ".zidx": try files.index(of: path),
    ])
    let source = try files.openBesideIndex(name, on: server)
    #expect(source.state == .index)
    let reference = try ServedFiles.reference(path)
    for y in stride(from: 9500, to: 0, by: -1900) {
      let region = try PixelRegion(x: 20, y: y, width: 150, height: 300)
      let answer = try source.read(RegionRequest(region))
      #expect(answer.pixels.difference(from: reference.crop(region)) == nil)
      #expect(try #require(answer.work.fetched).roundTrips <= 2, "\(y)")
    }
    #expect(source.state == .index)
  }
}
