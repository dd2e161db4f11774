/// A button that sinks under the finger: its shadow closes up, or it grows a little.
///
/// The idea is Produkt/3dForceTouchExamples'; ``OriginalForceButton`` has its formulas. With the
/// force's fraction u of the largest:
///
///     offset = (1 - u) M      M the offset at rest; so never past it, and never to the other side
///     radius = (1 - u) R      R the radius at rest
///     scale  = 1 + u gain
public struct ForceButton: Sendable, Hashable {
  /// The forces that the touches can have.
  public let range: ForceRange

  /// How far the shadow is moved at rest, in points.
  public let maximumOffset: ViewPoint

  /// How far the shadow is blurred at rest, in points.
  public let maximumRadius: Double

  /// How dark the shadow is, whatever the force: 0 is not seen, 1 is black.
  public let opacity: Double

  /// By which fraction of its size the button grows under the largest force.
  public let gain: Double

  /// Creates a button; the numbers are the published ones unless said otherwise.
  ///
  /// - Parameters:
  ///   - range: The forces that the touches can have.
  ///   - maximumOffset: How far the shadow is moved at rest, in points.
  ///   - maximumRadius: How far it is blurred at rest, in points; 0 or more.
  ///   - opacity: How dark it is, 0 to 1.
  ///   - gain: By which fraction of its size the button grows under the largest force; 0 or more.
  /// - Throws: `GeometryError` if a number is not finite, out of its range, or larger than
  ///   `PixelSize.maximumSide`.
  public init(
    range: ForceRange = .usual, maximumOffset: ViewPoint = ViewPoint(x: 6.6, y: 6.6),
    maximumRadius: Double = 10, opacity: Double = 0.8, gain: Double = 1.0 / 15
  ) throws(GeometryError) {
    self.range = range
    self.maximumOffset = try GeometryError.point(maximumOffset, "maximumOffset")
    self.maximumRadius = try GeometryError.point(
      GeometryError.notNegative(maximumRadius, "maximumRadius"), "maximumRadius")
    self.opacity = try GeometryError.unit(opacity, "opacity")
    self.gain = try GeometryError.point(GeometryError.notNegative(gain, "gain"), "gain")
  }

  /// Returns the shadow under a force.
  ///
  /// - Throws: `GeometryError` if the force is NaN or infinite.
  public func shadow(at force: Double) throws(GeometryError) -> Shadow {
    let rest = 1 - (try range.share(of: force))
    return Shadow(
      offset: ViewPoint(x: rest * maximumOffset.x, y: rest * maximumOffset.y),
      radius: rest * maximumRadius, opacity: opacity)
  }

  /// Returns by how much the button is scaled under a force, where it grows instead: 1 or more.
  ///
  /// - Throws: `GeometryError` if the force is NaN or infinite.
  public func scale(at force: Double) throws(GeometryError) -> Double {
    1 + (try range.share(of: force)) * gain
  }
}
