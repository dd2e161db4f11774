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
}
