/// The forces that the source of a touch tells apart: 0 to a maximum.
///
/// UIKit says the maximum per touch (`maximumPossibleForce`): a screen and a pencil have their own,
/// and hardware without the sense has 0. The published examples hard-code 6.6 in one place, 7 in
/// another and nothing in the third.
public struct ForceRange: Sendable, Hashable {
  /// The force of the hardest touch; 0 where forces are not told apart.
  public let maximum: Double

  /// The range of the hardware that had the sense: 0 to 400/60, in steps of 1/60.
  public static let usual = ForceRange(unchecked: GestureScript.usualMaximumForce)

  /// Hardware that does not tell forces apart.
  public static let none = ForceRange(unchecked: 0)

  /// Creates a range.
  ///
  /// - Parameter maximum: The force of the hardest touch: 0, or 1e-6 to `PixelSize.maximumSide`.
  /// - Throws: `GeometryError` for any other number.
  public init(maximum: Double) throws(GeometryError) {
    if try GeometryError.notNegative(maximum, "maximumForce") != 0 {
      _ = try GeometryError.length(maximum, "maximumForce")
    }
    self.init(unchecked: maximum)
  }

  private init(unchecked maximum: Double) { self.maximum = maximum }

  /// Returns the nearest force of the range.
  ///
  /// - Throws: `GeometryError` if the force is NaN or infinite. Finite ones beyond the range come
  ///   from events that somebody made up, and clamp.
  public func clamped(_ force: Double) throws(GeometryError) -> Double {
    try GeometryError.finite(force, "force").clamped(to: 0...maximum)
  }

  /// Returns the force as a fraction of the maximum, 0 to 1; 0 if the maximum is 0.
  ///
  /// - Throws: `GeometryError` if the force is NaN or infinite.
  public func share(of force: Double) throws(GeometryError) -> Double {
    share(ofClamped: try clamped(force))
  }

  /// The fraction of a force that is known to be in the range.
  func share(ofClamped force: Double) -> Double { maximum > 0 ? force / maximum : 0 }
}
