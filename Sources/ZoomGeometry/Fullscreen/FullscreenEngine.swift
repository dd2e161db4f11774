/// ZoomingViewController live: a picture in a view that a tap takes to full screen and back, and that
/// turns with the device.
///
/// The view is where the stage says, on a light page, and a caption is in front of it, so that its
/// place among its siblings can be seen. All numbers are points of the viewport.
struct FullscreenEngine<Form: FullscreenForm>: ZoomEngine {
  private let picture: PixelSize
  private let stage: Stage
  private let chain: ViewChain
  private var hold: FullscreenHold
  private var now = 0.0
  private var hierarchy: FullscreenHierarchy

  /// The place that the stage gives the view.
  private var home: ViewRect
  /// The place of the view outside full screen: home, unless a published formula put it elsewhere.
  private var inline: ViewRect
  /// Whether the view is in full screen or on its way there.
  private var isFullscreen = false
  private var placement: Motion<FullscreenPlacement>
  /// Whether what moves follows the device, over a blanking view; otherwise it zooms.
  private var isTurning = false

  private var taps = TapArbiter()
  private(set) var events: [ZoomEvent] = []
  private(set) var recogniser = RecogniserState.possible

  init(_ scene: ZoomScene, picture: PixelSize) throws(GeometryError) {
    self.picture = picture
    stage = scene.stage
    chain = try scene.stage.chain()
    hold = FullscreenHold(
      screen: scene.screen, device: scene.device, interface: scene.interface,
      kind: scene.stage.window)
    hierarchy = FullscreenHierarchy(
      siblings: [FullscreenPage.view, FullscreenPage.caption], view: FullscreenPage.view,
      keepsPlaces: Form.keepsPlaces)
    home = try Self.home(stage, chain, scene.screen)
    inline = home
    placement = Motion(FullscreenPlacement(frame: home))
    // Nothing here happens on a double tap, so no tap waits for a second one.
    taps.delay = 0
  }

  /// Returns the first place of the view: the one of the stage, or a square in the middle of the safe
  /// area, half as long as its shorter side.
  private static func home(
    _ stage: Stage, _ chain: ViewChain, _ screen: Screen
  ) throws(GeometryError) -> ViewRect {
    if let view = stage.view { return try chain.toWindow(view) }
    let safe = screen.safeArea
    let side = min(safe.width, safe.height) / 2
    return safe.centred(side, side)
  }

  /// Nothing here is driven by force.
  var force: Double { 0 }

  var isMoving: Bool { placement.isMoving }

  mutating func clearEvents() { events.removeAll(keepingCapacity: true) }

  mutating func advance(to time: Double) {
    now = time
    guard placement.isMoving else { return }
    placement.advance(to: time)
    if !placement.isMoving { settle() }
  }

  mutating func handle(_ event: GestureEvent, _ fingers: FingerTable) throws(GeometryError) {
    switch event.kind {
    case .touches(let phase, let touches):
      try handle(phase, touches, fingers)
    case .device(let orientation):
      hold.device = orientation
      try follow()
    case .interface(let orientation):
      hold.interface = orientation
      if Form.followsInterface { try follow() }
    case .screen(let changed):
      guard changed != hold.screen else { return }
      let isResized = changed.size != hold.screen.size
      // No tap waits here: see `init`.
      if isResized { taps.screenChanged(fingers) }
      hold.screen = changed
      try layOut(isResized: isResized)
    case .cancelAll:
      taps.cancel()
      if fingers.wasTouched { cancelTouches() }
    case .close:
      if isFullscreen { dismiss() }
    }
  }

  private mutating func handle(
    _ phase: TouchPhase, _ touches: [Touch], _ fingers: FingerTable
  ) throws(GeometryError) {
    taps.handle(phase, touches, fingers)
    // A tap that waits for nothing is decided by the arbiter's next look at the clock.
    taps.advance(to: now)
    switch phase {
    case .began:
      if !fingers.wasTouched { recogniser = .possible }
    case .moved:
      break
    case .ended:
      if !fingers.isTouched { recogniser = .failed }
    case .cancelled:
      cancelTouches()
    }
    while let tap = taps.nextTap() {
      guard placement.end.covered.contains(tap.point) else { continue }
      if !fingers.isTouched { recogniser = .ended }
      events.append(.singleTap)
      if isFullscreen { dismiss() } else { try present() }
    }
  }

  private mutating func cancelTouches() {
    recogniser = .cancelled
    events.append(.cancelled)
  }

  private mutating func present() throws(GeometryError) {
    isFullscreen = true
    hierarchy.zoomIn()
    events.append(.present)
    let (start, end) = try Form.zoomIn(from: placement.value(at: now), hold)
    move(from: start, to: end, in: FullscreenDuration.zoomIn, isTurn: false)
  }

  private mutating func dismiss() {
    isFullscreen = false
    events.append(.dismiss)
    let shown = placement.value(at: now)
    let (start, end) = Form.zoomOut(from: shown, on: placement.end, to: inline)
    inline = end.covered
    move(from: start, to: end, in: FullscreenDuration.zoomOut, isTurn: false)
  }

  /// Turns the view after the device, if it is in full screen and not right already.
  private mutating func follow() throws(GeometryError) {
    guard isFullscreen else { return }
    let end = try Form.fullscreen(hold)
    guard end != placement.end else { return }
    events.append(.rotate)
    move(from: placement.value(at: now), to: end, in: FullscreenDuration.rotation, isTurn: true)
  }

  /// Puts everything where it belongs on another screen, at once: the points that an animation under
  /// way was made for are gone.
  ///
  /// Insets alone move the view's inline place and nothing in full screen.
  private mutating func layOut(isResized: Bool) throws(GeometryError) {
    let old = home
    home = try Self.home(stage, chain, hold.screen)
    if home != old { inline = home }
    guard isResized || home != old && !isFullscreen else { return }
    placement.rest(
      at: isFullscreen ? try Form.fullscreen(hold) : FullscreenPlacement(frame: inline))
    settle()
  }

  private mutating func move(
    from start: FullscreenPlacement, to end: FullscreenPlacement, in duration: Double, isTurn: Bool
  ) {
    placement.move(
      from: start.unwound(towards: end), to: end, at: now, for: duration, .easeInEaseOut)
    isTurning = isTurn
  }

  private mutating func settle() {
    isTurning = false
    // Until it has arrived, the returning view stays in front of everything.
    if !isFullscreen { hierarchy.zoomOut() }
  }

  func draw(into layers: inout [Layer]) throws(GeometryError) {
    layers.append(.fill(FillLayer(rect: hold.screen.bounds, shade: FullscreenPage.shade)))
    for sibling in hierarchy.siblings {
      switch sibling {
      case .view(FullscreenPage.caption): layers.append(.fill(caption))
      case .view: drawView(into: &layers)
      case .proxy: break
      }
    }
    guard hierarchy.isFullscreen else { return }
    if isTurning { layers.append(.fill(FillLayer(rect: try Form.blanking(hold), shade: 0))) }
    drawView(into: &layers)
  }

  /// A sibling in front of the view: a strip over the lowest quarter of its place.
  private var caption: FillLayer {
    let height = home.height / 4
    return FillLayer(
      rect: ViewRect(x: home.x, y: home.maxY - height, width: home.width, height: height),
      shade: FullscreenPage.captionShade)
  }

  /// The picture, fitted into the view, over black.
  ///
  /// A turning view has no card, only the blanking view below it: a card would hide some of what
  /// the blanking view leaves uncovered (ZV-B3).
  private func drawView(into layers: inout [Layer]) {
    let shown = placement.value(at: now)
    let toViewport = shown.layer.toParent
    if !isTurning {
      layers.append(.fill(FillLayer(rect: shown.size.atOrigin, transform: toViewport, shade: 0)))
    }
    var layer = PictureLayer(
      whole: picture, in: AspectFit(picture: picture, viewport: shown.size).frame)
    layer.transform = layer.transform.then(toViewport)
    if Form.aligns, !placement.isMoving { layer = layer.aligned(to: hold.screen) }
    layers.append(.picture(layer))
  }
}

/// The page around the view.
enum FullscreenPage {
  /// The names of the view and of the caption in front of it.
  static let view = 0
  static let caption = 1
  /// The shades of the page and the caption.
  static let shade = 0.9
  static let captionShade = 0.35
}
