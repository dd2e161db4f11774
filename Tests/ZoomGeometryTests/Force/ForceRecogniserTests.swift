import Testing

@testable import ZoomGeometry

struct ForceRecogniserTests {
  static func touch(_ id: Int, _ force: Double = 3, x: Double = 10) -> Touch {
    Touch(id: id, point: ViewPoint(x, 20), force: force)
  }

  @Test func `one finger presses, moves and lifts`() throws {
    var press = ForceRecogniser()
    #expect(press.state == .possible)
    #expect(press.finger == nil)

    try press.handle(.began, [Self.touch(1, 1)])
    #expect(press.state == .began)
    #expect(press.force == 1)
    #expect(near(press.share, 0.15, within: 1e-15))
    #expect(press.finger == ViewPoint(10, 20))

    try press.handle(.moved, [Self.touch(1, 5, x: 11)])
    #expect(press.state == .changed)
    #expect(press.force == 5)
    #expect(press.finger == ViewPoint(11, 20))

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

  @Test func `a screen that changes cancels a press, and its finger presses no more`() throws {
    var press = ForceRecogniser()
    try press.handle(.began, [Self.touch(1)])
    press.screenChanged()
    #expect(press.state == .cancelled && press.finger == nil && press.force == 0)
    try press.handle(.moved, [Self.touch(1)])
    try press.handle(.began, [Self.touch(2)])
    #expect(press.state == .cancelled && press.finger == nil)
    try press.handle(.ended, [Self.touch(1), Self.touch(2)])
    press.screenChanged()
    #expect(press.state == .possible)
    try press.handle(.began, [Self.touch(1)])
    #expect(press.state == .began)
  }

  @Test func `a press of which no time is told began at none`() throws {
    var press = ForceRecogniser(source: .longPress(LongPress()))
    try press.handle(.began, [Self.touch(1)])
    try press.advance(to: 0.25)
    #expect(press.share == 0.5)
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
    #expect(throws: GeometryError.self) { try press.handle(.moved, [Self.touch(1, x: number)]) }
    #expect(press == before)
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
