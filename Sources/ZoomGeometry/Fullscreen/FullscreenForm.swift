/// What the two forms of the view in full screen do differently.
protocol FullscreenForm: Sendable {
  /// Whether the view and the proxy that stands for it keep their place among their siblings.
  static var keepsPlaces: Bool { get }
  /// Whether a turn of the interface is followed, too; otherwise only one of the device.
  static var followsInterface: Bool { get }
  /// Whether a picture at rest is brought onto whole pixels.
  static var aligns: Bool { get }

  /// Where the view is in full screen.
  static func fullscreen(_ hold: FullscreenHold) throws(GeometryError) -> FullscreenPlacement
  /// Where the way to full screen begins and ends.
  static func zoomIn(
    from shown: FullscreenPlacement, _ hold: FullscreenHold
  ) throws(GeometryError) -> (start: FullscreenPlacement, end: FullscreenPlacement)
  /// Where the way back begins and ends, from what is seen of a view on its way to a goal.
  static func zoomOut(
    from shown: FullscreenPlacement, on goal: FullscreenPlacement, to inline: ViewRect
  ) -> (start: FullscreenPlacement, end: FullscreenPlacement)
  /// The rectangle that is black behind a turning view.
  static func blanking(_ hold: FullscreenHold) throws(GeometryError) -> ViewRect
}

/// The screen, and how it is held.
struct FullscreenHold: Sendable {
  var screen: Screen
  var device: DeviceOrientation
  var interface: InterfaceOrientation
  /// Whether the window turns with the interface, if that is said.
  var kind: WindowKind?
}

/// Everything sets out from what is seen, and ends where ``FullscreenSetup`` says.
enum CorrectedFullscreenForm: FullscreenForm {
  static let keepsPlaces = true
  static let followsInterface = true
  static let aligns = true

  /// Where nobody says whether the window turns with the interface, a viewport that is wider than
  /// high while the interface is drawn for landscape has turned; all others are fixed.
  private static func setup(_ hold: FullscreenHold) throws(GeometryError) -> FullscreenSetup {
    let isLandscape = hold.interface == .landscapeLeft || hold.interface == .landscapeRight
    let hasTurned = isLandscape && hold.screen.size.width > hold.screen.size.height
    return try FullscreenSetup(
      window: hold.screen.bounds, kind: hold.kind ?? (hasTurned ? .turning : .fixed),
      device: hold.device, interface: hold.interface)
  }

  static func fullscreen(_ hold: FullscreenHold) throws(GeometryError) -> FullscreenPlacement {
    let setup = try setup(hold)
    return FullscreenPlacement(setup.layer, setup.turn)
  }

  static func zoomIn(
    from shown: FullscreenPlacement, _ hold: FullscreenHold
  ) throws(GeometryError) -> (start: FullscreenPlacement, end: FullscreenPlacement) {
    (shown, try fullscreen(hold))
  }

  static func zoomOut(
    from shown: FullscreenPlacement, on goal: FullscreenPlacement, to inline: ViewRect
  ) -> (start: FullscreenPlacement, end: FullscreenPlacement) {
    (shown, FullscreenPlacement(frame: inline))
  }

  static func blanking(_ hold: FullscreenHold) throws(GeometryError) -> ViewRect {
    try setup(hold).blanking
  }
}

/// As published; see ``OriginalFullscreen``.
///
/// The interface is looked up only when the device reports a turn.
enum OriginalFullscreenForm: FullscreenForm {
  static let keepsPlaces = false
  static let followsInterface = false
  static let aligns = false

  private static func original(_ hold: FullscreenHold) -> OriginalFullscreen {
    OriginalFullscreen(window: hold.screen.size, device: hold.device, interface: hold.interface)
  }

  static func fullscreen(_ hold: FullscreenHold) -> FullscreenPlacement {
    FullscreenPlacement(original(hold).layer, original(hold).turn)
  }

  static func zoomIn(
    from shown: FullscreenPlacement, _ hold: FullscreenHold
  ) -> (start: FullscreenPlacement, end: FullscreenPlacement) {
    let original = original(hold)
    let (start, end) = original.zoomedIn(shown.layer)
    return (FullscreenPlacement(start, original.turn), FullscreenPlacement(end, original.turn))
  }

  /// The frame is set under the turn that the view has been given, which is that of the goal, and
  /// what is seen sets out from where it is.
  static func zoomOut(
    from shown: FullscreenPlacement, on goal: FullscreenPlacement, to inline: ViewRect
  ) -> (start: FullscreenPlacement, end: FullscreenPlacement) {
    let end = OriginalFullscreen.zoomedOut(goal.layer, to: inline).end
    return (FullscreenPlacement(shown.layer, .none), FullscreenPlacement(end, .none))
  }

  static func blanking(_ hold: FullscreenHold) -> ViewRect { original(hold).blanking }
}
