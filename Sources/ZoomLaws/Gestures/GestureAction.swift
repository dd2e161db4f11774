public import ZoomGeometry

/// A piece of a gesture that makes sense after any other piece, and without it.
///
/// Scripts are generated as lists of them, because a list of events is hard to shrink: an event
/// that is left out leaves fingers that move without having come down. A finger that an action
/// touches with comes down if it is up and moves if it is down, and one that it lifts and that is
/// up stays up. So any action may be left out, and what remains is a valid script.
public struct GestureAction: Sendable, Hashable {
  /// How long after the action before, in seconds.
  public var pause: Double
  /// What is done.
  public var kind: Deed

  /// An action.
  public init(after pause: Double = 0, _ kind: Deed) {
    self.pause = pause
    self.kind = kind
  }

  /// What is done.
  public enum Deed: Sendable, Hashable {
    /// A finger comes down, or moves if it is down.
    case touch(finger: Int, at: ViewPoint, force: Double)
    /// Fingers are lifted, in one event.
    case lift(Set<Int>)
    /// The system takes fingers away, in one event.
    case lose(Set<Int>)
    /// A finger comes down and is lifted a moment later, somewhere.
    case tap(at: ViewPoint, held: Double)
    /// Two taps, so many seconds from the first lift to the second touch.
    case doubleTap(at: ViewPoint, then: ViewPoint, gap: Double)
    /// A finger moves along a line in steps; it stays down.
    case pan(finger: Int, from: ViewPoint, to: ViewPoint, steps: Int)
    /// Two fingers move about their middle; see ``PinchPath``.
    case pinch(PinchPath)
    /// A finger comes down and presses: one event for each force.
    case press(at: ViewPoint, forces: [Double])
    /// The device is turned.
    case turn(DeviceOrientation)
    /// The interface is turned.
    case redraw(InterfaceOrientation)
    /// The viewport changes.
    case resize(Screen)
    /// Everything is cancelled.
    case cancel
    /// The close button is pressed.
    case close
  }

  /// Two fingers that come down, move evenly in steps, and of which some are lifted.
  public struct PinchPath: Sendable, Hashable {
    /// The middle of the fingers at the start, in points of the viewport.
    public var from: ViewPoint
    /// The middle of the fingers at the end.
    public var to: ViewPoint
    /// From the middle to the second finger at the start, in points.
    public var arm: ViewPoint
    /// From the middle to the second finger at the end, in points.
    public var endArm: ViewPoint
    /// How many events of movement there are.
    public var steps: Int
    /// Which fingers are lifted at the end, one event each and in this order.
    public var lifted: [Int]

    /// A pinch.
    public init(
      from: ViewPoint, to: ViewPoint, arm: ViewPoint, endArm: ViewPoint, steps: Int,
      lifted: [Int] = [1, 0]
    ) {
      self.from = from
      self.to = to
      self.arm = arm
      self.endArm = endArm
      self.steps = steps
      self.lifted = lifted
    }

    /// Where the two fingers are when some steps are done.
    public func fingers(after step: Int) -> [ViewPoint] {
      // The end to the bit, and never beyond it by a rounding.
      let share = step == steps ? 1 : Double(step) / Double(steps)
      func between(_ start: Double, _ end: Double) -> Double {
        share == 1 ? end : start + share * (end - start)
      }
      let x = between(from.x, to.x)
      let y = between(from.y, to.y)
      let armX = between(arm.x, endArm.x)
      let armY = between(arm.y, endArm.y)
      return [ViewPoint(x: x - armX, y: y - armY), ViewPoint(x: x + armX, y: y + armY)]
    }
  }
}
