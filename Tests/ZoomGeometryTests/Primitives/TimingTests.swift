import Foundation
import Testing

@testable import ZoomGeometry

struct SpringTests {
  static let springs = [
    Spring(), Spring(damping: 0), Spring(damping: 20), Spring(damping: 20.001),
    Spring(damping: 19.999), Spring(damping: 500), Spring(mass: 3, stiffness: 7, damping: 1),
    // Squares of the frequency between 0 and 1, and between -1 and 0.
    Spring(stiffness: 0.5, damping: 0.5), Spring(stiffness: 0.5, damping: 1.7),
    Spring(velocity: 4), Spring(damping: 20, velocity: 4), Spring(damping: 90, velocity: 4),
  ]

  @Test(arguments: springs)
  func `a spring starts at 0 with its velocity`(spring: Spring) {
    #expect(near(spring.progress(at: 0), 0, within: 1e-12))
    #expect(near(spring.progress(at: 1e-7) / 1e-7, spring.velocity, within: 1e-3))
  }

  @Test(arguments: springs)
  func `a spring obeys the equation of the damped spring`(spring: Spring) {
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
}

struct TimingCurveTests {
  static let springs = [0.01, 0.3, 0.7, 0.8, 1, 1.0000001, 2, 10, 100]
    .map { TimingCurve.spring(dampingRatio: $0, velocity: 0) }
  static let curves: [TimingCurve] = [.linear, .easeInEaseOut] + springs

  @Test(arguments: curves)
  func `a curve begins at 0 and ends at 1, and time outside is clamped`(curve: TimingCurve) {
    for time in [0, -0.5, -1, -Double.infinity, .nan] { #expect(curve.progress(at: time) == 0) }
    for time in [1, 1.5, 2, Double.infinity] { #expect(curve.progress(at: time) == 1) }
  }

  @Test(arguments: curves)
  func `a curve is finite and does not jump at its end`(curve: TimingCurve) {
    for step in 0...1000 { #expect(curve.progress(at: Double(step) / 1000).isFinite) }
    #expect(near(curve.progress(at: 1 - 1e-6), 1, within: 0.009))
  }

  @Test func `ease in, ease out has its known values`() {
    #expect(TimingCurve.easeInEaseOut.progress(at: 0.5) == 0.5)
    // Solved independently: x(u) = 0.25 at u = 0.2250652, and there y = 3 u^2 - 2 u^3.
    #expect(near(TimingCurve.easeInEaseOut.progress(at: 0.25), 0.1291619, within: 1e-6))
  }

  @Test func `a spring overshoots below critical damping, and never at or above it`() {
    let highest = { (ratio: Double) in
      (0...1000).map { spring(ratio, at: Double($0) / 1000) }.max() ?? 0
    }
    // The first overshoot of a spring of damping ratio z is exp(-pi z / sqrt(1 - z^2)); the
    // scaling that makes the curve end at 1 changes it by at most a percent.
    #expect(near(highest(0.7), 1.04599, within: 1e-2))
    #expect(highest(0.3) > highest(0.7))
    #expect(highest(1) <= 1)
    #expect(highest(3) <= 1)
  }

  @Test(arguments: [-1.0, 1])
  func `velocities are limited to a million either way, and NaN counts as 0`(sign: Double) {
    func progress(_ velocity: Double) -> Double { spring(1, velocity: velocity, at: 0.3) }
    #expect(progress(sign * 999_999.5) != progress(sign * 1e6))
    for beyond in [1_000_001, 1e300, .infinity] {
      #expect(progress(sign * beyond) == progress(sign * 1e6))
    }
    #expect(progress(sign * .nan) == progress(0))
  }

  private func spring(_ ratio: Double, velocity: Double = 0, at time: Double) -> Double {
    TimingCurve.spring(dampingRatio: ratio, velocity: velocity).progress(at: time)
  }

  @Test func `the damping ratio is limited to a hundredth to a hundred`() {
    for time in [0.001, 0.1, 0.4, 0.9] {
      #expect(spring(0.005, at: time) == spring(0.01, at: time))
      #expect(spring(-3, at: time) == spring(0.01, at: time))
      #expect(spring(1e300, at: time) == spring(100, at: time))
      #expect(spring(100.5, at: time) == spring(100, at: time))
      // Just above the limit nothing jumps: the phase, up to 700 radians, differs only by rounding.
      #expect(near(spring(0.005, at: time), spring(0.01.nextUp, at: time), within: 1e-9))
    }
    #expect(spring(99.5, at: 0.1) != spring(100, at: 0.1))
  }

  @Test(arguments: [1.5, 3, 10, 100])
  func `the remaining distance shrinks to a thousandth over the duration`(ratio: Double) {
    // An overdamped spring is the sum of a slow and a fast exponential. Without the fast one, the remaining distance is
    // A (q^t - q), q = 1/1000: the curve is scaled to end at 1. The ratio of two distances depends on neither A nor the
    // scaling. The fast one decays (z + sqrt(z^2 - 1))^2 > 6.8 times as fast: at 0.5 it is below 1e-9 of the slow one.
    let (half, later) = (1 - spring(ratio, at: 0.5), 1 - spring(ratio, at: 0.75))
    let expected = (pow(1000, -0.5) - 1e-3) / (pow(1000, -0.75) - 1e-3)
    #expect(near(half / later, expected, within: 1e-6))
  }

  @Test func `a spring that is far from its end when the time is over is not scaled`() {
    // The remaining distance, critically damped, is e^(-wt) (1 + (w - v) t): 0.7 for v = -700, t = 1.
    let (frequency, velocity) = (6.907755278982137, -700.0)
    #expect(spring(1, velocity: velocity, at: 1) == 1)
    for time in [0.1, 0.3, 0.8] {
      let left = (1 + (frequency - velocity) * time) / pow(1000, time)
      #expect(near(spring(1, velocity: velocity, at: time), 1 - left, within: 1e-9))
    }
  }
}

struct MotionTests {
  @Test func `when the duration is over, progress is 1, however start plus duration is rounded`() {
    for step in 0..<1000 {
      let animation = Animation(start: Double(step) * 86.1, duration: 0.3, curve: .easeInEaseOut)
      #expect(animation.progress(at: animation.start + 0.3) == 1)
    }
  }

  @Test func `numbers move to their ends exactly`() {
    // In binary 0.7 + (0.1 - 0.7) is not 0.1.
    let (start, end) = (0.7, 0.1)
    #expect(start + (end - start) != end)
    #expect(start.moved(towards: end, by: 1) == end)
    #expect(start.moved(towards: end, by: 0) == start)
  }
}
