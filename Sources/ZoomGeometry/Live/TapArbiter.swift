/// A recogniser of single and double taps.
///
/// A tap is one finger that goes down alone and comes up without having moved further than `slop`.
/// The first tap waits: a second one that comes up within `delay` and near it, with nothing between
/// the two, makes a double tap at that moment. Otherwise the first is a single tap when the delay is
/// over or another tap comes. So each tap is half of a double tap or a single one, never both
/// (TI-P12), and a finger that pans never taps.
public struct TapArbiter: Sendable, Hashable {
  /// A tap that has been decided.
  public struct Tap: Sendable, Hashable {
    /// Whether it is a double tap.
    public var isDouble: Bool
    /// The point at which the first finger came down, in points of the viewport.
    public var point: ViewPoint
    /// The time of the decision, in seconds.
    public var time: Double
  }

  /// The time that a first tap waits for a second, in seconds.
  public internal(set) var delay = TouchThresholds.usual.tapDelay
  /// The distance that a finger may move and still tap, in points.
  public let slop = TouchThresholds.usual.slop
  /// The largest distance of the two taps of a double tap, in points.
  public let reach = TouchThresholds.usual.tapReach
  /// The fingers that are down and not forgotten.
  private var followed = FingerSet()
  /// Whether the fingers that are down can no longer become a tap.
  private var isSpoilt = false
  private var waiting: Tap?
  /// Whether something other than a tap has happened since the waiting tap.
  private var isBroken = false
  private var decided: [Tap] = []

  /// Creates an arbiter with the usual delay.
  public init() {}

  /// Creates an arbiter with a given delay.
  public init(delay: Double) throws(GeometryError) {
    self.delay = try GeometryError.notNegative(delay, "delay")
  }

  /// The time at which the waiting tap becomes a single one; nil if none waits.
  public var pendingUntil: Double? { waiting.map { $0.time + delay } }

  /// Handles the touches of an event that the table of fingers has just checked and taken.
  public mutating func handle(_ phase: TouchPhase, _ touches: [Touch], _ fingers: FingerTable) {
    advance(to: fingers.time)
    followed.insertNew(of: fingers)
    if followed.count > 1 || phase == .cancelled { isSpoilt = true }
    for touch in touches {
      guard let finger = fingers[touch.id], followed.contains(finger) else { continue }
      if phase != .cancelled, finger.start.distance(to: touch.point) > slop { isSpoilt = true }
      followed.removeIfLifted(finger)
      if phase == .ended && followed.isEmpty && !isSpoilt { tap(at: finger.start, fingers.time) }
    }
    if isSpoilt { isBroken = true }
    if followed.isEmpty { isSpoilt = false }
  }

  /// Forgets the fingers that are down, as when the system cancels them; a tap that waits becomes a
  /// single one.
  public mutating func cancel() {
    followed = FingerSet()
    isSpoilt = false
    isBroken = true
  }

  /// Handles a change of the screen's size.
  ///
  /// Fingers that are down no longer tap, and a waiting tap becomes a single one at once, because
  /// their points belong to the old screen.
  public mutating func screenChanged(_ fingers: FingerTable) {
    advance(to: fingers.time)
    decideWaiting(at: fingers.time)
    isSpoilt = !followed.isEmpty
  }

  /// Forgets all fingers and taps, because the touched view is gone; buffers keep their size.
  mutating func forget() {
    cancel()
    waiting = nil
    decided.removeAll(keepingCapacity: true)
  }

  /// Advances to a time: a tap that has waited long enough becomes a single one.
  public mutating func advance(to time: Double) {
    if let until = pendingUntil, time >= until { decideWaiting(at: until) }
  }

  /// Returns the taps decided since the last call.
  public mutating func takeTaps() -> [Tap] {
    defer { decided = [] }
    return decided
  }

  /// Removes and returns the earliest decided tap; nil if there is none.
  mutating func nextTap() -> Tap? { decided.isEmpty ? nil : decided.removeFirst() }

  private mutating func decideWaiting(at time: Double) {
    guard let tap = waiting else { return }
    decided.append(Tap(isDouble: false, point: tap.point, time: time))
    waiting = nil
  }

  private mutating func tap(at point: ViewPoint, _ time: Double) {
    if let first = waiting, !isBroken, first.point.distance(to: point) <= reach {
      waiting = nil
      decided.append(Tap(isDouble: true, point: first.point, time: time))
      return
    }
    // The first can no longer be half of a double tap: it need not wait for the rest of its delay.
    decideWaiting(at: time)
    waiting = Tap(isDouble: false, point: point, time: time)
    isBroken = false
  }
}
