/// All that a view in full screen depends on: the window, and how device and interface are turned.
///
/// The controller that takes any view to full screen and turns it by hand is Matt Gallagher's
/// ZoomingViewController (Cocoa with Love); ``OriginalFullscreen`` has its formulas as published.
/// This is the corrected form:
///
///     turn      = the device's, by the interface where lying flat or unknown; less the interface's
///                 own turn in a window that has made it already
///     size      = the window's, swapped for a quarter turn
///     transform = R(turn), exact, about the window's middle
///     blanking  = the square of side max(w, h) centred at window.mid
public struct FullscreenSetup: Sendable, Hashable {
  /// The rectangle to fill, in points; its corner may be anywhere.
  public let window: ViewRect

  /// Whether the window's points turn with the interface.
  public let kind: WindowKind

  /// How the device is held.
  public let device: DeviceOrientation

  /// How the interface is drawn.
  public let interface: InterfaceOrientation

  /// Checks and keeps the numbers.
  ///
  /// - Throws: `GeometryError` if a number of the window is not finite, or if a side is not positive
  ///   or out of the range that can be calculated with. A view in no window at all, whose window has
  ///   no size, is refused so too (ZV-B9, ZV-B11).
  public init(
    window: ViewRect, kind: WindowKind, device: DeviceOrientation, interface: InterfaceOrientation
  ) throws(GeometryError) {
    self.window = try GeometryError.rect(window, "window")
    self.kind = kind
    self.device = device
    self.interface = interface
  }

  /// The turn of the content in the window's points that brings it upright for the person.
  ///
  /// A device that lies flat or has not been measured says nothing, and the interface decides
  /// (ZV-B5); if that is unknown as well, the content stays as it is drawn upright.
  public var turn: QuarterTurn {
    let drawn = DeviceOrientation(upright: interface).contentTurn ?? QuarterTurn.none
    let held = device.contentTurn ?? drawn
    return switch kind {
    case .fixed: held
    case .turning: held + drawn.inverse
    }
  }

  /// The view's own size: the window's, with the sides swapped for a quarter turn.
  public var size: ViewSize { window.size.turned(by: turn) }

  /// The black square that hides the page behind a view while it turns.
  ///
  /// It holds the whole window, whichever side is longer and wherever it stands (ZV-P10), to the
  /// last bit: hence the differences of sides, not the middle less half a side.
  public var blanking: ViewRect {
    let side = max(window.width, window.height)
    return window.centred(side, side)
  }

  /// The view in full screen, centred in the window: its transform is the bare turn.
  public var layer: ViewLayer {
    var layer = ViewLayer(frame: size.atOrigin)
    layer.position = window.centre
    layer.transform = .turn(turn)
    return layer
  }
}
