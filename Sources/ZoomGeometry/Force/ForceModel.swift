/// 3D Force Touch on a stage: a picture that grows under the finger, a button that sinks, or an
/// animation that force drives; `Stage.forceExhibit` says which.
///
/// The exhibit's view is `Stage.view` inside `Stage.ancestors`. Without one it has the published size, 200x200 or the button's 200x85, and is
/// centred in the viewport, whatever becomes of that. `Stage.cornerRadius` rounds the button only: a
/// fitted picture need not reach its view's corners.
///
/// Touches count if they begin in the view, as UIKit's hit test has it, and then wherever they go.
/// The view is taken as it stands at rest. What is seen follows the finger at once, so nothing ever
/// moves by itself.
struct ForceModel: ZoomModel, Sendable {
  let form: ZoomForm
  let picture: PixelSize
  let stage: Stage
  let range: ForceRange
  /// Where the view stood at first: what the published zoom captures.
  let captured: ViewRect
  private(set) var screen: Screen
  /// What is shown; nil at rest.
  private(set) var press: ForcePress?
  private(set) var recogniser = RecogniserState.possible
  private(set) var force = 0.0

  private var corrected: ForceRecogniser
  private var original = OriginalForceRecogniser()
  /// Where the touches are that count, for the original, which asks UIKit for their middle.
  private var down: [Int: ViewPoint] = [:]
  private var events: [ZoomEvent] = []

  init(_ script: GestureScript, picture: PixelSize, form: ZoomForm) throws(GeometryError) {
    self.form = form
    self.picture = picture
    var stage = script.stage
    if let view = stage.view {
      stage.view = try ViewChain(stage.ancestors.map(\.layer)).toWindow(view)
    }
    self.stage = stage
    range = try ForceRange(maximum: script.maximumForce)
    screen = script.screen
    captured = Self.view(of: stage, on: script.screen)
    corrected = ForceRecogniser(range: range)
  }

  /// Where the exhibit's view stands, in points of the viewport.
  var view: ViewRect { Self.view(of: stage, on: screen) }

  var isMoving: Bool { false }

  mutating func advance(to time: Double) throws(GeometryError) {}

  mutating func handle(_ event: GestureEvent) throws(GeometryError) {
    switch event.kind {
    case .touches(let phase, let touches):
      let view = self.view
      let counted = touches.filter {
        phase == .began ? view.contains($0.point) : down[$0.id] != nil
      }
      guard !counted.isEmpty else { return }
      switch form {
      case .corrected:
        track(phase, counted)
        try corrected.handle(phase, counted)
        follow()
      case .original: handAsUIKit(phase, counted)
      }
    case .cancelAll:
      down = [:]
      guard form == .corrected else { return }
      corrected.cancelAll()
      follow()
    case .screen(let changed): screen = changed
    case .device, .interface, .close: break
    }
  }

  mutating func takeEvents() -> [ZoomEvent] {
    defer { events = [] }
    return events
  }

  /// Takes over what the corrected recogniser makes of an event.
  private mutating func follow() {
    let before = recogniser
    recogniser = corrected.state
    force = corrected.share
    let wasPressed = press != nil
    press = corrected.finger.map { ForcePress(finger: $0, force: corrected.force) }
    if recogniser == .began && before != .began { events.append(.zoomIn) }
    guard wasPressed && press == nil else { return }
    if recogniser == .cancelled { events.append(.cancelled) }
    events.append(.zoomOut)
  }

  /// Hands an event to the published recogniser by UIKit's rule: none to one whose gesture is over
  /// while touches of it remain.
  private mutating func handAsUIKit(_ phase: TouchPhase, _ touches: [Touch]) {
    let isOver = original.state.isTerminal && !down.isEmpty
    track(phase, touches)
    guard !isOver, !original.handle(phase, touches).isEmpty else { return }
    recogniser = original.state
    force = range.maximum > 0 ? original.force / range.maximum : 0
    // The published actions undo only what has ended, not what failed (FT-B13).
    switch recogniser {
    case .began, .changed: press = ForcePress(finger: middle, force: original.force)
    case .ended: press = nil
    case .possible, .cancelled, .failed: break
    }
    if recogniser == .began { events.append(.zoomIn) }
    if recogniser == .ended { events.append(.zoomOut) }
  }

  private mutating func track(_ phase: TouchPhase, _ touches: [Touch]) {
    for touch in touches {
      switch phase {
      case .began, .moved: down[touch.id] = touch.point
      case .ended, .cancelled: down[touch.id] = nil
      }
    }
  }

  /// The middle of all touches, where UIKit says that a recogniser is.
  private var middle: ViewPoint {
    // In the order of the ids, for sums depend on theirs.
    let points = down.sorted { $0.key < $1.key }.map(\.value)
    let sum = points.reduce(ViewPoint(x: 0, y: 0)) {
      ViewPoint(x: $0.x + $1.x, y: $0.y + $1.y)
    }
    return ViewPoint(x: sum.x / Double(points.count), y: sum.y / Double(points.count))
  }

  private static func view(of stage: Stage, on screen: Screen) -> ViewRect {
    if let view = stage.view { return view }
    let width = 200.0
    let height = stage.forceExhibit == .button ? 85.0 : 200
    return ViewRect(
      x: (screen.size.width - width) / 2, y: (screen.size.height - height) / 2,
      width: width, height: height)
  }
}

/// A finger that presses: what an exhibit answers to.
struct ForcePress: Sendable, Hashable {
  var finger: ViewPoint
  var force: Double
}
