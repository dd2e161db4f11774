public import ZoomGeometry

/// A part of a gesture that is valid after any other part.
///
/// Scripts are generated as lists of actions, because events are hard to shrink: without the event in
/// which a finger comes down, its movements are invalid. An action puts down the fingers it needs and
/// does not lift those that are up, so any action may be left out.
public struct GestureAction: Sendable, Hashable {
  /// The time since the previous action, in seconds.
  public var pause: Double
  /// The kind of the action.
  public var kind: Deed

  /// Creates an action.
  public init(after pause: Double = 0, _ kind: Deed) {
    self.pause = pause
    self.kind = kind
  }

  /// The kind of an action of fingers, the device or the system.
  public enum Deed: Sendable, Hashable {
    /// A finger comes down, or moves if it is down.
    case touch(finger: Int, at: ViewPoint, force: Double)
    /// Fingers are lifted, in one event.
    case lift(Set<Int>)
    /// The system takes fingers away, in one event.
    case lose(Set<Int>)
    /// A finger comes down and is lifted after some seconds.
    case tap(at: ViewPoint, held: Double)
    /// Two taps, with some seconds from the first lift to the second touch.
    case doubleTap(at: ViewPoint, then: ViewPoint, gap: Double)
    /// A finger moves along a line in steps; it stays down.
    case pan(finger: Int, from: ViewPoint, to: ViewPoint, steps: Int)
    /// Two fingers move about their middle.
    case pinch(PinchPath)
    /// A finger comes down and presses: one event for each force.
    case press(at: ViewPoint, forces: [Double])
    /// The device is turned.
    case turn(DeviceOrientation)
    /// The interface is turned.
    case turnInterface(InterfaceOrientation)
    /// The viewport changes.
    case resize(Screen)
    /// Everything is cancelled.
    case cancel
    /// The close button is pressed.
    case close
    /// A wheel is turned over a point, one event per step; steps are in points, and positive ones scroll down.
    case wheel(at: ViewPoint, steps: [Double])
    /// A mouse is pressed, moves along a line in steps, rests, and is released.
    case drag(from: ViewPoint, to: ViewPoint, steps: Int)

    /// Returns a double tap at one place, as quick as a screen samples a finger.
    static func zoomTap(at place: ViewPoint) -> Deed {
      .doubleTap(at: place, then: place, gap: GestureWriter.sampling)
    }
  }

  /// Two fingers that come down, move evenly in steps, and are lifted or stay.
  public struct PinchPath: Sendable, Hashable {
    /// The middle of the fingers at the start and at the end, in points of the viewport.
    public var from, to: ViewPoint
    /// The vector from the middle to the second finger at the start and at the end, in points.
    public var arm, endArm: ViewPoint
    /// The number of movements.
    public var steps: Int
    /// The fingers that are lifted at the end, in this order and one per event.
    public var lifted: [Int]
    /// The force of both fingers.
    public var force: Double

    /// Creates a pinch.
    public init(
      from: ViewPoint, to: ViewPoint, arm: ViewPoint, endArm: ViewPoint, steps: Int,
      lifted: [Int] = [1, 0], force: Double = 0
    ) {
      (self.from, self.to, self.arm, self.endArm) = (from, to, arm, endArm)
      (self.steps, self.lifted, self.force) = (steps, lifted, force)
    }

    package static func spread(
      at place: ViewPoint, by factor: Double, arm: ViewPoint = ViewPoint(x: 50, y: 50),
      steps: Int = 4
    ) -> PinchPath {
      PinchPath(from: place, to: place, arm: arm, endArm: arm.scaled(by: factor), steps: steps)
    }

    /// Returns the points of the two fingers after some steps.
    public func fingers(after step: Int) -> [ViewPoint] {
      // The end is exact, because rounding could take a finger beyond it.
      func between(_ start: ViewPoint, _ end: ViewPoint) -> ViewPoint {
        step == steps ? end : start + (end - start).scaled(by: Double(step) / Double(steps))
      }
      let (middle, arm) = (between(from, to), between(arm, endArm))
      return [middle - arm, middle + arm]
    }
  }
}

/// A writer that turns actions into events; the events always pass the checks of a script.
public struct GestureWriter: Sendable {
  /// The events written so far.
  public package(set) var events: [GestureEvent] = []
  package var now: Double
  /// The fingers that are down, by their numbers.
  package private(set) var down: [Int: Touch] = [:]

  /// The time between two samples of a finger on a 60 Hz screen, in seconds.
  public static let sampling = 1.0 / 60

  /// Creates a writer that begins at a time, in seconds.
  public init(at time: Double = 0) { now = time }

  /// Returns the events of some actions.
  public static func events(of actions: [GestureAction], at time: Double = 0) -> [GestureEvent] {
    var writer = GestureWriter(at: time)
    writer.write(actions)
    return writer.events
  }

  mutating func write(_ actions: [GestureAction]) {
    for action in actions { write(action) }
  }

  /// Writes the events of an action, and returns the time at which it begins.
  @discardableResult public mutating func write(_ action: GestureAction) -> Double {
    now += action.pause
    let start = now
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
      sample(steps + 1) { step in
        let share = Double(step) / Double(max(steps, 1))
        return [Touch(id: finger, point: from + (to - from).scaled(by: share))]
      }
    case .pinch(let pinch):
      sample(pinch.steps + 1) { step in
        pinch.fingers(after: step).enumerated().map {
          Touch(id: $0, point: $1, force: pinch.force)
        }
      }
      for finger in pinch.lifted {
        now += Self.sampling
        lift([finger], .ended)
      }
    case .press(let point, let forces):
      sample(forces.count) { [Touch(id: 0, point: point, force: forces[$0])] }
    case .turn(let device): add(.device(device))
    case .turnInterface(let interface): add(.interface(interface))
    case .resize(let screen): add(.screen(screen))
    case .cancel:
      down = [:]
      add(.cancelAll)
    case .close: add(.close)
    case .wheel(let point, let steps):
      for (number, step) in steps.enumerated() {
        // A person turns a wheel by about ten notches per second.
        if number > 0 { now += 0.1 }
        add(.wheel(at: point, by: ViewPoint(x: 0, y: step)))
      }
    case .drag(let from, let to, let steps):
      sample(steps + 1) { step in
        let share = Double(step) / Double(max(steps, 1))
        return [Touch(id: 0, point: from + (to - from).scaled(by: share), isMouse: true)]
      }
      // Viewers throw a picture whose mouse moved within the last tenths of a second.
      now += 0.3
      lift([0], .ended)
    }
    return start
  }

  private mutating func sample(_ count: Int, _ touches: (Int) -> [Touch]) {
    for number in 0..<count {
      if number > 0 { now += Self.sampling }
      touch(touches(number))
    }
  }

  private mutating func tap(_ point: ViewPoint, _ held: Double) {
    // A finger that is already down does not come down again; it is lifted where it is.
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

  /// Lifts fingers at their points, without force.
  package mutating func lift(_ fingers: Set<Int>, _ phase: TouchPhase) {
    let lifted = fingers.sorted().compactMap { down.removeValue(forKey: $0) }
    guard !lifted.isEmpty else { return }
    add(.touches(phase, lifted.map { Touch(id: $0.id, point: $0.point, isMouse: $0.isMouse) }))
  }

  package mutating func add(_ kind: GestureEvent.Kind) {
    // A script must not be longer than a day.
    now = min(now, GestureScript.latestTime)
    events.append(GestureEvent(time: now, kind: kind))
  }
}
