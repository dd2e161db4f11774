import Testing

@testable import ZoomGeometry

/// The published recogniser's defects; `ForceRecogniserTests` has the right results.
struct OriginalForceRecogniserTests {
  private func touch(_ id: Int, _ force: Double) -> Touch {
    ForceRecogniserTests.touch(id, force)
  }

  @Test func `FT-B1: a second finger that comes later begins again, with its own force`() {
    var press = OriginalForceRecogniser()
    #expect(press.handle(.began, [touch(1, 1)]) == [.began])
    #expect(press.handle(.moved, [touch(1, 1.5)]) == [.changed])
    #expect(press.handle(.began, [touch(2, 6)]) == [.began])
    #expect(press.force == 6)
    #expect(press.handle(.moved, [touch(1, 1), touch(2, 6)]) == [.changed, .failed])
  }

  @Test func `FT-B2: two fingers at once begin and fail, and end and fail`() {
    var press = OriginalForceRecogniser()
    #expect(press.handle(.began, [touch(1, 1), touch(2, 1)]) == [.began, .failed])
    #expect(press.handle(.ended, [touch(1, 1), touch(2, 1)]) == [.ended, .failed])
    #expect(press.state == .failed)
  }

  @Test func `FT-B3: a cancellation is not heard`() {
    var press = OriginalForceRecogniser()
    press.handle(.began, [touch(1, 1)])
    press.handle(.moved, [touch(1, 3)])
    #expect(press.handle(.cancelled, [touch(1, 3)]) == [])
    #expect(press.state == .changed)
    #expect(press.force == 3)
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

  @Test func `every law of a recogniser breaks for it`() throws {
    var walk = PressWalk<OriginalForceRecogniser>(
      handle: { $0.handle($1, $2) }, state: \.state, force: \.force)
    try walk.walk(OriginalForceRecogniser(), events: 4)
    #expect(walk.broken == [.beginsOnce, .endsOnce, .oneFinger, .noForceAfter])
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
