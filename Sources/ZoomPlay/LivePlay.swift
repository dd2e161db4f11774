internal import ZoomGeometry
internal import ZoomLaws
internal import ZoomPipeline

/// A live system in both forms, and the recording of its events.
///
/// Time advances in ticks, so that a recording plays again to the same states: events are handled at the tick
/// at which a script would handle them, and every tick with movement is computed, drawn or not.
struct LivePlay: Sendable {
  /// Twice the usual frame rate, so that two batches of events in one frame have separate ticks.
  static let ticksPerSecond = 120.0

  /// The most events of a recording: an hour of one finger's samples.
  static let mostEvents = 200_000
  /// The most touches in an event, equal to the most fingers that can be down.
  ///
  /// The engine accepts any number of samples in one event. Browsers send one sample in each event.
  static let mostTouches = FingerTable.mostFingers

  let system: ZoomSystem
  let picture: PixelSize
  private let scene: GestureScript
  private var corrected, original: Form
  private var fingers = FingerTable(latest: GestureScript.latestTime)
  private(set) var recorded: [GestureEvent] = []
  private(set) var isRecording = true
  /// The part of the library's memory that the recording uses.
  private var reservation: GrowingReservation
  var isTouched: Bool { fingers.isTouched }
  /// The number of events received since the last step.
  private(set) var waiting = 0
  private(set) var tick = -1

  /// A form of the system; the published form may produce numbers that cannot be shown.
  struct Form: Sendable {
    fileprivate var zoom: TickedZoom
    /// The last state; nil before the first step.
    fileprivate(set) var state: ZoomState?
    /// The reason why the form has stopped; nil while it works.
    fileprivate(set) var failure: String?
    fileprivate var events: [ZoomEvent] = []

    /// Advances to a tick; returns whether anything may have changed.
    fileprivate mutating func step(to tick: Int) -> Bool {
      guard failure == nil else { return false }
      var isChanged = false
      while let following = zoom.followingTick, following <= tick {
        do {
          guard let next = try zoom.step() else { break }
          events += next.events
          // If no frame is drawn for long, the latest events are enough.
          if events.count > 1000 { events.removeFirst(500) }
          state = next
          isChanged = true
        } catch {
          failure = "the published formulas come to numbers that cannot be shown: \(error)"
          return true
        }
      }
      return isChanged
    }
  }

  init(_ scene: PlayScene, picture: PixelSize, memory: MemoryBudget) throws(GeometryError) {
    system = scene.system
    reservation = GrowingReservation(memory)
    self.picture = picture
    let script = try GestureScript(
      name: "Recorded on a page", screen: scene.screen, framesPerSecond: Self.ticksPerSecond,
      maximumForce: scene.maximumForce ?? GestureScript.usualMaximumForce, press: scene.press,
      device: scene.device ?? .portrait, interface: scene.interface ?? .portrait,
      stage: scene.stage ?? Stage(), events: [])
    self.scene = script
    func form(_ form: ZoomForm) throws(GeometryError) -> Form {
      let zoom = try LiveZoom(scene.system, picture: picture, scene: script.scene, form: form)
      return Form(zoom: TickedZoom(zoom, ticksPerSecond: Self.ticksPerSecond))
    }
    corrected = try form(.corrected)
    original = try form(.original)
  }

  /// Handles an event that happened at a time of the system's clock.
  ///
  /// An event that is older than the frame shown, or than the last event, is moved to the next possible time.
  /// - Throws: An error, with nothing changed, if the event is impossible or has too many touches.
  mutating func take(_ event: GestureEvent, at time: Double) throws {
    guard event.touchCount <= Self.mostTouches else {
      throw PlayError(
        "an event has \(event.touchCount) touches, more than \(Self.mostTouches)"
          + " (send several events)")
    }
    var event = event
    let time = time.isFinite ? time : 0
    // Rounded to 0.1 ms, the resolution of a browser's clock, which keeps recordings short.
    event.time = (max(0, time) * 10_000).rounded() / 10_000
    if corrected.zoom.tick(of: event.time) <= tick {
      // 1 ms after the tick that was shown, within the next one.
      event.time = ((Double(tick) / Self.ticksPerSecond + 0.001) * 10_000).rounded() / 10_000
    }
    event.time = max(event.time, fingers.time)
    try fingers.take(event)
    waiting += 1
    corrected.zoom.take(event)
    original.zoom.take(event)
    isRecording =
      isRecording && recorded.count < Self.mostEvents && reservation.grow(by: event.recordedBytes)
    if isRecording { recorded.append(event) }
  }

  /// Advances to a time, and at least past every received event; returns whether anything changed.
  mutating func step(to time: Double) -> Bool {
    let clock = corrected.zoom
    // Integers represent ticks exactly for longer than a script may last.
    let now = time.isFinite ? clock.tick(of: min(max(0, time), GestureScript.latestTime)) : 0
    tick = max(tick + 1, now, clock.tick(of: fingers.time))
    waiting = 0
    let isChanged = corrected.step(to: tick)
    return original.step(to: tick) || isChanged
  }

  var isMoving: Bool {
    [corrected, original].contains { $0.failure == nil && $0.zoom.followingTick != nil }
  }

  subscript(form: ZoomForm) -> Form { form == .corrected ? corrected : original }

  /// Returns the events of a form since the last call, and drops those of both forms.
  mutating func takeEvents(_ form: ZoomForm) -> [ZoomEvent] {
    defer {
      corrected.events = []
      original.events = []
    }
    return self[form].events
  }

  func script() throws(GeometryError) -> GestureScript { try scene.with(recorded) }
}

extension GestureEvent {
  fileprivate var touchCount: Int {
    if case .touches(_, let touches) = kind { touches.count } else { 0 }
  }

  /// The memory of this event in a list, in bytes.
  ///
  /// The array of touches may have capacity for twice as many as it holds.
  var recordedBytes: Int { 256 + max(0, touchCount - 1) * 2 * MemoryLayout<Touch>.stride }
}
