/// ForceZoom over a script: a frame where the finger presses lightly, a 1:1 peek when it presses
/// hard.
///
/// Corrected, the frame and the peek follow the finger, a touch that begins beside the picture is
/// turned down, only the first finger counts, and a cancelled touch leaves nothing behind. As
/// published, the frame stays where the finger came down, and it stays on the screen when the touch
/// is cancelled or the screen changes (FZ-B11); the peek stays where it opened and closes without a
/// trace when it is pressed on (commit does nothing).
struct PeekModel: ZoomModel, Sendable {
  /// The share of the largest force at which a peek opens, and at which it is committed.
  ///
  /// UIKit does not publish its own; these are what people measured.
  static let peekForce = 0.20
  static let popForce = 0.75

  private let picture: PixelSize
  private let form: ZoomForm
  private let maximumForce: Double
  private var screen: Screen
  private var setup: PeekSetup
  private var finger: Touch?
  /// What is added to the finger's coordinates, for the place under it to stay when the screen turns;
  /// nil from then on until the finger is told again.
  private var shift: ViewPoint? = ViewPoint(x: 0, y: 0)
  private var look = Look.nothing
  /// Whether the finger has pressed the peek on.
  private var isCommitted = false
  private var events: [ZoomEvent] = []
  private(set) var recogniser = RecogniserState.possible

  /// What is over the picture.
  private enum Look: Hashable {
    case nothing
    /// A frame for a touch there; as published also of a screen that has changed since.
    case frame(at: ViewPoint, of: PeekSetup)
    case peek(at: ViewPoint)
    /// Committed as published: the finger is down and nothing is shown for it.
    case committed
  }

  init(_ script: GestureScript, picture: PixelSize, form: ZoomForm) throws(GeometryError) {
    self.picture = picture
    self.form = form
    maximumForce = script.maximumForce
    screen = script.screen
    setup = try Self.setup(picture, script.screen, form)
  }

  /// Corrected, a peek shows one picture pixel on each pixel of the screen; as published, on each
  /// point (FZ-B10).
  private static func setup(
    _ picture: PixelSize, _ screen: Screen, _ form: ZoomForm
  ) throws(GeometryError) -> PeekSetup {
    try PeekSetup(
      picture: picture, viewport: screen.size, scale: form == .corrected ? screen.scale : 1)
  }

  let isMoving = false

  var force: Double {
    guard let finger, maximumForce > 0 else { return 0 }
    return (finger.force / maximumForce).clamped(to: 0...1)
  }

  mutating func advance(to time: Double) throws(GeometryError) {}

  mutating func takeEvents() -> [ZoomEvent] {
    defer { events = [] }
    return events
  }

  mutating func handle(_ event: GestureEvent) throws(GeometryError) {
    switch event.kind {
    case .touches(let phase, let touches):
      for touch in touches { handle(touch, phase) }
    case .screen(let changed):
      let before = setup
      screen = changed
      setup = try Self.setup(picture, changed, form)
      if form == .corrected, changed.size != before.viewport { try follow(from: before) }
    case .cancelAll:
      if let finger { handle(finger, .cancelled) }
    case .device, .interface, .close:
      break
    }
  }

  /// Keeps what a finger that is down shows when the screen has changed under it.
  private mutating func follow(from before: PeekSetup) throws(GeometryError) {
    func moved(_ point: ViewPoint) throws(GeometryError) -> ViewPoint {
      guard let place = try before.peek(at: point)?.touched else { return point }
      return setup.viewPoint(of: place)
    }
    switch look {
    case .frame(let point, _): look = .frame(at: try moved(point), of: setup)
    case .peek(let point): look = .peek(at: try moved(point))
    case .nothing, .committed: return
    }
    shift = nil
  }

  private mutating func handle(_ touch: Touch, _ phase: TouchPhase) {
    switch phase {
    case .began: begin(touch)
    case .moved where finger?.id == touch.id: move(touch)
    case .ended where finger?.id == touch.id: end(.ended)
    case .cancelled where finger?.id == touch.id: end(.cancelled)
    case .ended where form == .original && !isPeeking: look = .nothing
    case .moved, .ended, .cancelled: break
    }
  }

  private mutating func begin(_ touch: Touch) {
    // As published each finger that comes down draws the frame anew, wherever it is.
    if form == .original, !isPeeking { look = .frame(at: touch.point, of: setup) }
    guard finger == nil else { return }
    if form == .corrected {
      guard setup.shownFrame.contains(touch.point) else {
        events.append(.rejectedTouch)
        return
      }
      look = .frame(at: touch.point, of: setup)
    }
    recogniser = .possible
    finger = touch
    shift = ViewPoint(x: 0, y: 0)
    press(touch.point)
  }

  private mutating func move(_ touch: Touch) {
    finger = touch
    var place = touch.point
    if form == .corrected {
      place = followed(touch.point)
      switch look {
      case .frame: look = .frame(at: place, of: setup)
      case .peek: look = .peek(at: place)
      case .nothing, .committed: break
      }
    }
    if recogniser == .began { recogniser = .changed }
    press(place)
  }

  /// Where the finger counts as being, so that nothing jumps after a turn.
  private mutating func followed(_ point: ViewPoint) -> ViewPoint {
    switch look {
    case .frame(let shown, _) where shift == nil, .peek(let shown) where shift == nil:
      shift = ViewPoint(x: shown.x - point.x, y: shown.y - point.y)
      return shown
    default:
      let shift = shift ?? ViewPoint(x: 0, y: 0)
      return ViewPoint(x: point.x + shift.x, y: point.y + shift.y)
    }
  }

  /// Opens or commits the peek where the force is enough.
  private mutating func press(_ place: ViewPoint) {
    if case .frame = look, force >= Self.peekForce {
      look = .peek(at: place)
      recogniser = .began
      events.append(.peek)
    }
    if isPeeking, !isCommitted, force >= Self.popForce {
      isCommitted = true
      events.append(.pop)
      if form == .original { look = .committed }
    }
  }

  private var isPeeking: Bool {
    if case .peek = look { return true }
    return false
  }

  private mutating func end(_ terminal: RecogniserState) {
    if isPeeking && !isCommitted { events.append(.dismissPeek) }
    if terminal == .cancelled { events.append(.cancelled) }
    recogniser = recogniser == .possible ? .failed : terminal
    finger = nil
    isCommitted = false
    // As published nobody hears of a cancelled touch, and the frame stays (FZ-B11).
    if form == .original, terminal == .cancelled, case .frame = look { return }
    look = .nothing
  }

  func layers() throws(GeometryError) -> [Layer] {
    let base = Layer.picture(PictureLayer(whole: picture, in: setup.shownFrame))
    switch look {
    case .nothing, .committed:
      return [base]
    case .frame(let point, let setup):
      guard let frame = try frame(at: point, of: setup) else { return [base] }
      let shadow = Shadow(offset: ViewPoint(x: 0, y: 0), radius: 5, opacity: 0.75)
      return [base, .outline(OutlineLayer(rect: frame, width: 4, shade: 1, shadow: shadow))]
    case .peek(let point):
      guard let peek = try window(at: point) else { return [base] }
      return [base, .fill(FillLayer(rect: screen.bounds, shade: 0, opacity: 0.6)), .picture(peek)]
    }
  }

  private func frame(at point: ViewPoint, of setup: PeekSetup) throws(GeometryError) -> ViewRect? {
    form == .corrected ? try setup.peek(at: point)?.frame : setup.originalPeek(at: point).frame
  }

  /// The peek's window: in the middle of the screen, on whole pixels of it.
  private func window(at point: ViewPoint) throws(GeometryError) -> PictureLayer? {
    let content: PictureRect
    if form == .corrected {
      guard let region = try setup.peek(at: point)?.region else { return nil }
      content = PictureRect(
        x: Double(region.x), y: Double(region.y), width: Double(region.width),
        height: Double(region.height))
    } else {
      content = setup.originalPeek(at: point).shownCrop
    }
    let size = ViewSize(width: content.width / setup.scale, height: content.height / setup.scale)
    let x = onPixel((screen.size.width - size.width) / 2)
    let y = onPixel((screen.size.height - size.height) / 2)
    return PictureLayer(content: content, size: size, transform: .translation(x: x, y: y))
  }

  private func onPixel(_ points: Double) -> Double {
    (points * screen.scale).rounded() / screen.scale
  }
}
