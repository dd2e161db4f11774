/// The engine of the peek (FlexMonkey/ForceZoom): a frame while the finger presses lightly, a 1:1
/// peek when it presses hard.
struct PeekEngine<Form: PeekForm>: ZoomEngine {
  private var form: Form

  init(_ scene: ZoomScene, picture: PixelSize) throws(GeometryError) {
    form = try Form(scene, picture: picture)
  }

  var recogniser: RecogniserState { form.press.touches.state }

  var force: Double { form.press.touches.share }

  var isMoving: Bool { form.press.touches.isRising }

  var events: [ZoomEvent] { form.press.events }

  mutating func clearEvents() { form.press.events.removeAll(keepingCapacity: true) }

  mutating func advance(to time: Double) throws(GeometryError) {
    let isRising = form.press.touches.isRising
    try form.press.touches.advance(to: time)
    if isRising { form.press.update() }
  }

  mutating func handle(_ event: GestureEvent, _ fingers: FingerTable) throws(GeometryError) {
    switch event.kind {
    case .touches(let phase, let touches):
      form.handle(phase, touches, fingers)
    case .screen(let screen):
      try form.change(to: screen)
    case .cancelAll:
      if form.press.touches.isTouched { form.press.end(.cancelled) { $0.cancelAll() } }
    case .device, .interface, .close, .wheel:
      break
    }
  }

  func draw(into layers: inout [Layer]) throws(GeometryError) {
    layers.append(.picture(form.page))
    switch form.press.overlay {
    case .nothing, .committed:
      return
    case .frame:
      guard let frame = try form.frame() else { return }
      let shadow = Shadow(offset: ViewPoint(x: 0, y: 0), radius: 5, opacity: 0.75)
      layers.append(.outline(OutlineLayer(rect: frame, width: 4, shade: 1, shadow: shadow)))
    case .peek:
      guard let window = try form.window() else { return }
      layers.append(.fill(FillLayer(rect: form.screen.bounds, shade: 0, opacity: 0.6)))
      layers.append(.picture(window))
    }
  }
}

protocol PeekForm: Sendable {
  init(_ scene: ZoomScene, picture: PixelSize) throws(GeometryError)

  var screen: Screen { get }
  var press: PeekPress { get set }

  mutating func handle(_ phase: TouchPhase, _ touches: [Touch], _ fingers: FingerTable)
  mutating func change(to screen: Screen) throws(GeometryError)

  /// The whole picture, the backmost layer.
  var page: PictureLayer { get }
  /// Returns the preview frame, in points of the viewport.
  func frame() throws(GeometryError) -> ViewRect?
  /// Returns the peek, in the middle of the screen.
  func window() throws(GeometryError) -> PictureLayer?
}

/// A finger on the picture, and the overlay that it has opened.
struct PeekPress: Sendable {
  enum Overlay: Hashable {
    case nothing
    case frame, peek
    /// Nothing after a commit, as published, although the finger is still down.
    case committed
  }

  var touches: ForceRecogniser
  var overlay = Overlay.nothing
  var events: [ZoomEvent] = []
  /// Whether a cancelled press leaves its frame, as published (FZ-B11).
  private let leavesFrame: Bool
  /// The share of the largest force at which a peek is committed.
  private let commitment: Double
  private var isCommitted = false

  init(_ source: PressSource, leavesFrame: Bool) {
    self.leavesFrame = leavesFrame
    let thresholds = TouchThresholds.usual
    if case .longPress = source {
      // A complete long press opens the peek; resting longer does not commit it.
      touches = ForceRecogniser(source, opening: 1)
      commitment = .infinity
    } else {
      touches = ForceRecogniser(source, opening: thresholds.peekOpening)
      commitment = thresholds.peekCommitment
    }
  }

  func follows(_ touch: Touch, _ fingers: FingerTable) -> Bool {
    fingers[touch.id].map(touches.follows) ?? false
  }

  /// Opens or commits the peek if the force is large enough; returns whether it committed it.
  @discardableResult
  mutating func update() -> Bool {
    if overlay == .frame, touches.share >= touches.opening {
      overlay = .peek
      events.append(.peek)
    }
    guard overlay == .peek, !isCommitted, touches.share >= commitment else { return false }
    isCommitted = true
    events.append(.pop)
    return true
  }

  /// Ends the press; the closure ends the recogniser.
  mutating func end(_ phase: TouchPhase, _ end: (inout ForceRecogniser) -> Void) {
    if overlay == .peek && !isCommitted { events.append(.dismissPeek) }
    if phase == .cancelled { events.append(.cancelled) }
    end(&touches)
    isCommitted = false
    if !(leavesFrame && phase == .cancelled && overlay == .frame) { overlay = .nothing }
  }
}
