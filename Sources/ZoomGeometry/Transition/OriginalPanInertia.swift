/// The end of a pan as quri/Titanium published it; see ``PanInertia``.
///
/// Nothing is validated: NaN goes in and comes out.
public struct OriginalPanInertia: Sendable, Hashable {
  /// Where the centre would go, in points of the viewport.
  public let destination: ViewPoint

  /// Where the centre may rest.
  public let acceptable: ViewRect

  /// The point of it that is nearest to the destination.
  public let target: ViewPoint

  /// From destination to target, in points.
  public let overshoot: Double

  /// The velocity's amount, in points a second.
  public let speed: Double

  /// Evaluates the published formulas.
  ///
  /// - Parameters:
  ///   - centre: The view's `center`, in points of the viewport: where its anchor stands (TI-B7).
  ///   - velocity: In points a second.
  ///   - box: The size of the view's frame, in points.
  ///   - viewport: The size of the screen in points.
  public init(centre: ViewPoint, velocity: ViewPoint, box: ViewSize, viewport: ViewSize) {
    destination = ViewPoint(x: centre.x + 0.15 * velocity.x, y: centre.y + 0.15 * velocity.y)
    acceptable = viewport.atOrigin.centred(
      max(0, box.width - viewport.width), max(0, box.height - viewport.height))
    target = ViewPoint(
      x: destination.x.clampedAsPublished(acceptable.x, acceptable.maxX),
      y: destination.y.clampedAsPublished(acceptable.y, acceptable.maxY))
    overshoot = destination.distance(to: target)
    speed = velocity.length
  }

  /// Whether the picture was thrown rather than put down: at 200 pt/s or more.
  public var isThrown: Bool { speed >= 200 }

  /// How long it takes, in seconds.
  ///
  /// Just below 200 pt/s it is 0.1 to 0.3, from there on 0.08 (TI-B13).
  public var duration: Double {
    isThrown ? min(0.0004 * speed, 0.8) : min(0.3, 0.1 + 0.001 * overshoot)
  }

  /// The ratio of the spring's damping, for a thrown picture.
  public var damping: Double { 1 - 0.2 * (0.1 * overshoot) / (0.1 * overshoot + 1) }
}
