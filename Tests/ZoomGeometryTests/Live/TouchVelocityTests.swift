import Testing

@testable import ZoomGeometry

struct TouchVelocityTests {
  @Test func `it is that of the last tenth of a second`() {
    var velocity = TouchVelocity()
    for step in 0...60 {
      let time = Double(step) / 60
      velocity.add(ViewPoint(x: time < 0.5 ? 0 : 300 * (time - 0.5), y: 0), at: time)
    }
    #expect(near(velocity.velocity.x, 300, within: 1e-6))
    #expect(velocity.velocity.y == 0)
  }

  @Test func `a finger that rested has none`() {
    var velocity = TouchVelocity()
    velocity.add(ViewPoint(x: 0, y: 0), at: 0)
    velocity.add(ViewPoint(x: 90, y: 0), at: 0.05)
    velocity.add(ViewPoint(x: 90, y: 0), at: 0.2)
    #expect(velocity.velocity == ViewPoint(x: 0, y: 0))
  }

  @Test func `a thousand samples a second, or all at once, give finite numbers`() {
    var dense = TouchVelocity()
    for step in 0...1000 {
      dense.add(ViewPoint(x: Double(step), y: -Double(step)), at: Double(step) / 1000)
    }
    #expect(near(dense.velocity.x, 1000, within: 1e-6))
    var sudden = TouchVelocity()
    for step in 0...1000 { sudden.add(ViewPoint(x: 2e9 * Double(step % 2), y: 0), at: 3) }
    sudden.add(ViewPoint(x: 2e9, y: 0), at: 3)
    #expect(sudden.velocity.x == Double(PixelSize.maximumSide))
  }

  @Test func `each axis has its own velocity, and nobody who has not moved has one`() {
    var velocity = TouchVelocity()
    #expect(velocity.velocity == ViewPoint(x: 0, y: 0))
    velocity.add(ViewPoint(x: 10, y: 20), at: 1)
    #expect(velocity.velocity == ViewPoint(x: 0, y: 0))
    velocity.add(ViewPoint(x: 15, y: 8), at: 1.0625)
    #expect(velocity.velocity == ViewPoint(x: 80, y: -192))
  }

  @Test func `of events closer than a frame of 120 a second it is as if they were that far apart`()
  {
    var velocity = TouchVelocity()
    velocity.add(ViewPoint(x: 0, y: 0), at: 1)
    velocity.add(ViewPoint(x: 1, y: 2), at: 1.001)
    #expect(near(velocity.velocity.x, 120, within: 1e-9))
    #expect(near(velocity.velocity.y, 240, within: 1e-9))
  }

  @Test func `a sample that is just a tenth of a second old counts, one a hundredth apart too`() {
    var old = TouchVelocity()
    old.add(ViewPoint(x: 0, y: 0), at: 0)
    old.add(ViewPoint(x: 5, y: 7), at: 0.1)
    #expect(near(old.velocity, ViewPoint(x: 50, y: 70)))

    var apart = TouchVelocity()
    for (time, x) in [(0.0, 0.0), (0.01, 100), (0.02, 300), (0.105, 290)] {
      apart.add(ViewPoint(x: x, y: 0), at: time)
    }
    // From the second sample, for the first is too old.
    #expect(near(apart.velocity.x, 190 / 0.095, within: 1e-6))
  }
}
