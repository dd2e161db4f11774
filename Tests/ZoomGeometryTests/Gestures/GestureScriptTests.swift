import Testing
import ZoomGeometry

struct GestureScriptTests {
  @Test func `what is left out is as usual`() throws {
    let script = try GestureScript(screen: Screen(size: phone), events: [])
    #expect(script.framesPerSecond == 60)
    #expect(script.maximumForce == 400.0 / 60)
    #expect(script.device == .portrait && script.interface == .portrait)
    #expect(script.stage == Stage())
    #expect(script.name == "" && script.events.isEmpty)
  }

  @Test func `what is given is kept`() throws {
    let events = twoTaps(1, 10, 20) + [GestureEvent(time: 2, kind: .close)]
    let script = try GestureScript(
      name: "closing", screen: Screen(size: phone, scale: 2), framesPerSecond: 30, maximumForce: 0,
      device: .landscapeLeft, interface: .landscapeRight, stage: Stage(forceExhibit: .button),
      events: events)
    #expect(script.name == "closing" && script.events == events)
    #expect(script.framesPerSecond == 30 && script.maximumForce == 0)
    #expect(script.device == .landscapeLeft && script.interface == .landscapeRight)
    #expect(script.stage.forceExhibit == .button && script.screen.scale == 2)
  }
}

/// What a script is refused for, and that the error names it.
struct GestureScriptChecksTests {
  func script(
    _ events: [GestureEvent], rate: Double = 60, force: Double = 1, stage: Stage = Stage()
  ) throws -> GestureScript {
    try GestureScript(
      screen: Screen(size: phone), framesPerSecond: rate, maximumForce: force, stage: stage,
      events: events)
  }

  func error(_ events: [GestureEvent]) -> GeometryError? {
    #expect(throws: GeometryError.self) { try script(events) }
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity, -1, -.leastNonzeroMagnitude])
  func `a time that is not finite or negative`(time: Double) {
    let error = error([finger(0, .began, 1, 1), finger(time, .ended, 1, 1)])
    #expect(error?.argument == "events[1].time")
    #expect(error?.reason == (time.isFinite ? .negative : .notFinite))
  }

  @Test func `times that go back, and times after a day`() throws {
    let back = error([finger(2, .began, 1, 1), finger(2.0.nextDown, .ended, 1, 1)])
    #expect(back?.argument == "events[1].time")
    #expect(back?.description.contains("before the event ahead of it") == true)
    #expect(throws: Never.self) { try script([finger(2, .began, 1, 1), finger(2, .ended, 1, 1)]) }
    let late = GestureEvent(time: GestureScript.latestTime.nextUp, kind: .close)
    #expect(error([late])?.reason == .tooLarge(limit: 86_400))
    #expect(throws: Never.self) {
      try script([GestureEvent(time: GestureScript.latestTime, kind: .close)])
    }
  }

  @Test(arguments: [Double.nan, .infinity, 3e9, -3e9])
  func `coordinates and forces that cannot be calculated with`(bad: Double) {
    #expect(error([finger(0, .began, bad, 1)])?.argument == "events[0].touches[0].x")
    #expect(error([finger(0, .began, 1, bad)])?.argument == "events[0].touches[0].y")
    let touch = Touch(id: 1, point: middle, force: bad)
    let event = GestureEvent(time: 0, kind: .touches(.began, [touch]))
    #expect(error([event])?.argument == "events[0].touches[0].force")
  }

  @Test func `the largest that can be calculated with is taken`() {
    let most = Double(PixelSize.maximumSide)
    let touch = Touch(id: 1, point: ViewPoint(most, -most), force: most)
    let event = GestureEvent(time: 0, kind: .touches(.began, [touch]))
    #expect(throws: Never.self) { try script([event]) }
  }

  @Test(arguments: [TouchPhase.moved, .ended, .cancelled])
  func `a finger that has not begun, or no longer is down`(phase: TouchPhase) {
    let unknown = error([finger(0, .began, 1, 1), finger(1, phase, 1, 1, id: 2)])
    #expect(unknown?.argument == "events[1].touches[0].id")
    #expect(unknown?.value == "2")
    for over in [TouchPhase.ended, .cancelled] {
      let events = [finger(0, .began, 1, 1), finger(1, over, 1, 1), finger(2, phase, 1, 1)]
      #expect(error(events)?.reason == .contradiction("has not begun"))
    }
    let call = GestureEvent(time: 1, kind: .cancelAll)
    let events = [finger(0, .began, 1, 1), call, finger(2, phase, 1, 1)]
    #expect(error(events)?.reason == .contradiction("has not begun"))
  }

  @Test func `a finger that begins twice, or is twice in an event`() {
    let twice = error([finger(0, .began, 1, 1), finger(1, .began, 1, 1)])
    #expect(twice?.reason == .contradiction("has begun already"))
    let touch = Touch(id: 7, point: middle)
    let double = { GestureEvent(time: 1, kind: .touches($0, [touch, touch])) }
    let began = error([double(.began)])
    #expect(began?.description == "events[0].touches[1].id: 7 is twice in one event")
    // Samples of a movement may come together.
    for phase in [TouchPhase.moved, .ended] {
      let events = [finger(0, .began, 1, 1, id: 7), double(phase)]
      #expect(((try? script(events)) != nil) == (phase == .moved))
    }
    #expect(throws: Never.self) {
      try script(tap(0, 1, 1) + tap(1, 1, 1) + [finger(2, .began, 1, 1)])
    }
    #expect(throws: Never.self) {
      let call = GestureEvent(time: 1, kind: .cancelAll)
      return try script([finger(0, .began, 1, 1), call, finger(2, .began, 1, 1)])
    }
  }

  @Test func `more than 64 fingers, in one event or in many`() {
    let fingers = (1...65).map { finger(Double($0), .began, 1, 1, id: $0) }
    #expect(throws: Never.self) { try script(Array(fingers.prefix(64))) }
    #expect(error(fingers)?.reason == .contradiction("fingers are more than 64"))
    let touches = (1...65).map { Touch(id: $0, point: middle) }
    let together = GestureEvent(time: 0, kind: .touches(.began, touches))
    #expect(error([together])?.argument == "events[0].touches")
    #expect(error([together])?.value == "65" && error(fingers)?.value == "65")
  }

  @Test func `frame rates from 1 to 1000`() {
    for rate in [0, -1, 0.999, 1000.1, Double.nan, .infinity] {
      expectRefused("framesPerSecond") { try script([], rate: rate) }
    }
    for rate in [1, 59.94, 1000] { #expect(throws: Never.self) { try script([], rate: rate) } }
  }

  @Test func `a largest force that can be divided by, or none`() {
    for force in [-1, 1e-7, 1e300, Double.nan, .infinity] {
      expectRefused("maximumForce") { try script([], force: force) }
    }
    for force in [0, 1e-6, 400.0 / 60] {
      #expect(throws: Never.self) { try script([], force: force) }
    }
  }

  @Test func `a stage of numbers that can be calculated with`() {
    let frame = ViewRect(0, 0, 1, 1)
    let empty = ViewRect(0, 0, 0, 1)
    let stages: [(Stage, String)] = [
      (Stage(view: empty), "stage.view.width"),
      (Stage(view: ViewRect(.nan, 0, 1, 1)), "stage.view.x"),
      (Stage(cornerRadius: -1), "stage.cornerRadius"),
      (Stage(cornerRadius: .nan), "stage.cornerRadius"),
      (Stage(cornerRadius: 1e300), "stage.cornerRadius"),
      (Stage(ancestors: [.init(frame: empty)]), "stage.ancestors[0].frame.width"),
      (
        Stage(ancestors: [.init(frame: frame), .init(frame: frame, scale: 0)]),
        "stage.ancestors[1].scale"
      ),
      (Stage(ancestors: [.init(frame: frame, scale: .nan)]), "stage.ancestors[0].scale"),
      (Stage(ancestors: [.init(frame: frame, scale: 1001)]), "stage.ancestors[0].scale"),
      (
        Stage(ancestors: [.init(frame: frame, scroll: ViewPoint(0, .infinity))]),
        "stage.ancestors[0].scroll.y"
      ),
      (Stage(ancestors: Array(repeating: .init(frame: frame), count: 17)), "stage.ancestors"),
    ]
    for (stage, argument) in stages { expectRefused(argument) { try script([], stage: stage) } }
    #expect(throws: Never.self) {
      try script(
        [], stage: Stage(ancestors: Array(repeating: .init(frame: frame, scale: 1000), count: 16)))
    }
  }

  @Test func `a hundred thousand events are accepted`() throws {
    let events = (0..<50_000).flatMap { tap(Double($0), 1, 1) }
    #expect(try script(events).events.count == 100_000)
  }
}
