import Testing

@testable import ZoomGeometry

struct ForceRecogniserTests {
  static func touch(_ id: Int, _ force: Double = 3, x: Double = 10) -> Touch {
    Touch(id: id, point: ViewPoint(x: x, y: 20), force: force)
  }

  @Test func `one finger presses, moves and lifts`() throws {
    var press = ForceRecogniser()
    #expect(press.state == .possible)
    #expect(press.finger == nil)

    try press.handle(.began, [Self.touch(1, 1)])
    #expect(press.state == .began)
    #expect(press.force == 1)
    #expect(near(press.share, 0.15, within: 1e-15))
    #expect(press.finger == ViewPoint(x: 10, y: 20))

    try press.handle(.moved, [Self.touch(1, 5, x: 11)])
    #expect(press.state == .changed)
    #expect(press.force == 5)
    #expect(press.finger == ViewPoint(x: 11, y: 20))

    try press.handle(.ended, [Self.touch(1, 0.02)])
    #expect(press.state == .ended)
    // Not the lifting touch's (FT-B5).
    #expect(press.force == 0)
    #expect(press.share == 0)
    #expect(press.finger == nil)
  }

  @Test func `it is possible again once no touch remains, and can be read till the next event`()
    throws
  {
    var press = ForceRecogniser()
    try press.handle(.began, [Self.touch(1)])
    try press.handle(.ended, [Self.touch(1)])
    #expect(press.state == .ended)
    try press.handle(.moved, [Self.touch(9)])
    #expect(press.state == .possible)
    try press.handle(.began, [Self.touch(1, 2)])
    #expect(press.state == .began)
    #expect(press.force == 2)

    try press.handle(.ended, [Self.touch(1)])
    press.cancelAll()
    #expect(press.state == .possible)
  }

  @Test(arguments: [
    (ForceRecogniser.SecondTouch.cancels, RecogniserState.cancelled), (.fails, .failed),
  ])
  func `FT-B1: a second finger that comes later ends the press, and its force is not taken`(
    option: ForceRecogniser.SecondTouch, terminal: RecogniserState
  ) throws {
    for moves in [0, 1] {
      var press = ForceRecogniser(secondTouch: option)
      try press.handle(.began, [Self.touch(1, 1)])
      for _ in 0..<moves { try press.handle(.moved, [Self.touch(1, 1.5)]) }
      try press.handle(.began, [Self.touch(2, 6)])
      #expect(press.state == terminal)
      #expect(press.force == 0)

      // Over for both, until both are gone; a third joins what is over.
      try press.handle(.moved, [Self.touch(1, 4)])
      try press.handle(.ended, [Self.touch(1)])
      try press.handle(.moved, [Self.touch(2, 4)])
      try press.handle(.began, [Self.touch(3)])
      try press.handle(.ended, [Self.touch(2)])
      #expect(press.state == terminal)
      #expect(press.force == 0)
      try press.handle(.ended, [Self.touch(3)])
      #expect(press.state == terminal)
      try press.handle(.began, [Self.touch(3)])
      #expect(press.state == .began)
    }
  }

  @Test(arguments: ForceRecogniser.SecondTouch.allCases)
  func `FT-B2: two fingers at once fail without having begun, and do not end`(
    option: ForceRecogniser.SecondTouch
  ) throws {
    var press = ForceRecogniser(secondTouch: option)
    try press.handle(.began, [Self.touch(1), Self.touch(2)])
    #expect(press.state == .failed)
    try press.handle(.moved, [Self.touch(1)])
    #expect(press.state == .failed)
    try press.handle(.ended, [Self.touch(1), Self.touch(2)])
    #expect(press.state == .failed)
  }

  @Test func `FT-B3: a cancelled touch and a cancelled everything end the press`() throws {
    var one = ForceRecogniser()
    try one.handle(.began, [Self.touch(1)])
    var other = one
    try one.handle(.cancelled, [Self.touch(1)])
    other.cancelAll()
    for press in [one, other] {
      #expect(press.state == .cancelled)
      #expect(press.force == 0)
    }
    try other.handle(.began, [Self.touch(1)])
    #expect(other.state == .began)
  }

  @Test func `FT-B4: a new gesture knows no force of the one before`() throws {
    var press = ForceRecogniser()
    try press.handle(.began, [Self.touch(1, 6)])
    press.cancelAll()
    try press.handle(.began, [Self.touch(1, 0), Self.touch(2, 0)])
    #expect(press.state == .failed)
    #expect(press.force == 0)
  }

  @Test func `a touch that was not seen to begin is ignored, and so is a second beginning`() throws
  {
    var press = ForceRecogniser()
    try press.handle(.moved, [Self.touch(7)])
    try press.handle(.ended, [Self.touch(7)])
    #expect(press.state == .possible)
    try press.handle(.began, [Self.touch(1, 1)])
    try press.handle(.began, [Self.touch(1, 2)])
    try press.handle(.moved, [Self.touch(7)])
    try press.handle(.cancelled, [Self.touch(7)])
    #expect(press.state == .began)
    #expect(press.force == 1)
    try press.handle(.moved, [])
    #expect(press.state == .began)
    try press.handle(.moved, [Self.touch(7, 6), Self.touch(1, 2)])
    #expect(press.state == .changed)
    #expect(press.force == 2)
  }

  @Test func `FT-P1 to FT-P4 hold for all that two fingers can do in six events`() throws {
    for option in ForceRecogniser.SecondTouch.allCases {
      var walk = PressWalk<ForceRecogniser>(
        handle: { press, phase, touches in
          // An event of no touches, for the reset that comes with any.
          try press.handle(.moved, [])
          let before = press.state
          try press.handle(phase, touches)
          return press.state == before ? [] : [press.state]
        }, state: \.state, force: \.force)
      try walk.walk(ForceRecogniser(secondTouch: option), events: 6)
      #expect(walk.broken == [])
      #expect(walk.gestures > 1000)
      #expect(Set(walk.terminals.keys) == [.ended, .cancelled, .failed])
    }
  }

  @Test(arguments: finiteForces)
  func `FT-P5: every finite force is clamped to the range`(force: Double) throws {
    var press = ForceRecogniser()
    try press.handle(.began, [Self.touch(1, force)])
    #expect((0...1).contains(press.share))
    #expect((0...fullForce).contains(press.force))
    if (0...fullForce).contains(force) { #expect(press.force == force) }
  }

  @Test func `FT-P5: without the sense the share is 0`() throws {
    var press = ForceRecogniser(range: try ForceRange(maximum: 0))
    try press.handle(.began, [Self.touch(1, 1)])
    #expect(press.state == .began)
    #expect(press.share == 0)
  }

  @Test(arguments: wildForces)
  func `what is no number is refused, and nothing is changed`(number: Double) throws {
    var press = ForceRecogniser()
    try press.handle(.began, [Self.touch(1, 1)])
    let before = press
    #expect(throws: GeometryError.self) {
      try press.handle(.ended, [Self.touch(1), Self.touch(2, number)])
    }
    #expect(throws: GeometryError.self) {
      try press.handle(.moved, [Self.touch(1, x: number)])
    }
    #expect(press == before)
  }

  @Test func `nothing is pressed before the first touch, published or not`() {
    #expect(ForceRecogniser().force == 0)
    #expect(OriginalForceRecogniser().force == 0)
  }
}
