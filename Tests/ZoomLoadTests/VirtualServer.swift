import ForeignPipelines
import ZoomGeometry
import ZoomLoad
import ZoomPipeline

/// Pictures whose right answers are short texts; nothing is decoded.
struct NamedParts: LoadSubject {
  let pictures: [TileGrid]
  let worksInThread = false

  init(_ sizes: [(Int, Int)] = [(4000, 3000)], tile: Int = 256) throws {
    let tile = try PixelSize(width: tile, height: tile)
    pictures = try sizes.map { width, height in
      let size = try PixelSize(width: width, height: height)
      return TileGrid(size: size, tile: tile, factors: TileGrid.halvings(of: size, tile: tile))
    }
  }

  static func body(_ part: LoadPart) -> [UInt8] {
    let request = part.tile.request
    return Array("\(part.picture) \(request.region) \(request.reduction.rawValue)".utf8)
  }

  func answer(_ part: LoadPart, lane: Int) -> LoadAnswer {
    return LoadAnswer(body: Self.body(part))
  }

  func verdict(on digest: UInt64, body: [UInt8]?, of part: LoadPart) -> AnswerVerdict {
    if digest == LoadAnswer.digest(Self.body(part)) { return .right }
    return .faulty(body?.count ?? 0 < 6 ? .short : .wrong, "it names another part")
  }

  func endChecks() {}
}

/// A server with some workers on a virtual clock.
final class VirtualServer {
  /// A request as the server sees it.
  struct Request {
    let number: Int
    let part: LoadPart
    let viewer: Int
    let time: UInt64
    /// The requests that are being answered, this one included.
    let running: [LoadPart]
  }

  typealias Reply = (Request) -> (nanoseconds: UInt64, answer: LoadAnswer)

  static let millisecond: UInt64 = 1_000_000

  private let workers: Int
  private let reply: Reply
  /// The time by which the generator sends each request too late.
  private let lateness: UInt64
  /// The time at which the generator wakes, which may be later than the one at which it should.
  private let wake: (UInt64) -> UInt64
  private var count = 0

  init(
    workers: Int = 4, lateness: UInt64 = 0, wake: @escaping (UInt64) -> UInt64 = { $0 },
    _ reply: @escaping Reply
  ) {
    (self.workers, self.lateness, self.wake, self.reply) = (workers, lateness, wake, reply)
  }

  /// A server without faults that takes some milliseconds for each request.
  static func sound(workers: Int = 4, milliseconds: UInt64 = 5) -> VirtualServer {
    VirtualServer(workers: workers) {
      (milliseconds * millisecond, LoadAnswer(body: NamedParts.body($0.part)))
    }
  }

  func drive(_ engine: inout LoadEngine, _ tick: (UInt64, LoadEngine) -> Bool) {
    var now: UInt64 = 0
    var waiting: [(ticket: LoadEngine.Ticket, sent: UInt64)] = []
    var running: [(ticket: LoadEngine.Ticket, sent: UInt64, end: UInt64, answer: LoadAnswer)] = []
    while true {
      if !tick(now, engine) { engine.stop(at: now) }
      waiting += engine.start(at: now).map { (ticket: $0, sent: now + lateness) }
      while running.count < workers, !waiting.isEmpty {
        let (ticket, sent) = waiting.removeFirst()
        count += 1
        let answered = reply(
          Request(
            number: count, part: ticket.part, viewer: ticket.viewer, time: now,
            running: running.map { $0.ticket.part } + [ticket.part]))
        running.append((ticket, sent, max(now, sent) + answered.nanoseconds, answered.answer))
      }
      if engine.isOver { return }
      let next = ([engine.nextWake].compactMap { $0 } + running.map { $0.end }).min() ?? .max
      now = max(now, wake(next))
      let done = running.filter { $0.end <= now }.sorted { $0.end < $1.end }
      running.removeAll { $0.end <= now }
      for each in done { engine.finish(each.ticket, sent: each.sent, at: each.end, each.answer) }
    }
  }
}

extension LoadSettings {
  /// A bound of p95 below a second, on a screen of 1280 by 800 pixels.
  static func usual(seed: UInt64 = 1, stepSeconds: Double = 20) throws -> LoadSettings {
    var settings = LoadSettings(
      bound: .usual, model: .seeded(screen: try PixelSize(width: 1280, height: 800)))
    (settings.seed, settings.stepSeconds) = (seed, stepSeconds)
    return settings
  }
}

extension LoadRun {
  init(_ subject: NamedParts, _ server: VirtualServer, _ settings: LoadSettings) {
    self.init(subject, settings) { engine, tick in server.drive(&engine, tick) }
  }

  /// Judges all steps so far, and returns the findings.
  mutating func findings() -> [String] {
    report.judge()
    return report.findings
  }
}
