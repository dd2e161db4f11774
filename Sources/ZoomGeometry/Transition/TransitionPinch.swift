/// A pinch: the scale and the content under its centre as they were when it began.
///
/// Each pose is made from the beginning and the fingers as they are now, so the way between does
/// not matter (TI-P11).
public struct TransitionPinch: Sendable, Hashable {
  private let fit: TransitionFit
  private let raw: Double
  private let content: ViewPoint

  /// Begins a pinch.
  ///
  /// - Parameters:
  ///   - pose: The picture as it is seen.
  ///   - fit: The screen and the turn it is seen in.
  ///   - centre: The middle of the two fingers, in points of the viewport.
  /// - Throws: `GeometryError` if a number is not finite or the scale not positive.
  public init(_ pose: TransitionPose, fit: TransitionFit, centre: ViewPoint) throws(GeometryError) {
    self.fit = fit
    raw = try fit.band.raw(pose.scale / fit.scale)
    content = pose.content(at: try GeometryError.point(centre, "centre"))
  }

  /// The picture with the same content under the fingers.
  ///
  /// - Parameters:
  ///   - ratio: The distance of the fingers over that at the beginning; above zero.
  ///   - centre: Their middle, in points of the viewport.
  ///   - lag: What the picture is still turned by; see ``TransitionPose/lag``.
  /// - Returns: Where the picture stands.
  /// - Throws: `GeometryError` if a number is not finite or the ratio not positive.
  public func pose(
    ratio: Double, centre: ViewPoint, lag: Double = 0
  ) throws(GeometryError) -> TransitionPose {
    // The least normal number: a raw scale can be a millionth already, and the band clamps.
    let wanted = max(raw * (try GeometryError.positive(ratio, "ratio")), .leastNormalMagnitude)
    let finite = min(wanted, .greatestFiniteMagnitude)
    var pose = TransitionPose(
      centre: centre, scale: fit.scale * (try fit.band.shown(finite)), turn: fit.turn,
      lag: try GeometryError.finite(lag, "lag"))
    pose.show(content, at: try GeometryError.point(centre, "centre"))
    return pose
  }
}
