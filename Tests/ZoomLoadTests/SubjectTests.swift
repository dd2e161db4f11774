import ForeignPipelines
import Measurement
import Synchronization
import SystemPackage
import TestSupport
import Testing
import ZoomGeometry
import ZoomLoad
import ZoomPipeline

struct SubjectTests {
  private let folder: TestFolder
  private let path: FilePath
  private let pixels: Pixels

  init() throws {
    folder = try TestFolder()
    pixels = try Pixels(width: 700, height: 500) { x, y, band in
      UInt8(truncatingIfNeeded: [x / 3, y / 2, (x + y) / 5][band])
    }
    path = try folder.write(try Image(pixels).pngBytes(), as: "slope.png")
  }

  /// Asks for the parts of some views on one lane, and returns the answers and what the ledger finds.
  private func ask(
    _ subject: any LoadSubject, views: Int = 6
  ) throws -> (kinds: [LoadAnswer.Kind: Int], findings: AnswerLedger.Findings, retryAfter: Int) {
    var settings = LoadSettings(
      bound: .usual, model: .seeded(screen: try PixelSize(width: 320, height: 240)))
    settings.connections = 1
    var counts: [LoadAnswer.Kind: Int] = [:]
    var retryAfter = 0
    var ledger = AnswerLedger()
    var viewer = ViewerStream(
      subject.pictures, choices: [0], model: settings.model, seed: 1, viewer: 0)
    for _ in 0..<views {
      for part in viewer.nextParts() {
        var answer = subject.answer(part, lane: 0)
        answer.digestBody()
        counts[answer.kind, default: 0] += 1
        retryAfter += answer.hasRetryAfter ? 1 : 0
        ledger.note(answer, of: part)
      }
    }
    return (counts, ledger.check(by: subject), retryAfter)
  }

  @Test(arguments: ["naive", "partial", "automatic"])
  func `answers of our sources are right, tiled or whole`(_ name: String) throws {
    let pipelines = StandardPipelines()
    let pipeline = try #require(pipelines.named(name))
    for tile in [nil, try PixelSize(width: 128, height: 128)] {
      let subject = try SourceSubject(pipeline, [path], tile: tile, rows: 1, limits: .standard)
      let (kinds, findings, _) = try ask(subject)
      #expect(kinds.keys.sorted { $0.rawValue < $1.rawValue } == [.answered])
      #expect(findings.compared > 0 && findings.wrong == 0 && findings.unchecked == 0)
    }
  }

  @Test func `a source whose pixels are wrong is found by digest`() throws {
    let subject = try SourceSubject(
      ShiftedPipeline(), [path], tile: try PixelSize(width: 128, height: 128), rows: 1,
      limits: .standard)
    #expect(try ask(subject, views: 20).findings.wrong > 0)
  }

  @Test func `answers in other colours are compared with a full decode in these`() throws {
    let grey = try Pixels(width: 90, height: 60, bands: 1, interpretation: .grey) { x, y, _ in
      UInt8(x + y)
    }
    let place = try folder.write(try Image(grey).pngBytes(), as: "grey.png")
    // Red, green and blue for one band of grey.
    let subject = try SourceSubject(
      NaivePipeline().converting(to: .srgb), [place], tile: nil, rows: 1, limits: .standard)
    let findings = try ask(subject).findings
    #expect(findings.compared > 0 && findings.wrong == 0, "\(findings.first ?? "")")
  }

  /// Returns a part that the first view of a picture needs.
  private func firstPart(of subject: any LoadSubject) throws -> LoadPart {
    var viewer = ViewerStream(
      subject.pictures, choices: [0],
      model: .seeded(screen: try PixelSize(width: 320, height: 240)), seed: 1, viewer: 0)
    return viewer.nextParts()[0]
  }

  @Test func `a lossy answer whose bytes were not kept is unchecked, not wrong`() throws {
    let program = try ForeignPipeline("c=command,lossy:cp {file} {out.png}")
    let subject = try SourceSubject(program, [path], tile: nil, rows: 1, limits: .standard)
    var ledger = AnswerLedger(mostBytes: 0)
    ledger.note(LoadAnswer(body: [1]), of: try firstPart(of: subject))
    let findings = ledger.check(by: subject)
    #expect(findings.unchecked == 1 && findings.wrong == 0)
  }

  /// Returns a server of regions, or one that always gives the same reply.
  private func serve(
    _ fault: LoopbackServer.Reply?
  ) throws -> (server: LoopbackServer, subject: ServerSubject) {
    let pixels = pixels
    let server = try LoopbackServer { target in
      if let fault { return fault }
      let place = target.split { !$0.isNumber }.compactMap { Int($0) }
      guard place.count == 4,
        let region = try? PixelRegion(x: place[0], y: place[1], width: place[2], height: place[3]),
        let body = try? Image(pixels.cut(region)).pngBytes()
      else { return .status(400) }
      return .ok(body, type: "image/png")
    }
    // A server that never answers is waited for; a busy machine may need longer than that for others.
    let isSilent = if case .silence? = fault { true } else { false }
    let pipeline = try ForeignPipeline(
      "mine=http,time=\(isSilent ? 2 : 60):http://127.0.0.1:\(server.port)/{x}/{y}/{w}/{h}")
    return (server, try ServerSubject(pipeline, [path], lanes: 1, limits: .standard))
  }

  @Test func `a sound server has right answers only`() throws {
    let (server, subject) = try serve(nil)
    defer { server.stop() }
    let (kinds, findings, _) = try ask(subject)
    #expect(kinds.count == 1 && findings.compared > 0)
    #expect(findings.wrong == 0 && findings.unchecked == 0)
  }

  @Test func `a client knows when it sent a request and had its answer`() throws {
    let (server, subject) = try serve(nil)
    defer { server.stop() }
    let part = try firstPart(of: subject)
    for _ in 0..<3 {
      let before = Timestamps.monotonic()
      let answer = subject.answer(part, lane: 0)
      let times = try #require(answer.times)
      #expect(before <= times.sent && times.sent < times.end)
      #expect(times.end <= Timestamps.monotonic())
      #expect(answer.kind == .answered)
    }
  }

  @Test func `a request is counted as sent again if a kept connection ends instead of an answer`()
    throws
  {
    let body = try Image(pixels.cut(PixelRegion(x: 0, y: 0, width: 512, height: 500))).pngBytes()
    let count = Mutex(0)
    let server = try LoopbackServer { _ in
      let number = count.withLock { count in
        count += 1
        return count
      }
      return number == 2 ? .raw([]) : .ok(body, type: "image/png")
    }
    defer { server.stop() }
    let pipeline = try ForeignPipeline("mine=http:http://127.0.0.1:\(server.port)/{x}/{y}/{w}/{h}")
    let subject = try ServerSubject(pipeline, [path], lanes: 1, limits: .standard)
    let part = try firstPart(of: subject)
    let answers = (0..<3).map { _ in subject.answer(part, lane: 0) }
    #expect(answers.map(\.kind) == [.answered, .answered, .answered])
    #expect(answers.map(\.retries) == [0, 1, 0])
  }

  @Test func `statuses, resets and forgotten requests are told apart`() throws {
    let busy = Array("HTTP/1.1 503 No\r\nRetry-After: 1\r\nContent-Length: 0\r\n\r\n".utf8)
    let cut = Array("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nshort".utf8)
    let cases: [(LoopbackServer.Reply, LoadAnswer.Kind)] = [
      (.exact(busy), .busy), (.status(429), .busy), (.status(500), .refused),
      (.redirect("http://127.0.0.2/"), .refused), (.raw(cut), .reset), (.silence, .timedOut),
    ]
    for (fault, kind) in cases {
      let (server, subject) = try serve(fault)
      defer { server.stop() }
      let (kinds, findings, retryAfter) = try ask(subject, views: 1)
      #expect((kinds[kind] ?? 0) > 0, "\(kind): \(kinds)")
      #expect(findings.wrong == 0)
      if case .exact = fault {
        #expect(retryAfter == kinds[.busy])
      } else {
        #expect(retryAfter == 0)
      }
    }
  }

  @Test func `a body that is longer than any file of the tile's pixels is refused`() throws {
    let long = [UInt8](repeating: 0, count: 20 << 20)
    let (server, subject) = try serve(.ok(long, type: "image/png"))
    defer { server.stop() }
    let kinds = try ask(subject, views: 1).kinds
    #expect(Array(kinds.keys) == [.failed])
  }

  @Test func `a wrong tile, a cut picture and an empty body are found`() throws {
    let other = try Image(pixels.cut(PixelRegion(x: 188, y: 0, width: 512, height: 500))).pngBytes()
    let cases: [([UInt8], AnswerFault)] = [
      (other, .wrong), (Array(other.prefix(200)), .short), ([], .short),
    ]
    for (body, kind) in cases {
      let (server, subject) = try serve(.ok(body, type: "image/png"))
      defer { server.stop() }
      let faults = try ask(subject).findings.faults
      #expect((faults[kind] ?? 0) > 0, "\(kind): \(faults)")
    }
  }

  @Test(arguments: [false, true])
  func `reduced tiles are compared with the means of blocks`(isInverted: Bool) throws {
    let pixels = pixels
    let server = try LoopbackServer { target in
      let place = target.split { !$0.isNumber }.compactMap { Int($0) }
      // The full size is level 2: three tiles of 256 pixels halve twice until one is left.
      guard place.count == 3, (0...2).contains(place[0]),
        let reduction = Reduction(rawValue: 4 >> place[0])
      else { return .status(400) }
      let side = 256 * reduction.rawValue
      let (x, y) = (place[1] * side, place[2] * side)
      guard
        let region = try? PixelRegion(
          x: x, y: y, width: min(side, 700 - x), height: min(side, 500 - y))
      else { return .status(404) }
      let part = pixels.cut(region).reduced(by: reduction)
      let isWrong = isInverted && reduction != .none
      let answer = Pixels(
        size: part.size, bands: part.bands, format: part.format,
        interpretation: part.interpretation,
        bytes: isWrong ? part.bytes.map { 255 - $0 } : part.bytes)
      return (try? Image(answer).pngBytes()).map { .ok($0, type: "image/png") } ?? .status(500)
    }
    defer { server.stop() }
    let pipeline = try ForeignPipeline("t=tiles:http://127.0.0.1:\(server.port)/{z}/{x}/{y}.png")
    let subject = try ServerSubject(pipeline, [path], lanes: 1, limits: .standard)
    #expect(subject.pictures.map(\.factors) == [[1, 2, 4]])
    let (kinds, findings, _) = try ask(subject, views: 20)
    #expect(kinds.count == 1 && findings.compared > 0 && findings.unchecked == 0)
    #expect((findings.wrong > 0) == isInverted)
  }

  @Test(arguments: [2, 0])
  func `a picture with alpha is asked for as PNG, or else its tiles are unchecked`(
    level: Int
  ) throws {
    let clear = try Pixels(width: 64, height: 48, bands: 4) { x, y, band in UInt8(x + y + band) }
    let (png, jpeg) = (try Image(clear).pngBytes(), try Image(clear).jpegBytes(quality: 90))
    let server = try LoopbackServer { target in
      let description = #"{"width": 64, "height": 48, "profile": "level\#(level)"}"#
      if target.hasSuffix("info.json") {
        return .ok(Array(description.utf8), type: "application/json")
      }
      return target.hasSuffix("png")
        ? .ok(png, type: "image/png") : .ok(jpeg, type: "image/jpeg")
    }
    defer { server.stop() }
    let pipeline = try ForeignPipeline("i=iiif:http://127.0.0.1:\(server.port)/{name}")
    let place = try folder.write(png, as: "clear.png")
    let subject = try ServerSubject(pipeline, [place], lanes: 1, limits: .standard)
    let findings = try ask(subject).findings
    #expect(findings.wrong == 0, "\(findings.first ?? "")")
    #expect((findings.unchecked > 0) == (level == 0))
    #expect((findings.compared > 0) == (level == 2))
  }

  @Test func `a service whose tiles would make a million requests of a view is refused`() throws {
    let server = try LoopbackServer { _ in
      let text = #"{"width": 700, "height": 500, "tiles": [{"width": 1, "scaleFactors": [1]}]}"#
      return .ok(Array(text.utf8), type: "application/json")
    }
    defer { server.stop() }
    let pipeline = try ForeignPipeline("i=iiif:http://127.0.0.1:\(server.port)/{name}")
    #expect(throws: PipelineError.self) { _ = try pipeline.tiles(of: path) }
  }

  @Test func `only servers have tiles, and only this machine's names are not remote`() throws {
    let command = try ForeignPipeline("c=command:cp {file} {out.png}")
    #expect(throws: PipelineError.self) { _ = try command.tiles(of: path) }
    #expect(!command.isRemote)
    #expect(try !ForeignPipeline("t=tiles:pyramids/{stem}.dzi").isRemote)
    #expect(try !ForeignPipeline("t=tiles:http://Localhost:81/{stem}.dzi").isRemote)
    // A host that depends on the picture must not pass for this machine.
    #expect(try ForeignPipeline("t=tiles:http://127.0.0.1{stem}/a.dzi").isRemote)
    #expect(try ForeignPipeline("t=tiles:http://example.org:81/{stem}.dzi").isRemote)
  }
}

/// A pipeline whose regions are off by one column, except at the right edge.
private struct ShiftedPipeline: Pipeline {
  let name = "shifted"
  let summary = "reads one column too far right"

  func open(_ path: FilePath) throws(PipelineError) -> any RegionSource {
    guard let pipeline = StandardPipelines().named("partial") else {
      throw PipelineError(.fault, operation: "open", file: path, reason: "partial is missing")
    }
    return ShiftedSource(try pipeline.open(path))
  }
}

private final class ShiftedSource: RegionSource {
  private let source: any RegionSource

  init(_ source: any RegionSource) { self.source = source }

  var size: PixelSize { source.size }
  var state: SourceState { source.state }
  var openingWork: Work { source.openingWork }
  var explanation: String { source.explanation }
  func forget() { source.forget() }

  func read(_ request: RegionRequest) throws(PipelineError) -> RegionAnswer {
    let region = request.region
    let moved = try? PixelRegion(
      x: region.x + 1, y: region.y, width: region.width, height: region.height)
    guard request.reduction == .none, let moved, moved.isInside(size) else {
      return try source.read(request)
    }
    return try source.read(RegionRequest(moved))
  }
}
