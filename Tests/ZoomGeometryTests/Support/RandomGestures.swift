import ZoomGeometry

/// Gestures of one and two fingers drawn from a seed, written down event by event.
struct RandomGestures {
  private(set) var events: [GestureEvent] = []
  private(set) var now: Double
  private var random: SplitMix64
  private let screen: ViewSize

  /// Begins to write.
  ///
  /// - Parameters:
  ///   - seed: Says which gestures they are.
  ///   - screen: Where the fingers are.
  ///   - start: The time of the first event, in seconds.
  init(seed: UInt64, screen: ViewSize, start: Double) {
    random = SplitMix64(seed: seed)
    self.screen = screen
    now = start
  }

  /// A touch and its end, in a place that may be given.
  mutating func tap(at place: ViewPoint? = nil) {
    let place = place ?? point()
    add(.began, [place])
    now += 0.05
    add(.ended, [place])
  }

  mutating func doubleTap() {
    let place = point()
    tap(at: place)
    now += 0.1
    tap(at: place)
  }

  /// A drag of one or two fingers with changing force; of two, the second comes and goes apart.
  mutating func drag(fingers count: Int, cancelled: Bool = false) {
    var places = [point()]
    add(.began, places)
    for step in 0..<24 {
      now += 1.0 / 60
      let force = 6.5 * random.unit()
      if step == 4, count == 2 {
        let second = point()
        add(.began, [second], from: 1)
        places.append(second)
      }
      places = places.map { place in
        ViewPoint(x: place.x + random.number(-12, 14), y: place.y + random.number(-15, 11))
      }
      add(.moved, places, force: force)
    }
    now += 0.01
    if cancelled { return add(.cancelled, places) }
    if count == 2 {
      add(.ended, [places[1]], from: 1)
      now += 0.02
      add(.moved, [places[0]])
    }
    add(.ended, [places[0]])
  }

  /// Some gestures of every kind, with time between them for animations to end or not.
  mutating func gestures(_ count: Int) {
    for _ in 0..<count {
      switch random.next() % 6 {
      case 0: tap()
      case 1: doubleTap()
      case 2: drag(fingers: 2)
      case 3: drag(fingers: 1, cancelled: true)
      case 4: drag(fingers: 2, cancelled: true)
      default: drag(fingers: 1)
      }
      now += random.pick([0.1, 0.5, 1.5])
    }
  }

  /// Lets time go by.
  mutating func wait(_ seconds: Double) { now += seconds }

  mutating func add(_ kind: GestureEvent.Kind) {
    events.append(GestureEvent(time: now, kind: kind))
  }

  private mutating func add(
    _ phase: TouchPhase, _ points: [ViewPoint], from first: Int = 0, force: Double = 0
  ) {
    add(
      .touches(
        phase,
        points.enumerated().map { index, point in
          Touch(id: first + index, point: point, force: force)
        }))
  }

  private mutating func point() -> ViewPoint {
    ViewPoint(
      x: random.number(0.1, 0.9) * screen.width, y: random.number(0.1, 0.9) * screen.height)
  }
}
