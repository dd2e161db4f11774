public import ZoomGeometry

/// Writes the events of actions down: a script's list, which its checks always pass.
public struct GestureWriter: Sendable {
  /// The events that have been written.
  public package(set) var events: [GestureEvent] = []
  /// The time of the next event, in seconds.
  package var now: Double
  /// The fingers that are down, by their numbers.
  package private(set) var down: [Int: Touch] = [:]

  /// From one sample of a finger to the next, in seconds: that of a 60 Hz screen.
  public static let sampling = 1.0 / 60

  /// Starts at a time, in seconds.
  public init(at time: Double = 0) { now = time }

  /// Writes the events of some actions.
  public static func events(of actions: [GestureAction], at time: Double = 0) -> [GestureEvent] {
    var writer = GestureWriter(at: time)
    for action in actions { writer.write(action) }
    return writer.events
  }

  /// Writes the events of an action.
  public mutating func write(_ action: GestureAction) {
    now += action.pause
    switch action.kind {
    case .touch(let finger, let point, let force):
      touch([Touch(id: finger, point: point, force: force)])
    case .lift(let fingers): lift(fingers, .ended)
    case .lose(let fingers): lift(fingers, .cancelled)
    case .tap(let point, let held): tap(point, held)
    case .doubleTap(let point, let then, let gap):
      tap(point, Self.sampling)
      now += gap
      tap(then, Self.sampling)
    case .pan(let finger, let from, let to, let steps):
      for step in 0...steps {
        if step > 0 { now += Self.sampling }
        let share = Double(step) / Double(max(steps, 1))
        touch([Touch(id: finger, point: from + (to - from).scaled(by: share))])
      }
    case .pinch(let pinch): write(pinch)
    case .press(let point, let forces):
      for (place, force) in forces.enumerated() {
        if place > 0 { now += Self.sampling }
        touch([Touch(id: 0, point: point, force: force)])
      }
    case .turn(let device): add(.device(device))
    case .redraw(let interface): add(.interface(interface))
    case .resize(let screen): add(.screen(screen))
    case .cancel:
      down = [:]
      add(.cancelAll)
    case .close: add(.close)
    }
  }

  private mutating func write(_ pinch: GestureAction.PinchPath) {
    for step in 0...pinch.steps {
      if step > 0 { now += Self.sampling }
      let points = pinch.fingers(after: step)
      touch([Touch(id: 0, point: points[0]), Touch(id: 1, point: points[1])])
    }
    for finger in pinch.lifted {
      now += Self.sampling
      lift([finger], .ended)
    }
  }

  private mutating func tap(_ point: ViewPoint, _ held: Double) {
    // A finger that is down already cannot tap: it is lifted where it is.
    if down[0] == nil { touch([Touch(id: 0, point: point, force: 1)]) }
    now += held
    lift([0], .ended)
  }

  /// Moves the fingers that are down and puts down those that are not.
  package mutating func touch(_ touches: [Touch]) {
    let moved = touches.filter { down[$0.id] != nil }
    let began = touches.filter { down[$0.id] == nil }
    if !moved.isEmpty { add(.touches(.moved, moved)) }
    if !began.isEmpty { add(.touches(.began, began)) }
    for touch in touches { down[touch.id] = touch }
  }

  /// Lifts fingers where they are, without force.
  package mutating func lift(_ fingers: Set<Int>, _ phase: TouchPhase) {
    let lifted = fingers.sorted().compactMap { down.removeValue(forKey: $0) }
    guard !lifted.isEmpty else { return }
    add(.touches(phase, lifted.map { Touch(id: $0.id, point: $0.point) }))
  }

  /// Writes an event at the current time.
  package mutating func add(_ kind: GestureEvent.Kind) {
    // A day is what a script may be long; nobody writes so many pauses.
    now = min(now, GestureScript.latestTime)
    events.append(GestureEvent(time: now, kind: kind))
  }
}
