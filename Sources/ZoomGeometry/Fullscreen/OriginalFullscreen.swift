/// A view in full screen as Matt Gallagher's ZoomingViewController published it, defects included;
/// ``FullscreenSetup`` has the corrections.
///
/// Nothing is validated and nothing throws: zeros, NaN and infinities go in and come out. With the
/// window w x h, which is assumed to have its corner at (0, 0) and the points of the upright device
/// (ZV-B4):
///
///     bounds    = h x w in the landscapes, else w x h; unknown counts as upright (ZV-B5)
///     transform = translate by (q, q), then R, with q from the source bounds sw x sh:
///                 left   q = (h - sw) / 2, R(pi / 2)
///                 right  q = (w - sh) / 2, R(-pi / 2)
///     blanking  = (-(h - w) / 2, 0, h, h): too narrow where w > h (ZV-B3)
public struct OriginalFullscreen: Sendable, Hashable {
  /// The size of the window's bounds in points; zero without a window (ZV-B9).
  public let window: ViewSize
  /// The orientation of the device.
  public let device: DeviceOrientation
  /// The orientation of the interface.
  public let interface: InterfaceOrientation

  /// Creates a setup of unchecked values.
  public init(window: ViewSize, device: DeviceOrientation, interface: InterfaceOrientation) {
    self.window = window
    self.device = device
    self.interface = interface
  }

  /// The published turn.
  ///
  /// If the device lies flat, the interface's number is used as a device's, which is right: the numbers
  /// agree. An unknown device is not looked up (ZV-B5).
  public var turn: QuarterTurn {
    switch device {
    case .faceUp, .faceDown:
      DeviceOrientation(upright: interface).contentTurn ?? QuarterTurn.none
    case .unknown, .portrait, .portraitUpsideDown, .landscapeLeft, .landscapeRight:
      device.contentTurn ?? QuarterTurn.none
    }
  }

  /// The size of the view's bounds.
  public var size: ViewSize { window.turned(by: turn) }

  /// Returns the translation and rotation that are made from bounds of a size.
  ///
  /// In the program the bounds are the view's, assigned just before, so that q is zero. The window's
  /// own, as in the article, are right only for a view that keeps its corner at (0, 0).
  public func transform(source: ViewSize) -> Affine {
    let q: Double
    switch turn {
    case .none: return .identity
    case .half: q = 0
    case .clockwise: q = (window.height - source.width) / 2
    case .counterclockwise: q = (window.width - source.height) / 2
    }
    // Sine and cosine leave 6e-17 where an exact quarter turn has zeros.
    return Affine.translation(x: q, y: q).then(.rotation(turn.radians))
  }

  /// The black square under a turning view.
  public var blanking: ViewRect {
    ViewRect(
      x: -(window.height - window.width) / 2, y: 0, width: window.height, height: window.height)
  }

  /// The view in full screen.
  public var layer: ViewLayer {
    var layer = ViewLayer(frame: window.atOrigin)
    layer.size = size
    layer.transform = transform(source: size)
    return layer
  }

}

/// The interface is looked up when the view goes to full screen, when the device reports a turn and
/// when the screen changes its size; a turn of the interface alone is not noticed.
extension OriginalFullscreen: FullscreenForm {
  static var form: ZoomForm { .original }

  init(
    _ screen: Screen, _ device: DeviceOrientation, _ interface: InterfaceOrientation,
    _ kind: WindowKind?
  ) {
    self.init(window: screen.size, device: device, interface: interface)
  }

  /// Returns the start, where size and turn have jumped already and only the position still moves.
  ///
  /// The frame is animated to the upright window, and the next line assigns bounds and transform of
  /// the device's orientation without an animation (ZV-B2).
  func zoomIn(from shown: FullscreenPlacement) -> FullscreenPlacement {
    var start = shown.layer
    if turn.swapsAxes { start.size = size }
    return FullscreenPlacement(start, turn)
  }

  /// Returns an end whose sides stay swapped after a quarter turn (ZV-B1): the view at
  /// (20, 30, 100, 50) comes back as (45, 5, 50, 100).
  ///
  /// The frame is set under the turn, which gives the size that the turned view would need, and the
  /// next line removes the turn.
  static func zoomOut(
    from shown: FullscreenPlacement, end: FullscreenPlacement, to inline: ViewRect
  ) -> (start: FullscreenPlacement, end: FullscreenPlacement) {
    var goal = end.layer
    goal.setFrame(inline)
    return (FullscreenPlacement(shown.layer, .none), FullscreenPlacement(goal, .none))
  }
}
