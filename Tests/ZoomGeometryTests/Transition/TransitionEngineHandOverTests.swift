import Testing

@testable import ZoomGeometry

/// A pan that a second finger takes over: whatever the two do then, the picture comes to rest where
/// it may.
struct TransitionEngineHandOverTests {
  private let full = ViewRect(0, 192.875, 375, 281.25)

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
    Touch(id: id, point: id == 0 ? ViewPoint(260 + x, 330) : ViewPoint(100 + x, 100))
  }

  private func expectRest(_ states: [ZoomState], at rest: ViewRect? = nil) throws {
    let box = try #require(states.lastBox)
    #expect(near(box, rest ?? full), "\(box)")
  }

  /// The orders in which two fingers can go.
  static let orders = [[[0], [1]], [[1], [0]], [[0, 1]]]

  @Test(arguments: orders, ZoomForm.allCases)
  func `the picture returns when both fingers have lifted, and not before`(
    order: [[Int]], form: ZoomForm
  ) throws {
    var play = handedOver()
    let held = try play.states(form)
    #expect(try #require(held.lastBox).x > 40)
    for ids in order {
      play.now += 0.5
      play.add(.touches(.ended, ids.map { finger($0) }))
    }
    let states = try play.states(form)
    #expect(states.happened == [.present, .panBegan, .panEnded])
    #expect(states.last?.recogniser == .ended)
    let waiting = states.filter { $0.time > 1.3 && $0.time < play.now }
    // Fingers that lift together leave nothing to wait for.
    #expect(waiting.isEmpty == (order.count == 1))
    #expect(waiting.allSatisfy { $0.box?.x ?? 0 > 40 })
    try expectRest(states)
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
    try expectRest(states)
    #expect(try #require(play.states(.original).lastBox).x > 40)
  }

  @Test(arguments: [0, 1])
  func `one finger may lift and the other be cancelled`(first: Int) throws {
    for phases in [[TouchPhase.ended, .cancelled], [.cancelled, .ended]] {
      var play = handedOver()
      play.add(.touches(phases[0], [finger(first)]))
      play.now += 0.1
      play.add(.touches(phases[1], [finger(1 - first)]))
      try expectRest(play.states())
    }
  }

  @Test(arguments: [0, 1])
  func `the finger that stays pans on, and lets go`(stays: Int) throws {
    var play = handedOver()
    play.add(.touches(.ended, [finger(1 - stays)]))
    play.now += 0.1
    play.add(.touches(.moved, [finger(stays, movedBy: 40)]))
    let panned = try play.states()
    // 30 points beyond the slop of 10, from where the first pan left it.
    let before = try #require(handedOver().states().lastBox).x
    #expect(near(try #require(panned.lastBox).x, before + 30, within: 1e-9))
    play.now += 0.5
    play.add(.touches(.ended, [finger(stays, movedBy: 40)]))
    let states = try play.states()
    #expect(states.happened == [.present, .panBegan, .panEnded, .panBegan, .panEnded])
    try expectRest(states)
  }

  @Test func `a third finger is waited for too`() throws {
    var play = handedOver()
    play.add(.touches(.began, [Touch(id: 2, point: ViewPoint(300, 600))]))
    play.add(.touches(.ended, [finger(0), finger(1)]))
    #expect(try #require(play.states().lastBox).x > 40)
    play.now += 0.5
    play.add(.touches(.ended, [Touch(id: 2, point: ViewPoint(300, 600))]))
    try expectRest(play.states())
  }

  @Test func `a pinch sets out from where the pan left the picture, and lets go`() throws {
    var play = handedOver()
    let before = try #require(play.states().lastBox)
    play.add(.touches(.moved, [finger(1, movedBy: -1)]))
    let pinched = try #require(play.states().lastBox)
    // One point between fingers 280 apart moves no edge of a picture of 375 by more than two.
    #expect(abs(pinched.x - before.x) < 2 && abs(pinched.y - before.y) < 2)
    play.add(.touches(.ended, [finger(0), finger(1, movedBy: -1)]))
    let states = try play.states()
    #expect(states.happened == [.present, .panBegan, .panEnded, .pinchBegan, .pinchEnded])
    // Less than one point wider than the screen, so that it rests as good as in the middle.
    let box = try #require(states.lastBox)
    #expect(near(box.centre.x, 187.5, within: 1) && near(box.centre.y, 333.5, within: 1e-9))
  }

  @Test func `what takes the picture from the two fingers puts it in its place`() throws {
    let wide = try Screen(size: ViewSize(1000, 375))
    let takings: [(GestureEvent.Kind, ViewRect)] = [
      (.cancelAll, full), (.close, ViewRect(20, 50, 100, 100)),
      (.device(.landscapeLeft), ViewRect(0, 83.5, 375, 500)),
      (.screen(wide), ViewRect(250, 0, 500, 375)),
    ]
    for (kind, rest) in takings {
      var play = handedOver()
      play.add(kind)
      try expectRest(play.states(), at: rest)
      // After that the fingers are gone, or are not looked at.
      guard kind != .cancelAll else { continue }
      let happened = try play.states().happened
      play.now += 1
      play.add(.touches(.moved, [finger(0, movedBy: 50)]))
      play.add(.touches(.ended, [finger(0), finger(1)]))
      let states = try play.states()
      #expect(states.happened == happened)
      try expectRest(states, at: rest)
    }
  }

  @Test func `fingers that lift while a tap's reset is under way do not stop it`() throws {
    for fingers in [[0], [0, 1]] {
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
      try expectRest(states)
    }
  }
}
