/// The peek as it should be.
///
/// Frame and peek follow the finger, a touch that begins beside the picture is refused, only the
/// first finger counts, and a cancelled touch leaves nothing on the screen. When the screen changes, the
/// peek stays at its place, and goes on from there with the finger. The picture fits in the safe area, so
/// that all of it can be touched.
struct CorrectedPeekForm: PeekForm {
  private let picture: PixelSize
  private(set) var screen: Screen
  private var setup: PeekSetup
  var press: PeekPress
  /// The place that the peek shows, in points of the safe area.
  private var place = ViewPoint(x: 0, y: 0)
  /// A point of the finger in the safe area and the place at that moment, from which both move alike;
  /// they differ once the screen has changed under the finger.
  private var anchor = atItsPlace
  private static let atItsPlace = (finger: ViewPoint(x: 0, y: 0), place: ViewPoint(x: 0, y: 0))

  init(_ scene: ZoomScene, picture: PixelSize) throws(GeometryError) {
    self.picture = picture
    screen = scene.screen
    setup = try Self.setup(picture, screen)
    press = PeekPress(scene.press)
  }

  /// One picture pixel for each pixel of the screen, where the published form has one for each point
  /// (FZ-B10).
  private static func setup(
    _ picture: PixelSize, _ screen: Screen
  ) throws(GeometryError) -> PeekSetup {
    try PeekSetup(picture: picture, viewport: screen.safeArea.size, scale: screen.scale)
  }

  mutating func advance(to time: Double) {
    press.now = time
    press.update()
  }

  mutating func handle(_ phase: TouchPhase, _ touches: [Touch], _ fingers: FingerTable) {
    if let press = press.finger, let finger = fingers[press.id], finger.isRelocated {
      anchor = (inSafeArea(finger.start), place)
    }
    for touch in touches where phase == .began || press.finger?.id == touch.id {
      switch phase {
      case .began: begin(touch)
      case .moved: move(touch, fingers)
      case .ended: end(.ended)
      case .cancelled: end(.cancelled)
      }
    }
  }

  private mutating func begin(_ touch: Touch) {
    guard press.finger == nil, press.source.accepts(touch) else { return }
    guard setup.shownFrame.contains(inSafeArea(touch.point)) else {
      press.events.append(.rejectedTouch)
      return
    }
    place = inSafeArea(touch.point)
    anchor = Self.atItsPlace
    press.begin(touch)
    press.overlay = .frame
    press.update()
  }

  private mutating func move(_ touch: Touch, _ fingers: FingerTable) {
    let point = inSafeArea(touch.point)
    place = anchor.place + (point - anchor.finger)
    press.move(to: touch, fingers)
    if press.finger?.hasFailed == true {
      press.overlay = .nothing
      press.recogniser = .failed
    }
    press.update()
  }

  mutating func cancelAll() {
    if press.finger != nil { end(.cancelled) }
  }

  private mutating func end(_ terminal: RecogniserState) {
    press.end(terminal)
    press.overlay = .nothing
  }

  mutating func change(to screen: Screen) throws(GeometryError) {
    guard screen != self.screen else { return }
    let shown = setup.picturePoint(at: place)
    self.screen = screen
    setup = try Self.setup(picture, screen)
    place = setup.viewPoint(of: shown)
    // Insets move the picture and not the finger.
    if let finger = press.finger { anchor = (inSafeArea(finger.point), place) }
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
