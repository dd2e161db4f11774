import Testing

@testable import ZoomGeometry

struct ForceRecogniserTests {
  static func touch(_ id: Int, _ force: Double = 3, x: Double = 10) -> Touch {
    Touch(id: id, point: ViewPoint(x, 20), force: force)
  }

  @Test func `one finger presses, moves and lifts`() throws {
    var hand = Pressing()
    #expect(hand.press.state == .possible)
    #expect(hand.press.finger == nil)

    try hand.handle(.began, [Self.touch(1, 1)])
    #expect(hand.press.state == .began)
    #expect(hand.press.force == 1)
    #expect(near(hand.press.share, 0.15, within: 1e-15))
    #expect(hand.press.finger == ViewPoint(10, 20))

    try hand.handle(.moved, [Self.touch(1, 5, x: 11)])
    #expect(hand.press.state == .changed)
    #expect(hand.press.force == 5)
    #expect(hand.press.finger == ViewPoint(11, 20))

    try hand.handle(.ended, [Self.touch(1, 0.02)])
    #expect(hand.press.state == .ended)
    // Not the lifting touch's (FT-B5).
    #expect(hand.press.force == 0)
    #expect(hand.press.share == 0)
    #expect(hand.press.finger == nil)
  }

  @Test func `it is possible again once no touch remains, and can be read till the next event`()
    throws
  {
    var hand = Pressing()
    try hand.handle(.began, [Self.touch(1)])
    try hand.handle(.ended, [Self.touch(1)])
    #expect(hand.press.state == .ended)
    try hand.handle(.began, [Self.touch(1, 2)])
    #expect(hand.press.state == .began)
    #expect(hand.press.force == 2)

    try hand.handle(.ended, [Self.touch(1)])
    try hand.cancelAll()
    #expect(hand.press.state == .possible)
  }

  @Test func `FT-B4: a new gesture knows no force of the one before`() throws {
    var hand = Pressing()
    try hand.handle(.began, [Self.touch(1, 6)])
    try hand.cancelAll()
    try hand.handle(.began, [Self.touch(1, 0), Self.touch(2, 0)])
    #expect(hand.press.state == .failed)
    #expect(hand.press.force == 0)
  }

  @Test func `a screen that changes cancels a press, and its finger presses no more`() throws {
    var hand = Pressing()
    try hand.handle(.began, [Self.touch(1)])
    hand.press.screenChanged()
    #expect(hand.press.state == .cancelled && hand.press.finger == nil && hand.press.force == 0)
    try hand.handle(.moved, [Self.touch(1)])
    try hand.handle(.began, [Self.touch(2)])
    #expect(hand.press.state == .cancelled && hand.press.finger == nil)
    try hand.handle(.ended, [Self.touch(1), Self.touch(2)])
    hand.press.screenChanged()
    #expect(hand.press.state == .possible)
    try hand.handle(.began, [Self.touch(1)])
    #expect(hand.press.state == .began)
  }

  @Test func `a press of which no time is told began at none`() throws {
    var hand = Pressing(press: ForceRecogniser(source: .longPress(LongPress())))
    try hand.handle(.began, [Self.touch(1)])
    try hand.press.advance(to: 0.25)
    #expect(hand.press.share == 0.5)
  }

  @Test func `FT-P5: without the sense the share is 0`() throws {
    var hand = Pressing(press: ForceRecogniser(range: try ForceRange(maximum: 0)))
    try hand.handle(.began, [Self.touch(1, 1)])
    #expect(hand.press.state == .began)
    #expect(hand.press.share == 0)
  }
}

/// A recogniser with its table of fingers.
private struct Pressing {
  var press = ForceRecogniser()
  var fingers = FingerTable()

  mutating func handle(_ phase: TouchPhase, _ touches: [Touch]) throws {
    try fingers.take(GestureEvent(time: fingers.time, kind: .touches(phase, touches)))
    press.handle(phase, touches, fingers)
  }

  mutating func cancelAll() throws {
    try fingers.take(GestureEvent(time: fingers.time, kind: .cancelAll))
    press.cancelAll()
  }
}

/// The published recogniser's defects; `ForceRecogniserTests` has the right results.
struct OriginalForceRecogniserTests {
  private func touch(_ id: Int, _ force: Double) -> Touch { ForceRecogniserTests.touch(id, force) }

  @Test func `FT-B2: two fingers at once begin and fail, and end and fail`() {
    var press = OriginalForceRecogniser()
    #expect(press.handle(.began, [touch(1, 1), touch(2, 1)]) == [.began, .failed])
    #expect(press.handle(.ended, [touch(1, 1), touch(2, 1)]) == [.ended, .failed])
    #expect(press.state == .failed)
    #expect(press.force == 0)
  }

  @Test func `FT-B4: the force lives on in the next gesture till one touch sets it`() {
    var press = OriginalForceRecogniser()
    press.handle(.began, [touch(1, 6)])
    press.handle(.cancelled, [touch(1, 6)])
    press.handle(.began, [touch(2, 0), touch(3, 0)])
    #expect(press.force == 6)
  }

  @Test func `FT-B5: the lifting touch's force replaces the press's`() {
    var press = OriginalForceRecogniser()
    press.handle(.began, [touch(1, 5)])
    press.handle(.ended, [touch(1, 0.02)])
    #expect(press.state == .ended)
    #expect(press.force == 0.02)
  }

  @Test func `a force that is no number goes through`() {
    var press = OriginalForceRecogniser()
    press.handle(.began, [touch(1, .nan)])
    #expect(press.force.isNaN)
    press.handle(.moved, [touch(1, -.infinity)])
    #expect(press.force == -.infinity)
    #expect(press.handle(.moved, []) == [.changed, .failed])
  }
}
