/// The peek as published.
///
/// The frame stays where the finger came down; it stays on the screen when the touch is cancelled or
/// the screen changes (FZ-B11). The peek stays where it opened and closes without a trace when it is
/// pressed on (commit does nothing). A picture pixel covers a point (FZ-B10).
struct OriginalPeekForm: PeekForm {
  private let picture: PixelSize
  private(set) var screen: Screen
  private var setup: PeekSetup
  var press: PeekPress
  private var place = ViewPoint(x: 0, y: 0)
  /// Of which screen the frame is: perhaps one that has changed since.
  private var framed: PeekSetup

  init(_ scene: ZoomScene, picture: PixelSize) throws(GeometryError) {
    self.picture = picture
    screen = scene.screen
    setup = try PeekSetup(picture: picture, viewport: screen.size)
    framed = setup
    press = PeekPress(.force(scene.press.hardware))
  }

  /// Force alone opens and commits, and it does not change by itself.
  mutating func advance(to time: Double) {}

  mutating func handle(_ phase: TouchPhase, _ touches: [Touch], _ fingers: FingerTable) {
    for touch in touches { handle(phase, touch, fingers) }
  }

  private mutating func handle(_ phase: TouchPhase, _ touch: Touch, _ fingers: FingerTable) {
    let isFollowed = press.finger?.id == touch.id
    switch phase {
    case .began: begin(touch)
    case .moved where isFollowed:
      press.move(to: touch, fingers)
      open(at: touch.point)
    case .ended where isFollowed: end(.ended)
    case .cancelled where isFollowed: end(.cancelled)
    case .ended where press.overlay != .peek: press.overlay = .nothing
    case .moved, .ended, .cancelled: break
    }
  }

  private mutating func begin(_ touch: Touch) {
    // Each finger that comes down draws the frame anew, wherever it is.
    if press.overlay != .peek {
      press.overlay = .frame
      (place, framed) = (touch.point, setup)
    }
    guard press.finger == nil else { return }
    press.begin(touch)
    open(at: touch.point)
  }

  private mutating func open(at point: ViewPoint) {
    let wasFrame = press.overlay == .frame
    if press.update() { press.overlay = .committed }
    if wasFrame, press.overlay != .frame { (place, framed) = (point, setup) }
  }

  mutating func cancelAll() {
    if press.finger != nil { end(.cancelled) }
  }

  private mutating func end(_ terminal: RecogniserState) {
    press.end(terminal)
    // Nobody hears of a cancelled touch, and the frame stays (FZ-B11).
    if terminal == .cancelled, press.overlay == .frame { return }
    press.overlay = .nothing
  }

  mutating func change(to screen: Screen) throws(GeometryError) {
    self.screen = screen
    setup = try PeekSetup(picture: picture, viewport: screen.size)
  }

  var page: PictureLayer { PictureLayer(whole: picture, in: setup.shownFrame) }

  func frame() -> ViewRect? { framed.originalPeek(at: place).frame }

  func window() -> PictureLayer? {
    let side = setup.side
    return PictureLayer(
      content: setup.originalPeek(at: place).shownCrop, size: ViewSize(width: side, height: side),
      transform: .translation(
        x: screen.onPixel((screen.size.width - side) / 2),
        y: screen.onPixel((screen.size.height - side) / 2)))
  }
}
