/// A recogniser of pans and pinches.
///
/// One finger pans once it has moved further than `slop`; two pinch as soon as one of them moves.
/// If more are down, only the first two, the leaders, count. ``TapArbiter`` recognises taps, with
/// the same slop, so that a finger that pans never taps (TI-P12).
package struct FingerTracker: Sendable, Hashable {
  package enum Change: Hashable, Sendable {
    case panBegan
    case panned(by: ViewPoint)
    case panEnded(velocity: ViewPoint)
    /// A second finger ended the pan; a pinch may take over the moved picture.
    case panHandedOver
    /// All fingers have lifted after a pan was handed over and no pinch followed.
    case panReleased
    case pinchBegan(centre: ViewPoint)
    case pinched(Pinch)
    case pinchEnded
    case cancelled
  }

  package struct Pinch: Sendable, Hashable {
    /// The distance of the fingers divided by their distance at the beginning.
    package var ratio: Double
    /// The distance of the fingers divided by their distance at the previous step.
    package var step: Double
    package var centre: ViewPoint
    /// The movement of `centre` since the previous step.
    package var shift: ViewPoint
  }

  private struct Pair: Hashable {
    /// The distance, at least one point because it is a divisor; real fingers are never nearer.
    let distance: Double
    let centre: ViewPoint

    init(_ one: ViewPoint, _ other: ViewPoint) {
      distance = max(1, one.distance(to: other))
      let sum = one + other
      centre = ViewPoint(x: sum.x / 2, y: sum.y / 2)
    }
  }

  private enum Gesture: Hashable {
    case none
    /// A pan, with the last point of the finger.
    case pan(ViewPoint)
    /// A pinch, with the fingers at its beginning and at its last step.
    case pinch(Pair, Pair)
  }

  /// The distance that a finger may move before it pans, in points.
  let slop: Double
  /// The steps that the last event caused, in order.
  private(set) var changes: [Change] = []
  /// The fingers that are down and not abandoned; the first two are the leaders.
  private var followed = FingerSet()
  private var gesture = Gesture.none
  private var velocity = TouchVelocity()
  /// Whether a handed-over pan awaits a pinch's end or the last finger's lift.
  private var hasHandedOver = false
  /// The point from which the first finger's movement is compared with the slop.
  private var start = ViewPoint(x: 0, y: 0)
  /// The leaders' distance and centre when they became leaders, or when they came to a new screen.
  private var pairAtRest: Pair?

  init(slop: Double) { self.slop = slop }

  var isActive: Bool { gesture != .none }

  var isTouched: Bool { !followed.isEmpty }

  /// Stops following the fingers that are down, until they lift.
  mutating func abandon() {
    followed = FingerSet()
    hasHandedOver = false
    gesture = .none
    velocity.reset()
    pairAtRest = nil
  }

  /// Handles touches that have already updated the fingers, and sets `changes`.
  mutating func handle(_ phase: TouchPhase, _ touches: [Touch], _ fingers: FingerTable) {
    changes.removeAll(keepingCapacity: true)
    let leaders = leaders(in: fingers)
    relocate(leaders)
    switch phase {
    case .began:
      followed.insertNew(of: fingers)
    case .moved:
      return move(leaders, touches, at: fingers.time)
    case .ended:
      follow(leaders, leaders.first?.point, leaders.second?.point, at: fingers.time)
      followed.removeLifted(of: fingers)
    case .cancelled:
      followed.removeLifted(of: fingers)
    }
    let new = self.leaders(in: fingers)
    guard new.first?.id != leaders.first?.id || new.second?.id != leaders.second?.id else { return }
    end(by: phase)
    begin(new, at: fingers.time)
  }

  private typealias Leaders = (first: Finger?, second: Finger?)

  private func leaders(in fingers: FingerTable) -> Leaders {
    var first: Finger?
    for finger in fingers.fingers where followed.contains(finger) {
      if let first { return (first, finger) }
      first = finger
    }
    return (first, nil)
  }

  /// Ends the gesture, because the leaders have changed.
  private mutating func end(by phase: TouchPhase) {
    if phase == .cancelled {
      if isActive || hasHandedOver && followed.isEmpty {
        hasHandedOver = false
        changes.append(.cancelled)
      }
      return
    }
    switch gesture {
    case .none: break
    case .pan:
      hasHandedOver = phase == .began
      changes.append(hasHandedOver ? .panHandedOver : .panEnded(velocity: velocity.velocity))
    case .pinch:
      hasHandedOver = false
      changes.append(.pinchEnded)
    }
    if phase == .ended, hasHandedOver, followed.isEmpty {
      hasHandedOver = false
      changes.append(.panReleased)
    }
  }

  private mutating func begin(_ leaders: Leaders, at time: Double) {
    gesture = .none
    velocity.reset()
    pairAtRest = nil
    guard let first = leaders.first?.point else { return }
    start = first
    velocity.add(first, at: time)
    pairAtRest = leaders.second.map { Pair(first, $0.point) }
  }

  /// Continues the gesture from the points at which the fingers are on a new screen.
  private mutating func relocate(_ leaders: Leaders) {
    guard let first = leaders.first, first.isRelocated || leaders.second?.isRelocated == true else {
      return
    }
    velocity.reset()
    if first.isRelocated { start = first.start }
    pairAtRest = leaders.second.map { Pair(first.previous, $0.previous) }
    switch gesture {
    case .none: break
    case .pan: gesture = .pan(first.previous)
    case .pinch: if let pairAtRest { gesture = .pinch(pairAtRest, pairAtRest) }
    }
  }

  /// Follows movements: those of two fingers as one step, several samples of one finger in order.
  private mutating func move(_ leaders: Leaders, _ touches: [Touch], at time: Double) {
    var (first, second) = (leaders.first?.previous, leaders.second?.previous)
    var start = 0
    for (number, touch) in touches.enumerated() {
      if touches[start..<number].contains(where: { $0.id == touch.id }) {
        follow(leaders, first, second, at: time)
        start = number
      }
      if touch.id == leaders.first?.id { first = touch.point }
      if touch.id == leaders.second?.id { second = touch.point }
    }
    follow(leaders, first, second, at: time)
  }

  private mutating func follow(
    _ leaders: Leaders, _ first: ViewPoint?, _ second: ViewPoint?, at time: Double
  ) {
    guard let first, leaders.first?.isStale == false, leaders.second?.isStale != true else {
      return
    }
    if let pairAtRest, let second { return followPair(Pair(first, second), from: pairAtRest) }
    velocity.add(first, at: time)
    if case .pan(let followed) = gesture {
      gesture = .pan(first)
      if followed != first { changes.append(.panned(by: first - followed)) }
      return
    }
    let way = first - start
    guard way.length > slop else { return }
    gesture = .pan(first)
    // The movement beyond the slop counts at once, so a pan of a single event is not lost; the slop
    // itself does not count, so the picture does not jump by it.
    let part = 1 - slop / way.length
    changes.append(.panBegan)
    changes.append(.panned(by: ViewPoint(x: part * way.x, y: part * way.y)))
  }

  private mutating func followPair(_ now: Pair, from rest: Pair) {
    var (start, last) = (rest, rest)
    if case .pinch(let first, let latest) = gesture {
      (start, last) = (first, latest)
    } else if now != rest {
      changes.append(.pinchBegan(centre: rest.centre))
    }
    guard now != last else { return }
    gesture = .pinch(start, now)
    changes.append(
      .pinched(
        Pinch(
          ratio: now.distance / start.distance, step: now.distance / last.distance,
          centre: now.centre, shift: now.centre - last.centre)))
  }
}

/// The velocity of a finger over its last tenth of a second.
///
/// Samples are kept at least a hundredth of a second apart, so that there are at most a dozen.
struct TouchVelocity: Sendable, Hashable {
  private struct Sample: Hashable {
    let time: Double
    let point: ViewPoint
  }

  private static let window = 0.1
  private static let spacing = 0.01
  /// The samples in order of time; the newest is kept even if it is too close to the one before.
  private var samples: [Sample] = []

  mutating func reset() { samples.removeAll(keepingCapacity: true) }

  /// Adds a point of the finger; times must not decrease.
  mutating func add(_ point: ViewPoint, at time: Double) {
    // The microsecond allows for rounding: samples at 10 Hz are 0.1 s apart.
    samples.removeAll { $0.time < time - Self.window - 1e-6 }
    // Of several points with the same time the last is kept, because a report of another finger may
    // repeat this finger's old point. The oldest sample always stays.
    if let last = samples.last, samples.count > 1,
      last.time == time || last.time - samples[samples.count - 2].time < Self.spacing
    {
      samples.removeLast()
    }
    samples.append(Sample(time: time, point: point))
  }

  /// The velocity in points per second; zero for a finger that rested.
  ///
  /// Each coordinate is limited to `PixelSize.maximumSide`, and the time is at least a 120th of a
  /// second, because a script may move a finger in no time.
  var velocity: ViewPoint {
    guard let first = samples.first, let last = samples.last else { return ViewPoint(x: 0, y: 0) }
    let time = max(last.time - first.time, 1.0 / 120)
    let limit = Double(PixelSize.maximumSide)
    return ViewPoint(
      x: ((last.point.x - first.point.x) / time).clamped(to: -limit...limit),
      y: ((last.point.y - first.point.y) / time).clamped(to: -limit...limit))
  }
}
