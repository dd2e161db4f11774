/// A picture in a view that a tap takes to full screen and back, and that turns with the device.
///
/// The view stands where the script's stage says, on a light page, and a caption stands before it,
/// so that its place among its siblings can be seen. All numbers are points of the viewport.
struct FullscreenModel: ZoomModel, Sendable {
  /// A movement under way.
  struct Run {
    var animation: Animation
    var start: FullscreenPlacement
    var end: FullscreenPlacement
    /// Whether it follows the device, over a blanking view; otherwise it zooms.
    var isTurn: Bool
  }

  let picture: PixelSize
  let form: ZoomForm
  let stage: Stage
  let chain: ViewChain

  var now = 0.0
  var screen: Screen
  var device: DeviceOrientation
  var interface: InterfaceOrientation
  var hierarchy: FullscreenHierarchy

  /// Where the stage puts the view.
  var home: ViewRect
  /// Where the view stands inline: at home, unless a published formula put it elsewhere.
  var inline: ViewRect
  /// Whether the view is in full screen or on its way there.
  var isFullscreen = false
  /// Where the view stands when nothing moves.
  var rest: FullscreenPlacement
  var run: Run?

  var taps = TapArbiter()
  var fingers = 0
  var events: [ZoomEvent] = []
  var recogniser = RecogniserState.possible

  /// The names of the view and of the caption before it.
  static let viewName = 0
  static let captionName = 1

  init(_ script: GestureScript, picture: PixelSize, form: ZoomForm) throws(GeometryError) {
    self.picture = picture
    self.form = form
    stage = script.stage
    chain = try ViewChain(script.stage.ancestors.map(\.layer))
    screen = script.screen
    device = script.device
    interface = script.interface
    hierarchy = try FullscreenHierarchy(
      siblings: [Self.viewName, Self.captionName], view: Self.viewName, form: form)
    home = try Self.home(stage, chain, screen)
    inline = home
    rest = FullscreenPlacement(frame: home)
    // Nothing here happens on a double tap, so no tap waits for a second one.
    taps.delay = 0
  }

  /// Where the view stands at first: where the stage says, or in the middle of the viewport, half
  /// as long on each side as the viewport's shorter side.
  static func home(
    _ stage: Stage, _ chain: ViewChain, _ screen: Screen
  ) throws(GeometryError) -> ViewRect {
    if let view = stage.view { return try chain.toWindow(view) }
    let side = min(screen.size.width, screen.size.height) / 2
    return ViewRect(
      x: (screen.size.width - side) / 2, y: (screen.size.height - side) / 2,
      width: side, height: side)
  }

  var force: Double { 0 }

  var isMoving: Bool { run != nil }

  mutating func advance(to time: Double) throws(GeometryError) {
    now = time
    if let run, run.animation.isOver(at: now) { come(toRestAt: run.end) }
  }

  mutating func takeEvents() -> [ZoomEvent] {
    defer { events = [] }
    return events
  }

  /// Where the view will be when nothing moves.
  var goal: FullscreenPlacement { run?.end ?? rest }

  /// Where the view is seen now.
  var shown: FullscreenPlacement {
    guard let run else { return rest }
    return run.start.moved(towards: run.end, by: run.animation.progress(at: now))
  }

  mutating func come(toRestAt end: FullscreenPlacement) {
    run = nil
    rest = end
    // Until it has arrived, the returning view stays before everything.
    if !isFullscreen { hierarchy.zoomOut() }
  }
}
