/// How a picture grows about the finger that presses it.
///
/// The idea is Produkt/3dForceTouchExamples'; ``OriginalForceZoom`` has its formulas. With the
/// picture's frame F at rest, the finger p, the force f of 0 to m, and its fraction u = f / m:
///
///     a = clamp((p - F.origin) / F.size, 0, 1)      the touched place, in fractions of the picture
///     s = 1 + u (max(1, m) - 1)
///     frame.origin = F.origin + a F.size (1 - s)    so the touched place stays where it is
///     frame.size   = F.size s
///
/// A finger beside the picture counts as the nearest place of it. The frame at s = 1 is F to the
/// last bit, and holds F for all s up to rounding.
public struct ForceZoom: Sendable, Hashable {
  /// Where the picture stands at rest, in points: F.
  public let frame: ViewRect

  /// The forces that the touches can have.
  public let range: ForceRange

  /// The scale under the largest force: that force, but at least 1, for a press does not shrink.
  public var largestScale: Double { max(1, range.maximum) }

  /// Creates the zoom of something that fills a frame.
  ///
  /// - Parameters:
  ///   - frame: Where it stands at rest, in points.
  ///   - range: The forces that the touches can have.
  /// - Throws: `GeometryError` if a number is not finite or out of its range.
  public init(frame: ViewRect, range: ForceRange = .usual) throws(GeometryError) {
    self.init(unchecked: try GeometryError.rect(frame, "frame"), range)
  }

  /// The zoom of something that fills a frame that is known to be good.
  ///
  /// The fitted frame of a thread of a picture is thinner than what `rect` lets pass, but never 0.
  init(unchecked frame: ViewRect, _ range: ForceRange) {
    self.frame = frame
    self.range = range
  }

  /// Returns the touched place in fractions of the picture, 0 to 1: a.
  ///
  /// - Throws: `GeometryError` if a coordinate is not finite or too large.
  public func anchor(of finger: ViewPoint) throws(GeometryError) -> ViewPoint {
    let finger = try GeometryError.point(finger, "finger")
    // The quotients may overflow for a thread of a picture, which clamps, but cannot be NaN.
    return ViewPoint(
      x: ((finger.x - frame.x) / frame.width).clamped(to: 0...1),
      y: ((finger.y - frame.y) / frame.height).clamped(to: 0...1))
  }

  /// Returns by how much the picture is scaled under a force: s, 1 or more.
  ///
  /// - Throws: `GeometryError` if the force is NaN or infinite.
  public func scale(at force: Double) throws(GeometryError) -> Double {
    1.0.moved(towards: largestScale, by: try range.share(of: force))
  }

  /// Returns where the picture stands under a force, in points.
  ///
  /// - Throws: `GeometryError` if a number is not finite or a coordinate too large.
  public func frame(at finger: ViewPoint, force: Double) throws(GeometryError) -> ViewRect {
    let anchor = try anchor(of: finger)
    let scale = try scale(at: force)
    return ViewRect(
      x: frame.x + anchor.x * frame.width * (1 - scale),
      y: frame.y + anchor.y * frame.height * (1 - scale),
      width: frame.width * scale, height: frame.height * scale)
  }
}

extension ViewRect {
  /// Where a picture stands in this rectangle by aspect fit.
  func fitting(_ picture: PixelSize) -> ViewRect {
    AspectFit(picture: picture, viewport: size).frame.moved(by: origin)
  }
}
