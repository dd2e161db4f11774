/// A zoom system, driven live: it takes events as they come and returns the layers to draw.
///
///     var zoom = try LiveZoom(.peek, picture: size, scene: ZoomScene(screen: screen))
///     try zoom.handle(GestureEvent(time: now, kind: .touches(.began, [touch])))
///     for layer in try zoom.layers() { … }          // what to draw, from back to front
///     for event in zoom.events { … }                // peek, pop, dismiss, cancelled …
///     zoom.clearEvents()
///     if zoom.isMoving { … }                        // call advance(to:) on the next frame
///
/// Times are in seconds since any moment that the caller chooses; they are not negative and do not
/// go back. The time since the boot (`UITouch.timestamp`, `CACurrentMediaTime()`) serves as well as
/// the time since 1970 (`Date().timeIntervalSince1970`), up to ``latestTime``. A `Double` resolves
/// 2.4e-7 s in 2026, so a time since 1970 may complete a long press a frame later.
///
/// It is a value. The same events give the same layers. After the first few events a step allocates
/// nothing, as long as the caller keeps no array of layers from one step to the next.
public struct LiveZoom: Sendable {
  /// The latest time of an event in seconds: 2^32, which is 136 years.
  ///
  /// So times in milliseconds since 1970 are refused.
  public static let latestTime = 0x1p32
  /// The system.
  public let system: ZoomSystem
  /// The form: corrected, or as published.
  public let form: ZoomForm
  /// The screen to draw on.
  public private(set) var screen: Screen

  /// The time of the last step, in seconds.
  public var time: Double { fingers.time }

  private var engine: any ZoomEngine
  private var fingers: FingerTable
  private var lost = LostTouches()
  private var drawn: [Layer] = []

  /// Creates a system for a picture of an upright size.
  public init(
    _ system: ZoomSystem, picture: PixelSize, scene: ZoomScene, form: ZoomForm = .corrected
  ) throws(GeometryError) {
    self.system = system
    self.form = form
    screen = scene.screen
    fingers = FingerTable(on: scene.screen.size)
    try scene.stage.check()
    engine =
      switch (system, form) {
      case (.peek, .corrected): try PeekEngine<CorrectedPeekForm>(scene, picture: picture)
      case (.peek, .original): try PeekEngine<OriginalPeekForm>(scene, picture: picture)
      case (.fullscreen, .corrected):
        try FullscreenEngine<FullscreenSetup>(scene, picture: picture)
      case (.fullscreen, .original):
        try FullscreenEngine<OriginalFullscreen>(scene, picture: picture)
      case (.force, .corrected): try ForceEngine<CorrectedForceForm>(scene, picture: picture)
      case (.force, .original): try ForceEngine<OriginalForceForm>(scene, picture: picture)
      case (.doubleTap, .corrected):
        try DoubleTapEngine<DoubleTapSetup>(scene, picture: picture)
      case (.doubleTap, .original):
        try DoubleTapEngine<OriginalDoubleTap>(scene, picture: picture)
      case (.transition, .corrected):
        try TransitionEngine<CorrectedTransitionForm>(scene, picture: picture)
      case (.transition, .original):
        try TransitionEngine<OriginalTransitionForm>(scene, picture: picture)
      }
  }

  /// Creates a system with a given engine, such as one with a planted fault.
  package init(_ system: ZoomSystem, engine: some ZoomEngine, screen: Screen) {
    self.system = system
    form = .corrected
    self.screen = screen
    fingers = FingerTable(on: screen.size)
    self.engine = engine
  }

  /// Handles an event at its time.
  ///
  /// A refused event does not make later ones fail. A touch whose beginning was refused is ignored
  /// until it has ended. A touch whose end was refused is cancelled by the next event of touches,
  /// unless that event moves, ends or cancels this touch. It is also cancelled if a beginning with
  /// its number was refused meanwhile.
  /// - Throws: `GeometryError`, with nothing changed, if the time is before the last step's, a number
  ///   is not finite or out of its range, or the touches contradict the earlier ones; see
  ///   ``FingerTable/take(_:)``.
  public mutating func handle(_ event: GestureEvent) throws(GeometryError) {
    var gone: (event: GestureEvent, fingers: FingerTable)?
    var known: GestureEvent? = event
    do throws(GeometryError) {
      if lost.isEmpty {
        try fingers.take(event)
      } else {
        // On copies: a refused event changes nothing.
        var (fingers, lost) = (fingers, lost)
        if let event = lost.takeGone(before: event, at: time) {
          try fingers.take(event)
          gone = (event, fingers)
        }
        known = lost.withoutUnseen(event)
        if let known { try fingers.take(known) } else { try fingers.advance(to: event.time) }
        (self.fingers, self.lost) = (fingers, lost)
      }
    } catch {
      lost.refuse(event, fingers)
      throw error
    }
    if let gone { try pass(gone.event, gone.fingers) }
    if let known { try pass(known, fingers) } else { try engine.advance(to: event.time) }
  }

  private mutating func pass(_ event: GestureEvent, _ fingers: FingerTable) throws(GeometryError) {
    try engine.advance(to: event.time)
    if case .screen(let changed) = event.kind { screen = changed }
    try engine.handle(event, fingers)
  }

  /// Advances to a time in seconds; call it for each frame while ``isMoving``.
  ///
  /// - Throws: `GeometryError`, with nothing changed, if the time goes back or is not finite.
  public mutating func advance(to time: Double) throws(GeometryError) {
    try fingers.advance(to: time)
    try engine.advance(to: time)
  }

  /// Returns the layers to draw, from back to front, over black.
  ///
  /// - Throws: `GeometryError` if a published formula gives a number that is not finite.
  public mutating func layers() throws(GeometryError) -> [Layer] {
    drawn.removeAll(keepingCapacity: true)
    try engine.draw(into: &drawn)
    for layer in drawn where !layer.isFinite {
      throw GeometryError(argument: "a layer at \(time) s", value: "a number", reason: .notFinite)
    }
    return drawn
  }

  /// The state of the system's recogniser; if it has several, of the one that drives the picture.
  public var recogniser: RecogniserState { engine.recogniser }

  /// The force of the tracked touch as a fraction of the largest possible; in the corrected form always 0 to 1.
  public var force: Double { engine.force }

  /// Whether an animation runs, a tap waits or a long press grows, so that the next frame may differ.
  ///
  /// Every animation ends.
  public var isMoving: Bool { engine.isMoving }

  /// The events that happened since they were last cleared, in order.
  public var events: [ZoomEvent] { engine.events }

  /// Removes all events.
  public mutating func clearEvents() { engine.clearEvents() }

  /// Returns the current state, layers and events included, as one value, and clears the events.
  public mutating func takeState() throws(GeometryError) -> ZoomState {
    let layers = try layers()
    guard force.isFinite else {
      throw GeometryError(argument: "the force at \(time) s", value: force, reason: .notFinite)
    }
    defer { clearEvents() }
    return ZoomState(
      time: time, screen: screen, layers: layers, recogniser: recogniser, force: force,
      events: events)
  }
}
