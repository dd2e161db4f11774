/// A finger that is down, where it was reported last.
struct Finger: Sendable, Hashable {
  /// The number of its touch.
  let id: Int
  /// The point from which its movement is measured.
  private(set) var start: ViewPoint
  /// The last reported point.
  private(set) var point: ViewPoint
  /// Whether the screen has changed its size since the last report: the point is one of the old screen.
  private(set) var isStale = false

  /// Creates a finger that has just come down.
  init(_ touch: Touch) {
    id = touch.id
    start = touch.point
    point = touch.point
  }

  /// Takes a screen of another size.
  mutating func screenChanged() { isStale = true }

  /// Takes a reported point; the first one on a screen of another size is no movement.
  mutating func report(_ point: ViewPoint) {
    if isStale { start = point }
    isStale = false
    self.point = point
  }

  /// Measures its movement from where it is.
  mutating func restart() { start = point }
}
