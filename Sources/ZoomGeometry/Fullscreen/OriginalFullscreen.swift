/// A view in full screen as Matt Gallagher's ZoomingViewController published it, defects included;
/// ``FullscreenSetup`` has the corrections.
///
/// Nothing is validated and nothing throws: zeros, NaN and infinities go in and come out. The
/// window w x h is assumed to have its corner at (0, 0) and the points of the upright device
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
  /// For a flat device, the interface's number is used as a device's, which is right: the numbers
  /// agree. For an unknown device the interface is not consulted, and nothing is turned (ZV-B5).
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

  /// Returns the translation and rotation for source bounds of a size.
  ///
  /// The program uses the view's bounds, assigned just before, so that q is zero. The article uses
  /// the window's, which is right only for a view that keeps its corner at (0, 0).
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

/// The interface is read when the view goes to full screen, when the device reports a turn and when
/// the screen changes its size; a turn of the interface alone has no effect.
extension OriginalFullscreen: FullscreenForm {
  static var form: ZoomForm { .original }

  init(
    _ screen: Screen, _ device: DeviceOrientation, _ interface: InterfaceOrientation,
    _ kind: WindowKind?
  ) {
    self.init(window: screen.size, device: device, interface: interface)
  }

  /// Returns a start in which size and turn are already final, so that only the position moves.
  ///
  /// The program animates the frame to the upright window, and then assigns bounds and transform of
  /// the device's orientation without an animation (ZV-B2).
  func zoomIn(from shown: FullscreenPlacement) -> FullscreenPlacement {
    var start = shown.layer
    if turn.swapsAxes { start.size = size }
    return FullscreenPlacement(start, turn)
  }

  /// Returns an end whose sides stay swapped after a quarter turn (ZV-B1): the view at
  /// (20, 30, 100, 50) comes back as (45, 5, 50, 100).
  ///
  /// The program sets the frame while the view is turned, which swaps its sides, and then removes
  /// the turn.
  static func zoomOut(
    from shown: FullscreenPlacement, end: FullscreenPlacement, to inline: ViewRect
  ) -> (start: FullscreenPlacement, end: FullscreenPlacement) {
    var goal = end.layer
    goal.setFrame(inline)
    return (FullscreenPlacement(shown.layer, .none), FullscreenPlacement(goal, .none))
  }
}
