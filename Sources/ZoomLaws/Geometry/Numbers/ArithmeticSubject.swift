public import ZoomGeometry

/// The arithmetic that zoom systems share, ours or anyone's, to hold error budgets against.
public struct ArithmeticSubject: LawSubject {
  /// What reports call it.
  public let name: String
  /// Fits a picture in a viewport: points a pixel, and where the picture stands.
  public var fit: @Sendable (PixelSize, ViewSize) throws -> (scale: Double, frame: ViewRect)
  /// Makes the map that does the first and then the second.
  public var compose: @Sendable (Affine, Affine) -> Affine
  /// Says where a point goes.
  public var apply: @Sendable (Affine, ViewPoint) -> ViewPoint
  /// Makes the map that undoes one; nil where there is none.
  public var invert: @Sendable (Affine) -> Affine?

  /// Creates a subject.
  public init(
    name: String,
    fit: @escaping @Sendable (PixelSize, ViewSize) throws -> (scale: Double, frame: ViewRect),
    compose: @escaping @Sendable (Affine, Affine) -> Affine,
    apply: @escaping @Sendable (Affine, ViewPoint) -> ViewPoint,
    invert: @escaping @Sendable (Affine) -> Affine?
  ) {
    self.name = name
    self.fit = fit
    self.compose = compose
    self.apply = apply
    self.invert = invert
  }

  /// The arithmetic of ZoomGeometry.
  public static let geometry = ArithmeticSubject(
    name: "arithmetic",
    fit: { picture, viewport in
      let setup = try PeekSetup(picture: picture, viewport: viewport)
      return (setup.fitScale, setup.shownFrame)
    },
    compose: { $0.then($1) }, apply: { $0.apply(to: $1) }, invert: { $0.inverted() })
}
