import Testing

@testable import ZoomGeometry

private let full = ViewRect(0, 192.875, 375, 281.25)
private let thumbnail = ViewRect(20, 50, 100, 100)

private func touch(_ id: Int, _ x: Double, _ y: Double) -> Touch {
  Touch(id: id, point: ViewPoint(x, y))
}

private func expect(_ states: [ZoomState], at rest: ViewRect) throws {
  let box = try #require(states.lastBox)
  #expect(near(box, rest), "\(box) is not \(rest)")
}

/// The corrected transition, played; the published behaviours are the timelines TI-*.
struct TransitionEngineTests {
  @Test(arguments: ZoomForm.allCases)
  func `a tap on the thumbnail presents with the event that ends it, one beside it does nothing`(
    form: ZoomForm
  ) throws {
    var zoom = try live(.transition, form)
    for event in tap(0, 70, 100) { try zoom.handle(event) }
    #expect(zoom.isMoving && zoom.events == [.present])
    var beside = Play.transition
    beside.tap(200, 500)
    let states = try beside.states(form)
    #expect(states.happened.isEmpty)
    try expect(states, at: thumbnail)
  }

  @Test func `TI-P5: presenting moves the mask without a jump`() throws {
    let stage = Stage(view: ViewRect(20, 50, 100, 200))
    let widths = try Play.presented.states(.corrected, .petronas, stage: stage)
      .compactMap { $0.picture?.seen.width }
    // 281.25 to 375 in nine frames.
    #expect(near(widths.first ?? 0, 281.25, within: 1e-9) && widths.last == 375)
    #expect(zip(widths, widths.dropFirst()).allSatisfy { abs($0 - $1) < 11 })
  }

  @Test func `a double tap zooms about the tapped point, the next one back`() throws {
    var play = Play.presented
    for _ in 0..<2 {
      play.doubleTap(100, 300)
      play.now += 1
    }
    let states = try play.states()
    #expect(states.happened == [.present, .doubleTap, .zoomIn, .doubleTap, .zoomOut])
    // 100 points from the left edge become 300, 200 of them beyond the screen.
    let zoomed = try #require(states.shown(at: 2).box)
    #expect(near(zoomed, ViewRect(-200, 300 - 3 * 107.125, 1125, 843.75)))
    try expect(states, at: full)
  }

  @Test(arguments: ZoomForm.allCases)
  func `two fingers that move together take the picture with them`(form: ZoomForm) throws {
    var play = Play.presented
    play.press((100, 300), (200, 300))
    play.drag(to: (130, 260), (230, 260))
    try expect(play.states(form), at: full.moved(by: ViewPoint(30, -40)))
  }

  @Test func `a pinch keeps what is under the fingers, and rests in bounds`() throws {
    var play = Play.presented
    play.press((100, 333.5), (200, 333.5))
    play.drag(to: (50, 333.5), (250, 333.5))
    play.now += 0.5
    play.lift()
    let states = try play.states()
    #expect(states.happened == [.present, .pinchBegan, .pinchEnded])
    try expect(states, at: ViewRect(-150, 52.25, 750, 562.5))
  }

  @Test(arguments: [0.0, 1.0])
  func `a turn refits exactly, before and after the picture is presented`(time: Double) throws {
    var play = time == 0 ? Play.transition : Play.presented
    play.add(.device(.landscapeLeft))
    play.now += 0.5
    if time == 0 { play.tap(70, 100) }
    play.add(.device(.faceUp))
    play.add(.device(.unknown))
    let states = try play.states()
    #expect(states.happened == (time == 0 ? [.present] : [.present, .rotate]))
    let transform = try #require(states.last?.picture).transform
    #expect(transform.a == 0 && transform.d == 0 && transform.b == -transform.c)
    try expect(states, at: ViewRect(0, 83.5, 375, 500))
    // Held so from the beginning, it is turned too.
    var held = Play.presented
    held.device = .landscapeLeft
    try expect(held.states(), at: ViewRect(0, 83.5, 375, 500))
  }

  @Test func `a screen of another size refits at once, the same one leaves the picture zoomed`()
    throws
  {
    var play = Play.presented
    play.events += twoTaps(1, 100, 300)
    let zoomed = try play.states().lastBox
    play.event(.screen(try Screen(size: phone, scale: 2)), at: 3)
    #expect(try play.states().lastBox == zoomed && zoomed?.width == 1125)
    play.event(.screen(try Screen(size: ViewSize(1000, 375))), at: 4)
    let states = try play.states()
    #expect(states.last?.time == 4)
    try expect(states, at: ViewRect(250, 0, 500, 375))
  }

  @Test func `closing while it presents turns round without a jump`() throws {
    var play = Play.transition
    play.tap(70, 100)
    play.now = 0.2
    play.add(.close)
    let states = try play.states()
    #expect(states.happened == [.present, .dismiss])
    try expect(states, at: thumbnail)
    let widths = states.compactMap { $0.box?.width }
    // The fastest frame of a spring that covers 275 points in half a second.
    #expect(widths.count > 2 && zip(widths, widths.dropFirst()).allSatisfy { abs($0 - $1) < 45 })
  }

  @Test func `TI-P13: a turn that interrupts another starts from the visible angle`() throws {
    var play = Play.presented
    for turn in [DeviceOrientation.landscapeLeft, .landscapeRight, .portrait] {
      play.add(.device(turn))
      play.now += 0.1
    }
    let maps = try play.states().filter { $0.time >= 1 }.compactMap(\.picture?.transform)
    // Half a turn in 0.3 s, eased, is at most a third of a radian per frame.
    #expect(maps.count > 25)
    for (one, next) in zip(maps, maps.dropFirst()) {
      let product = one.a * next.a + one.b * next.b
      #expect(product / (one.determinant * next.determinant).squareRoot() > 0.9)
    }
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
    let rise = TimingCurve.spring(dampingRatio: 0.7, velocity: 0)
    let fall = TimingCurve.spring(dampingRatio: 1, velocity: 0.3)
    let states = try play.states(form)
    #expect(states.count > 10)
    for state in states {
      let cover = try #require(state.layers[1].fill)
      #expect(cover.shade == 0 && cover.rect == phone.atOrigin)
      let opacity =
        state.time >= closed
        ? 1 - fall.progress(at: (state.time - closed) / 0.3)
        : state.time >= shown ? rise.progress(at: (state.time - shown) / 0.5) : 0
      // A spring overshoots, an opacity does not.
      #expect(near(cover.opacity, min(1, opacity), within: 1e-9), "\(state.time)")
    }
  }

  @Test func `a pan and a pinch are possible, begun, changed and ended`() throws {
    let recognisers = { (play: Play) in
      try play.states().filter { $0.time >= 1 - 1e-9 }.map(\.recogniser)
    }
    var pan = Play.presented
    pan.press((200, 300))
    // 6.7 points per step: the second one is beyond the slop.
    pan.drag(to: (260, 330))
    pan.lift()
    let panned: [RecogniserState] =
      [.possible, .possible, .began] + Array(repeating: .changed, count: 7) + [.ended]
    #expect(try Array(recognisers(pan).prefix(11)) == panned)
    var pinch = Play.presented
    pinch.press((100, 300), (200, 300))
    pinch.drag(to: (50, 300), (250, 300), steps: 4)
    pinch.now += 1.0 / 60
    // A third finger changes nothing.
    pinch.add(.touches(.began, [touch(7, 10, 10)]))
    pinch.now += 1.0 / 60
    pinch.lift()
    let pinched: [RecogniserState] =
      [.possible, .began, .changed, .changed, .changed, .changed, .ended]
    #expect(try Array(recognisers(pinch).prefix(7)) == pinched)
  }

  @Test func `a pan has changed by its second step, whether events are cleared or not`() throws {
    var zoom = try live(.transition)
    for event in tap(0, 70, 100) { try zoom.handle(event) }
    try zoom.advance(to: 1)
    var states: [RecogniserState] = []
    for (step, x) in [200.0, 220, 240].enumerated() {
      try zoom.handle(finger(2 + Double(step), step == 0 ? .began : .moved, x, 300))
      states.append(zoom.recogniser)
    }
    #expect(states == [.possible, .began, .changed])
  }

  @Test func `a tap is possible until it is decided, and each press starts again`() throws {
    var play = Play.presented
    play.tap(200, 300)
    play.now = 3
    play.press((300, 600))
    play.now = 3.1
    play.lift()
    let states = try play.states()
    let found = try [0, 0.05, 1, 1.35, 1.45, 2.9, 3, 3.1].map {
      try states.shown(at: $0).recogniser
    }
    #expect(
      found == [.possible, .ended, .possible, .possible, .ended, .ended, .possible, .possible])
    #expect(states.happened == [.present, .singleTap, .dismiss])
    #expect(states.allSatisfy { $0.force == 0 })
  }

  /// The events that interrupt a pan (nil: another screen), and the reported events.
  static let interruptions: [(GestureEvent.Kind?, [ZoomEvent])] = [
    (.close, [.cancelled, .dismiss]), (.device(.landscapeLeft), [.cancelled, .rotate]),
    (.cancelAll, [.cancelled]), (nil, [.cancelled]),
  ]

  @Test(arguments: interruptions)
  func `an interrupted pan is cancelled, and its finger is ignored`(
    kind: GestureEvent.Kind?, events: [ZoomEvent]
  ) throws {
    let kind = try kind ?? .screen(Screen(size: ViewSize(1000, 375)))
    var play = Play.presented
    play.press((200, 300))
    play.drag(to: (260, 330))
    play.add(kind)
    // As long as a tap would wait.
    play.now += 2
    if kind != .cancelAll {
      play.drag(to: (100, 600))
      play.lift()
    }
    let states = try play.states()
    #expect(states.happened == [.present, .panBegan] + events)
    #expect(states.last?.recogniser == .cancelled)
  }

  @Test(arguments: [true, false])
  func `taps before and after a call or on another screen make no double tap`(isCall: Bool) throws {
    var play = Play.presented
    play.tap(187, 333)
    play.add(isCall ? .cancelAll : .screen(try Screen(size: ViewSize(374, 667))))
    play.now += 0.05
    play.tap(187, 333)
    let found = try play.states().happened
    #expect(found.contains(.singleTap) && !found.contains(.doubleTap))
  }

  @Test func `closing drops a waiting tap, and in the thumbnail taps are decided at once`() throws {
    // On the thumbnail's place; the dismissal is over at 1.405 s, the wait at 1.41.
    var play = Play.presented
    play.now = 1.01
    play.tap(70, 100)
    play.now = 1.105
    play.add(.close)
    #expect(try play.states().happened == [.present, .dismiss])
    play.now = 2
    play.tap(70, 100)
    let states = try play.states()
    #expect(states.happened == [.present, .dismiss, .present])
    let again = try #require(states.last { $0.events == [.present] })
    #expect(near(again.time, 2.05, within: 1e-9))
  }
}

/// A pan that a second finger takes over: whatever the two do, the picture rests acceptably.
struct TransitionHandOverTests {
  /// The fitted picture, panned by (60, 30) less the slop, and two fingers that rest on it.
  private func handedOver() -> Play {
    var play = Play.presented
    play.press((200, 300))
    play.drag(to: (260, 330))
    play.now += 0.1
    play.add(.touches(.began, [finger(1)]))
    play.now += 0.5
    return play
  }

  private func finger(_ id: Int, movedBy x: Double = 0) -> Touch {
    id == 0 ? touch(0, 260 + x, 330) : touch(1, 100 + x, 100)
  }

  /// The orders in which two fingers can lift.
  static let orders = [[[0], [1]], [[1], [0]], [[0, 1]]]

  @Test(arguments: orders, ZoomForm.allCases)
  func `the picture returns when both fingers have lifted, and not before`(
    order: [[Int]], form: ZoomForm
  ) throws {
    var play = handedOver()
    #expect(try #require(play.states(form).lastBox).x > 40)
    for ids in order {
      play.now += 0.5
      play.add(.touches(.ended, ids.map { finger($0) }))
    }
    let states = try play.states(form)
    #expect(states.happened == [.present, .panBegan, .panEnded])
    #expect(states.last?.recogniser == .ended)
    let waiting = states.filter { $0.time > 1.3 && $0.time < play.now }
    // Nothing waits after fingers that lift together.
    #expect(waiting.isEmpty == (order.count == 1))
    #expect(waiting.allSatisfy { $0.box?.x ?? 0 > 40 })
    try expect(states, at: full)
  }

  @Test(arguments: orders)
  func `TI-B12: the picture returns when both are cancelled, the published one stays`(
    order: [[Int]]
  ) throws {
    var play = handedOver()
    for ids in order { play.add(.touches(.cancelled, ids.map { finger($0) })) }
    let states = try play.states()
    #expect(states.happened == [.present, .panBegan, .panEnded, .cancelled])
    #expect(states.last?.recogniser == .cancelled)
    try expect(states, at: full)
    #expect(try #require(play.states(.original).lastBox).x > 40)
  }

  @Test(arguments: [0, 1], [[TouchPhase.ended, .cancelled], [.cancelled, .ended]])
  func `one finger may lift and the other be cancelled`(first: Int, phases: [TouchPhase]) throws {
    var play = handedOver()
    play.add(.touches(phases[0], [finger(first)]))
    play.now += 0.1
    play.add(.touches(phases[1], [finger(1 - first)]))
    try expect(play.states(), at: full)
  }

  @Test(arguments: [0, 1])
  func `the finger that stays pans on, and releases the picture`(stays: Int) throws {
    var play = handedOver()
    let before = try #require(play.states().lastBox).x
    play.add(.touches(.ended, [finger(1 - stays)]))
    play.now += 0.1
    play.add(.touches(.moved, [finger(stays, movedBy: 40)]))
    // 30 points beyond the slop of 10.
    #expect(near(try #require(play.states().lastBox).x, before + 30, within: 1e-9))
    play.now += 0.5
    play.add(.touches(.ended, [finger(stays, movedBy: 40)]))
    let states = try play.states()
    #expect(states.happened == [.present, .panBegan, .panEnded, .panBegan, .panEnded])
    try expect(states, at: full)
  }

  @Test func `a third finger is waited for too`() throws {
    var play = handedOver()
    play.add(.touches(.began, [touch(2, 300, 600)]))
    play.add(.touches(.ended, [finger(0), finger(1)]))
    #expect(try #require(play.states().lastBox).x > 40)
    play.now += 0.5
    play.add(.touches(.ended, [touch(2, 300, 600)]))
    try expect(play.states(), at: full)
  }

  @Test func `a pinch starts where the pan left the picture, and a cancelled one ends all`() throws
  {
    var play = handedOver()
    let before = try #require(play.states().lastBox)
    play.add(.touches(.moved, [finger(1, movedBy: -1)]))
    let pinched = try #require(play.states().lastBox)
    // One point between fingers 280 apart moves no edge of a picture of 375 by more than two.
    #expect(abs(pinched.x - before.x) < 2 && abs(pinched.y - before.y) < 2)
    var other = play
    play.add(.touches(.ended, [finger(0), finger(1, movedBy: -1)]))
    let states = try play.states()
    #expect(states.happened == [.present, .panBegan, .panEnded, .pinchBegan, .pinchEnded])
    // It is less than a point wider than the screen.
    let box = try #require(states.lastBox)
    #expect(near(box.centre.x, 187.5, within: 1) && near(box.centre.y, 333.5, within: 1e-9))
    // If one of two fingers is cancelled, the other does not pan.
    other.add(.touches(.cancelled, [finger(1, movedBy: -1)]))
    other.now += 0.5
    other.add(.touches(.moved, [finger(0, movedBy: 90)]))
    let happened = try other.states().happened
    #expect(happened == [.present, .panBegan, .panEnded, .pinchBegan, .cancelled])
  }

  @Test(arguments: [
    (GestureEvent.Kind?.some(.cancelAll), full), (.close, thumbnail),
    (.device(.landscapeLeft), ViewRect(0, 83.5, 375, 500)), (nil, ViewRect(250, 0, 500, 375)),
  ])
  func `an interruption of the two fingers puts the picture in its place`(
    kind: GestureEvent.Kind?, rest: ViewRect
  ) throws {
    let kind = try kind ?? .screen(Screen(size: ViewSize(1000, 375)))
    var play = handedOver()
    play.add(kind)
    try expect(play.states(), at: rest)
    guard kind != .cancelAll else { return }
    // From then on the fingers are ignored.
    let happened = try play.states().happened
    play.now += 1
    play.add(.touches(.moved, [finger(0, movedBy: 50)]))
    play.add(.touches(.ended, [finger(0), finger(1)]))
    let states = try play.states()
    #expect(states.happened == happened)
    try expect(states, at: rest)
  }

  @Test(arguments: [[0], [0, 1]])
  func `fingers that lift do not stop the reset of a tap before them`(fingers: [Int]) throws {
    var play = Play.presented
    play.doubleTap(187.5, 333.5)
    play.now = 2
    // This tap is decided 0.35 seconds after it came up, under the fingers.
    play.tap(187.5, 333.5)
    play.now = 2.1
    play.press((200, 300))
    play.drag(to: (260, 330))
    if fingers.count > 1 { play.add(.touches(.began, [finger(1)])) }
    play.now = 2.5
    play.add(.touches(.ended, fingers.map { finger($0) }))
    let states = try play.states()
    #expect(states.happened.contains(.zoomOut))
    try expect(states, at: full)
  }
}
