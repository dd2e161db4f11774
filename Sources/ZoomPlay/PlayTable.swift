internal import Foundation
internal import Measurement
internal import ZoomFrames
internal import ZoomGeometry
internal import ZoomLaws
internal import ZoomPipeline

/// The state of one page: its live system or script, and the frames sent to it.
struct PlayTable {
  private let library: PlayLibrary
  var isWanted: @Sendable () -> Bool = { true }

  private enum Played {
    case nothing
    /// A live system with the monotonic time at which it began; without it the system moves by the page's clock.
    case live(LivePlay, start: UInt64?)
    case script(PlayedScript, moment: Int)
  }

  private var played = Played.nothing
  /// The index of the picture in the library; nil for a painted picture.
  private var picture: Int?
  private var view = PlayView(panels: [], difference: nil, lossless: nil)
  /// The renderers of the picture by the names of their sources.
  private var renderers: [String: FrameRenderer] = [:]
  /// The part of the library's memory that the frames use.
  private var reservation: MemoryBudget.Reservation?
  /// The pixels that each panel shows; nil for an empty panel.
  private var shown: [Pixels?] = []
  /// Whether drawing has failed; the next request that changes the contents allows another try.
  private var hasFailed = false
  /// Whether something is not drawn yet.
  private var isStale = false
  /// The number of frames sent, and of those that the page has shown.
  private var sent = 0, shownCount = 0
  /// The number of the last message of events, and the arrival of the first without a frame.
  private var lastEvents = 0
  private var arrival: UInt64?
  /// The system's clock minus the page's, in seconds: at the least delay seen, or at the page's first message of events.
  private var clockOffset: Double?

  /// The most frames sent but not shown: one is in transit while the other is put on the screen.
  private static let mostUnshown = 2
  /// The most events that wait for a frame: a minute of one finger's samples.
  private static let mostWaiting = 4096
  /// The most pixels of a screen: four times a telephone's.
  private static let mostPixels = 1 << 24
  /// The memory per pixel of a panel, in bytes: shown (3), drawn (3, and 8 while blending), sent (4, twice
  /// while the message is made), and in transit (4 for each of two frames).
  private static let bytesPerPixel = 32
  /// The number of screens, at 4 bytes per pixel, whose answers and layers a renderer keeps.
  private static let heldScreens = 8

  init(library: PlayLibrary) { self.library = library }

  var hello: PlayAnswer.Hello {
    PlayAnswer.Hello(
      pictures: library.pictures.map(\.name), sources: library.sources,
      scripts: library.scripts.map {
        PlayAnswer.Hello.Script(name: $0.name, system: $0.system, title: $0.script.name)
      }, canSave: library.save != nil)
  }

  /// Whether an animation is running and the page has room for a frame.
  var wantsTime: Bool {
    guard case .live(let live, .some) = played else { return false }
    return !hasFailed && live.isMoving && sent - shownCount < Self.mostUnshown
  }

  /// Handles a request and returns its answer, if any.
  mutating func take(
    _ request: PlayRequest, arrivedAt arrival: UInt64
  ) throws -> PlayAnswer? {
    switch request {
    case .live(let scene):
      let size = try source(firstSource, of: scene.picture).size
      var live = try LivePlay(scene, picture: size, memory: library.memory)
      let isPages = scene.clock == .page
      // Drawing does not move it, so its first state is made here.
      if isPages { _ = live.step(to: 0) }
      begin(.live(live, start: isPages ? nil : arrival), on: scene.picture)
      return PlayAnswer(
        live: PlayAnswer.Live(picture: size, ticksPerSecond: LivePlay.ticksPerSecond))
    case .view(let view):
      guard (1...3).contains(view.panels.count) else { throw PlayError("a view has 1 to 3 panels") }
      self.view = view
      // Opens the picture again if it was replaced.
      renderers = [:]
      forget()
    case .events(let batch): try take(batch, arrivedAt: arrival)
    case .shown(let number):
      // A page cannot have shown more than was sent.
      shownCount = max(shownCount, min(number, sent))
    case .record: return PlayAnswer(script: try recording())
    case .save(let name):
      guard let save = library.save else {
        throw PlayError("nothing is saved here (start zoombench play with --record-to)")
      }
      return PlayAnswer(saved: try save(recording(), name))
    case .play(let wanted): return try play(wanted)
    case .show(let moment):
      guard case .script(let script, _) = played else {
        throw PlayError("no script is played")
      }
      guard script.times.indices.contains(moment) else {
        throw PlayError("the script has no moment \(moment)")
      }
      played = .script(script, moment: moment)
      hasFailed = false
      isStale = true
    case .counterexample: break
    }
    return nil
  }

  private mutating func take(_ batch: PlayEvents, arrivedAt arrival: UInt64) throws {
    guard case .live(var live, let start) = played else { return }
    let (now, offset): (Double, Double)
    if let start {
      now = Double(arrival - start) / 1e9
      // The smallest delay seen so far is taken as the network's; whatever is longer is time that the
      // message has waited.
      offset = min(clockOffset ?? .infinity, now - batch.sent)
    } else {
      offset = clockOffset ?? -batch.sent
      now = batch.sent + offset
    }
    // A second less than a recording may last, because events are put after the tick that is shown.
    guard now < GestureScript.latestTime - 1 else {
      throw PlayError("the zoom system has run for a day (choose it again)")
    }
    // Drops the second reference to the recording, so that it is not copied.
    played = .nothing
    clockOffset = offset.isFinite ? offset : nil
    var failure: (any Error)?
    for event in batch.events {
      do {
        try live.take(event, at: min(now, event.time + (clockOffset ?? 0)))
      } catch { failure = error }
    }
    // On the page's clock each message is a step, so that it does not matter which ones share a frame. On the
    // server's, frames are steps; without them the system is stepped here, because waiting events take memory.
    if start == nil || live.waiting > Self.mostWaiting { _ = live.step(to: now) }
    played = .live(live, start: start)
    lastEvents = batch.number
    if self.arrival == nil { self.arrival = arrival }
    isStale = true
    if let failure { throw failure }
  }

  private mutating func play(_ wanted: PlayScript) throws -> PlayAnswer {
    let script: GestureScript
    if wanted.recorded == true {
      script = try recording()
    } else if let own = wanted.script {
      script = own
    } else if let known = library.scripts.first(where: { $0.name == wanted.name }) {
      script = known.script
    } else {
      throw PlayError("there is no script named \(wanted.name ?? "")")
    }
    let size = try source(firstSource, of: wanted.picture).size
    let played = try PlayedScript(
      script, system: wanted.system, picture: size, title: wanted.name ?? script.name,
      memory: library.memory)
    return open(played, on: wanted.picture)
  }

  /// Opens a counterexample on a painted picture, because it may have any size.
  mutating func open(_ found: PlayLibrary.FoundCase, law: PlayedCase) throws -> PlayAnswer {
    var script = try PlayedScript(
      found.gesture.script, system: found.system, picture: found.gesture.picture,
      title: "\(law.law) \(law.subject)", memory: library.memory)
    script.law = found.law
    return open(script, on: nil)
  }

  private mutating func open(_ script: PlayedScript, on picture: Int?) -> PlayAnswer {
    begin(.script(script, moment: script.opening), on: picture)
    return PlayAnswer(
      timeline: PlayAnswer.Timeline(
        title: script.title, system: script.system, picture: script.picture,
        pictureName: picture.map { library.pictures[$0].name } ?? "a painted picture",
        screen: script.script.screen, times: script.times, events: script.script.events,
        opening: script.opening, law: script.law))
  }

  private func recording() throws -> GestureScript {
    guard case .live(let live, _) = played else {
      throw PlayError("no live system is pressed on")
    }
    guard live.isRecording else {
      throw PlayError(
        "recording has stopped: more than \(LivePlay.mostEvents) events, or no memory is left"
          + " (choose the system again to record from the start)")
    }
    return try live.script()
  }

  private mutating func begin(_ played: Played, on picture: Int?) {
    self.played = played
    self.picture = picture
    clockOffset = nil
    arrival = nil
    renderers = [:]
    reservation = nil
    forget()
  }

  private mutating func forget() {
    shown = []
    hasFailed = false
    isStale = true
  }

  private var firstSource: String { library.sources[0] }

  private func source(_ name: String, of picture: Int) throws -> any RegionSource {
    try library.source(name, of: picture, isWanted: isWanted)
  }

  // MARK: Frames

  /// Returns the next frame; nil if the page shows it already or cannot take another.
  mutating func frame() throws -> Data? {
    guard sent - shownCount < Self.mostUnshown, !view.panels.isEmpty, !hasFailed else { return nil }
    // Stays true if drawing throws.
    hasFailed = true
    let frame = try drawn()
    hasFailed = false
    return frame
  }

  private mutating func drawn() throws -> Data? {
    switch played {
    case .nothing: return nil
    case .live(var live, let start):
      guard isStale || live.isMoving else { return nil }
      let isChanged =
        start.map { live.step(to: Double(Timestamps.monotonic() - $0) / 1e9) } ?? false
      let events = live.takeEvents(view.panels[0].form)
      played = .live(live, start: start)
      guard isChanged || isStale else { return nil }
      let isAtRest = !live.isTouched && !live.isMoving
      return try frame(
        Moment(
          time: Double(live.tick) / LivePlay.ticksPerSecond, events: events,
          isMoving: live.isMoving, isAtRest: isAtRest, system: live.system, size: live.picture),
        state: { live[$0].state }, failure: { live[$0].failure })
    case .script(let script, let moment):
      guard isStale else { return nil }
      return try frame(
        Moment(
          number: moment, time: script.times[moment],
          events: script.state(view.panels[0].form, at: moment).map {
            $0.time == script.times[moment] ? $0.events : []
          } ?? [],
          isMoving: false, isAtRest: script.isAtRest(moment), system: script.system,
          size: script.picture),
        state: { script.state($0, at: moment) },
        failure: { $0 == .original ? script.failure : nil })
    }
  }

  private struct Moment {
    var number: Int?
    var time: Double
    var events: [ZoomEvent]
    var isMoving, isAtRest: Bool
    var system: ZoomSystem
    var size: PixelSize
  }

  private mutating func frame(
    _ moment: Moment, state: (ZoomForm) -> ZoomState?, failure: (ZoomForm) -> String?
  ) throws -> Data {
    isStale = false
    let isLossless = view.lossless ?? true
    var panels: [FrameHeader.Panel] = []
    var frames: [Pixels?] = []
    try reserve(view.panels.compactMap { state($0.form)?.screen.pixels.area })
    for wanted in view.panels {
      var panel = FrameHeader.Panel(
        form: wanted.form.rawValue, source: wanted.source, coding: isLossless ? "rgba" : "jpeg")
      panel.failure = failure(wanted.form)
      if let state = state(wanted.form) {
        frames.append(try draw(state, of: moment.size, in: &panel))
      } else {
        panel.failure = panel.failure ?? "nothing is shown"
        frames.append(nil)
      }
      panels.append(panel)
    }
    if view.difference == true, frames.count >= 2, let one = frames[0], let other = frames[1],
      one.size == other.size
    {
      panels.append(
        FrameHeader.Panel(
          form: "difference", source: panels[0].source, coding: panels[0].coding))
      frames.append(try Comparison(original: one, corrected: other, threshold: 2).marked)
    }
    var data: [[UInt8]] = []
    for (index, pixels) in frames.enumerated() {
      guard let pixels else { continue }
      let patch = try FramePatch(
        pixels, after: index < shown.count ? shown[index] : nil, isLossless: isLossless)
      panels[index].set(patch, of: pixels.size, at: data.reduce(0) { $0 + $1.count })
      data.append(patch.bytes)
    }
    // The next frame's patch is relative to these pixels; a page that receives JPEGs shows nearly these.
    shown = frames
    let first = state(view.panels[0].form)
    sent += 1
    let header = FrameHeader(
      number: sent, time: moment.time, moment: moment.number, answers: lastEvents,
      serverMilliseconds: arrival.map { Double(Timestamps.monotonic() - $0) / 1e6 },
      points: first.map { [$0.screen.size.width, $0.screen.size.height] } ?? [375, 667],
      recogniser: first?.recogniser ?? .possible, force: first?.force ?? 0, events: moment.events,
      broken: first.map {
        StateLaw.breaches(
          of: StateLaw.Moment(
            $0, of: moment.size, system: moment.system, isAtRest: moment.isAtRest))
      } ?? [], isMoving: moment.isMoving, panels: panels)
    arrival = nil
    return try Self.message(header, data)
  }

  /// Draws a state and describes its cost in the panel; nil if its screen is too large.
  private mutating func draw(
    _ state: ZoomState, of size: PixelSize, in panel: inout FrameHeader.Panel
  ) throws -> Pixels? {
    let screen = state.screen.pixels
    guard screen.area <= Self.mostPixels else {
      panel.failure = "a screen of \(screen) pixels is more than is shown here"
      return nil
    }
    let renderer = try renderer(panel.source, of: size, pixels: screen.area)
    let (frame, elapsed) = try Stopwatch().measure { () throws(PipelineError) in
      try renderer.render(state)
    }
    panel.milliseconds = Double(elapsed.wallNanoseconds) / 1e6
    panel.decoded = frame.work.pixelsDecoded
    panel.read = frame.work.bytesRead
    panel.outlines = state.outlines
    return frame.pixels
  }

  /// Returns a frame's message: the length of the header as a little-endian 32-bit number, the header in
  /// JSON, and the panels' pixels one after the other.
  private static func message(_ header: FrameHeader, _ data: [[UInt8]]) throws -> Data {
    let json = try JSONEncoder().encode(header)
    var message = Data(capacity: 4 + json.count + data.reduce(0) { $0 + $1.count })
    withUnsafeBytes(of: UInt32(json.count).littleEndian) { message.append(contentsOf: $0) }
    message.append(json)
    for part in data { message.append(contentsOf: part) }
    return message
  }

  private mutating func reserve(_ panels: [Int]) throws {
    let areas = panels.filter { $0 <= Self.mostPixels }
    guard let largest = areas.max() else { return }
    let pixels = areas.reduce(0, +) + (view.difference == true ? largest : 0)
    let sources = Set(view.panels.map(\.source)).count
    let bytes = pixels * Self.bytesPerPixel + sources * 2 * Self.heldBytes(largest)
    guard bytes > reservation?.bytes ?? 0 else { return }
    // Released first, because the new reservation includes it.
    reservation = nil
    reservation = library.memory.reserve(bytes)
    guard reservation == nil else { return }
    renderers = [:]
    shown = []
    let (limit, used) = (library.memory.limit / 1_000_000, library.memory.inUse / 1_000_000)
    let needed = "frames of this size take \(bytes / 1_000_000) MB, "
    throw PlayError(
      bytes > library.memory.limit
        ? needed
          + "more than the \(limit) MB for all pages (take a smaller screen or raise --memory)"
        : needed + "and of the \(limit) MB for all pages \(used) are in use"
          + " (close another page, take a smaller screen, or raise --memory)")
  }

  private static func heldBytes(_ pixels: Int) -> Int {
    min(FrameRenderer.mostHeldBytes, heldScreens * 4 * pixels)
  }

  /// Returns a renderer of the picture, which must have a size, read by a source.
  private mutating func renderer(
    _ source: String, of size: PixelSize, pixels: Int
  ) throws -> FrameRenderer {
    if let renderer = renderers[source] { return renderer }
    let opened: any RegionSource =
      if let picture { try self.source(source, of: picture) } else { PaintedSource(size) }
    guard opened.size == size else {
      throw PlayError("the picture was replaced by one of \(opened.size) pixels (reload the page)")
    }
    let renderer = FrameRenderer(source: opened, heldBytes: Self.heldBytes(pixels))
    renderers[source] = renderer
    return renderer
  }
}

extension FrameHeader.Panel {
  fileprivate mutating func set(_ patch: FramePatch, of size: PixelSize, at offset: Int) {
    (width, height) = (size.width, size.height)
    if let part = patch.part {
      (x, y, partWidth, partHeight) = (part.x, part.y, part.width, part.height)
    }
    (at, count) = (offset, patch.bytes.count)
  }
}

extension ZoomState {
  /// The corners of the visible part of the topmost picture, and of the preview frame, in points.
  fileprivate var outlines: [[Double]] {
    func corners(_ rect: ViewRect, _ map: Affine) -> [Double] {
      [(0, 0), (1, 0), (1, 1), (0, 1)].flatMap { x, y in
        let point = map.apply(
          to: ViewPoint(x: rect.x + Double(x) * rect.width, y: rect.y + Double(y) * rect.height))
        return [point.x, point.y]
      }
    }
    return [
      picture.map { corners($0.seen, $0.transform) }, previewFrame.map { corners($0, .identity) },
    ].compactMap { $0 }
  }
}
