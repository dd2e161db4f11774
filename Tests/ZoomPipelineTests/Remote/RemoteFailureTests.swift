import Synchronization
import SystemPackage
import TestSupport
import Testing
import ZoomGeometry

@testable import ZoomPipeline

/// Failed requests are errors, or cost no more than a repetition.
@Suite struct RemoteFailureTests {
  private let files: ServedFiles

  init() throws { files = try ServedFiles() }

  /// Opens a picture with a stored index on a server with a fault, whose first batch opens it.
  private func indexed(
    _ path: FilePath, fault: @escaping MemoryServer.Fault
  ) throws -> (source: any RegionSource, server: MemoryServer) {
    let store = SidecarStore(in: files.folder.path)
    try store.build(for: files.address(of: path), limits: try files.server([path]).limits())
    let server = try files.server([path], fault: fault)
    let source = try PartialPipeline(stores: [store], limits: server.limits())
      .open(files.address(of: path))
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
    let path = try files.write(.restarts, 3000, 2000)
    let (source, server) = try indexed(path) { _, batch, number in
      batch > 0 && number >= 2 ? 503 : nil
    }
    let region = try PixelRegion(x: 1300, y: 900, width: 300, height: 300)
    let answer = try source.read(RegionRequest(region))
    #expect(answer.pixels.difference(from: try ServedFiles.reference(path).crop(region)) == nil)
    // More rounds than may be without any progress.
    #expect(server.asked.count > 5)
    expectNothingTwice(server)
  }

  @Test func `what a busy server sent before it gave up is not requested again`() throws {
    let path = try files.write(.restarts, 3000, 2000)
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
    #expect(answer.pixels.difference(from: try ServedFiles.reference(path).crop(region)) == nil)
    expectNothingTwice(server)
  }

  @Test func `an index whose server fails is asked once, and the pixels come without it`() throws {
    // One colour, without subsampling: quickly encoded, and with an entry point per 1,024 pixels.
    let (width, height) = (3600, 3400)
    let pixels = [UInt8](repeating: 90, count: width * height * 3)
    let path = files.folder.path.appending("photo.jpg")
    try Image(Pixels(width, height, 3, .uint8, bytes: pixels)).write(to: path, settings: "[Q=95]")
    let name = files.address(of: path)
    let index = name.remoteText + ".zidx"
    let indexBytes = try files.index(of: path)
    // Shorter ones are fetched whole when a picture is opened.
    #expect(indexBytes.count > Sidecar.wholeByteCount)
    let isBroken = Switch()
    let server = MemoryServer([name.remoteText: try bytes(of: path), index: indexBytes]) {
      question, _, _ in question.address == index && isBroken.isOn ? 500 : nil
    }
    let source = try files.openBesideIndex(name, on: server)
    #expect(source.state == .index)
    isBroken.turnOn()
    let before = server.questions.count
    // Its blocks are at the end of the index, after the bytes that were fetched with the picture.
    let region = try PixelRegion(x: 30, y: 3100, width: 300, height: 300)
    let answer = try source.read(RegionRequest(region))
    #expect(answer.pixels.difference(from: try ServedFiles.reference(path).crop(region)) == nil)
    let asked = server.questions.dropFirst(before).filter { $0.contains { $0.address == index } }
    #expect(asked.count == 1)
  }

  @Test(arguments: [ServedFiles.Kind.tiffTiles, .webp])
  func `a failed request of a decoder in C is the error`(_ kind: ServedFiles.Kind) throws {
    let path = try files.write(kind)
    let isBroken = Switch()
    let server = try files.server([path]) { _, batch, _ in
      // libvips reads all of a WebP when it is opened.
      isBroken.isOn || kind == .webp && batch > 0 ? 500 : nil
    }
    let pipeline = NaivePipeline(limits: server.limits())
    let request = RegionRequest(try PixelRegion(x: 400, y: 300, width: 100, height: 100))
    if kind == .webp {
      expectError(.misbehaved) { try pipeline.open(files.address(of: path)).read(request) }
      return
    }
    let source = try pipeline.open(files.address(of: path))
    isBroken.turnOn()
    expectError(.misbehaved) { try source.read(request) }
    isBroken.turnOff()
    #expect(
      try source.read(request).pixels.difference(from: Reference(path).crop(request.region)) == nil)
  }

  @Test func `a failed request of a decoder in C is the error of all that read meanwhile`() throws {
    let path = try files.write(.webp)
    let server = try files.server([path]) { _, batch, _ in batch > 0 ? 500 : nil }
    let file = try FileReader.open(files.address(of: path), server.limits())
    let before = file.failedReads
    var bytes = [UInt8](repeating: 0, count: 10)
    let count = bytes.withUnsafeMutableBytes { file.remote?.readForC(at: 40_000, into: $0) }
    #expect(count == -1)
    for _ in 0..<2 {
      expectError(.misbehaved) { try file.assertUntouched(since: before) }
    }
    try file.assertUntouched(since: file.failedReads)
    try file.assertUntouched()
    // A decoder that reads on would wait for a silent server each time.
    func asked() -> Int {
      let asked = server.questions.count
      let count = bytes.withUnsafeMutableBytes { file.remote?.readForC(at: 40_000, into: $0) }
      #expect(count == -1)
      return server.questions.count - asked
    }
    #expect(asked() == 0)
    file.begin()
    #expect(asked() > 0)
  }

  /// A fault that begins later.
  private final class Switch: Sendable {
    private let state = Atomic<Bool>(false)

    var isOn: Bool { state.load(ordering: .relaxed) }

    func turnOn() { state.store(true, ordering: .relaxed) }

    func turnOff() { state.store(false, ordering: .relaxed) }
  }
}
