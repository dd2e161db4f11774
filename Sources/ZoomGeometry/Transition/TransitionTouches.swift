/// Pans and pinches from raw touches.
///
/// One finger pans once it has moved further than `slop`; two pinch as soon as one of them moves.
/// Of more, the first two count. Taps are ``TapArbiter``'s, with the same slop, so that a finger
/// that pans never taps (TI-P12).
struct TransitionTouches: Sendable, Hashable {
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
  struct Pinch: Hashable {
    let ratio: Double
    let step: Double
    let centre: ViewPoint
    let shift: ViewPoint
  }

  private struct Finger: Hashable {
    let id: Int
    var start: ViewPoint
    var point: ViewPoint
  }

  private struct Pair: Hashable {
    /// At least a point: nearer to each other fingers cannot be, and a quotient needs a divisor.
    let distance: Double
    let centre: ViewPoint

    init(_ one: Finger, _ other: Finger) {
      distance = max(1, (one.point - other.point).length)
      centre = ViewPoint(
        x: (one.point.x + other.point.x) / 2, y: (one.point.y + other.point.y) / 2)
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
  /// The fingers that are down, in the order in which they came.
  private var fingers: [Finger] = []
  private var gesture = Gesture.none
  private var velocity = TouchVelocity()
  /// Whether the last gesture that ended was a pan that was handed over: what it moved waits for a
  /// gesture that lets go of it.
  private var isLeftMoved = false
  /// The two fingers as they were when they became the first two.
  private var pairAtRest: Pair?

  init(slop: Double) {
    self.slop = slop
  }

  /// Whether a pan or a pinch runs.
  var isActive: Bool { gesture != .none }

  /// Whether a finger is down.
  var isTouched: Bool { !fingers.isEmpty }

  /// Forgets everything that is down; fingers that stay are not looked at again until they lift.
  mutating func abandon() {
    self = TransitionTouches(slop: slop)
  }

  /// Takes an event of touches and returns what it does, in order.
  mutating func handle(_ phase: TouchPhase, _ touches: [Touch], at time: Double) -> [Change] {
    switch phase {
    case .began:
      let before = leaders
      fingers += touches.map { Finger(id: $0.id, start: $0.point, point: $0.point) }
      return leaders == before ? [] : finish(.panHandedOver, at: time)
    case .moved:
      place(touches)
      return follow(at: time)
    case .ended:
      place(touches)
      let changes = follow(at: time)
      let before = leaders
      remove(touches)
      if leaders == before { return changes }
      let ends = finish(.panEnded(velocity: velocity.velocity), at: time)
      guard isLeftMoved, fingers.isEmpty else { return changes + ends }
      isLeftMoved = false
      return changes + ends + [.panLeft]
    case .cancelled:
      let before = leaders
      remove(touches)
      guard leaders != before else { return [] }
      let isOver = isActive || (isLeftMoved && fingers.isEmpty)
      renew(at: time)
      guard isOver else { return [] }
      isLeftMoved = false
      return [.cancelled]
    }
  }

  /// The fingers that count.
  private var leaders: [Int] { fingers.prefix(2).map(\.id) }

  private mutating func place(_ touches: [Touch]) {
    for touch in touches {
      guard let index = fingers.firstIndex(where: { $0.id == touch.id }) else { continue }
      fingers[index].point = touch.point
    }
  }

  private mutating func remove(_ touches: [Touch]) {
    let gone = Set(touches.map(\.id))
    fingers.removeAll { gone.contains($0.id) }
  }

  /// Ends what runs, because the fingers that count are others now.
  private mutating func finish(_ endOfPan: Change, at time: Double) -> [Change] {
    defer { renew(at: time) }
    switch gesture {
    case .none:
      return []
    case .pan:
      isLeftMoved = endOfPan == .panHandedOver
      return [endOfPan]
    case .pinch:
      isLeftMoved = false
      return [.pinchEnded]
    }
  }

  /// Begins anew with the fingers that are down.
  private mutating func renew(at time: Double) {
    gesture = .none
    velocity = TouchVelocity()
    for index in fingers.indices { fingers[index].start = fingers[index].point }
    pairAtRest = fingers.count > 1 ? Pair(fingers[0], fingers[1]) : nil
    if let first = fingers.first { velocity.add(first.point, at: time) }
  }

  private mutating func follow(at time: Double) -> [Change] {
    if let pairAtRest { return followPair(from: pairAtRest) }
    guard let finger = fingers.first else { return [] }
    velocity.add(finger.point, at: time)
    if case .pan(let followed) = gesture {
      gesture = .pan(finger.point)
      return followed == finger.point ? [] : [.panned(by: finger.point - followed)]
    }
    let way = finger.point - finger.start
    guard way.length > slop else { return [] }
    gesture = .pan(finger.point)
    // What lies beyond the slop is followed at once: the picture does not jump by the slop, and
    // loses nothing of a pan that comes in one event.
    let part = 1 - slop / way.length
    return [.panBegan, .panned(by: ViewPoint(x: part * way.x, y: part * way.y))]
  }

  private mutating func followPair(from rest: Pair) -> [Change] {
    let now = Pair(fingers[0], fingers[1])
    var began: [Change] = []
    var (start, last) = (rest, rest)
    if case .pinch(let first, let latest) = gesture {
      (start, last) = (first, latest)
    } else if now != rest {
      began = [.pinchBegan(centre: rest.centre)]
    }
    guard now != last else { return [] }
    gesture = .pinch(start, now)
    let pinch = Pinch(
      ratio: now.distance / start.distance, step: now.distance / last.distance,
      centre: now.centre, shift: now.centre - last.centre)
    return began + [.pinched(pinch)]
  }
}

extension ViewPoint {
  fileprivate static func - (one: ViewPoint, other: ViewPoint) -> ViewPoint {
    ViewPoint(x: one.x - other.x, y: one.y - other.y)
  }

  fileprivate var length: Double { (x * x + y * y).squareRoot() }
}
