/// Something that can be on its way to another of its kind.
protocol Movable: Sendable, Hashable {
  /// The value a share of the way to another; exactly the other at 1.
  func moved(towards end: Self, by share: Double) -> Self
}

extension Double: Movable {}

/// A value that rests or is on its way to where it will rest.
struct Motion<Value: Movable>: Sendable, Hashable {
  /// Where it rests, or will.
  private(set) var end: Value
  private var start: Value
  private var animation: Animation?

  init(_ value: Value) {
    end = value
    start = value
  }

  var isMoving: Bool { animation != nil }

  /// What is shown at a time.
  func value(at time: Double) -> Value {
    guard let animation else { return end }
    return start.moved(towards: end, by: animation.progress(at: time))
  }

  /// Ends what is over.
  mutating func advance(to time: Double) {
    if animation?.isOver(at: time) == true { animation = nil }
  }

  /// Puts it somewhere, at rest.
  mutating func rest(at value: Value) {
    self = Motion(value)
  }

  /// Sends it off from where it is seen.
  mutating func move(to end: Value, at time: Double, for duration: Double, _ curve: TimingCurve) {
    start = value(at: time)
    self.end = end
    animation = Animation(start: time, duration: duration, curve: curve)
  }
}
