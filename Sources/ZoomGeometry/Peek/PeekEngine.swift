/// ForceZoom live: a frame where the finger presses lightly, a 1:1 peek when it presses hard.
struct PeekEngine<Form: PeekForm>: ZoomEngine {
  private var form: Form

  init(_ scene: ZoomScene, picture: PixelSize) throws(GeometryError) {
    form = try Form(scene, picture: picture)
  }

  var recogniser: RecogniserState { form.press.recogniser }

  var force: Double { form.press.share }

  var isMoving: Bool { form.press.isRising }

  var events: [ZoomEvent] { form.press.events }

  mutating func clearEvents() { form.press.events.removeAll(keepingCapacity: true) }

  mutating func advance(to time: Double) { form.advance(to: time) }

  mutating func handle(_ event: GestureEvent, _ fingers: FingerTable) throws(GeometryError) {
    switch event.kind {
    case .touches(let phase, let touches):
      form.handle(phase, touches, fingers)
    case .screen(let screen):
      try form.change(to: screen)
    case .cancelAll:
      form.cancelAll()
    case .device, .interface, .close:
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

/// What the two forms of the peek do differently.
protocol PeekForm: Sendable {
  init(_ scene: ZoomScene, picture: PixelSize) throws(GeometryError)

  var screen: Screen { get }
  var press: PeekPress { get set }

  mutating func advance(to time: Double)
  mutating func handle(_ phase: TouchPhase, _ touches: [Touch], _ fingers: FingerTable)
  mutating func cancelAll()
  mutating func change(to screen: Screen) throws(GeometryError)

  /// The whole picture, behind everything.
  var page: PictureLayer { get }
  /// The preview frame, in points of the viewport.
  func frame() throws(GeometryError) -> ViewRect?
  /// The peek, in the middle of the screen.
  func window() throws(GeometryError) -> PictureLayer?
}

/// A finger on the picture, and what it has brought up.
struct PeekPress: Sendable {
  /// What is over the picture.
  enum Overlay: Hashable {
    case nothing
    case frame, peek
    /// Committed as published: the finger is down and nothing is shown for it.
    case committed
  }

  /// The shares of the largest force at which a peek opens, and at which it is committed.
  ///
  /// UIKit does not publish its own; 0.2 and 0.75 are what people measured. A long press opens when
  /// it is complete and commits nothing: a finger that stays asks for no more.
  private let opening, commitment: Double

  let source: PressSource
  var finger: Press?
  var overlay = Overlay.nothing
  /// Whether the finger has pressed the peek on.
  private(set) var isCommitted = false
  var events: [ZoomEvent] = []
  var recogniser = RecogniserState.possible
  var now = 0.0

  init(_ source: PressSource) {
    self.source = source
    if case .longPress = source {
      (opening, commitment) = (1, .infinity)
    } else {
      (opening, commitment) = (0.20, 0.75)
    }
  }

  /// The force as a fraction of the largest, 0 to 1.
  var share: Double { finger.map { source.range.share(ofClamped: $0.force(at: now)) } ?? 0 }

  var isRising: Bool { finger?.isRising(at: now) ?? false }

  mutating func begin(_ touch: Touch) {
    recogniser = .possible
    finger = Press(touch, source: source, at: now)
  }

  mutating func move(to touch: Touch, _ fingers: FingerTable) {
    finger?.move(to: touch, fingers)
    if recogniser == .began { recogniser = .changed }
  }

  /// Opens or commits the peek where the force is enough.
  ///
  /// - Returns: whether it was committed now.
  @discardableResult
  mutating func update() -> Bool {
    if overlay == .frame, share >= opening {
      overlay = .peek
      recogniser = .began
      events.append(.peek)
    }
    guard overlay == .peek, !isCommitted, share >= commitment else { return false }
    isCommitted = true
    events.append(.pop)
    return true
  }

  mutating func end(_ terminal: RecogniserState) {
    if overlay == .peek && !isCommitted { events.append(.dismissPeek) }
    if terminal == .cancelled { events.append(.cancelled) }
    if recogniser != .failed { recogniser = recogniser == .possible ? .failed : terminal }
    finger = nil
    isCommitted = false
  }
}
