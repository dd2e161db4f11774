/// Recognises single and double taps.
///
/// A tap is one finger that goes down alone and comes up without having moved further than `slop`.
/// The first tap waits: a second one that comes up within `delay` and near it, with nothing between
/// the two, makes a double tap at that moment; otherwise it is a single tap when the delay is over,
/// or as soon as another tap comes that makes no double tap with it.
/// So each pair of taps is one double tap or two single ones, never both (TI-P12), and a finger that
/// pans never taps.
public struct TapArbiter: Sendable, Hashable {
  /// A tap that has been decided.
  public struct Tap: Sendable, Hashable {
    /// Whether it is a double tap.
    public var isDouble: Bool
    /// The point at which the first finger came down, in points of the viewport.
    public var point: ViewPoint
    /// When it was decided, in seconds.
    public var time: Double
  }

  /// The time that a first tap waits for a second, in seconds.
  ///
  /// UIKit does not publish its own; about 0.35 is what is observed.
  public internal(set) var delay = TapArbiter.usualDelay

  static let usualDelay = 0.35

  /// The distance that a finger may move and still tap, in points; UIKit's is about as long.
  public internal(set) var slop = 10.0

  /// The largest distance of the two taps of a double tap, in points; UIKit's is about as long.
  public internal(set) var reach = 45.0

  /// The fingers that are down and not forgotten.
  private var followed = FingerSet()
  /// Whether what is down can no longer become a tap.
  private var isSpoilt = false
  private var waiting: Tap?
  /// Whether something else than a tap was done since the tap that waits.
  private var isBroken = false
  private var decided: [Tap] = []

  /// Creates an arbiter that has seen nothing.
  public init() {}

  /// Creates an arbiter with the given numbers.
  ///
  /// - Throws: `GeometryError` if a number is negative or not finite.
  public init(delay: Double, slop: Double = 10, reach: Double = 45) throws(GeometryError) {
    self.delay = try GeometryError.notNegative(delay, "delay")
    self.slop = try GeometryError.notNegative(slop, "slop")
    self.reach = try GeometryError.notNegative(reach, "reach")
  }

  /// When a tap that waits will be a single one; nil when none waits.
  public var pendingUntil: Double? { waiting.map { $0.time + delay } }

  /// Takes an event of touches.
  ///
  /// - Parameter fingers: The fingers, updated with the event.
  public mutating func handle(
    _ phase: TouchPhase, _ touches: [Touch], _ fingers: FingerTable
  ) {
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

  /// Takes a screen of another size.
  ///
  /// Fingers that are down do not tap: they are elsewhere on the new screen. A tap that waits becomes
  /// a single one at once, because its point is one of the old screen.
  public mutating func screenChanged(_ fingers: FingerTable) {
    advance(to: fingers.time)
    if var tap = waiting {
      tap.time = fingers.time
      decided.append(tap)
      waiting = nil
    }
    isSpoilt = !followed.isEmpty
  }

  /// Forgets everything, with its buffers: what was touched is no longer shown.
  mutating func forget() {
    cancel()
    waiting = nil
    decided.removeAll(keepingCapacity: true)
  }

  /// Lets time pass: a tap that waited long enough becomes a single one.
  public mutating func advance(to time: Double) {
    guard let until = pendingUntil, time >= until, var tap = waiting else { return }
    tap.time = until
    decided.append(tap)
    waiting = nil
  }

  /// Hands out, once, the taps that were decided since the last call.
  public mutating func takeTaps() -> [Tap] {
    defer { decided = [] }
    return decided
  }

  /// Hands out the earliest tap that was decided and not taken; nil if there is none.
  mutating func nextTap() -> Tap? { decided.isEmpty ? nil : decided.removeFirst() }

  private mutating func tap(at point: ViewPoint, _ time: Double) {
    if let first = waiting, !isBroken, first.point.distance(to: point) <= reach {
      waiting = nil
      decided.append(Tap(isDouble: true, point: first.point, time: time))
      return
    }
    // The first can no longer be half of a double tap: it need not wait for the rest of its delay.
    if let first = waiting {
      decided.append(Tap(isDouble: false, point: first.point, time: time))
    }
    waiting = Tap(isDouble: false, point: point, time: time)
    isBroken = false
  }
}
