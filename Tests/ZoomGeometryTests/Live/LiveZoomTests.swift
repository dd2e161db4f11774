import Testing

@testable import ZoomGeometry

/// A system, its form and gestures drawn from a seed.
private let plays = ZoomSystem.allCases.flatMap { system in
  ZoomForm.allCases.map { (system: system, form: $0) }
}

struct LiveZoomTests {
  static let refused: [(String, GestureEvent)] = [
    ("time: 0.5 is before the event ahead of it, at 1.0", GestureEvent(time: 0.5, kind: .close)),
    ("time: nan is not finite", finger(.nan, .moved, 180, 300)),
    ("touches[0].id: 7 has not begun", finger(2, .moved, 180, 300, id: 7)),
    ("touches[0].id: 7 has not begun", finger(2, .ended, 180, 300, id: 7)),
    ("touches[0].id: 1 has begun already", finger(2, .began, 180, 300)),
    ("touches[0].x: nan is not finite", finger(2, .moved, .nan, 300)),
    ("touches[0].y: inf is not finite", finger(2, .moved, 180, .infinity)),
    ("touches: [] has no touch in it", GestureEvent(time: 2, kind: .touches(.moved, []))),
  ]

  @Test(arguments: refused, plays)
  func `an event that cannot happen is refused, and changes nothing`(
    event: (message: String, event: GestureEvent), play: (system: ZoomSystem, form: ZoomForm)
  ) throws {
    var zoom = try live(play.system, play.form)
    try zoom.handle(finger(1, .began, 180, 300))
    var other = zoom
    let error = #expect(throws: GeometryError.self) { try other.handle(event.event) }
    #expect(error?.description == event.message)
    for time in [0.9, .nan] { #expect(throws: GeometryError.self) { try other.advance(to: time) } }
    #expect(other.time == 1)
    // What comes later is as if nothing had been.
    for event in [finger(1.1, .moved, 200, 300), finger(1.2, .ended, 200, 300)] {
      try zoom.handle(event)
      try other.handle(event)
      let isSame = try other.takeState() == zoom.takeState()
      #expect(isSame)
    }
  }

  @Test func `a clock may tell times of decades, a script times of a day`() throws {
    var zoom = try live(.peek)
    #expect(zoom.time == 0)
    try zoom.advance(to: 1e9)
    let error = #expect(throws: GeometryError.self) { try zoom.advance(to: (1e9).nextUp) }
    #expect(error?.reason == .tooLarge(limit: 1_000_000_000))
    #expect(zoom.time == 1e9 && !zoom.isMoving)
  }

  @Test func `a stage is checked`() throws {
    let scene = ZoomScene(screen: try Screen(size: phone), stage: Stage(cornerRadius: -1))
    expectRefused("stage.cornerRadius") {
      try LiveZoom(.transition, picture: forest, scene: scene)
    }
  }
}

/// What stands for force where the hardware has no sense of it, and what pens press.
struct PressSourceTests {
  private let longPress = PressSource.longPress(LongPress())

  @Test func `a long press opens a peek after half a second and not before, and commits none`()
    throws
  {
    var zoom = try live(.peek, press: longPress)
    try zoom.handle(finger(1, .began, 187.5, 333.5))
    #expect(zoom.isMoving && zoom.force == 0)
    try zoom.advance(to: 1.125)
    #expect(zoom.force == 0.25)
    try zoom.advance(to: (1.5).nextDown)
    #expect(zoom.events.isEmpty && zoom.isMoving && zoom.recogniser == .possible)
    try zoom.advance(to: 1.5)
    #expect(zoom.events == [.peek] && !zoom.isMoving && zoom.force == 1)
    // Complete, it follows the finger as far as it goes.
    try zoom.handle(finger(2, .moved, 100, 300))
    try zoom.advance(to: 9)
    #expect(zoom.events == [.peek] && zoom.recogniser == .changed && zoom.force == 1)
    try zoom.handle(finger(9, .ended, 100, 300))
    #expect(zoom.events == [.peek, .dismissPeek] && zoom.recogniser == .ended)
  }

  @Test(arguments: [(6.0, 8.0, true), (-10, 0, true), (0, 10.1, false), (-8, 6.2, false)])
  func `a finger may move ten points until its press is long enough`(
    x: Double, y: Double, opens: Bool
  ) throws {
    var zoom = try live(.peek, press: longPress)
    try zoom.handle(finger(0, .began, 187.5, 333.5))
    try zoom.handle(finger(0.25, .moved, 187.5 + x, 333.5 + y))
    #expect(zoom.isMoving == opens && (zoom.recogniser == .failed) == !opens)
    #expect(try zoom.layers().count == (opens ? 2 : 1))
    // Coming back does not help.
    try zoom.handle(finger(0.3, .moved, 187.5, 333.5))
    try zoom.advance(to: 1)
    #expect(zoom.events == (opens ? [.peek] : []) && zoom.force == (opens ? 1 : 0))
    try zoom.handle(finger(1, .ended, 187.5, 333.5))
    try zoom.handle(finger(2, .began, 187.5, 333.5))
    #expect(zoom.recogniser == .possible && zoom.isMoving)
  }

  @Test func `a long press may have numbers of its own`() throws {
    var zoom = try live(.peek, press: .longPress(LongPress(duration: 2, slop: 3)))
    try zoom.handle(finger(0, .began, 187.5, 333.5))
    try zoom.handle(finger(0, .moved, 190.5, 333.5))
    try zoom.advance(to: 1.9)
    #expect(zoom.events.isEmpty && near(zoom.force, 0.95, within: 1e-12))
    try zoom.advance(to: 2)
    #expect(zoom.events == [.peek])
    #expect(try LongPress(duration: 0.5) == LongPress())
    #expect(try LongPress(duration: 0.01).duration == 0.01 && LongPress(duration: 60).slop == 10)
    for bad in [(0.01).nextDown, (60.0).nextUp, .nan, .infinity, -1] {
      expectRefused("duration") { try LongPress(duration: bad) }
    }
    for bad in [-0.1, .nan, .infinity, 1e10] {
      expectRefused("slop") { try LongPress(duration: 1, slop: bad) }
    }
  }

  @Test func `a script's hardware without force is pressed long, unless it says otherwise`() throws
  {
    let source = { (maximum: Double, press: PressKind?) in
      try GestureScript(
        screen: Screen(size: phone), maximumForce: maximum, press: press, events: []
      ).scene.press
    }
    let range = try ForceRange(maximum: 3)
    #expect(try source(0, nil) == longPress && source(3, nil) == .force(range))
    #expect(try source(3, .longPress) == longPress && source(3, .pen) == .pen(range))
    #expect(try source(0, .force) == .force(.none))
  }

  @Test(arguments: [PressSource.force(.usual), .pen(.usual)], [false, true])
  func `where pens press, fingers press nothing`(press: PressSource, isPen: Bool) throws {
    let touch = { (force: Double) in
      Touch(id: 1, point: middle, force: force, isPen: isPen)
    }
    let presses = isPen || press == .force(.usual)
    var peek = try live(.peek, press: press)
    try peek.handle(GestureEvent(time: 0, kind: .touches(.began, [touch(0.1)])))
    #expect(try peek.layers().count == (presses ? 2 : 1))
    try peek.handle(GestureEvent(time: 0.1, kind: .touches(.moved, [touch(3)])))
    #expect(peek.events == (presses ? [.peek] : []))

    var zoom = try live(.force, press: press)
    try zoom.handle(GestureEvent(time: 0, kind: .touches(.began, [touch(3)])))
    #expect(zoom.events == (presses ? [.zoomIn] : []))
    #expect((zoom.force > 0) == presses)
  }

  @Test(arguments: [PressSource.longPress(LongPress()), .pen(.none)])
  func `as published hardware without force never peeks`(press: PressSource) throws {
    var zoom = try live(.peek, .original, press: press)
    try zoom.handle(finger(0, .began, 187.5, 333.5))
    #expect(!zoom.isMoving)
    try zoom.advance(to: 9)
    #expect(zoom.events.isEmpty && zoom.force == 0)
    #expect(try zoom.layers().count == 2)
  }
}
