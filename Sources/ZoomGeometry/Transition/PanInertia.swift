/// Where a pan comes to rest that ends with some velocity, how fast, and with how much swing.
///
///     destination = centre + 0.15 velocity
///     acceptable  = (max(0, box - viewport)) centred in the viewport: there is no gap beside a
///                   picture that is larger than the viewport, and one that is smaller is centred
///     target      = the point of it that is nearest to the destination, D away from it
///     duration    = max(min(0.3, 0.1 + 0.001 D), min(0.0004 |v|, 0.8)) seconds
///     damping     = 1 - 0.2 (0.1 D) / (0.1 D + 1)
///
/// ``OriginalPanInertia`` has the published duration, which jumps at 200 pt/s (TI-B13). The larger
/// of its two laws is continuous, for up to that speed the slow one is the larger.
public struct PanInertia: Sendable, Hashable {
  /// Where the centre would go, in points of the viewport.
  public let destination: ViewPoint

  /// Where the centre may rest.
  public let acceptable: ViewRect

  /// Where it comes to rest.
  public let target: ViewPoint

  /// How long that takes, in seconds: 0.1 to 0.8.
  public let duration: Double

  /// The ratio of the spring's damping: above 0.8, at most 1.
  public let damping: Double

  /// How it moves: a spring if it was thrown, at 200 pt/s or more, otherwise eased.
  public let curve: TimingCurve

  /// Works out the end of a pan.
  ///
  /// - Parameters:
  ///   - centre: The picture's geometric centre, in points of the viewport. Not its anchor: clamped
  ///     by that the published picture moves though it stands where it may (TI-B7).
  ///   - velocity: In points a second.
  ///   - box: The size of the smallest upright rectangle around the picture, in points.
  ///   - viewport: The size of the screen in points.
  /// - Throws: `GeometryError` if a number is not finite or too large to calculate with, or if a
  ///   size is not positive.
  public init(
    centre: ViewPoint, velocity: ViewPoint, box: ViewSize, viewport: ViewSize
  ) throws(GeometryError) {
    let centre = ViewPoint(
      x: try GeometryError.finite(centre.x, "centre.x"),
      y: try GeometryError.finite(centre.y, "centre.y"))
    let velocity = try GeometryError.point(velocity, "velocity")
    _ = try GeometryError.positive(box.width, "box.width")
    _ = try GeometryError.positive(box.height, "box.height")
    let published = OriginalPanInertia(
      centre: centre, velocity: velocity, box: box,
      viewport: try GeometryError.size(viewport, "viewport"))
    let slow = min(0.3, 0.1 + 0.001 * published.overshoot)
    duration = max(slow, min(0.0004 * published.speed, 0.8))
    destination = published.destination
    acceptable = published.acceptable
    target = published.target
    // The quotient is NaN for an infinite overshoot, and rounds to 1 for a huge one.
    let overshoot = 0.1 * min(published.overshoot, 1e9)
    damping = 1 - 0.2 * overshoot / (overshoot + 1)
    // UIKit's starting velocity is in distances a second, the curve's in distances a duration.
    curve =
      published.isThrown
      ? .spring(dampingRatio: damping, velocity: duration) : .easeInEaseOut
  }
}
