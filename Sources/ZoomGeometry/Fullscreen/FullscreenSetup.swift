/// The input of a view in full screen: the window, and the orientations of device and interface.
///
/// The controller that takes any view to full screen and turns it by hand is Matt Gallagher's
/// ZoomingViewController (Cocoa with Love); ``OriginalFullscreen`` has the published formulas. This
/// is the corrected form:
///
///     turn      = the device's; the interface's if the device lies flat or is unknown; less the
///                 interface's own turn in a window that has turned with it
///     size      = the window's, swapped for a quarter turn
///     transform = R(turn), exact, about the window's middle
///     blanking  = the square of side max(w, h) centred at window.mid
public struct FullscreenSetup: Sendable, Hashable {
  /// The window to fill, in points; its corner may be anywhere.
  public let window: ViewRect
  /// The kind of the window: its coordinates are fixed, or turn with the interface.
  public let kind: WindowKind
  /// The orientation of the device.
  public let device: DeviceOrientation
  /// The orientation of the interface.
  public let interface: InterfaceOrientation

  /// Creates a setup of checked numbers.
  ///
  /// - Throws: `GeometryError` if the window's rectangle is empty, as without a window, or not finite (ZV-B9, ZV-B11).
  public init(
    window: ViewRect, kind: WindowKind, device: DeviceOrientation, interface: InterfaceOrientation
  ) throws(GeometryError) {
    self.window = try GeometryError.rect(window, "window")
    self.kind = kind
    self.device = device
    self.interface = interface
  }

  /// The turn of the content in the window's points that makes it upright for the user.
  ///
  /// If the device lies flat or is unknown, the interface decides (ZV-B5); if that is unknown too, the
  /// content is not turned.
  public var turn: QuarterTurn {
    let drawn = DeviceOrientation(upright: interface).contentTurn ?? QuarterTurn.none
    let held = device.contentTurn ?? drawn
    return switch kind {
    case .fixed: held
    case .turning: held + drawn.inverse
    }
  }

  /// The view's size before the turn: the window's, with the sides swapped for a quarter turn.
  public var size: ViewSize { window.size.turned(by: turn) }

  /// The black square that hides the page under a turning view.
  ///
  /// It covers the whole window, whichever side is longer and wherever the window is (ZV-P10).
  public var blanking: ViewRect {
    let side = max(window.width, window.height)
    return window.centred(side, side)
  }

  /// The view in full screen, centred in the window; its transform is only the turn.
  public var layer: ViewLayer {
    var layer = ViewLayer(frame: size.atOrigin)
    layer.position = window.centre
    layer.transform = .turn(turn)
    return layer
  }
}

/// The kind of a window: its coordinates are fixed, or turn with the interface.
///
/// The kind is an input because the window's rectangle does not show it: a view turned by hand in a
/// window that has turned already is turned twice (ZV-B4).
public enum WindowKind: String, Sendable, Hashable, Codable, CaseIterable {
  /// The coordinates of the upright device: iOS up to 7.
  case fixed
  /// The coordinates of the interface: iOS 8 and later.
  case turning
}

/// Every animation starts from the visible placement.
extension FullscreenSetup: FullscreenForm {
  static var form: ZoomForm { .corrected }

  /// Without a kind, a viewport wider than high under a landscape interface counts as turning, any other as fixed.
  init(
    _ screen: Screen, _ device: DeviceOrientation, _ interface: InterfaceOrientation,
    _ kind: WindowKind?
  ) throws(GeometryError) {
    let isLandscape = interface == .landscapeLeft || interface == .landscapeRight
    let hasTurned = isLandscape && screen.size.width > screen.size.height
    try self.init(
      window: screen.bounds, kind: kind ?? (hasTurned ? .turning : .fixed), device: device,
      interface: interface)
  }

  func zoomIn(from shown: FullscreenPlacement) -> FullscreenPlacement { shown }

  static func zoomOut(
    from shown: FullscreenPlacement, end: FullscreenPlacement, to inline: ViewRect
  ) -> (start: FullscreenPlacement, end: FullscreenPlacement) {
    (shown, FullscreenPlacement(frame: inline))
  }
}
