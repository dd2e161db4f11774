/// The force button as Produkt/3dForceTouchExamples published it, defects included.
///
/// It is kept so that its defects can be shown beside ``ForceButton``. Nothing is validated and
/// nothing throws: zeros, NaN and infinities go in and come out.
///
///     offset = M - f (M / m)      below 0 at the hardware's largest force, for m is 6.6 (FT-B6)
///     radius = R - f              not a fraction of R, so not 0 when fully pressed (FT-B7)
///     scale  = 1 + f / 100
public struct OriginalForceButton: Sendable, Hashable {
  /// The force that is taken for the largest: m.
  public var maximumForce = 6.6

  /// How far the shadow is moved at rest, in points: M.
  public var maximumOffset = ViewPoint(x: 6.6, y: 6.6)

  /// How far the shadow is blurred at rest, in points: R.
  public var maximumRadius = 10.0

  /// How dark the shadow is, whatever the force.
  public var opacity = 0.8

  /// Creates a button with the published numbers.
  public init() {}

  /// Returns the shadow under a force.
  public func shadow(at force: Double) -> Shadow {
    // The step is made first, as published: for a maximum of 0 it is infinite, and 0 times it NaN
    // (FT-B8).
    let step = ViewPoint(x: maximumOffset.x / maximumForce, y: maximumOffset.y / maximumForce)
    return Shadow(
      offset: ViewPoint(x: maximumOffset.x - force * step.x, y: maximumOffset.y - force * step.y),
      radius: maximumRadius - force, opacity: opacity)
  }

  /// Returns by how much the button is scaled under a force, where it grows instead.
  public func scale(at force: Double) -> Double { 1 + force / 100 }
}
