/// A view in full screen as Matt Gallagher's ZoomingViewController published it, defects included.
///
/// It is kept so that tests and demonstrations can show each defect beside its correction in
/// ``FullscreenSetup``. Nothing is validated and nothing throws: zeros, NaN and infinities go in
/// and come out. With the window w x h, whose corner it takes for (0, 0) and whose points it takes
/// for those of the upright device (ZV-B4):
///
///     bounds    = h x w in the landscapes, else w x h; unknown counts as upright (ZV-B5)
///     transform = translate by (q, q), then R, with q from the source bounds sw x sh:
///                 left   q = (h - sw) / 2, R(pi / 2)
///                 right  q = (w - sh) / 2, R(-pi / 2)
///     blanking  = (-(h - w) / 2, 0, h, h): too narrow where w > h (ZV-B3)
public struct OriginalFullscreen: Sendable, Hashable {
  /// The size of the window's bounds in points; zero without a window (ZV-B9).
  public let window: ViewSize

  /// How the device is held.
  public let device: DeviceOrientation

  /// How the interface is drawn.
  public let interface: InterfaceOrientation

  /// Keeps the values as they are.
  public init(window: ViewSize, device: DeviceOrientation, interface: InterfaceOrientation) {
    self.window = window
    self.device = device
    self.interface = interface
  }

  /// The turn that is made.
  ///
  /// Lying flat, the interface's number is taken for a device's, which is right, for the numbers
  /// agree where the names do not. An unknown device is not looked up (ZV-B5).
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

  /// Returns the transform that is made from some bounds.
  ///
  /// - Parameter source: The size of the bounds. In the program they are the view's, assigned just
  ///   before, so that q is zero, as it must be for a view that keeps its centre. The window's own,
  ///   as the article has it, are right only for a view that keeps its corner at (0, 0).
  /// - Returns: The translation, then the rotation.
  public func transform(source: ViewSize) -> Affine {
    let q: Double
    switch turn {
    case .none: return .identity
    case .half: q = 0
    case .clockwise: q = (window.height - source.width) / 2
    case .counterclockwise: q = (window.width - source.height) / 2
    }
    // From sines and cosines, which leave 6e-17 where an exact quarter turn has zeros.
    return Affine.translation(x: q, y: q).then(.rotation(turn.radians))
  }

  /// The black square that is put behind the view while it turns.
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
