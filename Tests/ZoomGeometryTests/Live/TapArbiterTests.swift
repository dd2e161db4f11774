import Testing

@testable import ZoomGeometry

struct TapArbiterTests {
  var arbiter = TapArbiter()
  var fingers = FingerTable()

  mutating func touch(_ phase: TouchPhase, at time: Double, x: Double = 0) {
    let touches = [Touch(id: 1, point: ViewPoint(x, 0))]
    fingers.accept(.touches(phase, touches), at: time)
    arbiter.handle(phase, touches, fingers)
  }

  mutating func tap(at time: Double, x: Double = 0) {
    touch(.began, at: time - 0.01, x: x)
    touch(.ended, at: time, x: x)
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

  @Test mutating func `forgetting drops decided taps, waiting taps and the finger that is down`() {
    tap(at: 1)
    arbiter.advance(to: 2)
    tap(at: 3)
    touch(.began, at: 3.1)
    arbiter.forget()
    touch(.ended, at: 3.15)
    arbiter.advance(to: 9)
    #expect(arbiter.takeTaps().isEmpty)
  }
}
