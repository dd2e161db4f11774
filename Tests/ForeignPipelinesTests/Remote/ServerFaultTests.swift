import Foundation
import Synchronization
import SystemPackage
import TestSupport
import Testing
import ZoomCorpus
import ZoomGeometry

@testable import ForeignPipelines
@testable import ZoomPipeline

/// A JPEG on a server, and the same file on disk.
struct ServedPicture {
  static let secret = "s3cret"

  let folder: TestFolder
  let path: FilePath
  let bytes: [UInt8]
  /// A region in the middle, which takes requests after the first.
  let region: PixelRegion

  init(width: Int = 900, height: Int = 700) throws {
    folder = try TestFolder()
    bytes = try JPEGBytes(width, height, JPEGEncoding(quality: 90)).bytes
    path = try folder.write(bytes, as: "photo.jpg")
    region = try PixelRegion(x: width / 2, y: height / 2, width: 40, height: 30)
  }

  func expected() throws -> Pixels {
    try NaivePipeline().open(path).read(RegionRequest(region)).pixels
  }

  /// Returns the files of a server that has the picture with an index beside it.
  func files(indexedBy store: SidecarStore) throws -> [String: [UInt8]] {
    // The time that the server says, which was settled before the picture is indexed.
    try setModified(path, to: FileVersion.Moment(seconds: 1_577_872_800, nanoseconds: 0))
    let index = try store.build(for: path).path
    return ["/photo.jpg": bytes, "/photo.jpg.zidx": try TestSupport.bytes(of: index)]
  }

  /// Opens the picture on a server by an address with a secret.
  static func open(
    _ address: String, seconds: Double = 2, stores: [SidecarStore] = []
  ) throws -> any RegionSource {
    var settings = RemoteAccess.Settings()
    settings.seconds = seconds
    let book = RemoteAddressBook()
    let access = RemoteAccess(settings, book) {
      HTTPRanges(headers: ["X-Api-Key: \(Self.secret)"])
    }
    var limits = PictureLimits(memory: MemoryBudget(), loaders: .trusted, remote: access)
    limits.expectsIndexBeside = stores.contains { $0.place == .beside }
    let name = try #require(book.add("\(address)?signature=\(Self.secret)"))
    return try PartialPipeline(stores: stores, limits: limits).open(FilePath(name))
  }
}

@Suite struct ServerFaultTests {
  @Test(arguments: ServerFault.all)
  func `a fault of a server ends in the right pixels or in a plain error`(
    _ fault: ServerFault
  ) throws {
    let picture = try fault.isSmall ? ServedPicture(width: 90, height: 70) : ServedPicture()
    #expect(fault.isSmall == (picture.bytes.count < 1 << 15))
    let changes = Atomic<Int>(0)
    let server = try RangeServer(
      ["/photo.jpg": fault.start ?? picture.bytes], inventing: fault.start.map { _ in 1 << 44 }
    ) { answer, request, file in
      let before = answer
      fault.fault(&answer, request, file)
      if answer != before { changes.add(1, ordering: .relaxed) }
    }
    defer { server.stop() }
    let start = ContinuousClock.now
    let result = Result {
      try ServedPicture.open("\(server.address)/photo.jpg")
        .read(RegionRequest(picture.region)).pixels
    }
    #expect(changes.load(ordering: .relaxed) > 0)
    // Opening and one peek may each take their two seconds.
    #expect(start.duration(to: .now) < .seconds(8))
    switch (result, fault.end) {
    case (.success(let pixels), .picture):
      #expect(pixels.difference(from: try picture.expected()) == nil)
    case (.failure(let error as PipelineError), .error(let code)):
      #expect(error.code == code, "\(error)")
      #expect(!error.description.contains(ServedPicture.secret), "\(error)")
      #expect(error.file?.string.hasSuffix("photo.jpg") == true)
    default: Issue.record("\(fault.name): \(result)")
    }
  }

  @Test func `there are at least 40 different faults`() {
    #expect(Set(ServerFault.all.map(\.name)).count >= 40)
    #expect(Set(ServerFault.all.map(\.name)).count == ServerFault.all.count)
  }
}

@Suite struct ServedPictureTests {
  @Test func `requests have their range and the version, and ask for no compression`() throws {
    let picture = try ServedPicture()
    let server = try RangeServer(["/photo.jpg": picture.bytes])
    defer { server.stop() }
    let source = try ServedPicture.open("\(server.address)/photo.jpg")
    #expect(
      try source.read(RegionRequest(picture.region)).pixels.difference(
        from: picture.expected()) == nil)
    let requests = server.requests
    #expect(requests.count > 2)
    for request in requests {
      #expect(request.header("range")?.hasPrefix("bytes=") == true)
      #expect(request.header("accept-encoding") == "identity")
      #expect(request.header("x-api-key") == ServedPicture.secret)
      #expect(request.head.contains("/photo.jpg?signature=\(ServedPicture.secret) "))
    }
    for request in requests.dropFirst(2) {
      #expect(request.header("if-match") == RangeServer.etag)
      #expect(request.header("if-range") == RangeServer.etag)
    }
  }

  @Test func `no byte is requested twice, and a second read requests none`() throws {
    let picture = try ServedPicture()
    let server = try RangeServer(["/photo.jpg": picture.bytes])
    defer { server.stop() }
    let source = try ServedPicture.open("\(server.address)/photo.jpg")
    let first = try source.read(RegionRequest(picture.region))
    var seen = RangeSet<Int>()
    for request in server.requests where !request.isTail {
      #expect(seen.intersection(RangeSet([request.range])).isEmpty, "\(request.range)")
      seen.insert(contentsOf: request.range)
    }
    let second = try source.read(RegionRequest(picture.region))
    #expect(second.pixels == first.pixels)
    #expect(try #require(first.work.fetched).requests > 0)
    #expect(second.work.fetched == Work.Fetched())
    let opening = try #require(source.openingWork.fetched)
    #expect(opening.requests == 2 && opening.roundTrips == 1)
    #expect(opening.requests + (first.work.fetched?.requests ?? 0) == server.requests.count)
  }

  @Test func `headers are not sent to another host, and later requests go there directly`() throws {
    let picture = try ServedPicture()
    let other = try RangeServer(["/moved.jpg": picture.bytes])
    defer { other.stop() }
    let place = "http://localhost:\(other.port)/moved.jpg"
    let server = try LoopbackServer { _ in .redirect(place) }
    defer { server.stop() }
    let source = try ServedPicture.open("http://127.0.0.1:\(server.port)/photo.jpg")
    #expect(
      try source.read(RegionRequest(picture.region)).pixels.difference(
        from: picture.expected()) == nil)
    // The start and the end of the picture.
    #expect(server.heads.count == 2)
    #expect(server.heads.allSatisfy { $0.lowercased().contains("x-api-key") })
    #expect(other.requests.count > 2)
    #expect(other.requests.allSatisfy { $0.header("x-api-key") == nil })
    #expect(other.requests.allSatisfy { !$0.head.contains(ServedPicture.secret) })
  }

  /// The bodies of the redirects are empty, longer than the file's end, or than the first request.
  @Test(arguments: [0, 400, 1 << 16])
  func `a redirect's target that has expired is asked for again`(bodyCount: Int) throws {
    let picture = try ServedPicture()
    let server = try RangeServer([
      "/photo.jpg": picture.bytes, "/first.jpg": picture.bytes, "/second.jpg": picture.bytes,
    ]) { answer, request, _ in
      if request.path == "/photo.jpg" {
        (answer.status, answer.body) = (302, [UInt8](repeating: 0x20, count: bodyCount))
        answer.headers = ["Location": request.isConditional ? "/second.jpg" : "/first.jpg"]
      } else if request.path == "/first.jpg", request.isConditional {
        (answer.status, answer.body) = (403, [])
      }
    }
    defer { server.stop() }
    let source = try ServedPicture.open("\(server.address)/photo.jpg")
    #expect(
      try source.read(RegionRequest(picture.region)).pixels.difference(
        from: picture.expected()) == nil)
    #expect(server.requests.contains { $0.path == "/second.jpg" })
    #expect(server.requests.contains { $0.path == "/first.jpg" && $0.isTail })
  }

  @Test func `a request with its own time limit does not wait for others' limit`() throws {
    let server = try RangeServer(["/photo.jpg": [1, 2, 3]]) { answer, _, _ in
      answer.ending = .silence
    }
    defer { server.stop() }
    let question = RangeQuestion(
      address: "\(server.address)/photo.jpg", headers: ["Range: bytes=0-1"], limit: 2, seconds: 0.4)
    let replies = HTTPRanges(headers: []).send([question], until: .now.advanced(by: .seconds(15)))
    let failure = #expect(throws: RangeFailure.self) { try replies.replies[0].get() }
    #expect(failure?.reason.contains("1.0 s") == true)
  }

  @Test(arguments: [(2, true), (1, false)])
  func `an index is used if more than half of it came within its time limit`(
    thirds: Int, isUsed: Bool
  ) throws {
    let picture = try ServedPicture()
    let store = SidecarStore(.beside, key: SidecarKeyFile(picture.folder.path.appending("key")))
    let server = try RangeServer(try picture.files(indexedBy: store)) { answer, request, file in
      if request.path.hasSuffix(".zidx"), !request.isConditional {
        answer.ending = .stall(file.count * thirds / 3)
      }
    }
    defer { server.stop() }
    let source = try ServedPicture.open(
      "\(server.address)/photo.jpg", seconds: 20, stores: [store])
    #expect(source.state == (isUsed ? .index : .openFile))
  }

  @Test func `an index beside the picture is used with the user's key only`() throws {
    let picture = try ServedPicture()
    let own = SidecarStore(.beside, key: SidecarKeyFile(picture.folder.path.appending("key")))
    let server = try RangeServer(try picture.files(indexedBy: own))
    defer { server.stop() }
    let address = "\(server.address)/photo.jpg"
    let source = try ServedPicture.open(address, stores: [own])
    #expect(source.state == .index)
    let answer = try source.read(RegionRequest(picture.region))
    #expect(answer.pixels.difference(from: try picture.expected()) == nil)
    #expect(try #require(source.openingWork.fetched).roundTrips <= 2)
    #expect(try #require(answer.work.fetched).roundTrips == 1)
    let stranger = SidecarKeyFile(picture.folder.path.appending("other-key"))
    _ = try stranger.readOrMake()
    let without = try ServedPicture.open(address, stores: [SidecarStore(.beside, key: stranger)])
    #expect(without.state == .openFile)
    #expect(
      try without.read(RegionRequest(picture.region)).pixels.difference(
        from: picture.expected()) == nil)
  }

  /// Counts the requests that are being answered.
  private final class Gauge: Sendable {
    private let counts = Mutex((now: 0, most: 0))

    var most: Int { counts.withLock { $0.most } }

    func during(_ body: () -> Void) {
      counts.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
      body()
      counts.withLock { $0.now -= 1 }
    }
  }

  @Test func `the ranges of a peek are requested at the same time`() throws {
    let picture = try ServedPicture()
    let store = SidecarStore(.beside, key: SidecarKeyFile(picture.folder.path.appending("key")))
    let gauge = Gauge()
    let server = try RangeServer(try picture.files(indexedBy: store)) { _, _, _ in
      gauge.during { Thread.sleep(forTimeInterval: 0.1) }
    }
    defer { server.stop() }
    let source = try ServedPicture.open(
      "\(server.address)/photo.jpg", seconds: 20, stores: [store])
    let region = try PixelRegion(x: 300, y: 200, width: 300, height: 300)
    let answer = try source.read(RegionRequest(region))
    #expect(
      answer.pixels == (try NaivePipeline().open(picture.path).read(RegionRequest(region)).pixels))
    #expect(try #require(answer.work.fetched).roundTrips == 1)
    #expect(gauge.most >= 8)
  }
}
