import Testing

@testable import ZoomGeometry

struct TapArbiterTests {
  var arbiter = TapArbiter()
  var fingers = FingerTable()

  mutating func touch(_ phase: TouchPhase, at time: Double, x: Double = 0, id: Int = 1) {
    touch(phase, [Touch(id: id, point: ViewPoint(x, 0))], at: time)
  }

  mutating func touch(_ phase: TouchPhase, _ touches: [Touch], at time: Double) {
    fingers.accept(.touches(phase, touches), at: time)
    arbiter.handle(phase, touches, fingers)
  }

  mutating func tap(at time: Double, x: Double = 0) {
    touch(.began, at: time - 0.01, x: x)
    touch(.ended, at: time, x: x)
  }

  mutating func screenChanged(at time: Double) {
    fingers.accept(.close, at: time)
    arbiter.screenChanged(fingers)
  }

  mutating func cancel() {
    fingers.accept(.cancelAll, at: fingers.time)
    arbiter.cancel()
  }

  @Test mutating func `two taps are a double tap at the time of the second, at the first point`() {
    tap(at: 1, x: 5)
    tap(at: 1.34, x: 20)
    let double = TapArbiter.Tap(isDouble: true, point: ViewPoint(5, 0), time: 1.34)
    #expect(arbiter.takeTaps() == [double])
    #expect(arbiter.pendingUntil == nil)
    arbiter.advance(to: 9)
    #expect(arbiter.takeTaps().isEmpty)
  }

  @Test mutating func `a pan between two taps keeps them single`() {
    tap(at: 1)
    touch(.began, at: 1.05)
    touch(.moved, at: 1.06, x: 30)
    touch(.ended, at: 1.1, x: 30)
    tap(at: 1.2)
    #expect(arbiter.takeTaps().map(\.isDouble) == [false])
    tap(at: 1.4)
    #expect(arbiter.takeTaps().map(\.isDouble) == [true])
  }

  @Test mutating func `a finger that moves beyond the slop never taps, even if it comes back`() {
    touch(.began, at: 1)
    touch(.moved, at: 1.05, x: 10.1)
    touch(.moved, at: 1.06, x: 0)
    touch(.ended, at: 1.1)
    touch(.began, at: 2)
    touch(.ended, at: 2.1, x: -10.1)
    arbiter.advance(to: 9)
    #expect(arbiter.takeTaps().isEmpty)
    touch(.began, at: 10)
    touch(.moved, at: 10.1, x: 10)
    touch(.ended, at: 10.1, x: 10)
    arbiter.advance(to: 19)
    #expect(arbiter.takeTaps().count == 1)
  }

  @Test mutating func `two fingers never tap, and all must be up before one does`() throws {
    touch(.began, at: 1)
    touch(.began, at: 1.01, id: 2)
    touch(.ended, at: 1.05)
    touch(.began, at: 1.06, id: 3)
    touch(.ended, at: 1.07, id: 3)
    touch(.ended, at: 1.1, id: 2)
    let two = [1, 2].map { Touch(id: $0, point: ViewPoint(0, 0)) }
    touch(.began, two, at: 2)
    touch(.ended, two, at: 2.1)
    arbiter.advance(to: 5)
    #expect(arbiter.takeTaps().isEmpty)
    tap(at: 6)
    arbiter.advance(to: 9)
    #expect(arbiter.takeTaps().count == 1)
  }

  @Test(arguments: ["call", "screen", "cancelled touch"])
  mutating func `an interruption between two taps keeps them single`(what: String) {
    tap(at: 1)
    touch(.began, at: 1.1)
    switch what {
    case "call": cancel()
    case "screen":
      screenChanged(at: 1.1)
      touch(.ended, at: 1.11)
    default: touch(.cancelled, at: 1.1)
    }
    tap(at: 1.2)
    arbiter.advance(to: 5)
    #expect(arbiter.takeTaps().map(\.isDouble) == [false, false])
    // Later taps are not affected.
    tap(at: 6)
    tap(at: 6.2)
    #expect(arbiter.takeTaps().map(\.isDouble) == [true])
  }

  @Test mutating func `a forgotten finger or tap does not tap`() throws {
    tap(at: 1)
    arbiter.advance(to: 2)
    tap(at: 3)
    touch(.began, at: 3.1)
    arbiter.forget()
    touch(.ended, at: 3.15)
    arbiter.advance(to: 9)
    #expect(arbiter.takeTaps().isEmpty)
    // The other properties have their usual values.
    #expect(try TapArbiter(delay: arbiter.delay) == TapArbiter())
  }
}
