internal import ArgumentParser
internal import Foundation
internal import Measurement
internal import ZoomGeometry
internal import ZoomLaws
internal import ZoomViewers

extension BenchCommand {
  func measureViewers() throws -> RunResult {
    let (named, settings) = (viewers.named, viewers.settings)
    // A wrong page is an error of the run, not a failure of a viewer.
    for each in named { _ = try ViewerEntry(each.name, page: each.page) }
    let browser = try settings.foundBrowser()
    let cases = try ViewerWorkerCommand.cases(settings).map(\.name)
    var run = BenchmarkRun(
      contenders: named.map { each in
        WorkerCommand(
          label: each.name, executable: Bundle.main.executablePath ?? CommandLine.arguments[0],
          arguments: [ViewerWorkerCommand.name, "--viewer", "\(each)", "--seed", "\(seed)"]
            + settings.arguments)
      },
      cases: cases.map { name in
        BenchmarkRun.Case(
          name: name, names: named.map { _ in name }, rounds: rounds.map { $0...$0 } ?? 3...60)
      }, launches: launches, seed: seed)
    let bar = ProgressBar(isQuiet: quiet)
    defer { bar.finish() }
    bar.announce("timing \(Format.count(cases.count, "script")) in each viewer")
    run.isCancelled = { Interruption.isCancelled }
    var begun = 0
    run.report = { name, _ in
      bar.update(Double(begun) / Double(cases.count * launches), name)
      begun += 1
    }
    var result = RunResult(
      kind: .bench, command: ["zoombench"] + GivenAddresses.arguments.dropFirst(),
      startedAt: Date().ISO8601Format(), seed: seed, environment: .current(),
      contenders: named.map {
        RunResult.Contender(name: $0.name, kind: .viewer, tool: browser.version, clock: .cpu)
      })
    Interruption.cancelFirst()
    // Three minutes suffice for ten rounds of two viewers.
    var time = TimeBudget(
      nanoseconds: UInt64((budget?.seconds ?? 180) * 1e9), cases: cases.count * launches)
    let outcomes = run.measure(within: &time)
    if Interruption.isCancelled { result.partial = "interrupted" }
    result.addViewers(outcomes, of: named.map(\.name), in: cases)
    result.judge()
    return result
  }
}

extension RunResult {
  var isOfViewers: Bool { kind == .bench && contenders.contains { $0.kind == .viewer } }

  mutating func addViewers(
    _ outcomes: [BenchmarkRun.Outcome], of names: [String], in cases: [String]
  ) {
    let (card, size) = ("card", ViewerWorkerCommand.picture)
    let facts = PictureFacts(
      name: card, path: "", width: size.width, height: size.height, byteCount: 0,
      facts: ["\(size)"])
    pictures = [facts]
    for (script, outcome) in zip(cases, outcomes) where outcome.rounds.first?.isEmpty == false {
      let group = Group(
        regions: outcome.rounds.joined().map { _ in [0, 0, size.width, size.height] },
        refusals: [], script: script)
      groups["\(card)/\(script)"] = group
      for (name, arm) in zip(names, outcome.arms) {
        var row = Row(name, Row.Verdict(.agrees), at: card, in: group)
        if let failure = arm.failure {
          row.verdict = Row.Verdict(.failed, reason: failure)
        } else {
          (row.wall, row.cpu, row.counters) = (arm.wall, arm.cpu, arm.counters)
          // verify judges what is shown.
          row.bench = Row.Answers(isExact: false)
        }
        rows.append(row)
      }
    }
  }

  var viewerBlocks: [Block] {
    let failed = rows.filter { $0.verdict.standing == .failed }
    let text = """
      gain: how many times faster than \(contenders[0].name), from opening the page to rest, pairs \
      of the same gesture; each tile takes 40 ms. sharp: from the last event to the last change, \
      by the page's clock. late: frames of more than 16.7 ms. memory: the renderer's peak so far.
      """
    return [
      .lines(benchHeading), .table(title: nil, TextTable(Column.viewers, rows)),
      .lines(failed.map { "\($0.name) FAILED: \($0.verdict.reason ?? "")" }),
      .lines([text] + (partial.map { ["This run was \($0)."] } ?? [])),
    ]
  }
}

/// The worker of `bench` and `compare` for a web viewer, internal: it plays scripts from opening the page to rest.
struct ViewerWorkerCommand: ParsableCommand {
  static let name = "viewer-worker"
  static let configuration = CommandConfiguration(
    commandName: name, abstract: "Time scripts in a web viewer as standard input asks.",
    shouldDisplay: false)

  @Option(transform: NamedViewer.init(_:)) var viewer: NamedViewer
  @Option var seed: UInt64 = 1
  @OptionGroup var settings: ViewerSettings

  /// The size of the test card that all viewers show: about a hundred tiles.
  static let picture = PixelRegion(uncheckedX: 0, y: 0, width: 3001, height: 2003).size

  func run() throws {
    let (browser, schemes) = (try settings.foundBrowser(), try settings.schemes())
    let entry = try ViewerEntry(viewer.name, page: viewer.page)
    let web = WebViewer(entry, schemes: schemes, browser: browser)
    defer { web.close() }
    let cases = try Self.cases(settings).map { name, script, ratio in
      WorkerCase(name: name) {
        ViewerWork(viewer: web) {
          try script.played(round: $0, seed: seed, ratio: ratio, tiles: schemes[0], Self.picture)
        }
      }
    }
    BenchmarkWorker.serve(
      tool: "zoombench \(ToolVersion.number) with \(viewer) in \(browser.version)", cases: cases,
      stopwatch: Stopwatch(cpu: { LiveWorkers.processorTime() ?? Timestamps.monotonic() }),
      memory: { web.rendererMemory() })
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
  let viewer: WebViewer
  /// Returns the case of a round, in microseconds.
  let playing: (Int) throws -> ViewerCase

  func run(round: Int, extra: Int) throws -> [String: Int] {
    let each = try playing(round)
    let play = try viewer.play(each, isBrief: true)
    guard play.ending == .alive else {
      throw Failure(.finding, "the page is \(play.ending) by \(each.gesture.script.name)")
    }
    return Self.counts(of: play, each)
  }

  func counters(round: Int) throws -> [String: Int] { try run(round: round, extra: 0) }

  static let (lateFrames, sharp) = ("late frames", "sharp pixels, ms")

  /// Returns the costs of a play, which repeat exactly except for late frames.
  static func counts(of play: ViewerPlay, _ each: ViewerCase) -> [String: Int] {
    let (requests, frames, script) = (play.requests, play.frames, each.gesture.script)
    let tiles = requests.filter { $0.isRight && $0.status == 200 }
    let shown = play.looks.filter(\.isSettled).compactMap(\.sight.place?.visibleShare)
    // The view is wanted when the page is opened, or when the last event asks for it.
    let wanted = script.events.last?.time ?? frames.first?.time ?? 0
    let last = frames.lastIndex { $0.hasDamage }
    let change = last.map { max(wanted, frames[$0].time) } ?? wanted
    // A page that draws for ever is at rest before its last change.
    let rest = script.events.isEmpty ? nil : play.restAfter
    return [
      "requests": requests.count, "bytes read": requests.reduce(0) { $0 + $1.bytes },
      "pixels decoded": tiles.reduce(0) { $0 + ($1.region?.size.area ?? 0) >> (2 * $1.level) },
      "pixels delivered": Int(shown.reduce(0, +) * Double(script.screen.pixels.area)),
      "frames": last.map { $0 + 1 } ?? 0,
      // A screen draws 60 frames per second.
      Self.lateFrames: frames.count(where: { $0.milliseconds > 16.7 }),
      Self.sharp: Int((1000 * min(change - wanted, rest ?? .infinity)).rounded()),
    ]
  }
}

enum ViewerScript: String, CaseIterable {
  case open, drag, pinch, wheel, flick
  case doubleTap = "double-tap"
  case journey

  /// The seconds between deeds, in which viewers come to rest.
  private static let pause = 1.0
  /// The seconds after which each tile arrives; no usual viewer makes more requests.
  private static let (latency, mostRequests) = (0.04, 500)

  func played(
    round: Int, seed: UInt64, ratio: Double, tiles: TileScheme, _ picture: PixelSize
  ) throws(GeometryError) -> ViewerCase {
    let screen = try Screen(size: ViewSize(width: 360, height: 480), scale: ratio)
    let point = StratifiedPoints(seed: seed).point(at: round)
    // The fingers' ways stay on the screen.
    let place = ViewPoint(
      x: screen.size.width * (0.35 + 0.3 * point.x), y: screen.size.height * (0.35 + 0.3 * point.y))
    let events = GestureWriter.events(of: actions(at: place, middle: screen.bounds.centre))
    let script = try GestureScript(name: rawValue, screen: screen, events: events)
    return ViewerCase(
      gesture: GestureCase(script: script, picture: picture), tiles: tiles,
      delivery: (0..<Self.mostRequests).map { Delivery(ordinal: $0, .delay(Self.latency)) })
  }

  private func actions(at place: ViewPoint, middle: ViewPoint) -> [GestureAction] {
    func action(_ deed: GestureAction.Deed) -> GestureAction {
      GestureAction(after: Self.pause, deed)
    }
    func pinch(_ middle: ViewPoint) -> GestureAction {
      action(.pinch(.spread(at: middle, by: 3, arm: ViewPoint(x: 0, y: 40), steps: 10)))
    }
    func drag(steps: Int, rest: Double) -> [GestureAction] {
      let end = place - ViewPoint(x: 90, y: 60)
      let pan = action(.pan(finger: 0, from: place, to: end, steps: steps))
      return [pinch(middle), pan, GestureAction(after: rest, .lift([0]))]
    }
    return switch self {
    case .open: []
    // A finger that rests before it is lifted throws nothing.
    case .drag: drag(steps: 15, rest: 0.3)
    case .flick: drag(steps: 5, rest: GestureWriter.sampling)
    case .pinch: [pinch(place)]
    case .wheel: [action(.wheel(at: place, steps: [-100, -100, -100, 100]))]
    case .doubleTap: [action(.doubleTap(at: place, then: place, gap: 0.1))]
    case .journey: Self.allCases.dropLast().flatMap { $0.actions(at: place, middle: middle) }
    }
  }
}
