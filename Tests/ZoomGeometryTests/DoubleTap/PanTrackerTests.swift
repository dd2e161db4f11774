import Testing

@testable import ZoomGeometry

struct PanTrackerTests {
  var tracker = PanTracker()

  mutating func handle(
    _ phase: TouchPhase, _ x: Double, _ y: Double = 0, id: Int = 1, isEnabled: Bool = true
  ) -> [PanTracker.Step] {
    let touch = Touch(id: id, point: ViewPoint(x: x, y: y))
    return tracker.handle(phase, [touch], slop: 10, isEnabled: isEnabled)
  }

  func by(_ x: Double, _ y: Double = 0) -> ViewPoint { ViewPoint(x: x, y: y) }

  @Test mutating func `a finger pans beyond the slop, with all of its way`() {
    #expect(handle(.began, 100).isEmpty)
    #expect(handle(.moved, 110).isEmpty)
    #expect(handle(.moved, 111) == [.began(by: by(11))])
    #expect(handle(.moved, 105, 3) == [.changed(by: by(-6, 3))])
    #expect(handle(.ended, 105, 3) == [.ended])
    #expect(handle(.began, 0).isEmpty)
    #expect(handle(.ended, 0).isEmpty)
  }

  @Test mutating func `a change of the screen is no movement of a finger that is down`() {
    for moved in [100.0, 150] {
      tracker = PanTracker()
      _ = handle(.began, 100)
      _ = handle(.moved, moved)
      tracker.screenChanged()
      #expect(handle(.moved, 300, 40).isEmpty)
      let step = handle(.moved, 320, 40)
      #expect(step == (moved == 150 ? [.changed(by: by(20))] : [.began(by: by(20))]))
    }
  }

  @Test mutating func `a finger that comes up elsewhere has panned there`() {
    #expect(handle(.began, 0).isEmpty)
    #expect(handle(.ended, 50) == [.began(by: by(50)), .ended])
  }

  @Test mutating func `a second finger ends it, and no finger pans before all are up`() {
    _ = handle(.began, 0)
    _ = handle(.moved, 50)
    #expect(handle(.began, 200, id: 2) == [.ended])
    #expect(handle(.moved, 90).isEmpty)
    #expect(handle(.moved, 300, id: 2).isEmpty)
    #expect(handle(.ended, 90).isEmpty)
    #expect(handle(.began, 0, id: 3).isEmpty)
    #expect(handle(.moved, 50, id: 3).isEmpty)
    _ = handle(.ended, 50, id: 3)
    _ = handle(.ended, 300, id: 2)
    _ = handle(.began, 0)
    #expect(handle(.moved, 50) == [.began(by: by(50))])
  }

  @Test mutating func `what moves while panning is off is lost, and nothing jumps`() {
    _ = handle(.began, 0)
    #expect(handle(.moved, 100, isEnabled: false).isEmpty)
    #expect(handle(.moved, 103) == [.began(by: by(3))])
  }

  @Test mutating func `so is what moves within the slop meanwhile`() {
    _ = handle(.began, 0)
    #expect(handle(.moved, 8, isEnabled: false).isEmpty)
    #expect(handle(.moved, 12) == [.began(by: by(4))])
  }

  @Test mutating func `a cancelled finger cancels its pan`() {
    _ = handle(.began, 0)
    _ = handle(.moved, 50)
    #expect(handle(.cancelled, 50) == [.cancelled])
    _ = handle(.began, 0)
    _ = handle(.moved, 50)
    #expect(tracker.cancel() == [.cancelled])
    #expect(tracker.cancel().isEmpty)
    #expect(handle(.moved, 99).isEmpty)
  }

  @Test mutating func `after fingers are cancelled, one or all, the next one pans`() {
    _ = handle(.began, 0)
    _ = handle(.moved, 50)
    #expect(handle(.cancelled, 50) == [.cancelled])
    _ = handle(.began, 0, id: 2)
    #expect(handle(.moved, 50, id: 2) == [.began(by: by(50))])
    #expect(tracker.cancel() == [.cancelled])
    _ = handle(.began, 0, id: 3)
    #expect(handle(.moved, 50, id: 3) == [.began(by: by(50))])
  }
}
