import Testing

@testable import ZoomGeometry

struct LiveZoomTests {
  @Test(arguments: [
    (ZoomSystem.peek, middle, ZoomEvent.peek), (.force, middle, .zoomIn),
    (.fullscreen, middle, .present), (.transition, ViewPoint(70, 100), .present),
  ])
  func `an event is reported when it happens, and not at the next step of the clock`(
    system: ZoomSystem, place: ViewPoint, event: ZoomEvent
  ) throws {
    var zoom = try live(system)
    for phase in [TouchPhase.began, .ended] {
      let touch = Touch(id: 1, point: place, force: 3)
      try zoom.handle(GestureEvent(time: 1, kind: .touches(phase, [touch])))
    }
    #expect(zoom.events.contains(event))
  }

  @Test(arguments: ZoomSystem.allCases)
  func `a wheel between the events of a finger changes nothing`(system: ZoomSystem) throws {
    var (zoom, turned) = (try live(system), try live(system))
    let wheel = GestureEvent.Kind.wheel(at: middle, by: ViewPoint(0, 100))
    for (time, phase) in [(1.0, TouchPhase.began), (1.1, .moved), (1.2, .ended)] {
      let touch = Touch(id: 1, point: middle, force: 3)
      try zoom.handle(GestureEvent(time: time, kind: .touches(phase, [touch])))
      try turned.handle(GestureEvent(time: time, kind: .touches(phase, [touch])))
      try turned.handle(GestureEvent(time: time, kind: wheel))
      let (alone, scrolled) = (try zoom.takeState(), try turned.takeState())
      #expect(alone == scrolled)
    }
  }

  @Test func `a long press may have other numbers than UIKit's`() throws {
    var zoom = try live(.peek, press: .longPress(LongPress(duration: 2, slop: 3)))
    try zoom.handle(finger(0, .began, 187.5, 333.5))
    try zoom.handle(finger(0, .moved, 190.5, 333.5))
    try zoom.advance(to: 1.9)
    #expect(zoom.events.isEmpty && near(zoom.force, 0.95, within: 1e-12))
    try zoom.advance(to: 2)
    #expect(zoom.events == [.peek])
  }
}

/// Tests of refused events that law GE-35 leaves out: only some of their touches are down.
struct RefusedEventTests {
  private func press(_ time: Double, _ phase: TouchPhase, _ ids: Int...) -> GestureEvent {
    GestureEvent(
      time: time, kind: .touches(phase, ids.map { Touch(id: $0, point: middle, force: 3) }))
  }

  @Test func `later events ignore a refused event's touches, except those down before it`() throws {
    var zoom = try live(.peek)
    try zoom.handle(press(1, .began, 1))
    #expect(throws: GeometryError.self) { try zoom.handle(press(1.1, .began, 1, 2)) }
    try zoom.handle(press(1.2, .moved, 1, 2))
    try zoom.handle(press(1.3, .ended, 1, 2))
    #expect(zoom.events == [.peek, .dismissPeek])
    for id in [1, 2] {
      #expect(throws: GeometryError.self) { try zoom.handle(press(1.4, .ended, id)) }
    }
  }

  @Test func `a refused end may be sent again, even with touches that never began`() throws {
    var zoom = try live(.peek)
    #expect(throws: GeometryError.self) { try zoom.handle(finger(1, .began, .nan, 1)) }
    try zoom.handle(press(1, .began, 2))
    for end in [press(0.5, .ended, 1), press(0.5, .ended, 1, 2)] {
      #expect(throws: GeometryError.self) { try zoom.handle(end) }
    }
    try zoom.handle(press(1.1, .ended, 1, 2))
    try zoom.handle(press(2, .began, 1))
    try zoom.handle(press(2, .began, 2))
  }

  @Test func `any number of events may be refused`() throws {
    var zoom = try live(.transition)
    for id in 0..<1000 {
      #expect(throws: GeometryError.self) { try zoom.handle(finger(1, .began, .nan, 1, id: id)) }
    }
    try zoom.handle(finger(2, .ended, 1, 1, id: 999))
    #expect(throws: GeometryError.self) { try zoom.handle(finger(2, .ended, 1, 1, id: 0)) }
    try zoom.handle(GestureEvent(time: 2, kind: .cancelAll))
    #expect(throws: GeometryError.self) { try zoom.handle(finger(2, .ended, 1, 1, id: 998)) }
  }
}

struct FingerTableTests {
  private var table = FingerTable(on: phone)

  private mutating func take(_ kind: GestureEvent.Kind) throws {
    try table.take(GestureEvent(time: table.time + 1, kind: kind))
  }

  private static func touches(
    _ phase: TouchPhase, _ places: (Int, Double)...
  ) -> GestureEvent.Kind {
    .touches(phase, places.map { Touch(id: $0.0, point: ViewPoint($0.1, 0)) })
  }

  @Test
  mutating func `fingers are in order of coming down, and lifted ones stay until the next event`()
    throws
  {
    try take(Self.touches(.began, (7, 0), (3, 10)))
    #expect(!table.wasTouched && table.isTouched)
    try take(Self.touches(.began, (5, 20)))
    try take(Self.touches(.ended, (3, 11)))
    #expect(table.fingers.map(\.id) == [7, 3, 5])
    #expect(table[3]?.isLifted == true && table[3]?.point.x == 11 && table[3]?.previous.x == 10)
    try take(Self.touches(.began, (3, 30)))
    #expect(table.fingers.map(\.id) == [7, 5, 3] && table[7]?.phase == nil)
    try take(.cancelAll)
    #expect(table.wasTouched && !table.isTouched && table.fingers.count == 3)
    try take(.close)
    #expect(table.fingers.isEmpty)
  }

  @Test mutating func `the first report after the screen's size changed is no movement`() throws {
    try take(Self.touches(.began, (1, 0), (2, 5)))
    try take(.screen(Screen(size: phone, scale: 2)))
    #expect(table[1]?.isStale == false)
    try take(.screen(Screen(size: phone.turned(by: .clockwise))))
    #expect(table[1]?.isStale == true)
    try take(Self.touches(.moved, (1, 300), (1, 304)))
    #expect(table[1]?.isRelocated == true && table[2]?.isStale == true)
    #expect(table[1].map { [$0.start.x, $0.previous.x, $0.point.x] } == [300, 300, 304])
    try take(Self.touches(.moved, (1, 305)))
    #expect(table[1]?.isRelocated == false && table[1]?.start.x == 300)
  }

  @Test func `a table without a size takes it from the first screen`() throws {
    var table = FingerTable()
    try table.take(GestureEvent(time: 0, kind: Self.touches(.began, (1, 0))))
    for (size, isStale) in [(phone, false), (phone.turned(by: .clockwise), true)] {
      try table.take(GestureEvent(time: 0, kind: .screen(Screen(size: size))))
      #expect(table[1]?.isStale == isStale)
    }
  }

  /// Refused events, after 62 fingers came down at 1 s and the first one was lifted at 2 s.
  static let refused: [(String, GestureEvent)] = [
    ("time: 1.5 is earlier than the time before it, 2.0", GestureEvent(time: 1.5, kind: .close)),
    ("touches[0].id: 70 has not begun", finger(2, .moved, 180, 300, id: 70)),
    ("touches[0].id: 70 has not begun", finger(2, .cancelled, 180, 300, id: 70)),
    ("touches[0].id: 0 has not begun", finger(2, .ended, 180, 300, id: 0)),
    ("touches[0].id: 1 has begun already", finger(2, .began, 180, 300)),
    ("touches[1].id: 70 is twice in one event", event(.began, 70, 70)),
    ("touches[1].id: 1 is twice in one event", event(.ended, 1, 1)),
    ("touches: [] is empty", event(.moved)),
    ("touches: 65 fingers are more than 64", event(.began, 0, 71, 72, 73)),
  ]

  private static func event(_ phase: TouchPhase, _ ids: Int...) -> GestureEvent {
    GestureEvent(time: 2, kind: .touches(phase, ids.map { Touch(id: $0, point: middle) }))
  }

  @Test(arguments: refused)
  mutating func `an invalid event is refused, and changes no finger`(
    message: String, event: GestureEvent
  ) throws {
    try take(.touches(.began, (0..<62).map { Touch(id: $0, point: middle) }))
    try take(Self.touches(.ended, (0, 0)))
    let before = table.fingers
    let error = #expect(throws: GeometryError.self) { try table.take(event) }
    #expect(error?.description == message)
    #expect(table.fingers == before && table.time == 2)
    // The lifted finger has been removed, so there is room for exactly three more.
    try take(Self.touches(.began, (0, 0), (71, 0), (72, 0)))
    var set = FingerSet()
    for finger in table.fingers { set.insert(finger) }
    #expect(set.count == 64)
  }
}
