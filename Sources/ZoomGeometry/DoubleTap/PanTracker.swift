/// Follows one finger from where it goes down until it pans, and then as long as it pans.
///
/// Only a finger that goes down alone pans; a second one ends it, and none pans before all are up.
struct PanTracker: Sendable {
  /// What an event of touches means for a pan; distances are since the last event, in points.
  enum Step: Sendable, Hashable {
    case began(by: ViewPoint)
    case changed(by: ViewPoint)
    case ended
    case cancelled
  }

  private struct Finger {
    let id: Int
    var start: ViewPoint
    /// How far its movement has been used up; nil where the screen has changed since, so that what its
    /// coordinates were says nothing of how it moves.
    var seen: ViewPoint?
  }

  private var down: Set<Int> = []
  private var finger: Finger?
  private var isPanning = false

  /// Takes an event of touches.
  ///
  /// - Parameters:
  ///   - phase: What the touches do.
  ///   - touches: The touches.
  ///   - slop: How far a finger may move without panning, in points.
  ///   - isEnabled: Whether fingers may pan now. Movement while they may not is lost, so that
  ///     nothing jumps afterwards.
  /// - Returns: What it means, in order; usually nothing or one step.
  mutating func handle(
    _ phase: TouchPhase, _ touches: [Touch], slop: Double, isEnabled: Bool
  ) -> [Step] {
    var steps: [Step] = []
    for touch in touches {
      switch phase {
      case .began:
        down.insert(touch.id)
        if down.count == 1 {
          finger = Finger(id: touch.id, start: touch.point, seen: touch.point)
        } else {
          steps += lift(.ended)
        }
      case .moved:
        steps += move(touch, slop, isEnabled)
      case .ended:
        steps += move(touch, slop, isEnabled)
        down.remove(touch.id)
        if finger?.id == touch.id { steps += lift(.ended) }
      case .cancelled:
        down.remove(touch.id)
        if finger?.id == touch.id { steps += lift(.cancelled) }
      }
    }
    return steps
  }

  /// Forgets all fingers.
  mutating func cancel() -> [Step] {
    down = []
    return lift(.cancelled)
  }

  /// Takes a screen of another size: the finger is where it is told next, and has not moved.
  mutating func screenChanged() { finger?.seen = nil }

  private mutating func move(_ touch: Touch, _ slop: Double, _ isEnabled: Bool) -> [Step] {
    guard var finger, finger.id == touch.id else { return [] }
    guard let seen = finger.seen else {
      finger.start = touch.point
      finger.seen = touch.point
      self.finger = finger
      return []
    }
    let (x, y) = (touch.point.x - finger.start.x, touch.point.y - finger.start.y)
    let isFar = (x * x + y * y).squareRoot() > slop
    // Within the slop nothing is used up: the picture catches up with the finger when it pans.
    guard isPanning || isFar || !isEnabled else { return [] }
    let push = ViewPoint(x: touch.point.x - seen.x, y: touch.point.y - seen.y)
    finger.seen = touch.point
    self.finger = finger
    guard isEnabled, push != ViewPoint(x: 0, y: 0) else { return [] }
    defer { isPanning = true }
    return [isPanning ? .changed(by: push) : .began(by: push)]
  }

  /// Lets go of the finger that is followed.
  private mutating func lift(_ step: Step) -> [Step] {
    defer {
      finger = nil
      isPanning = false
    }
    return isPanning ? [step] : []
  }
}
