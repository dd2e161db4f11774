/// The force-driven animation as Produkt/3dForceTouchExamples published it, defects included.
///
/// It is kept so that its defects can be shown beside ``ForceAnimation``. Nothing is validated and
/// nothing throws. The moment shown is t = f / 7, which ends short of the animation's end at the
/// hardware's largest force (FT-B16), and leaves it behind for larger ones (FT-B17).
public struct OriginalForceAnimation: Sendable, Hashable {
  /// The force that shows the end: 7, more than the hardware gives.
  public var maximumForce = 7.0

  /// Creates an animation with the published number.
  public init() {}

  /// Returns the moment that a force shows, in seconds.
  public func time(at force: Double) -> Double { force / maximumForce * ForcePose.duration }

  /// Returns what is shown under a force.
  ///
  /// The animation does not fill: before its start, from its end on, and at no number, the view is
  /// shown as if there were none.
  public func pose(at force: Double) -> ForcePose {
    let time = time(at: force)
    return time >= 0 && time < ForcePose.duration ? ForcePose(seconds: time) : .rest
  }
}
