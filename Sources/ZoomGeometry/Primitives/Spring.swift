internal import RealModule

/// A damped spring that is let go at distance 1 from its rest: m x'' + c x' + k x = 0.
struct Spring: Sendable, Hashable, Codable {
  /// The mass, above zero.
  var mass: Double
  /// The spring's constant, above zero.
  var stiffness: Double
  /// The friction, zero or more.
  var damping: Double
  /// The speed at the start towards the rest, in distances a second.
  var velocity: Double

  /// Creates a spring; the defaults are those of Core Animation's spring animation.
  init(
    mass: Double = 1, stiffness: Double = 100, damping: Double = 10, velocity: Double = 0
  ) {
    self.mass = mass
    self.stiffness = stiffness
    self.damping = damping
    self.velocity = velocity
  }

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
