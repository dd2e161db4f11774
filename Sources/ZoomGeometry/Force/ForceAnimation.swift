/// A prepared animation that force drives back and forth in place of time.
///
/// The idea is Produkt/3dForceTouchExamples'; ``OriginalForceAnimation`` has its formulas. With the
/// force's fraction u of the largest and the duration D, the moment shown is t = u D. The end is part
/// of the animation: an animation that does not fill forwards is taken away at t = D, and the view
/// would snap back when it is pressed hardest.
public struct ForceAnimation: Sendable, Hashable {
  /// The forces that the touches can have.
  public let range: ForceRange

  /// Creates an animation.
  public init(range: ForceRange = .usual) { self.range = range }

  /// Returns the moment that a force shows, in seconds: 0 to `ForcePose.duration`.
  ///
  /// - Throws: `GeometryError` if the force is NaN or infinite.
  public func time(at force: Double) throws(GeometryError) -> Double {
    try range.share(of: force) * ForcePose.duration
  }

  /// Returns what is shown under a force.
  ///
  /// - Throws: `GeometryError` if the force is NaN or infinite.
  public func pose(at force: Double) throws(GeometryError) -> ForcePose {
    ForcePose(seconds: try time(at: force))
  }
}
