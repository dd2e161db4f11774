import ZoomGeometry

/// A gesture script for the transition, written down touch by touch.
struct TransitionPlay {
  private(set) var events: [GestureEvent] = []
  private var fingers: [Int: ViewPoint] = [:]
  /// The time of the next event, in seconds.
  var now = 0.0

  /// A script that taps the usual thumbnail and waits until the picture fills the screen.
  static var presented: TransitionPlay {
    var play = TransitionPlay()
    play.tap(70, 100)
    play.now = 1
    return play
  }

  mutating func add(_ kind: GestureEvent.Kind) {
    events.append(GestureEvent(time: now, kind: kind))
  }

  mutating func tap(_ x: Double, _ y: Double) {
    let touch = Touch(id: 1, point: ViewPoint(x: x, y: y))
    add(.touches(.began, [touch]))
    now += 0.05
    add(.touches(.ended, [touch]))
  }

  /// Puts fingers down.
  mutating func press(_ points: (Double, Double)...) {
    touch(.began, points.enumerated().map { ($0.offset, $0.element) })
  }

  /// Moves the fingers in steps of a 60th of a second.
  mutating func drag(to points: (Double, Double)..., steps: Int = 10) {
    let starts = fingers
    for step in 1...steps {
      let share = Double(step) / Double(steps)
      now += 1.0 / 60
      touch(
        .moved,
        points.enumerated().map { index, end in
          let start = starts[index] ?? ViewPoint(x: 0, y: 0)
          return (
            index, (start.x + share * (end.0 - start.x), start.y + share * (end.1 - start.y))
          )
        })
    }
  }

  /// Ends the touches, where the fingers are.
  mutating func lift(_ phase: TouchPhase = .ended) {
    touch(phase, fingers.sorted { $0.key < $1.key }.map { ($0.key, ($0.value.x, $0.value.y)) })
    fingers = [:]
  }

  private mutating func touch(_ phase: TouchPhase, _ points: [(Int, (Double, Double))]) {
    let touches = points.map { id, place in
      Touch(id: id, point: ViewPoint(x: place.0, y: place.1))
    }
    for touch in touches { fingers[touch.id] = touch.point }
    add(.touches(phase, touches))
  }

  /// Plays the script to its end; the states in order.
  func states(
    _ form: ZoomForm = .corrected, _ picture: SamplePicture = .forest, stage: Stage = Stage(),
    device: DeviceOrientation = .portrait
  ) throws -> [ZoomState] {
    let script = try GestureScript(
      screen: Screen(size: phone, scale: 2), device: device, stage: stage, events: events)
    var player = try GesturePlayer(
      script, system: .transition, picture: picture.size(), form: form)
    var states: [ZoomState] = []
    while let state = try player.next() { states.append(state) }
    return states
  }
}

extension [ZoomState] {
  /// Where the picture is seen at the end: its box on the screen, mask taken into account.
  var lastBox: ViewRect? { last?.box }
}

extension ZoomState {
  /// Where the picture is seen: its box on the screen, mask taken into account.
  var box: ViewRect? { picture.map { $0.transform.boundingBox(of: $0.seen) } }
}
