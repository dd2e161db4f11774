/// A zoom system, driven live: it takes events as they come and says what to draw.
///
///     var zoom = try LiveZoom(.peek, picture: size, scene: ZoomScene(screen: screen))
///     try zoom.handle(GestureEvent(time: now, kind: .touches(.began, [touch])))
///     for layer in try zoom.layers() { … }          // what to draw, from back to front
///     for event in zoom.events { … }                // peek, pop, dismiss, cancelled …
///     zoom.clearEvents()
///     if zoom.isMoving { … }                        // call advance(to:) on the next frame
///
/// It has no clock: times are the caller's, in seconds since some moment, not negative, and must not
/// go back. It is a value: a copy goes on by itself. The same events give the same layers. After the
/// first few events a step allocates nothing, as long as the caller keeps no array of layers from one
/// step to the next.
public struct LiveZoom: Sendable {
  /// Which system it is.
  public let system: ZoomSystem

  /// Whether it works as it should or as published.
  public let form: ZoomForm

  /// What is drawn on now.
  public private(set) var screen: Screen

  /// The time of the last step, in seconds.
  public var time: Double { log.now }

  private var engine: any ZoomEngine
  private var log = EventChecker()
  private var drawn: [Layer] = []

  /// Sets a system up.
  ///
  /// - Parameters:
  ///   - system: Which.
  ///   - picture: The upright size of the picture in pixels.
  ///   - scene: What is around the picture at first.
  ///   - form: As it should be, or as published.
  /// - Throws: `GeometryError` if the system cannot work with the numbers.
  public init(
    _ system: ZoomSystem, picture: PixelSize, scene: ZoomScene, form: ZoomForm = .corrected
  ) throws(GeometryError) {
    self.system = system
    self.form = form
    screen = scene.screen
    try scene.stage.check()
    engine =
      switch (system, form) {
      case (.peek, .corrected): try PeekEngine<CorrectedPeekForm>(scene, picture: picture)
      case (.peek, .original): try PeekEngine<OriginalPeekForm>(scene, picture: picture)
      case (.fullscreen, .corrected):
        try FullscreenEngine<CorrectedFullscreenForm>(scene, picture: picture)
      case (.fullscreen, .original):
        try FullscreenEngine<OriginalFullscreenForm>(scene, picture: picture)
      case (.force, .corrected): try ForceEngine<CorrectedForceForm>(scene, picture: picture)
      case (.force, .original): try ForceEngine<OriginalForceForm>(scene, picture: picture)
      case (.doubleTap, .corrected):
        try DoubleTapEngine<CorrectedDoubleTapForm>(scene, picture: picture)
      case (.doubleTap, .original):
        try DoubleTapEngine<OriginalDoubleTapForm>(scene, picture: picture)
      case (.transition, .corrected):
        try TransitionEngine<CorrectedTransitionForm>(scene, picture: picture)
      case (.transition, .original):
        try TransitionEngine<OriginalTransitionForm>(scene, picture: picture)
      }
  }

  /// Sets up an engine that is neither form's: one with a planted fault.
  package init(_ system: ZoomSystem, engine: some ZoomEngine, screen: Screen) {
    self.system = system
    form = .corrected
    self.screen = screen
    self.engine = engine
  }

  /// Takes an event, at its time.
  ///
  /// - Throws: `GeometryError`, with nothing changed, if the time is before the last step's, a number
  ///   is not finite or out of its range, or if a touch moves or ends that has not begun. What passes
  ///   these checks the systems can work with.
  public mutating func handle(_ event: GestureEvent) throws(GeometryError) {
    try log.take(event)
    try engine.advance(to: event.time)
    if case .screen(let changed) = event.kind { screen = changed }
    try engine.handle(event)
  }

  /// Lets time pass: call it for each frame while ``isMoving``.
  ///
  /// - Parameter time: In seconds; not before the last step's.
  /// - Throws: `GeometryError`, with nothing changed, if the time goes back or is not finite.
  public mutating func advance(to time: Double) throws(GeometryError) {
    try log.advance(to: time)
    try engine.advance(to: time)
  }

  /// Returns what is drawn now, from back to front, over black.
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

  /// The state of the system's recogniser; of several, the one that drives what is seen.
  public var recogniser: RecogniserState { engine.recogniser }

  /// The force of the tracked touch as a fraction of the largest possible, 0 to 1 once corrected.
  public var force: Double { engine.force }

  /// Whether something moves by itself or is waited for, so that the next frame may differ.
  ///
  /// Every animation ends.
  public var isMoving: Bool { engine.isMoving }

  /// What happened since the events were last cleared, in order.
  public var events: [ZoomEvent] { engine.events }

  /// Forgets the events that have been seen.
  public mutating func clearEvents() { engine.clearEvents() }

  /// Returns all of it as one value, and clears the events.
  ///
  /// - Throws: `GeometryError` as ``layers()`` does.
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
