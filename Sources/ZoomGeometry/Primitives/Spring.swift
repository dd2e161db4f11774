internal import RealModule

/// A damped spring that is let go at distance 1 from its rest: m x'' + c x' + k x = 0.
///
/// The defaults are those of Core Animation's spring animation.
struct Spring: Sendable, Hashable, Codable {
  /// The mass, above zero.
  var mass = 1.0
  /// The spring's constant, above zero.
  var stiffness = 100.0
  /// The friction, zero or more.
  var damping = 10.0
  /// The speed at the start towards the rest, in distances a second.
  var velocity = 0.0

  /// Returns the share of the way that is done after a time.
  ///
  /// - Parameter seconds: Zero or more.
  /// - Returns: 0 at the start, towards 1 with time, and past it while it swings.
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
