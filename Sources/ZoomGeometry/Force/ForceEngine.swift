/// 3D Force Touch live: a picture that grows under the finger, a button that sinks, or an animation
/// that force drives; `Stage.forceExhibit` says which.
///
/// The exhibit's view is `Stage.view` inside `Stage.ancestors`. Without one it has the published
/// size, 200x200 or the button's 200x85, and is centred in the safe area, whatever becomes of that.
/// `Stage.cornerRadius` rounds the button only: a fitted picture need not reach its view's corners.
///
/// Touches count if they begin in the view, as in UIKit's hit test, and then wherever they go.
/// The view is taken as it is at rest. The picture follows the finger at once. A press is cancelled
/// when the screen changes its size, because the view is elsewhere then.
struct ForceEngine<Form: ForceForm>: ZoomEngine {
  private let picture: PixelSize
  private let stage: Stage
  /// The view's frame on the stage, in points of the viewport.
  private let placed: ViewRect?
  private var screen: Screen
  private var form: Form
  /// Touches of the event that is handled which count.
  private var counted: [Touch] = []

  init(_ scene: ZoomScene, picture: PixelSize) throws(GeometryError) {
    self.picture = picture
    stage = scene.stage
    if let view = stage.view { placed = try stage.chain().toWindow(view) } else { placed = nil }
    screen = scene.screen
    form = Form(scene.press, captured: Self.view(placed, stage, screen))
  }

  var recogniser: RecogniserState { form.press.recogniser }

  var force: Double { form.press.share }

  var isMoving: Bool { form.isRising }

  var events: [ZoomEvent] { form.press.events }

  mutating func clearEvents() { form.press.events.removeAll(keepingCapacity: true) }

  mutating func advance(to time: Double) throws(GeometryError) { try form.advance(to: time) }

  mutating func handle(_ event: GestureEvent, _ fingers: FingerTable) throws(GeometryError) {
    switch event.kind {
    case .touches(let phase, let touches):
      let view = self.view
      counted.removeAll(keepingCapacity: true)
      for touch in touches {
        guard let finger = fingers[touch.id] else { continue }
        if phase == .began ? view.contains(touch.point) : form.follows(finger) {
          counted.append(touch)
        }
      }
      if !counted.isEmpty { form.handle(phase, counted, fingers) }
    case .cancelAll: form.cancelAll()
    case .screen(let changed):
      let isResized = changed.size != screen.size
      screen = changed
      if isResized { form.screenChanged() }
    case .device, .interface, .close: break
    }
  }

  /// Where the exhibit's view is, in points of the viewport.
  private var view: ViewRect { Self.view(placed, stage, screen) }

  private static func view(_ placed: ViewRect?, _ stage: Stage, _ screen: Screen) -> ViewRect {
    if let placed { return placed }
    return screen.safeArea.centred(200, stage.forceExhibit == .button ? 85 : 200)
  }

  func draw(into layers: inout [Layer]) throws(GeometryError) {
    layers.append(.fill(FillLayer(rect: screen.bounds, shade: 0.9)))
    switch stage.forceExhibit {
    case .zoom:
      layers.append(.picture(try form.zoomed(picture, in: view, on: screen)))
    case .button:
      // The button stands out from the page by its shadow more than by its shade.
      layers.append(
        .fill(
          FillLayer(
            rect: view, shade: 0.83, cornerRadius: stage.cornerRadius, shadow: try form.shadow())))
    case .animation:
      // The fitted picture has the view's centre, so it is where it would be inside the scaled view.
      let rest = form.rest(picture, in: view, on: screen)
      layers.append(.picture(PictureLayer(whole: picture, in: try form.pose().frame(of: rest))))
    }
  }
}

/// What the two forms of the force systems do differently.
protocol ForceForm: Sendable {
  /// Creates the form for a view that is somewhere at first.
  init(_ source: PressSource, captured: ViewRect)

  var press: ForcePress { get set }
  var isRising: Bool { get }

  mutating func advance(to time: Double) throws(GeometryError)
  /// Whether a finger that came down before counts.
  func follows(_ finger: Finger) -> Bool
  mutating func handle(_ phase: TouchPhase, _ touches: [Touch], _ fingers: FingerTable)
  mutating func cancelAll()
  /// Takes a screen of another size, on which the view and the finger are elsewhere.
  mutating func screenChanged()

  /// Where the fitted picture is when nothing presses.
  func rest(_ picture: PixelSize, in view: ViewRect, on screen: Screen) -> ViewRect
  func zoomed(
    _ picture: PixelSize, in view: ViewRect, on screen: Screen
  ) throws(GeometryError) -> PictureLayer
  func shadow() throws(GeometryError) -> Shadow
  func pose() throws(GeometryError) -> ForcePose
}

/// What an exhibit answers to.
struct ForcePress: Sendable {
  /// Where the finger is that presses; nil at rest.
  var finger: ViewPoint?
  /// How hard it presses; 0 at rest.
  var force = 0.0
  /// The force as a fraction of the largest.
  var share = 0.0
  var recogniser = RecogniserState.possible
  var events: [ZoomEvent] = []
}

/// As it should be; see ``ForceRecogniser``, ``ForceZoom``, ``ForceButton`` and ``ForceAnimation``.
struct CorrectedForceForm: ForceForm {
  var press = ForcePress()
  private var touches: ForceRecogniser

  init(_ source: PressSource, captured: ViewRect) { touches = ForceRecogniser(source: source) }

  var isRising: Bool { touches.isRising }

  mutating func advance(to time: Double) throws(GeometryError) {
    try touches.advance(to: time)
    follow()
  }

  func follows(_ finger: Finger) -> Bool { touches.follows(finger) }

  mutating func handle(_ phase: TouchPhase, _ touches: [Touch], _ fingers: FingerTable) {
    self.touches.handle(phase, touches, fingers)
    follow()
  }

  mutating func cancelAll() {
    touches.cancelAll()
    follow()
  }

  mutating func screenChanged() {
    touches.screenChanged()
    follow()
  }

  /// Takes over what the recogniser says.
  private mutating func follow() {
    let (before, wasPressed) = (press.recogniser, press.finger != nil)
    press.recogniser = touches.state
    press.share = touches.share
    press.finger = touches.finger
    press.force = touches.force
    if press.recogniser == .began && before != .began { press.events.append(.zoomIn) }
    guard wasPressed && press.finger == nil else { return }
    if press.recogniser == .cancelled { press.events.append(.cancelled) }
    press.events.append(.zoomOut)
  }

  /// On whole pixels, so that nothing moves by a part of one under the first touch.
  func rest(_ picture: PixelSize, in view: ViewRect, on screen: Screen) -> ViewRect {
    let layer = PictureLayer(whole: picture, in: view.fitting(picture)).aligned(to: screen)
    return layer.transform.boundingBox(of: layer.seen)
  }

  func zoomed(
    _ picture: PixelSize, in view: ViewRect, on screen: Screen
  ) throws(GeometryError) -> PictureLayer {
    let rest = rest(picture, in: view, on: screen)
    guard let finger = press.finger else { return PictureLayer(whole: picture, in: rest) }
    let zoom = ForceZoom(unchecked: rest, touches.range)
    return PictureLayer(whole: picture, in: try zoom.frame(at: finger, force: press.force))
  }

  func shadow() throws(GeometryError) -> Shadow {
    try ForceButton(range: touches.range).shadow(at: press.force)
  }

  func pose() throws(GeometryError) -> ForcePose {
    try ForceAnimation(range: touches.range).pose(at: press.force)
  }
}

/// As published; see ``OriginalForceRecogniser`` and what bears its name.
struct OriginalForceForm: ForceForm {
  var press = ForcePress()
  private let range: ForceRange
  private let captured: ViewRect
  private var touches = OriginalForceRecogniser()
  /// The fingers that count.
  private var down = FingerSet()

  init(_ source: PressSource, captured: ViewRect) {
    range = source.hardware
    self.captured = captured
  }

  let isRising = false

  mutating func advance(to time: Double) {}

  func follows(_ finger: Finger) -> Bool { down.contains(finger) }

  /// Hands an event to the published recogniser by UIKit's rule: none to one whose gesture is over
  /// while touches of it remain.
  mutating func handle(_ phase: TouchPhase, _ touches: [Touch], _ fingers: FingerTable) {
    let isOver = self.touches.state.isTerminal && !down.isEmpty
    if phase == .began {
      for touch in touches { if let finger = fingers[touch.id] { down.insert(finger) } }
    }
    down.removeLifted(of: fingers)
    guard !isOver, !self.touches.handle(phase, touches).isEmpty else { return }
    press.recogniser = self.touches.state
    press.share = range.maximum > 0 ? self.touches.force / range.maximum : 0
    // The published actions undo only what has ended, not what failed (FT-B13).
    switch press.recogniser {
    case .began, .changed: (press.finger, press.force) = (middle(of: fingers), self.touches.force)
    case .ended: (press.finger, press.force) = (nil, 0)
    case .possible, .cancelled, .failed: break
    }
    if press.recogniser == .began { press.events.append(.zoomIn) }
    if press.recogniser == .ended { press.events.append(.zoomOut) }
  }

  /// Nobody hears of a cancellation, but the touches are gone.
  mutating func cancelAll() { down = FingerSet() }

  mutating func screenChanged() {}

  /// The middle of all touches, where UIKit says that a recogniser is.
  private func middle(of fingers: FingerTable) -> ViewPoint {
    let points = fingers.fingers.filter(down.contains).map(\.point)
    // In the order of the numbers, for sums depend on theirs and must not on the ids.
    func mean(_ numbers: [Double]) -> Double { numbers.sorted().reduce(0, +) / Double(down.count) }
    return ViewPoint(x: mean(points.map(\.x)), y: mean(points.map(\.y)))
  }

  func rest(_ picture: PixelSize, in view: ViewRect, on screen: Screen) -> ViewRect {
    view.fitting(picture)
  }

  func zoomed(_ picture: PixelSize, in view: ViewRect, on screen: Screen) -> PictureLayer {
    let zoom = OriginalForceZoom(view: view, captured: captured)
    let layer =
      press.finger.map { zoom.layer(at: $0, force: press.force) } ?? ViewLayer(frame: view)
    // The picture's frame in the view's own space, then as the view's layer is placed.
    var shown = PictureLayer(whole: picture, in: view.size.atOrigin.fitting(picture))
    shown.transform = shown.transform.then(layer.toParent)
    return shown
  }

  func shadow() -> Shadow { OriginalForceButton().shadow(at: press.force) }

  func pose() -> ForcePose { OriginalForceAnimation().pose(at: press.force) }
}
