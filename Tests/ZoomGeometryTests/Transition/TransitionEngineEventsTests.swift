import Testing

@testable import ZoomGeometry

/// What a played transition reports: the recogniser, the events, the backdrop.
struct TransitionEngineEventsTests {
  private func finger(_ id: Int, _ x: Double, _ y: Double) -> Touch {
    Touch(id: id, point: ViewPoint(x, y))
  }

  /// The recogniser at the ticks from a time on.
  private func recognisers(_ play: Play, from time: Double) throws -> [RecogniserState] {
    try play.states().filter { $0.time >= time - 1e-9 }.map(\.recogniser)
  }

  @Test func `a pan is possible, begun, changed and ended`() throws {
    var play = Play.presented
    play.press((200, 300))
    // 6.7 points a step: the second one is beyond the slop.
    play.drag(to: (260, 330))
    play.lift()
    let found = try recognisers(play, from: 1)
    let expected: [RecogniserState] =
      [.possible, .possible, .began] + Array(repeating: .changed, count: 7) + [.ended]
    #expect(Array(found.prefix(11)) == expected)
    #expect(Set(found.dropFirst(11)).isSubset(of: [.ended]))
  }

  @Test func `a pan has changed by its second step, whether events are cleared or not`() throws {
    var zoom = try live(.transition)
    for event in tap(0, 70, 100) { try zoom.handle(event) }
    try zoom.advance(to: 1)
    var states: [RecogniserState] = []
    for (step, x) in [200.0, 220, 240].enumerated() {
      let phase = step == 0 ? TouchPhase.began : .moved
      try zoom.handle(ZoomGeometryTests.finger(2 + Double(step), phase, x, 300))
      states.append(zoom.recogniser)
    }
    #expect(states == [.possible, .began, .changed])
  }

  @Test func `a pinch is begun, changed and ended, whatever a third finger does`() throws {
    var play = Play.presented
    play.press((100, 300), (200, 300))
    play.drag(to: (50, 300), (250, 300), steps: 4)
    play.now += 1.0 / 60
    play.add(.touches(.began, [finger(7, 10, 10)]))
    play.now += 1.0 / 60
    play.lift()
    let found = try recognisers(play, from: 1)
    #expect(
      Array(found.prefix(7)) == [.possible, .began, .changed, .changed, .changed, .changed, .ended])
  }

  @Test func `a pan that a second finger takes over has ended`() throws {
    var play = Play.presented
    play.press((200, 300))
    play.drag(to: (260, 330))
    play.now += 0.1
    play.add(.touches(.began, [finger(1, 100, 100)]))
    play.now += 0.1
    play.add(.touches(.moved, [finger(1, 90, 100)]))
    let states = try play.states()
    #expect(states.happened == [.present, .panBegan, .panEnded, .pinchBegan])
    #expect(states.last { $0.time < play.now - 0.05 }?.recogniser == .ended)
  }

  @Test func `a tap is possible until it is decided, and each press begins anew`() throws {
    var play = Play.presented
    play.tap(200, 300)
    play.now = 3
    play.press((300, 600))
    let states = try play.states()
    let at = { (time: Double) in states.last { $0.time <= time + 1e-9 }?.recogniser }
    #expect(at(0) == .possible)
    #expect(at(0.05) == .ended)
    #expect(at(1) == .possible && at(1.35) == .possible)
    #expect(at(1.45) == .ended && at(2.9) == .ended)
    #expect(at(3) == .possible)
    #expect(states.allSatisfy { $0.force == 0 })
  }

  /// What takes the picture from a finger that pans, and what happens then.
  static let interruptions: [(GestureEvent.Kind, [ZoomEvent])] = [
    (.close, [.cancelled, .dismiss]), (.device(.landscapeLeft), [.cancelled, .rotate]),
    (.cancelAll, [.cancelled]),
  ]

  @Test(arguments: interruptions)
  func `what interrupts a pan cancels it, and the finger that stays is not looked at`(
    kind: GestureEvent.Kind, events: [ZoomEvent]
  ) throws {
    var play = Play.presented
    play.press((200, 300))
    play.drag(to: (260, 330))
    play.add(kind)
    // As long as the tap that closing brings would wait.
    play.now += 2
    if kind != .cancelAll {
      play.drag(to: (100, 600))
      play.lift()
    }
    let states = try play.states()
    #expect(states.happened == [.present, .panBegan] + events)
    #expect(states.last?.recogniser == .cancelled)
  }

  @Test func `another screen cancels a pan, and is what is drawn on`() throws {
    var play = Play.presented
    play.press((200, 300))
    play.drag(to: (260, 330))
    let wide = try Screen(size: ViewSize(1000, 375))
    play.add(.screen(wide))
    play.now += 0.5
    play.drag(to: (100, 300))
    let states = try play.states()
    #expect(states.happened == [.present, .panBegan, .cancelled])
    #expect(states.last?.layers.compactMap(\.fill?.rect) == [wide.bounds, wide.bounds])
    #expect(states.lastBox?.x == 250)
  }

  @Test(arguments: [true, false])
  func `taps before and after a call or on another screen make no double tap`(isCall: Bool) throws {
    var play = Play.presented
    play.tap(187, 333)
    play.add(isCall ? .cancelAll : .screen(try Screen(size: ViewSize(374, 667))))
    play.now += 0.05
    play.tap(187, 333)
    play.now += 1
    let found = try play.states().happened
    #expect(found.contains(.singleTap) && !found.contains(.doubleTap))
  }

  @Test func `of two fingers one of which is taken away the other does not pan`() throws {
    var play = Play.presented
    play.press((100, 300), (200, 300))
    play.drag(to: (50, 300), (250, 300))
    play.add(.touches(.cancelled, [finger(1, 250, 300)]))
    play.now += 0.5
    play.add(.touches(.moved, [finger(0, 90, 400)]))
    #expect(try play.states().happened == [.present, .pinchBegan, .cancelled])
  }

  @Test func `closing forgets a tap that waits`() throws {
    // On the thumbnail's place; the dismissal is over at 1.405 s, the wait at 1.41.
    var play = Play.presented
    play.now = 1.01
    play.tap(70, 100)
    play.now = 1.105
    play.add(.close)
    #expect(try play.states().happened == [.present, .dismiss])
  }

  @Test func `back in the thumbnail a tap is decided at once, and a press is possible`() throws {
    var play = Play.presented
    play.add(.close)
    play.now = 2
    play.tap(70, 100)
    let states = try play.states()
    #expect(states.happened == [.present, .dismiss, .present])
    let again = try #require(states.last { $0.events == [.present] })
    #expect(near(again.time, 2.05, within: 1e-9))

    var beside = Play.presented
    beside.tap(200, 300)
    beside.now = 3
    beside.press((300, 600))
    beside.now = 3.1
    beside.lift()
    let pressed = try beside.states()
    #expect(pressed.last { $0.time < 3 }?.recogniser == .ended)
    #expect(pressed.suffix(2).map(\.recogniser) == [.possible, .possible])
    #expect(pressed.happened == [.present, .singleTap, .dismiss])
  }

  @Test func `a tap on the thumbnail presents with the event that ends it`() throws {
    var zoom = try live(.transition)
    for (time, phase) in [(0.0, TouchPhase.began), (0.05, .ended)] {
      try zoom.handle(GestureEvent(time: time, kind: .touches(phase, [finger(1, 70, 100)])))
    }
    #expect(zoom.isMoving)
    #expect(zoom.events == [.present])
  }

  @Test(arguments: ZoomForm.allCases)
  func `the backdrop darkens in half a second by a spring and lightens in 0.3`(form: ZoomForm)
    throws
  {
    var play = Play.presented
    // A single tap is decided 0.35 s later, between two frames, and dismisses from then on.
    play.now = 1.01
    play.tap(200, 300)
    let (shown, closed) = (0.05, 1.06 + 0.35)
    let (rise, fall) = (
      TimingCurve.spring(dampingRatio: 0.7, velocity: 0),
      TimingCurve.spring(dampingRatio: 1, velocity: 0.3)
    )
    var passed = false
    for state in try play.states(form) {
      let cover = try #require(state.layers[1].fill)
      #expect(cover.shade == 0 && cover.rect == ViewRect(0, 0, 375, 667))
      var opacity = 0.0
      if state.time >= closed {
        opacity = 1 - fall.progress(at: min(1, (state.time - closed) / 0.3))
      } else if state.time >= shown {
        opacity = rise.progress(at: min(1, (state.time - shown) / 0.5))
      }
      passed = passed || opacity > 1.01
      // A spring passes its end, a cover is no blacker than black.
      #expect(near(cover.opacity, min(1, opacity), within: 1e-9), "\(state.time)")
      #expect((0...1).contains(cover.opacity))
    }
    #expect(passed)
  }
}
