/// The engine of the view in full screen (Matt Gallagher's ZoomingViewController): a tap takes a
/// view with a picture to full screen and back, and the view turns with the device.
///
/// The stage places the view on a light page. A caption, a sibling in front of the view, makes visible whether the view
/// keeps its place among its siblings. All numbers are points of the viewport.
struct FullscreenEngine<Form: FullscreenForm>: ZoomEngine {
  private let picture: PixelSize
  private let stage: Stage
  private var screen: Screen
  private var device: DeviceOrientation
  private var interface: InterfaceOrientation
  private var now = 0.0
  private var home: ViewRect
  /// The frame of the view outside full screen: home, unless a published formula moved it.
  private var inline: ViewRect
  /// Whether the view is in full screen or is being presented.
  private var isFullscreen = false
  /// Whether the view is a child of the window: in full screen and in both animations.
  private var isInWindow = false
  /// Whether the inline view is drawn over the caption.
  ///
  /// While the view is in full screen, a proxy takes its place. In the published form the proxy,
  /// and later the returning view, is inserted in front of all siblings (ZV-B8).
  private var isCaptionBehind = false
  private var placement: Motion<FullscreenPlacement>
  /// Whether the animation turns the view, over a blanking view; otherwise it zooms.
  private var isTurning = false

  private var taps = TapArbiter()
  private(set) var events: [ZoomEvent] = []
  private(set) var recogniser = RecogniserState.possible

  init(_ scene: ZoomScene, picture: PixelSize) throws(GeometryError) {
    self.picture = picture
    stage = scene.stage
    screen = scene.screen
    (device, interface) = (scene.device, scene.interface)
    home = Self.home(stage, scene.screen)
    inline = home
    placement = Motion(FullscreenPlacement(frame: home))
    // A double tap does nothing here, so no tap waits for a second one.
    taps.delay = 0
  }

  private static func home(_ stage: Stage, _ screen: Screen) -> ViewRect {
    if let view = stage.view { return stage.placed(view) }
    let safe = screen.safeArea
    let side = min(safe.width, safe.height) / 2
    return safe.centred(side, side)
  }

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
      device = orientation
      try follow()
    case .interface(let orientation):
      interface = orientation
      if Form.form == .corrected { try follow() }
    case .screen(let changed):
      guard changed != screen else { return }
      let isResized = changed.size != screen.size
      if isResized { taps.screenChanged(fingers) }
      screen = changed
      try layOut(isResized: isResized)
    case .cancelAll:
      taps.cancel()
      if fingers.wasTouched { cancelTouches() }
    case .close:
      if isFullscreen { dismiss() }
    case .wheel: break
    }
  }

  private mutating func handle(
    _ phase: TouchPhase, _ touches: [Touch], _ fingers: FingerTable
  ) throws(GeometryError) {
    taps.handle(phase, touches, fingers)
    // A tap without a delay is decided now.
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

  private func setup() throws(GeometryError) -> Form {
    try Form(screen, device, interface, stage.window)
  }

  private mutating func present() throws(GeometryError) {
    isFullscreen = true
    isInWindow = true
    if Form.form == .original { isCaptionBehind = true }
    events.append(.present)
    let setup = try setup()
    move(
      from: setup.zoomIn(from: placement.value(at: now)), to: setup.placement,
      in: 0.2)
  }

  private mutating func dismiss() {
    isFullscreen = false
    events.append(.dismiss)
    let shown = placement.value(at: now)
    let (start, end) = Form.zoomOut(from: shown, end: placement.end, to: inline)
    inline = end.covered
    move(from: start, to: end, in: 0.2)
  }

  /// Turns the view with the device if it is in full screen and not yet turned.
  private mutating func follow() throws(GeometryError) {
    guard isFullscreen else { return }
    let end = try setup().placement
    guard end != placement.end else { return }
    events.append(.rotate)
    move(from: placement.value(at: now), to: end, in: 0.25)
    isTurning = true
  }

  /// Lays everything out on another screen at once, because a running animation uses the points of the old screen.
  ///
  /// If only the insets change, a view in full screen stays as it is. The inline frame moves unless the stage sets it.
  private mutating func layOut(isResized: Bool) throws(GeometryError) {
    let old = home
    home = Self.home(stage, screen)
    if home != old { inline = home }
    guard isResized || home != old && !isFullscreen else { return }
    placement.rest(
      at: isFullscreen ? try setup().placement : FullscreenPlacement(frame: inline))
    settle()
  }

  /// Starts an animation of a duration in seconds; both forms use the published durations.
  private mutating func move(
    from start: FullscreenPlacement, to end: FullscreenPlacement, in duration: Double
  ) {
    placement.move(
      from: start.unwound(towards: end), to: end, at: now, for: duration, .easeInEaseOut)
    isTurning = false
  }

  private mutating func settle() {
    isTurning = false
    // A returning view stays in front of everything until its animation ends.
    if !isFullscreen { isInWindow = false }
  }

  func draw(into layers: inout [Layer]) throws(GeometryError) {
    layers.append(.fill(FillLayer(rect: screen.bounds, shade: 0.9)))
    if isCaptionBehind { layers.append(.fill(caption)) }
    if !isInWindow { drawView(into: &layers) }
    if !isCaptionBehind { layers.append(.fill(caption)) }
    guard isInWindow else { return }
    if isTurning { layers.append(.fill(FillLayer(rect: try setup().blanking, shade: 0))) }
    drawView(into: &layers)
  }

  private var caption: FillLayer {
    let height = home.height / 4
    return FillLayer(
      rect: ViewRect(x: home.x, y: home.maxY - height, width: home.width, height: height),
      shade: 0.35)
  }

  /// Appends the picture, fitted into the view, over black.
  ///
  /// A turning view gets no black area of its own: that area would hide parts of the page that the
  /// published blanking view leaves uncovered (ZV-B3).
  private func drawView(into layers: inout [Layer]) {
    let shown = placement.value(at: now)
    let toViewport = shown.layer.toParent
    if !isTurning {
      layers.append(.fill(FillLayer(rect: shown.size.atOrigin, transform: toViewport, shade: 0)))
    }
    var layer = PictureLayer(
      whole: picture, in: AspectFit(picture: picture, viewport: shown.size).frame)
    layer.transform = layer.transform.then(toViewport)
    if Form.form == .corrected, !placement.isMoving { layer = layer.aligned(to: screen) }
    layers.append(.picture(layer))
  }
}

protocol FullscreenForm: Sendable {
  static var form: ZoomForm { get }

  init(
    _ screen: Screen, _ device: DeviceOrientation, _ interface: InterfaceOrientation,
    _ kind: WindowKind?
  ) throws(GeometryError)

  var layer: ViewLayer { get }
  var turn: QuarterTurn { get }
  var blanking: ViewRect { get }

  func zoomIn(from shown: FullscreenPlacement) -> FullscreenPlacement
  static func zoomOut(
    from shown: FullscreenPlacement, end: FullscreenPlacement, to inline: ViewRect
  ) -> (start: FullscreenPlacement, end: FullscreenPlacement)
}

extension FullscreenForm {
  fileprivate var placement: FullscreenPlacement { FullscreenPlacement(layer, turn) }
}
