internal import ArgumentParser
internal import Measurement
internal import ZoomGeometry
internal import ZoomLaws
internal import ZoomViewers

/// The worker of `bench` and `compare` for a web viewer; internal.
///
/// Each round plays a script from opening the page to rest.
struct ViewerWorkerCommand: ParsableCommand {
  static let name = "viewer-worker"
  static let configuration = CommandConfiguration(
    commandName: name, abstract: "Time scripts in a web viewer as standard input asks.",
    shouldDisplay: false)

  @Option var viewer: String
  @Option var seed: UInt64 = 1
  @OptionGroup var settings: ViewerSettings
  @OptionGroup var limits: LimitOptions

  func run() throws {
    let (named, browser) = (try NamedViewer(viewer), try settings.foundBrowser())
    let (schemes, picture) = (try settings.schemes(), try Self.picture())
    let web = WebViewer(
      try named.entry(settings), schemes: schemes, browser: browser, limits: limits.limits,
      pictures: WebViewer.generated)
    defer { web.close() }
    let cases = try Self.cases(settings).map { name, script, ratio in
      WorkerCase(name: name) {
        try ViewerWork(web) {
          try script.played(round: $0, seed: seed, ratio: ratio, tiles: schemes[0], picture)
        }
      }
    }
    BenchmarkWorker.serve(
      tool: "zoombench \(ToolVersion.number) with \(named) in \(browser.version)", cases: cases,
      stopwatch: Stopwatch(cpu: { LiveWorkers.processorTime() ?? Timestamps.monotonic() }),
      memory: { web.rendererMemory() })
  }

  /// Returns the size of the test card that all viewers show: about a hundred tiles.
  static func picture() throws(GeometryError) -> PixelSize {
    try PixelSize(width: 3001, height: 2003)
  }

  /// Returns the cases: "pinch@1" is a pinch at a device pixel ratio of 1.
  static func cases(
    _ settings: ViewerSettings
  ) throws -> [(name: String, script: ViewerScript, ratio: Double)] {
    try settings.chosenRatios(otherwise: [1]).flatMap { ratio in
      ViewerScript.allCases.map {
        (name: "\($0.rawValue)@\(Format.number(ratio))", script: $0, ratio: ratio)
      }
    }
  }
}

struct ViewerWork: WorkerSubject {
  private let viewer: WebViewer
  private let playing: (Int) throws -> ViewerCase
  private var each: ViewerCase

  init(_ viewer: WebViewer, playing: @escaping (Int) throws -> ViewerCase) throws {
    (self.viewer, self.playing, each) = (viewer, playing, try playing(0))
  }

  mutating func prepare(round: Int) throws { each = try playing(round) }

  func run(round: Int, extra: Int) throws -> ViewerCounts.Timed {
    let timed = try viewer.timed(each)
    guard timed.play.ending == .alive else {
      throw Failure(.finding, "the page is \(timed.play.ending) by \(each.gesture.script.name)")
    }
    return timed
  }

  mutating func counters(round: Int) throws -> [String: Int] {
    try prepare(round: round)
    return ViewerCounts.of(try run(round: round, extra: 0), each)
  }
}

/// The costs of a play, which repeat exactly except for late frames.
enum ViewerCounts {
  typealias Timed = (play: ViewerPlay, frames: [VirtualPage.StepResult])

  static let lateFrames = "late frames"
  static let (first, sharp) = ("first pixels, ms", "sharp pixels, ms")
  /// The longest frame of a screen that draws 60 per second, in milliseconds.
  private static let longestFrame = 16.7

  static func of(_ timed: Timed, _ each: ViewerCase) -> [String: Int] {
    let (requests, frames) = (timed.play.requests, timed.frames)
    let tiles = requests.filter { $0.isRight && $0.status == 200 }
    let shown = timed.play.looks.filter(\.isSettled).compactMap(\.sight.place).map {
      $0.visibleShare * Double(each.gesture.script.screen.pixels.area)
    }
    var counts = [
      "requests": requests.count, "repeated requests": requests.count(where: \.isRepeat),
      "bytes read": requests.reduce(0) { $0 + $1.bytes },
      "pixels decoded": tiles.reduce(0) { $0 + ($1.region?.size.area ?? 0) >> (2 * $1.level) },
      "pixels delivered": Int(shown.reduce(0, +)), "frames": frames.count,
      "changed frames": frames.count(where: \.hasDamage),
      lateFrames: frames.count { $0.milliseconds > longestFrame },
    ]
    // The view is wanted when the page is opened, or when the last event asks for it.
    let wanted = each.gesture.script.events.last?.time ?? frames.first?.time ?? 0
    let changes = frames.filter { $0.hasDamage && $0.time > wanted }.map(\.time)
    let arrival = tiles.map(\.answered).filter { $0 > wanted }.min() ?? wanted
    func milliseconds(_ time: Double?) -> Int {
      time.map { Int((1000 * ($0 - wanted)).rounded()) } ?? 0
    }
    counts[first] = milliseconds(changes.first { $0 >= arrival })
    let rest = each.gesture.script.events.isEmpty ? nil : timed.play.restAfter
    counts[sharp] = min(milliseconds(changes.last), rest.map { Int(1000 * $0) } ?? .max)
    return counts
  }
}
