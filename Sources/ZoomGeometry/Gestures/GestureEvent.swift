/// An event of a gesture script.
public struct GestureEvent: Sendable, Hashable {
  /// The kind of an event, with its data.
  public enum Kind: Sendable, Hashable {
    /// Touches begin, move, end or are cancelled, all in one event of the system.
    case touches(TouchPhase, [Touch])
    /// The device is turned.
    case device(DeviceOrientation)
    /// The interface is turned.
    case interface(InterfaceOrientation)
    /// The screen changes: its size, its scale or its insets.
    case screen(Screen)
    /// The system cancels all touches, as for an incoming call.
    case cancelAll
    /// A close button is pressed.
    case close
    /// A wheel is turned over a point; positive numbers scroll right and down, in points.
    ///
    /// The zoom systems ignore it; viewers in a browser do not.
    case wheel(at: ViewPoint, by: ViewPoint)
  }

  /// The time in seconds from the beginning of the script or, live, from a moment that the caller chose.
  public var time: Double
  /// The kind, with its data.
  public var kind: Kind

  /// Creates an event.
  public init(time: Double, kind: Kind) {
    self.time = time
    self.kind = kind
  }
}

/// The change of touches in an event.
public enum TouchPhase: String, Sendable, Hashable, Codable, CaseIterable {
  case began, moved, ended, cancelled
}

/// One finger, pen or pressed mouse in an event.
///
/// One event of movement may contain several samples of a finger, in their order.
public struct Touch: Sendable, Hashable {
  /// The number of the finger, constant from its beginning to its end.
  public var id: Int
  /// The position in points of the viewport.
  public var point: ViewPoint
  /// The force, from 0 to the script's `maximumForce`; 1 is an average touch.
  ///
  /// Numbers outside this range are accepted, to show how a system treats them.
  public var force: Double
  /// Whether it is the tip of a pen rather than a finger.
  public var isPen: Bool
  /// Whether it is a mouse with its button down, which the zoom systems treat as a finger.
  public var isMouse: Bool

  /// Creates a touch.
  public init(
    id: Int, point: ViewPoint, force: Double = 0, isPen: Bool = false, isMouse: Bool = false
  ) {
    self.id = id
    self.point = point
    self.force = force
    self.isPen = isPen
    self.isMouse = isMouse
  }
}
