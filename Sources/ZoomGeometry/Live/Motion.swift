struct Animation: Sendable, Hashable {
  let start: Double
  let duration: Double
  let curve: TimingCurve

  func isOver(at time: Double) -> Bool { time >= start + duration }

  /// Returns the progress at a time: 0 at the start, 1 when the animation is over.
  func progress(at time: Double) -> Double {
    isOver(at: time) ? 1 : curve.progress(at: (time - start) / duration)
  }
}

protocol Movable: Sendable, Hashable {
  /// Returns the value at a share of the way to another; exactly the other at 1.
  func moved(towards end: Self, by share: Double) -> Self
}

/// A value that rests or is animated to another.
struct Motion<Value: Movable>: Sendable, Hashable {
  /// The value at which it rests or will rest.
  private(set) var end: Value
  private var start: Value
  private var animation: Animation?

  init(_ value: Value) {
    end = value
    start = value
  }

  var isMoving: Bool { animation != nil }

  func value(at time: Double) -> Value {
    guard let animation else { return end }
    return start.moved(towards: end, by: animation.progress(at: time))
  }

  mutating func advance(to time: Double) {
    if animation?.isOver(at: time) == true { animation = nil }
  }

  mutating func rest(at value: Value) { self = Motion(value) }

  mutating func move(
    from start: Value? = nil, to end: Value, at time: Double, for duration: Double,
    _ curve: TimingCurve
  ) {
    self.start = start ?? value(at: time)
    self.end = end
    animation = Animation(start: time, duration: duration, curve: curve)
  }
}

extension Double: Movable {
  /// Returns the number at a share of the way to another; exact at both ends.
  func moved(towards end: Double, by share: Double) -> Double {
    share == 1 ? end : self + (end - self) * share
  }
}

extension ViewPoint: Movable {
  func moved(towards end: ViewPoint, by share: Double) -> ViewPoint {
    ViewPoint(x: x.moved(towards: end.x, by: share), y: y.moved(towards: end.y, by: share))
  }
}

extension ViewRect: Movable {
  func moved(towards end: ViewRect, by share: Double) -> ViewRect {
    ViewRect(
      x: x.moved(towards: end.x, by: share), y: y.moved(towards: end.y, by: share),
      width: width.moved(towards: end.width, by: share),
      height: height.moved(towards: end.height, by: share))
  }
}
