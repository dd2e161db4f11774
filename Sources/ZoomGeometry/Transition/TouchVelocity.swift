/// The velocity of a finger over its last tenth of a second.
///
/// Samples are kept at least a hundredth of a second apart, so that there are never more than a
/// dozen, however densely the touches come.
struct TouchVelocity: Sendable, Hashable {
  private struct Sample: Hashable {
    let time: Double
    let point: ViewPoint
  }

  private static let window = 0.1
  private static let spacing = 0.01

  /// In the order of time; the last one is the newest, whatever its distance from the one before.
  private var samples: [Sample] = []

  /// Takes a place of the finger; times do not go back.
  mutating func add(_ point: ViewPoint, at time: Double) {
    samples.removeAll { $0.time < time - Self.window }
    if let last = samples.last, let before = samples.dropLast().last,
      last.time - before.time < Self.spacing
    {
      samples.removeLast()
    }
    samples.append(Sample(time: time, point: point))
  }

  /// In points a second; zero for a finger that rested.
  ///
  /// Each coordinate is limited to what geometry calculates with, and the time to a 120th of a
  /// second or more: a script may move a finger in no time.
  var velocity: ViewPoint {
    guard let first = samples.first, let last = samples.last else { return ViewPoint(x: 0, y: 0) }
    let time = max(last.time - first.time, 1.0 / 120)
    let limit = Double(PixelSize.maximumSide)
    return ViewPoint(
      x: ((last.point.x - first.point.x) / time).clamped(to: -limit...limit),
      y: ((last.point.y - first.point.y) / time).clamped(to: -limit...limit))
  }
}
