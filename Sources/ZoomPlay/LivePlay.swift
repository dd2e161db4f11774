internal import ZoomGeometry
internal import ZoomLaws
internal import ZoomPipeline

/// A live system in both its forms, and what fingers have done to it.
///
/// Its clock has ticks, so that what is recorded plays again to the same states: the events that a
/// script would have by a tick are handled at it, and every tick at which something moves is stepped
/// through, drawn or not.
struct LivePlay: Sendable {
  /// Twice the usual screen's frames, so that two batches of events in one frame have a tick each.
  static let ticksPerSecond = 120.0

  /// The number of events that are recorded: an hour of one finger's samples.
  static let mostEvents = 200_000
  /// The largest number of touches in an event, the same as that of fingers that are down.
  ///
  /// The engine takes any number of samples in one event of movement. Browsers send one sample in
  /// each event.
  static let mostTouches = FingerTable.mostFingers

  let system: ZoomSystem
  let picture: PixelSize
  private let scene: GestureScript
  private var corrected, original: Form
  private var fingers = FingerTable(latest: GestureScript.latestTime)
  private(set) var recorded: [GestureEvent] = []
  /// Whether all events until now were recorded.
  private(set) var isRecording = true
  /// The share of the library's memory that the recording takes.
  private var reservation: GrowingReservation
  /// Whether a finger is down.
  var isTouched: Bool { fingers.isTouched }
  /// The number of events taken since the last step.
  private(set) var waiting = 0
  /// The last tick that was stepped to.
  private(set) var tick = -1

  /// A form with its last state; a published one may come to numbers that cannot be shown.
  private struct Form: Sendable {
    var zoom: TickedZoom
    var state: ZoomState?
    var failure: String?
    /// The events since a frame was last drawn.
    var events: [ZoomEvent] = []

    /// Goes on up to a tick; says whether anything may have changed.
    mutating func step(to tick: Int) -> Bool {
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

  /// Takes an event that happened at a time of the system's clock.
  ///
  /// An event that is older than the frame shown, or than the last event, is moved to the next possible time.
  /// - Throws: An error, with nothing changed, for an event that cannot happen or has too many touches.
  mutating func take(_ event: GestureEvent, at time: Double) throws {
    guard event.touchCount <= Self.mostTouches else {
      throw PlayError(
        "an event has \(event.touchCount) touches, more than \(Self.mostTouches)"
          + " (send several events)")
    }
    var event = event
    let time = time.isFinite ? time : 0
    // To a tenth of a millisecond, which is as exact as a browser's clock, and short in a file.
    event.time = (max(0, time) * 10_000).rounded() / 10_000
    if corrected.zoom.tick(of: event.time) <= tick {
      // A thousandth of a second after the tick that was shown: within the next.
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

  /// Goes on to a time, and at least past every event that was taken; says whether anything changed.
  mutating func step(to time: Double) -> Bool {
    let clock = corrected.zoom
    // Exact in integers for longer than a script may be.
    let now = time.isFinite ? clock.tick(of: min(max(0, time), GestureScript.latestTime)) : 0
    tick = max(tick + 1, now, clock.tick(of: fingers.time))
    waiting = 0
    let isChanged = corrected.step(to: tick)
    return original.step(to: tick) || isChanged
  }

  /// Whether an animation is running.
  var isMoving: Bool {
    [corrected, original].contains { $0.failure == nil && $0.zoom.followingTick != nil }
  }

  /// A form's last state; nil before the first step.
  func state(_ form: ZoomForm) -> ZoomState? {
    form == .corrected ? corrected.state : original.state
  }

  /// Why a form shows nothing more.
  func failure(_ form: ZoomForm) -> String? {
    form == .corrected ? corrected.failure : original.failure
  }

  /// Hands out, once, what happened since the last time.
  mutating func takeEvents(_ form: ZoomForm) -> [ZoomEvent] {
    defer {
      corrected.events = []
      original.events = []
    }
    return form == .corrected ? corrected.events : original.events
  }

  /// Returns the recording as a script.
  func script() throws(GeometryError) -> GestureScript { try scene.with(recorded) }
}

extension GestureEvent {
  fileprivate var touchCount: Int {
    if case .touches(_, let touches) = kind { touches.count } else { 0 }
  }

  /// The bytes that a list of events takes for this one with its touches.
  ///
  /// An array that has grown may have room for twice as many touches as it holds.
  var recordedBytes: Int { 256 + max(0, touchCount - 1) * 2 * MemoryLayout<Touch>.stride }
}
