/// The engine of the force systems: a picture that grows under the finger, a button that sinks, or
/// an animation that force drives; `Stage.forceExhibit` chooses.
///
/// The exhibit's view is `Stage.view` inside `Stage.ancestors`. Without one it has the published
/// size, 200x200 or the button's 200x85, and is always centred in the safe area.
/// `Stage.cornerRadius` rounds the button only: a fitted picture need not reach its view's corners.
///
/// A touch counts if it begins in the view's frame at rest, as in UIKit's hit test, and then
/// wherever it goes. The picture follows the finger at once. In the corrected form, a change of the
/// screen's size cancels a press, because it moves the view.
struct ForceEngine<Form: ForceForm>: ZoomEngine {
  private let picture: PixelSize
  private let stage: Stage
  /// The view's frame on the stage, in points of the viewport.
  private let placed: ViewRect?
  private var screen: Screen
  private var form: Form
  /// The touches of the current event that count.
  private var counted: [Touch] = []

  init(_ scene: ZoomScene, picture: PixelSize) throws(GeometryError) {
    self.picture = picture
    stage = scene.stage
    if let view = stage.view { placed = stage.placed(view) } else { placed = nil }
    screen = scene.screen
    form = Form(scene.press, captured: Self.view(placed, stage, screen))
  }

  var recogniser: RecogniserState { form.state }

  var force: Double { form.share }

  var isMoving: Bool { form.isRising }

  var events: [ZoomEvent] { form.events }

  mutating func clearEvents() { form.events.removeAll(keepingCapacity: true) }

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
    case .device, .interface, .close, .wheel: break
    }
  }

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
      // The button differs from the page more by its shadow than by its shade.
      layers.append(
        .fill(
          FillLayer(
            rect: view, shade: 0.83, cornerRadius: stage.cornerRadius, shadow: try form.shadow())))
    case .animation:
      // The fitted picture has the view's centre, so scaling the picture equals scaling the view.
      let rest = form.rest(picture, in: view, on: screen)
      layers.append(.picture(PictureLayer(whole: picture, in: try form.pose().frame(of: rest))))
    }
  }
}

protocol ForceForm: Sendable {
  init(_ source: PressSource, captured: ViewRect)

  var state: RecogniserState { get }
  var share: Double { get }
  var isRising: Bool { get }
  var events: [ZoomEvent] { get set }

  mutating func advance(to time: Double) throws(GeometryError)
  func follows(_ finger: Finger) -> Bool
  mutating func handle(_ phase: TouchPhase, _ touches: [Touch], _ fingers: FingerTable)
  mutating func cancelAll()
  /// Handles a change of the screen's size, which moves the view and the finger.
  mutating func screenChanged()

  /// Returns the frame of the fitted picture without a press.
  func rest(_ picture: PixelSize, in view: ViewRect, on screen: Screen) -> ViewRect
  func zoomed(
    _ picture: PixelSize, in view: ViewRect, on screen: Screen
  ) throws(GeometryError) -> PictureLayer
  func shadow() throws(GeometryError) -> Shadow
  func pose() throws(GeometryError) -> ForcePose
}

/// The corrected form; see ``ForceRecogniser``, ``ForceZoom``, ``ForceButton`` and
/// ``ForceAnimation``.
struct CorrectedForceForm: ForceForm {
  private var touches: ForceRecogniser
  var events: [ZoomEvent] = []

  init(_ source: PressSource, captured: ViewRect) { touches = ForceRecogniser(source: source) }

  var state: RecogniserState { touches.state }
  var share: Double { touches.share }
  var isRising: Bool { touches.isRising }

  mutating func advance(to time: Double) throws(GeometryError) { try touches.advance(to: time) }

  func follows(_ finger: Finger) -> Bool { touches.follows(finger) }

  mutating func handle(_ phase: TouchPhase, _ touches: [Touch], _ fingers: FingerTable) {
    report { $0.handle(phase, touches, fingers) }
  }

  mutating func cancelAll() { report { $0.cancelAll() } }

  mutating func screenChanged() { report { $0.screenChanged() } }

  private mutating func report(_ change: (inout ForceRecogniser) -> Void) {
    let before = touches
    change(&touches)
    if state == .began && before.state != .began { events.append(.zoomIn) }
    guard before.finger != nil && touches.finger == nil else { return }
    if state == .cancelled { events.append(.cancelled) }
    events.append(.zoomOut)
  }

  /// Returns the frame on whole pixels, so that the first touch does not move it by a part of one.
  func rest(_ picture: PixelSize, in view: ViewRect, on screen: Screen) -> ViewRect {
    let layer = PictureLayer(whole: picture, in: view.fitting(picture)).aligned(to: screen)
    return layer.transform.boundingBox(of: layer.seen)
  }

  func zoomed(
    _ picture: PixelSize, in view: ViewRect, on screen: Screen
  ) throws(GeometryError) -> PictureLayer {
    let rest = rest(picture, in: view, on: screen)
    guard let finger = touches.finger else { return PictureLayer(whole: picture, in: rest) }
    let zoom = ForceZoom(unchecked: rest, touches.range)
    return PictureLayer(whole: picture, in: try zoom.frame(at: finger, force: touches.force))
  }

  func shadow() throws(GeometryError) -> Shadow {
    try ForceButton(range: touches.range).shadow(at: touches.force)
  }

  func pose() throws(GeometryError) -> ForcePose {
    try ForceAnimation(range: touches.range).pose(at: touches.force)
  }
}

/// The published form; see ``OriginalForceRecogniser`` and the other types of its file.
struct OriginalForceForm: ForceForm {
  private let range: ForceRange
  private let captured: ViewRect
  private var touches = OriginalForceRecogniser()
  /// The fingers that count.
  private var down = FingerSet()
  /// The recogniser's state and force after the last event that it was given.
  private(set) var state = RecogniserState.possible
  private(set) var share = 0.0
  /// The point and the force that are shown; nil and 0 at rest.
  private var finger: ViewPoint?
  private var force = 0.0
  /// A buffer for the coordinates of the fingers.
  private var numbers: [Double] = []
  var events: [ZoomEvent] = []

  init(_ source: PressSource, captured: ViewRect) {
    range = source.hardware
    self.captured = captured
  }

  var isRising: Bool { false }

  mutating func advance(to time: Double) {}

  func follows(_ finger: Finger) -> Bool { down.contains(finger) }

  /// Passes events to the published recogniser as UIKit would: none after its gesture is over until
  /// all its touches have ended.
  mutating func handle(_ phase: TouchPhase, _ touches: [Touch], _ fingers: FingerTable) {
    let isOver = self.touches.state.isTerminal && !down.isEmpty
    if phase == .began {
      for touch in touches { if let finger = fingers[touch.id] { down.insert(finger) } }
    }
    down.removeLifted(of: fingers)
    guard !isOver, !self.touches.handle(phase, touches).isEmpty else { return }
    state = self.touches.state
    share = range.maximum > 0 ? self.touches.force / range.maximum : 0
    // The published actions undo only what has ended, not what failed (FT-B13).
    switch state {
    case .began, .changed: (finger, force) = (middle(of: fingers), self.touches.force)
    case .ended: (finger, force) = (nil, 0)
    case .possible, .cancelled, .failed: break
    }
    if state == .began { events.append(.zoomIn) }
    if state == .ended { events.append(.zoomOut) }
  }

  /// Forgets the touches; the published recogniser does not handle cancellations.
  mutating func cancelAll() { down = FingerSet() }

  mutating func screenChanged() {}

  /// Returns the mean of all touches that count, which is a recogniser's location in UIKit.
  private mutating func middle(of fingers: FingerTable) -> ViewPoint {
    ViewPoint(x: mean(of: fingers, \.x), y: mean(of: fingers, \.y))
  }

  private mutating func mean(of fingers: FingerTable, _ axis: KeyPath<ViewPoint, Double>) -> Double
  {
    numbers.removeAll(keepingCapacity: true)
    for finger in fingers.fingers where down.contains(finger) {
      numbers.append(finger.point[keyPath: axis])
    }
    // Sorting makes the sum, whose rounding depends on the order, independent of the fingers' ids.
    numbers.sort()
    return numbers.reduce(0, +) / Double(numbers.count)
  }

  func rest(_ picture: PixelSize, in view: ViewRect, on screen: Screen) -> ViewRect {
    view.fitting(picture)
  }

  func zoomed(_ picture: PixelSize, in view: ViewRect, on screen: Screen) -> PictureLayer {
    let zoom = OriginalForceZoom(view: view, captured: captured)
    let layer = finger.map { zoom.layer(at: $0, force: force) } ?? ViewLayer(frame: view)
    // The picture is fitted in the view's own space and then placed with the view's layer.
    var shown = PictureLayer(whole: picture, in: view.size.atOrigin.fitting(picture))
    shown.transform = shown.transform.then(layer.toParent)
    return shown
  }

  func shadow() -> Shadow { OriginalForceButton().shadow(at: force) }

  func pose() -> ForcePose { OriginalForceAnimation().pose(at: force) }
}

/// An exhibit of the 3D-force system.
public enum ForceExhibit: String, Sendable, Hashable, Codable, CaseIterable {
  /// The picture grows about the finger.
  case zoom
  /// A button sinks: its shadow shrinks.
  case button
  /// Force drives a prepared animation back and forth.
  case animation
}

extension ViewRect {
  fileprivate func fitting(_ picture: PixelSize) -> ViewRect {
    AspectFit(picture: picture, viewport: size).frame.moved(by: origin)
  }
}
