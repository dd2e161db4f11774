internal import RealModule

/// How far an animation has come at each part of its duration.
public enum TimingCurve: Sendable, Hashable {
  /// Evenly.
  case linear
  /// Slow at both ends: what UIKit animates with when nothing is said.
  case easeInEaseOut
  /// A spring that has all but settled when the duration is over.
  ///
  /// - dampingRatio: above 0; 1 and more come to rest without overshooting. Calculated with a
  ///   hundredth to a hundred.
  /// - velocity: at the start, in whole distances a duration, towards the end. NaN counts as none, and
  ///   a million either way is the most that is calculated with.
  case spring(dampingRatio: Double, velocity: Double)

  /// Returns the share of the way that is done: 0 at the start, 1 at the end and after.
  ///
  /// A spring passes 1 on its way. UIKit does not publish how it fits a spring to a duration; here
  /// the envelope of its slowest part has shrunk to a thousandth at the end, and the whole is scaled by
  /// the percent at most that it ends off 1.
  ///
  /// - Parameter time: The part of the duration that is over; clamped to 0...1.
  /// - Returns: The share: of the curves without a spring, 0 to 1.
  public func progress(at time: Double) -> Double {
    guard time > 0 else { return 0 }
    guard time < 1 else { return 1 }
    switch self {
    case .linear:
      return time
    case .easeInEaseOut:
      return CubicBezier.easeInEaseOut.value(at: time)
    case .spring(let dampingRatio, let velocity):
      // The envelope of a spring of frequency w and ratio z <= 1 is exp(-z w t); above 1 its slow
      // part is exp(-w t / (z + sqrt(z^2 - 1))). A ratio of zero would never settle; a hundredth
      // already swings a hundred times. Squares of huge ratios would overflow to NaN.
      let ratio = dampingRatio > 0.01 ? min(dampingRatio, 100) : 0.01
      let slowness = ratio > 1 ? ratio + (ratio * ratio - 1).squareRoot() : 1 / ratio
      let frequency = Double.log(1000) * slowness
      let spring = Spring(
        mass: 1, stiffness: frequency * frequency, damping: 2 * ratio * frequency,
        velocity: velocity.isNaN ? 0 : velocity.clamped(to: -1e6...1e6))
      // What is left of the way at the end is shared out, so that nothing jumps there.
      let last = spring.progress(at: 1)
      return spring.progress(at: time) / (last > 0.5 ? last : 1)
    }
  }
}
