/// The corrected peek.
///
/// Frame and peek follow the finger, a touch that begins beside the picture is refused, only the
/// first finger counts, and a cancelled touch leaves nothing on the screen. When the screen
/// changes, the peek stays at the same picture point and follows the finger from there. The picture
/// fits in the safe area, so that all of it can be touched.
struct CorrectedPeekForm: PeekForm {
  private let picture: PixelSize
  private(set) var screen: Screen
  private var setup: PeekSetup
  var press: PeekPress
  /// The point that the peek shows, in points of the safe area.
  private var place = ViewPoint(x: 0, y: 0)
  /// The positions of the finger and of `place` when the screen last changed during the press, in
  /// points of the safe area.
  ///
  /// From there `place` moves by as much as the finger does.
  private var anchor = unmoved
  /// The anchor before any change, with which `place` is the finger's point.
  private static let unmoved = (finger: ViewPoint(x: 0, y: 0), place: ViewPoint(x: 0, y: 0))

  init(_ scene: ZoomScene, picture: PixelSize) throws(GeometryError) {
    self.picture = picture
    screen = scene.screen
    setup = try Self.setup(picture, screen)
    press = PeekPress(scene.press, leavesFrame: false)
  }

  /// Returns the setup with one picture pixel per screen pixel; the published form has one per
  /// point (FZ-B10).
  private static func setup(
    _ picture: PixelSize, _ screen: Screen
  ) throws(GeometryError) -> PeekSetup {
    try PeekSetup(picture: picture, viewport: screen.safeArea.size, scale: screen.scale)
  }

  mutating func handle(_ phase: TouchPhase, _ touches: [Touch], _ fingers: FingerTable) {
    for finger in fingers.fingers where finger.isRelocated && press.touches.follows(finger) {
      anchor = (inSafeArea(finger.start), place)
    }
    for touch in touches {
      switch phase {
      case .began:
        begin(touch, fingers)
      case .moved where press.follows(touch, fingers):
        place = anchor.place + (inSafeArea(touch.point) - anchor.finger)
        press.touches.handle(.moved, [touch], fingers)
        if press.touches.state == .failed { press.overlay = .nothing }
        press.update()
      case .ended where press.follows(touch, fingers),
        .cancelled where press.follows(touch, fingers):
        press.end(phase) { $0.handle(phase, [touch], fingers) }
      case .moved, .ended, .cancelled:
        break
      }
    }
  }

  private mutating func begin(_ touch: Touch, _ fingers: FingerTable) {
    guard !press.touches.isTouched, press.touches.source.accepts(touch) else { return }
    place = inSafeArea(touch.point)
    guard setup.shownFrame.contains(place) else { return press.events.append(.rejectedTouch) }
    anchor = Self.unmoved
    press.overlay = .frame
    press.touches.handle(.began, [touch], fingers)
    press.update()
  }

  mutating func change(to screen: Screen) throws(GeometryError) {
    guard screen != self.screen else { return }
    let shown = setup.picturePoint(at: place)
    self.screen = screen
    setup = try Self.setup(picture, screen)
    place = setup.viewPoint(of: shown)
    // A change of the insets moves the picture but not the finger.
    if let finger = press.touches.finger { anchor = (inSafeArea(finger), place) }
  }

  private func inSafeArea(_ point: ViewPoint) -> ViewPoint { point - screen.safeArea.origin }

  var page: PictureLayer {
    PictureLayer(whole: picture, in: setup.shownFrame.moved(by: screen.safeArea.origin))
      .aligned(to: screen)
  }

  func frame() throws(GeometryError) -> ViewRect? {
    try setup.peek(at: place)?.frame.moved(by: screen.safeArea.origin)
  }

  func window() throws(GeometryError) -> PictureLayer? {
    guard let region = try setup.peek(at: place)?.region else { return nil }
    return PictureLayer(copying: region, inMiddleOf: screen)
  }
}

/// The peek as published.
///
/// The frame stays where the finger came down, even when the touch is cancelled or the screen
/// changes (FZ-B11). The peek stays where it opened. A harder press commits it: the peek closes and
/// nothing replaces it, because the published commit is empty. A picture pixel covers a point
/// (FZ-B10).
struct OriginalPeekForm: PeekForm {
  private let picture: PixelSize
  private(set) var screen: Screen
  private var setup: PeekSetup
  var press: PeekPress
  private var place = ViewPoint(x: 0, y: 0)
  /// The setup when the frame appeared; the screen may have changed since.
  private var framed: PeekSetup

  init(_ scene: ZoomScene, picture: PixelSize) throws(GeometryError) {
    self.picture = picture
    screen = scene.screen
    setup = try PeekSetup(picture: picture, viewport: screen.size)
    framed = setup
    press = PeekPress(.force(scene.press.hardware), leavesFrame: true)
  }

  mutating func handle(_ phase: TouchPhase, _ touches: [Touch], _ fingers: FingerTable) {
    for touch in touches {
      let isFollowed = press.follows(touch, fingers)
      switch phase {
      case .began:
        // Each finger that comes down takes the frame to its point.
        if press.overlay != .peek {
          press.overlay = .frame
          (place, framed) = (touch.point, setup)
        }
        if !press.touches.isTouched { press(touch, phase, fingers) }
      case .moved where isFollowed: press(touch, phase, fingers)
      case .ended where isFollowed, .cancelled where isFollowed:
        press.end(phase) { $0.handle(phase, [touch], fingers) }
      case .ended where press.overlay != .peek: press.overlay = .nothing
      case .moved, .ended, .cancelled: break
      }
    }
  }

  private mutating func press(_ touch: Touch, _ phase: TouchPhase, _ fingers: FingerTable) {
    let wasFrame = press.overlay == .frame
    press.touches.handle(phase, [touch], fingers)
    if press.update() { press.overlay = .committed }
    if wasFrame, press.overlay != .frame { (place, framed) = (touch.point, setup) }
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
