/// Pans and pinches from raw touches.
///
/// One finger pans once it has moved further than `slop`; two pinch as soon as one of them moves.
/// Of more, the first two count. Taps are ``TapArbiter``'s, with the same slop, so that a finger
/// that pans never taps (TI-P12).
package struct FingerTracker: Sendable, Hashable {
  /// Something that a gesture does.
  enum Change: Hashable {
    case panBegan
    case panned(by: ViewPoint)
    case panEnded(velocity: ViewPoint)
    /// A second finger came: the pan is over, and what it moved is left to the pinch.
    case panHandedOver
    /// No pinch took over what a pan moved, and all fingers have lifted.
    case panLeft
    case pinchBegan(centre: ViewPoint)
    case pinched(Pinch)
    case pinchEnded
    case cancelled
  }

  /// Two fingers: their distance over that at the beginning and over that of the event before,
  /// their middle, and how far it moved since the event before.
  package struct Pinch: Sendable, Hashable {
    package var ratio: Double
    package var step: Double
    package var centre: ViewPoint
    package var shift: ViewPoint
  }

  private struct Pair: Hashable {
    /// At least a point: nearer to each other fingers cannot be, and a quotient needs a divisor.
    let distance: Double
    let centre: ViewPoint

    init(_ one: Finger, _ other: Finger) {
      distance = max(1, one.point.distance(to: other.point))
      let sum = one.point + other.point
      centre = ViewPoint(x: sum.x / 2, y: sum.y / 2)
    }
  }

  private enum Gesture: Hashable {
    case none
    /// How far the finger has been followed.
    case pan(ViewPoint)
    /// As the fingers began, and as they last were.
    case pinch(Pair, Pair)
  }

  /// How far a finger may move before it pans, in points.
  let slop: Double
  /// What the last event did, in order.
  private(set) var changes: [Change] = []
  /// The fingers that are down, in the order in which they came.
  private var fingers: [Finger] = []
  private var gesture = Gesture.none
  private var velocity = TouchVelocity()
  /// Whether the last gesture that ended was a pan that was handed over: what it moved waits for a
  /// gesture that lets go of it.
  private var isLeftMoved = false
  /// The two fingers as they were when they became the first two.
  private var pairAtRest: Pair?

  init(slop: Double) { self.slop = slop }

  /// Whether a pan or a pinch runs.
  var isActive: Bool { gesture != .none }

  /// Whether a finger is down.
  var isTouched: Bool { !fingers.isEmpty }

  /// Forgets everything that is down; fingers that stay are not looked at again until they lift.
  mutating func abandon() {
    // Not a new value: buffers keep their size.
    fingers.removeAll(keepingCapacity: true)
    isLeftMoved = false
    // No finger is left that would be somewhere at a time.
    renew(at: 0)
  }

  /// Takes a screen of another size: the next reports of the fingers are no movements.
  mutating func screenChanged() {
    for index in fingers.indices { fingers[index].screenChanged() }
  }

  /// Takes an event of touches; what it does is in `changes`.
  mutating func handle(_ phase: TouchPhase, _ touches: [Touch], at time: Double) {
    changes.removeAll(keepingCapacity: true)
    if fingers.contains(where: \.isStale) { locate(touches) }
    let before = leaders
    switch phase {
    case .began:
      for touch in touches { fingers.append(Finger(touch)) }
      if leaders != before { finish(.panHandedOver, at: time) }
    case .moved:
      move(touches, at: time)
    case .ended:
      place(touches)
      follow(at: time)
      remove(touches)
      guard leaders != before else { return }
      finish(.panEnded(velocity: velocity.velocity), at: time)
      guard isLeftMoved, fingers.isEmpty else { return }
      isLeftMoved = false
      changes.append(.panLeft)
    case .cancelled:
      remove(touches)
      guard leaders != before else { return }
      let isOver = isActive || (isLeftMoved && fingers.isEmpty)
      renew(at: time)
      guard isOver else { return }
      isLeftMoved = false
      changes.append(.cancelled)
    }
  }

  /// The fingers that count.
  private var leaders: (Int?, Int?) { (fingers.first?.id, fingers.count > 1 ? fingers[1].id : nil) }

  private mutating func place(_ touches: [Touch]) {
    for touch in touches { place(touch) }
  }

  private mutating func place(_ touch: Touch) {
    guard let index = fingers.firstIndex(where: { $0.id == touch.id }) else { return }
    fingers[index].report(touch.point)
  }

  /// Follows fingers that moved together, and samples of one in their order.
  private mutating func move(_ touches: [Touch], at time: Double) {
    var first = 0
    for (number, touch) in touches.enumerated() {
      if touches[first..<number].contains(where: { $0.id == touch.id }) {
        follow(at: time)
        first = number
      }
      place(touch)
    }
    follow(at: time)
  }

  private mutating func remove(_ touches: [Touch]) {
    fingers.removeAll { finger in touches.contains { $0.id == finger.id } }
  }

  /// Takes the places of fingers on a new screen: a gesture that runs goes on from there.
  private mutating func locate(_ touches: [Touch]) {
    var isAnyLocated = false
    for index in fingers.indices where fingers[index].isStale {
      // The first sample; how it goes on from there is movement.
      guard let touch = touches.first(where: { $0.id == fingers[index].id }) else { continue }
      fingers[index].report(touch.point)
      isAnyLocated = true
    }
    guard isAnyLocated else { return }
    velocity.reset()
    if fingers.count > 1 { pairAtRest = Pair(fingers[0], fingers[1]) }
    switch gesture {
    case .none: break
    case .pan: gesture = .pan(fingers[0].point)
    case .pinch: if let pairAtRest { gesture = .pinch(pairAtRest, pairAtRest) }
    }
  }

  /// Ends what runs, because the fingers that count are others now.
  private mutating func finish(_ endOfPan: Change, at time: Double) {
    switch gesture {
    case .none: break
    case .pan:
      isLeftMoved = endOfPan == .panHandedOver
      changes.append(endOfPan)
    case .pinch:
      isLeftMoved = false
      changes.append(.pinchEnded)
    }
    renew(at: time)
  }

  /// Begins anew with the fingers that are down.
  private mutating func renew(at time: Double) {
    gesture = .none
    velocity.reset()
    for index in fingers.indices { fingers[index].restart() }
    pairAtRest = fingers.count > 1 ? Pair(fingers[0], fingers[1]) : nil
    if let first = fingers.first { velocity.add(first.point, at: time) }
  }

  private mutating func follow(at time: Double) {
    guard !fingers.prefix(2).contains(where: \.isStale) else { return }
    if let pairAtRest { return followPair(from: pairAtRest) }
    guard let finger = fingers.first else { return }
    velocity.add(finger.point, at: time)
    if case .pan(let followed) = gesture {
      gesture = .pan(finger.point)
      if followed != finger.point { changes.append(.panned(by: finger.point - followed)) }
      return
    }
    let way = finger.point - finger.start
    guard way.length > slop else { return }
    gesture = .pan(finger.point)
    // What lies beyond the slop is followed at once: the picture does not jump by the slop, and
    // loses nothing of a pan that comes in one event.
    let part = 1 - slop / way.length
    changes.append(.panBegan)
    changes.append(.panned(by: ViewPoint(x: part * way.x, y: part * way.y)))
  }

  private mutating func followPair(from rest: Pair) {
    let now = Pair(fingers[0], fingers[1])
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

  /// Forgets the finger.
  mutating func reset() { samples.removeAll(keepingCapacity: true) }

  /// Takes a place of the finger; times do not go back.
  mutating func add(_ point: ViewPoint, at time: Double) {
    // A microsecond: ten samples a second are 0.1 s apart but for roundings.
    samples.removeAll { $0.time < time - Self.window - 1e-6 }
    // The newest place of a moment counts: another finger may be told first, with this one unmoved.
    if let last = samples.last, samples.count > 1,
      last.time == time || last.time - samples[samples.count - 2].time < Self.spacing
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
