internal import RealModule

/// The timing curve of an animation: its progress as a function of time.
public enum TimingCurve: Sendable, Hashable {
  /// An even progress.
  case linear
  /// A progress that is slow at both ends: UIKit's default.
  case easeInEaseOut
  /// A spring that has settled to a thousandth at the end of the duration.
  ///
  /// - dampingRatio: above 0, limited to 0.01...100. A spring without a starting velocity overshoots only if its ratio
  ///   is below 1.
  /// - velocity: the speed at the start, in whole distances per duration, towards the end. It is
  ///   limited to a million either way; NaN counts as 0.
  case spring(dampingRatio: Double, velocity: Double)

  /// Returns the progress: 0 at the start, 1 at the end and after.
  ///
  /// A spring may overshoot 1. UIKit does not publish how it fits a spring to a duration. Here the envelope of its
  /// slowest part has shrunk to a thousandth at the end. If a spring is more than half-way when the duration is over,
  /// its curve is scaled to end at exactly 1; otherwise it jumps there.
  ///
  /// The time is the elapsed part of the duration, clamped to 0...1.
  public func progress(at time: Double) -> Double {
    guard time > 0 else { return 0 }
    guard time < 1 else { return 1 }
    switch self {
    case .linear:
      return time
    case .easeInEaseOut:
      return Self.eased(at: time)
    case .spring(let dampingRatio, let velocity):
      // The envelope of a spring of frequency w and ratio z <= 1 is exp(-z w t); above 1 its slow
      // part is exp(-w t / (z + sqrt(z^2 - 1))). A spring of ratio zero would never settle, and one of ratio 0.01
      // swings about a hundred times before it does. Squares of huge ratios would overflow to NaN.
      let ratio = dampingRatio > 0.01 ? min(dampingRatio, 100) : 0.01
      let slowness = ratio > 1 ? ratio + (ratio * ratio - 1).squareRoot() : 1 / ratio
      let frequency = Double.log(1000) * slowness
      let spring = Spring(
        mass: 1, stiffness: frequency * frequency, damping: 2 * ratio * frequency,
        velocity: velocity.isNaN ? 0 : velocity.clamped(to: -1e6...1e6))
      // A spring that is not half-way when the time is over is not scaled.
      let last = spring.progress(at: 1)
      return spring.progress(at: time) / (last > 0.5 ? last : 1)
    }
  }
}

extension TimingCurve {
  /// Returns the progress of Core Animation's ease in, ease out at a time between 0 and 1: of the
  /// Bezier curve through (0, 0) and (1, 1) with the control points (0.42, 0) and (0.58, 1).
  private static func eased(at time: Double) -> Double {
    // x(u) never decreases, so bisection finds u; after 60 halvings only rounding errors remain.
    var (low, high) = (0.0, 1.0)
    for _ in 0..<60 {
      let middle = (low + high) / 2
      if bernstein(middle, 0.42, 0.58) < time { low = middle } else { high = middle }
    }
    return bernstein((low + high) / 2, 0, 1)
  }

  /// Returns the value at `u` of the cubic from 0 to 1 with two control values.
  private static func bernstein(_ u: Double, _ first: Double, _ second: Double) -> Double {
    let v = 1 - u
    return 3 * v * v * u * first + 3 * v * u * u * second + u * u * u
  }
}

/// A damped spring that is released at distance 1 from rest: m x'' + c x' + k x = 0.
///
/// The defaults are those of Core Animation's spring animation.
struct Spring: Sendable, Hashable, Codable {
  /// The mass, above zero.
  var mass = 1.0
  /// The spring constant, above zero.
  var stiffness = 100.0
  /// The friction, zero or more.
  var damping = 10.0
  /// The speed at the start towards the rest, in distances per second.
  var velocity = 0.0

  /// Returns the progress after a time in seconds: 0 at the start, beyond 1 while it overshoots.
  func progress(at seconds: Double) -> Double {
    let decay = damping / (2 * mass)
    let square = stiffness / mass - decay * decay
    // x(0) = 1, x'(0) = -velocity; the three solutions of the equation by the sign of `square`.
    let start = decay - velocity
    let distance: Double
    if square > 0 {
      let frequency = square.squareRoot()
      let swing =
        Double.cos(frequency * seconds) + start / frequency * Double.sin(frequency * seconds)
      distance = Double.exp(-decay * seconds) * swing
    } else if square < 0 {
      let rate = (-square).squareRoot()
      let (slow, fast) = (rate - decay, -rate - decay)
      let share = (start + rate) / (2 * rate)
      distance = share * Double.exp(slow * seconds) + (1 - share) * Double.exp(fast * seconds)
    } else {
      distance = Double.exp(-decay * seconds) * (1 + start * seconds)
    }
    return 1 - distance
  }
}
