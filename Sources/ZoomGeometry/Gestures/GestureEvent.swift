/// Something that happens at a time of a gesture script.
public struct GestureEvent: Sendable, Hashable {
  /// What happens.
  public enum Kind: Sendable, Hashable {
    /// Touches begin, move, end or are cancelled, all in one event of the system.
    case touches(TouchPhase, [Touch])
    /// The device is turned.
    case device(DeviceOrientation)
    /// The interface is turned.
    case interface(InterfaceOrientation)
    /// The viewport changes its size, its scale, or both.
    case screen(Screen)
    /// Everything that is touched is cancelled, as by an incoming call.
    case cancelAll
    /// A close button is pressed.
    case close
  }

  /// When, in seconds from the script's beginning.
  public var time: Double

  /// What.
  public var kind: Kind

  /// Creates an event.
  public init(time: Double, kind: Kind) {
    self.time = time
    self.kind = kind
  }
}

/// What touches do in an event.
public enum TouchPhase: String, Sendable, Hashable, Codable, CaseIterable {
  case began, moved, ended, cancelled
}

/// One finger or pen in an event.
///
/// A finger's samples since the last frame may come in one event of movement, in their order.
public struct Touch: Sendable, Hashable {
  /// Which finger: the same from its beginning to its end.
  public var id: Int

  /// Where, in points of the viewport.
  public var point: ViewPoint

  /// How hard, from 0 to the script's `maximumForce`; 1 is an average touch.
  ///
  /// Numbers beyond both are let through on purpose: what a system makes of them is worth seeing.
  public var force: Double

  /// Whether it is a pen's tip and no finger.
  public var isPen: Bool

  /// Creates a touch.
  public init(id: Int, point: ViewPoint, force: Double = 0, isPen: Bool = false) {
    self.id = id
    self.point = point
    self.force = force
    self.isPen = isPen
  }
}
