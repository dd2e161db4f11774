import Testing

@testable import ZoomGeometry

struct MotionTests {
  @Test func `it ends exactly on its end and is then at rest`() {
    var motion = Motion(0.1)
    motion.move(to: 0.7, at: 1, for: 0.3, .spring(dampingRatio: 0.7, velocity: 0))
    #expect(motion.isMoving)
    #expect(motion.value(at: 1) == 0.1)
    motion.advance(to: 1.2)
    #expect(motion.isMoving)
    motion.advance(to: 1.3)
    #expect(!motion.isMoving)
    #expect(motion.value(at: 1.3) == 0.7)
  }

  @Test func `it sets out from what is seen when it is interrupted`() {
    var motion = Motion(0.0)
    motion.move(to: 1, at: 0, for: 1, .linear)
    motion.move(to: 0, at: 0.25, for: 1, .linear)
    #expect(motion.value(at: 0.25) == 0.25)
    #expect(motion.value(at: 0.75) == 0.125)
  }

  let animation = Animation(start: 2, duration: 0.5, curve: .linear)

  @Test func `it runs from its start for its duration`() {
    #expect(animation.progress(at: 1) == 0)
    #expect(animation.progress(at: 2) == 0)
    #expect(animation.progress(at: 2.25) == 0.5)
    #expect(animation.progress(at: 2.5) == 1)
    #expect(animation.progress(at: 9) == 1)
    #expect(!animation.isOver(at: 2.5.nextDown))
    #expect(animation.isOver(at: 2.5))
  }

  @Test func `whatever the start rounds to, it is over with all of its way done`() {
    for step in 0..<1000 {
      let animation = Animation(start: Double(step) * 86.1, duration: 0.3, curve: .easeInEaseOut)
      #expect(animation.progress(at: animation.start + 0.3) == 1)
    }
  }

  @Test func `without duration it is over at once`() {
    let instant = Animation(start: 2, duration: 0, curve: .easeInEaseOut)
    #expect(instant.progress(at: 2) == 1)
    #expect(instant.progress(at: 1) == 0)
  }

  @Test func `numbers move to their ends exactly`() {
    // In binary 0.7 + (0.1 - 0.7) is not 0.1.
    let (start, end) = (0.7, 0.1)
    #expect(start + (end - start) != end)
    #expect(start.moved(towards: end, by: 1) == end)
    #expect(start.moved(towards: end, by: 0) == start)
    #expect(1.0.moved(towards: 3, by: 0.25) == 1.5)
    // A spring passes its end.
    #expect(1.0.moved(towards: 3, by: 1.5) == 4)
  }

  @Test func `points and rectangles move number by number`() {
    let point = ViewPoint(x: 0, y: 10).moved(towards: ViewPoint(x: 4, y: 2), by: 0.5)
    #expect(point == ViewPoint(x: 2, y: 6))
    let rect = ViewRect(x: 0, y: 0, width: 1, height: 2)
      .moved(towards: ViewRect(x: 2, y: 4, width: 3, height: 8), by: 0.5)
    #expect(rect == ViewRect(x: 1, y: 2, width: 2, height: 5))
  }
}
