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

  @Test func `a clock may tell times of a century, a script times of a day`() throws {
    var zoom = try live(.peek)
    #expect(zoom.time == 0)
    try zoom.advance(to: 0x1p32)
    let error = #expect(throws: GeometryError.self) { try zoom.advance(to: (0x1p32).nextUp) }
    #expect(error?.reason == .tooLarge(limit: 1 << 32))
    #expect(zoom.time == 0x1p32 && !zoom.isMoving)
  }

  @Test(arguments: [0.0, 3e5, 1e7, 1_795_000_000.25])
  func `a press is as long since the boot and since 1970`(start: Double) throws {
    var zoom = try live(.peek, press: .longPress(LongPress()))
    try zoom.handle(finger(start, .began, 187, 333))
    try zoom.advance(to: start + 0.499)
    #expect(zoom.events.isEmpty)
    try zoom.advance(to: start + 0.5)
    #expect(zoom.events == [.peek])
  }

  @Test(arguments: plays)
  func `a touch whose beginning is refused is passed over until it begins anew`(
    play: (system: ZoomSystem, form: ZoomForm)
  ) throws {
    var zoom = try live(play.system, play.form)
    var untouched = zoom
    #expect(throws: GeometryError.self) { try zoom.handle(finger(1, .began, .nan, 300)) }
    try zoom.handle(finger(1.1, .moved, 100, 300))
    #expect(zoom.time == 1.1)
    try zoom.handle(finger(1.2, .ended, 100, 300))
    // It has ended: nothing is known of it any more.
    #expect(throws: GeometryError.self) { try zoom.handle(finger(1.3, .moved, 100, 300)) }
    try untouched.advance(to: 1.2)
    let isSame = try zoom.takeState() == untouched.takeState()
    #expect(isSame)
    for event in tap(2, 187, 333) {
      try zoom.handle(event)
      try untouched.handle(event)
    }
    let isSameLater = try zoom.takeState() == untouched.takeState()
    #expect(isSameLater)
  }

  @Test func `of a refused event only touches that were not down are passed over`() throws {
    var zoom = try live(.doubleTap)
    try zoom.handle(finger(1, .began, 100, 300))
    let both = [Touch(id: 1, point: middle), Touch(id: 2, point: middle)]
    #expect(throws: GeometryError.self) {
      try zoom.handle(GestureEvent(time: 1.1, kind: .touches(.began, both)))
    }
    try zoom.handle(GestureEvent(time: 1.2, kind: .touches(.moved, both)))
    try zoom.handle(GestureEvent(time: 1.3, kind: .touches(.ended, both)))
    // Finger 1 was moved, and its end is taken.
    #expect(throws: GeometryError.self) { try zoom.handle(finger(1.4, .ended, 100, 300)) }
    #expect(throws: GeometryError.self) { try zoom.handle(finger(1.4, .ended, 1, 3, id: 2)) }
  }

  @Test func `a touch whose end is refused is cancelled by the next one`() throws {
    for id in [1, 2] {
      var zoom = try live(.peek)
      let press = { (time: Double, id: Int) in
        let touch = Touch(id: id, point: middle, force: 3)
        return GestureEvent(time: time, kind: .touches(.began, [touch]))
      }
      try zoom.handle(press(1, 1))
      #expect(zoom.events == [.peek])
      #expect(throws: GeometryError.self) { try zoom.handle(finger(1.1, .ended, .nan, 300)) }
      #expect(zoom.events == [.peek])
      try zoom.handle(press(2, id))
      #expect(zoom.events == [.peek, .dismissPeek, .cancelled, .peek])
      // Its end may still come; it counts only if its number has begun again.
      try zoom.handle(finger(2.1, .ended, 187, 333))
      #expect(zoom.events.last == (id == 1 ? .dismissPeek : .peek))
    }
  }

  @Test func `a cancellation of everything that is refused is one by the next touch`() throws {
    var zoom = try live(.peek)
    try zoom.handle(finger(1, .began, 187, 333))
    #expect(throws: GeometryError.self) {
      try zoom.handle(GestureEvent(time: .nan, kind: .cancelAll))
    }
    #expect(zoom.events.isEmpty)
    try zoom.handle(finger(2, .began, 187, 300))
    #expect(zoom.events == [.cancelled])
    #expect(try zoom.layers().count == 2)
  }

  @Test func `an end that is reported again rightly is the end`() throws {
    var zoom = try live(.peek)
    try zoom.handle(finger(1, .began, 187, 333))
    #expect(throws: GeometryError.self) { try zoom.handle(finger(0.5, .ended, 187, 333)) }
    try zoom.handle(finger(1.1, .moved, 187, 330))
    #expect(throws: GeometryError.self) { try zoom.handle(finger(0.5, .ended, 187, 333)) }
    try zoom.handle(finger(1.2, .ended, 187, 333))
    #expect(!zoom.events.contains(.cancelled))
    try zoom.handle(GestureEvent(time: 2, kind: .cancelAll))
    try zoom.handle(finger(3, .began, 187, 333))
  }

  @Test(arguments: [Double.nan, 1])
  func `an end is the end when it is reported rightly, whatever was refused meanwhile`(time: Double)
    throws
  {
    var zoom = try live(.peek)
    let hard = { (time: Double, phase: TouchPhase, id: Int) in
      GestureEvent(time: time, kind: .touches(phase, [Touch(id: id, point: middle, force: 3)]))
    }
    try zoom.handle(hard(1, .began, 1))
    try zoom.handle(hard(1.1, .began, 2))
    #expect(throws: GeometryError.self) { try zoom.handle(finger(1.2, .ended, .nan, 300)) }
    #expect(throws: GeometryError.self) { try zoom.handle(hard(time, .moved, 2)) }
    #expect(zoom.events == [.peek] && zoom.time == 1.1)
    try zoom.handle(hard(1.3, .ended, 1))
    #expect(zoom.events == [.peek, .dismissPeek] && zoom.recogniser == .ended)
    try zoom.handle(hard(1.4, .ended, 2))
  }

  @Test func `a refused end may be repeated by touches that were never seen`() throws {
    var zoom = try live(.doubleTap)
    let ends = { (time: Double, ids: [Int]) in
      GestureEvent(time: time, kind: .touches(.ended, ids.map { Touch(id: $0, point: middle) }))
    }
    #expect(throws: GeometryError.self) { try zoom.handle(finger(1, .began, .nan, 300)) }
    try zoom.handle(finger(1, .began, 187, 300, id: 2))
    #expect(throws: GeometryError.self) { try zoom.handle(ends(0.5, [1])) }
    #expect(throws: GeometryError.self) { try zoom.handle(ends(0.5, [1, 2])) }
    try zoom.handle(ends(1.1, [1, 2]))
    // Both have ended.
    for id in [1, 2] { try zoom.handle(finger(2, .began, 187, 300, id: id)) }
  }

  @Test func `a touch that begins again is the new one, also if that is refused`() throws {
    var zoom = try live(.peek)
    try zoom.handle(finger(1, .began, 187, 333))
    #expect(throws: GeometryError.self) { try zoom.handle(finger(1.1, .ended, .nan, 333)) }
    #expect(throws: GeometryError.self) { try zoom.handle(finger(1.2, .began, .nan, 333)) }
    #expect(zoom.events.isEmpty)
    try zoom.handle(finger(1.3, .moved, 100, 333))
    #expect(try zoom.events == [.cancelled] && zoom.layers().count == 1)
    try zoom.handle(finger(1.4, .ended, 100, 333))
    #expect(zoom.events == [.cancelled])
  }

  @Test func `events may be refused for ever`() throws {
    var zoom = try live(.transition)
    for id in 0..<1000 {
      #expect(throws: GeometryError.self) { try zoom.handle(finger(1, .began, .nan, 1, id: id)) }
    }
    try zoom.handle(finger(2, .ended, 1, 1, id: 999))
    #expect(throws: GeometryError.self) { try zoom.handle(finger(2, .ended, 1, 1, id: 0)) }
    try zoom.handle(GestureEvent(time: 2, kind: .cancelAll))
    #expect(throws: GeometryError.self) { try zoom.handle(finger(2, .ended, 1, 1, id: 998)) }
  }

  @Test func `a stage is checked`() throws {
    let scene = ZoomScene(screen: try Screen(size: phone), stage: Stage(cornerRadius: -1))
    expectRefused("stage.cornerRadius") {
      try LiveZoom(.transition, picture: forest, scene: scene)
    }
  }
}

/// Long presses, which replace force, and presses of pens.
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

  @Test func `a finger that moves on the new screen fails a long press as ever`() throws {
    var zoom = try live(.peek, press: longPress)
    try zoom.handle(finger(0, .began, 100, 300))
    try zoom.handle(resize(0.1, 667, 375))
    try zoom.handle(finger(0.2, .moved, 300, 100))
    try zoom.handle(finger(0.3, .moved, 310, 100))
    #expect(zoom.recogniser == .possible)
    try zoom.handle(finger(0.4, .moved, 310.5, 100))
    #expect(zoom.recogniser == .failed)
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

}

/// Insets and scales that change under fingers, as when a tap hides the bars of an app; law GE-36
/// has the rest.
struct InsetChangeTests {
  private func change(_ top: Double, scale: Double = 1) throws -> GestureEvent.Kind {
    .screen(try Screen(size: phone, scale: scale, insets: ViewInsets(top: top)))
  }

  @Test func `a press that creeps fails however often insets change`() throws {
    let events = try (0...4).flatMap { step in
      let (time, y) = (0.1 * Double(step), 300 + 30 * Double(step))
      return [
        finger(time, step == 0 ? .began : .moved, 100, y),
        GestureEvent(time: time, kind: try change(20 + Double(step))),
      ]
    }
    let states = try play(.peek, events, press: .longPress)
    #expect(states.happened.isEmpty && states.last?.recogniser == .failed)
  }

  @Test func `a pan ends on whole pixels of the scale that came during it`() throws {
    // Zoomed 1:1 to the middle of a picture twice as wide as the phone, the corner lies at half a point.
    var events = [GestureEvent(time: 0, kind: try change(0, scale: 2))] + twoTaps(1, 187.5, 333.5)
    events += [finger(3, .began, 100, 300), finger(3.1, .moved, 80, 300)]
    events.append(GestureEvent(time: 3.2, kind: try change(0)))
    events += [finger(3.3, .moved, 60, 300), finger(3.4, .ended, 60, 300)]
    let size = try PixelSize(width: 750, height: 1334)
    let states = try play(.doubleTap, events, picture: size)
    #expect(states.happened.suffix(2) == [.panBegan, .panEnded])
    let box = try #require(states.lastBox)
    #expect(
      near(box.width, 750, within: 1e-9) && near(box.x, box.x.rounded(), within: 1e-9), "\(box)")
  }
}

struct FingerTableTests {
  private var table = FingerTable(on: phone)

  private mutating func take(_ kind: GestureEvent.Kind) throws {
    try table.take(GestureEvent(time: table.time + 1, kind: kind))
  }

  private func touches(_ phase: TouchPhase, _ places: (Int, Double)...) -> GestureEvent.Kind {
    .touches(phase, places.map { Touch(id: $0.0, point: ViewPoint($0.1, 0)) })
  }

  @Test
  mutating func `fingers are in the order in which they came, and lifted ones stay one event`()
    throws
  {
    try take(touches(.began, (7, 0), (3, 10)))
    #expect(!table.wasTouched && table.isTouched)
    try take(touches(.began, (5, 20)))
    try take(touches(.ended, (3, 11)))
    #expect(table.fingers.map(\.id) == [7, 3, 5])
    #expect(table[3]?.isLifted == true && table[3]?.point.x == 11 && table[3]?.previous.x == 10)
    try take(touches(.began, (3, 30)))
    #expect(table.fingers.map(\.id) == [7, 5, 3] && table[7]?.phase == nil)
    try take(.cancelAll)
    #expect(table.wasTouched && !table.isTouched && table.fingers.count == 3)
    try take(.close)
    #expect(table.fingers.isEmpty)
  }

  @Test mutating func `the first report on a screen of another size moves no finger`() throws {
    try take(touches(.began, (1, 0), (2, 5)))
    try take(.screen(Screen(size: phone, scale: 2)))
    #expect(table[1]?.isStale == false)
    try take(.screen(Screen(size: phone.transposed)))
    #expect(table[1]?.isStale == true)
    try take(touches(.moved, (1, 300), (1, 304)))
    #expect(table[1]?.isRelocated == true && table[2]?.isStale == true)
    #expect(table[1].map { [$0.start.x, $0.previous.x, $0.point.x] } == [300, 300, 304])
    try take(touches(.moved, (1, 305)))
    #expect(table[1]?.isRelocated == false && table[1]?.start.x == 300)
  }

  @Test mutating func `a refused event changes no finger, and 64 fingers are the most`() throws {
    try take(.touches(.began, (0..<64).map { Touch(id: $0, point: middle) }))
    let before = table.fingers
    #expect(throws: GeometryError.self) { try take(touches(.began, (64, 0))) }
    #expect(throws: GeometryError.self) { try take(touches(.ended, (0, .nan))) }
    #expect(table.fingers == before && Set(before.map(\.id)).count == 64)
    var set = FingerSet()
    set.insertNew(of: table)
    #expect(set.count == 64)
  }
}
