import Foundation
import Testing

@testable import ZoomGeometry

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

  @Test func `linear is even`() {
    #expect(TimingCurve.linear.progress(at: 0.25) == 0.25)
  }

  @Test func `ease in, ease out is Core Animation's`() throws {
    let bezier = try CubicBezier(x1: 0.42, y1: 0, x2: 0.58, y2: 1)
    for step in 0...100 {
      let time = Double(step) / 100
      #expect(TimingCurve.easeInEaseOut.progress(at: time) == bezier.value(at: time))
    }
  }

  @Test func `a spring overshoots below the critical damping, and never from it on`() {
    let highest = { (ratio: Double) in
      (0...1000).map {
        TimingCurve.spring(dampingRatio: ratio, velocity: 0).progress(at: Double($0) / 1000)
      }.max() ?? 0
    }
    // The first overshoot of a spring of damping ratio z is exp(-pi z / sqrt(1 - z^2)), of a way that
    // is scaled by a percent at most.
    #expect(near(highest(0.7), 1.04599, within: 1e-2))
    #expect(highest(0.3) > highest(0.7))
    #expect(highest(1) <= 1)
    #expect(highest(3) <= 1)
  }

  @Test func `a spring that starts faster is ahead at first`() {
    let slow = TimingCurve.spring(dampingRatio: 1, velocity: 0)
    let fast = TimingCurve.spring(dampingRatio: 1, velocity: 1)
    #expect(fast.progress(at: 0.01) > slow.progress(at: 0.01))
    #expect(near(fast.progress(at: 1e-6) * 1e6, 1, within: 1e-2))
  }

  @Test(arguments: [0.5, 0.7, 0.85, 0.99, 1, 1.01, 2])
  func `a spring does not jump at its end`(ratio: Double) {
    for velocity in [0, 0.3, 1] {
      let spring = TimingCurve.spring(dampingRatio: ratio, velocity: velocity)
      #expect(near(spring.progress(at: 1 - 1e-9), 1, within: 1e-6))
    }
  }

  @Test(arguments: [0, -1, Double.nan, .infinity, 1e300])
  func `a damping ratio that no spring has neither traps nor gives NaN`(ratio: Double) {
    let spring = TimingCurve.spring(dampingRatio: ratio, velocity: 0)
    for step in 0...100 { #expect(spring.progress(at: Double(step) / 100).isFinite) }
  }

  private func spring(_ ratio: Double, velocity: Double = 0, at time: Double) -> Double {
    TimingCurve.spring(dampingRatio: ratio, velocity: velocity).progress(at: time)
  }

  @Test func `damping is calculated with as a hundredth to a hundred`() {
    for time in [0.001, 0.1, 0.4, 0.9] {
      #expect(spring(0.005, at: time) == spring(0.01, at: time))
      #expect(spring(-3, at: time) == spring(0.01, at: time))
      #expect(spring(1e300, at: time) == spring(100, at: time))
      #expect(spring(100.5, at: time) == spring(100, at: time))
    }
    #expect(spring(99.5, at: 0.1) != spring(100, at: 0.1))
    // Just above the limit nothing jumps: the phase, of some 700, changes by its rounding.
    for time in [0.001, 0.1, 0.4, 0.9] {
      #expect(near(spring(0.005, at: time), spring(0.01.nextUp, at: time), within: 1e-9))
    }
  }

  @Test(arguments: [1.5, 3, 10, 100])
  func `what is left of the way shrinks to a thousandth in the whole time`(ratio: Double) {
    // Long after the fast part is gone, the way left is A q^t - A q with q = 1/1000, for the end is
    // moved onto 1. Of two times the quotient is free of A and of the scale. The fast part is
    // faster by (z + sqrt(z^2 - 1))^2, at least 6.8: at 0.5 it is below 1e-10 of the slow one.
    let (half, later) = (1 - spring(ratio, at: 0.5), 1 - spring(ratio, at: 0.75))
    let expected = (pow(1000, -0.5) - 1e-3) / (pow(1000, -0.75) - 1e-3)
    #expect(near(half / later, expected, within: 1e-6))
  }

  @Test func `a spring that is far from its end when the time is over is not stretched`() {
    // Critically damped, the way left is e^(-wt) (1 + (w - v) t): 0.7 at the end for v = -700.
    let (frequency, velocity) = (6.907755278982137, -700.0)
    #expect(spring(1, velocity: velocity, at: 1) == 1)
    for time in [0.1, 0.3, 0.8] {
      let left = (1 + (frequency - velocity) * time) / pow(1000, time)
      #expect(near(spring(1, velocity: velocity, at: time), 1 - left, within: 1e-9))
    }
  }

  @Test func `a spring that is half-way when the time is over is not stretched`() throws {
    // The velocity that ends exactly there, found by halving: the way increases with it.
    let frequency = 6.907755278982137
    func spring(_ velocity: Double) -> Spring {
      Spring(
        mass: 1, stiffness: frequency * frequency, damping: 2 * frequency, velocity: velocity)
    }
    var (low, high) = (-700.0, 0.0)
    for _ in 0..<100 {
      let middle = (low + high) / 2
      if spring(middle).progress(at: 1) < 0.5 { low = middle } else { high = middle }
    }
    try #require(spring(high).progress(at: 1) == 0.5)
    let curve = TimingCurve.spring(dampingRatio: 1, velocity: high)
    #expect(near(curve.progress(at: 0.3), spring(high).progress(at: 0.3), within: 1e-9))
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300])
  func `a spring of any velocity gives numbers`(velocity: Double) {
    for time in [0, 0.1, 0.5, 1, .nan] {
      #expect(TimingCurve.spring(dampingRatio: 0.7, velocity: velocity).progress(at: time).isFinite)
    }
  }
}
