import Testing

@testable import ZoomGeometry

struct SpringTests {
  static let travelled: [(Double, Double)] = [
    (0.1, -34.03), (0.25, -102.34), (0.5, -107.46), (20.0 / 21, -99.87), (1, -100.22),
  ]

  @Test(arguments: travelled)
  func `Core Animation's default spring over -100 points`(time: Double, place: Double) {
    #expect(prints(-100 * Spring().progress(at: time), as: place, decimals: 2))
  }

  static let springs = [
    Spring(), Spring(damping: 0), Spring(damping: 20), Spring(damping: 20.001),
    Spring(damping: 19.999), Spring(damping: 500), Spring(mass: 3, stiffness: 7, damping: 1),
    // Squares of the frequency between 0 and 1, and between -1 and 0.
    Spring(stiffness: 0.5, damping: 0.5), Spring(stiffness: 0.5, damping: 1.7),
    Spring(velocity: 4), Spring(damping: 20, velocity: 4), Spring(damping: 90, velocity: 4),
  ]

  @Test(arguments: springs)
  func `it starts at 0 with its velocity`(spring: Spring) {
    #expect(near(spring.progress(at: 0), 0, within: 1e-12))
    #expect(near(spring.progress(at: 1e-7) / 1e-7, spring.velocity, within: 1e-3))
  }

  @Test(arguments: springs)
  func `it obeys the equation of the damped spring`(spring: Spring) {
    // Central differences of the distance x = 1 - progress.
    let step = 1e-4
    for time in [0.05, 0.2, 0.7] {
      let x = [time - step, time, time + step].map { 1 - spring.progress(at: $0) }
      let speed = (x[2] - x[0]) / (2 * step)
      let force = spring.mass * (x[0] - 2 * x[1] + x[2]) / (step * step)
      let rest = force + spring.damping * speed + spring.stiffness * x[1]
      #expect(near(rest, 0, within: 1e-3 * (spring.stiffness + spring.damping)))
    }
  }

  @Test(arguments: springs)
  func `with friction it comes to rest at 1`(spring: Spring) {
    guard spring.damping > 0 else { return }
    #expect(near(spring.progress(at: 200), 1, within: 1e-9))
  }

  @Test func `without friction it swings for ever`() {
    let free = Spring(damping: 0)
    #expect(near(free.progress(at: .pi / 10), 2, within: 1e-12))
    #expect(near(free.progress(at: 2 * .pi), 0, within: 1e-9))
  }

  @Test func `the critical case joins its neighbours`() {
    for step in 0...100 {
      let time = Double(step) / 50
      let middle = Spring(damping: 20).progress(at: time)
      #expect(near(Spring(damping: 20 - 1e-6).progress(at: time), middle, within: 1e-6))
      #expect(near(Spring(damping: 20 + 1e-6).progress(at: time), middle, within: 1e-6))
    }
  }
}
