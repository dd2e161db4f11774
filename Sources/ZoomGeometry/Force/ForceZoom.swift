/// How a picture grows about the finger that presses it.
///
/// The idea is Produkt/3dForceTouchExamples'; ``OriginalForceZoom`` has its formulas. With the
/// picture's frame F at rest, the finger p, the force f of 0 to m, and its fraction u = f / m:
///
///     a = clamp((p - F.origin) / F.size, 0, 1)      the touched place, in fractions of the picture
///     s = 1 + u (sMax - 1), or clamp(f, 1, m)
///     frame.origin = F.origin + a F.size (1 - s)    so the touched place stays where it is
///     frame.size   = F.size s
///
/// A finger beside the picture counts as the nearest place of it. The frame at s = 1 is F to the
/// last bit, and holds F for all s up to rounding.
public struct ForceZoom: Sendable, Hashable {
  /// How a force becomes a scale.
  public enum Scaling: Sendable, Hashable {
    /// Evenly, from 1 without force to the given scale under the largest.
    case even(upTo: Double)
    /// The scale is the force, but at least 1 and at most the largest force.
    ///
    /// As published, with a limit (FT-B14); the lowest forces do nothing (FT-B10).
    case force
  }

  /// Where the picture stands at rest, in points: F.
  public let frame: ViewRect

  /// The forces that the touches can have.
  public let range: ForceRange

  /// How a force becomes a scale.
  public let scaling: Scaling

  /// Creates the zoom of something that fills a frame.
  ///
  /// - Parameters:
  ///   - frame: Where it stands at rest, in points.
  ///   - range: The forces that the touches can have.
  ///   - scaling: How a force becomes a scale; without it, evenly up to the largest force, or not at
  ///     all if that is below 1. A largest scale is 1 to `PixelSize.maximumSide`.
  /// - Throws: `GeometryError` if a number is not finite or out of its range.
  public init(
    frame: ViewRect, range: ForceRange = .usual, scaling: Scaling? = nil
  ) throws(GeometryError) {
    try self.init(unchecked: GeometryError.rect(frame, "frame"), range, scaling)
  }

  /// Creates the zoom of a picture that stands in a view by aspect fit.
  ///
  /// The picture is what grows and what the finger is clamped to, not the view around it, whose
  /// bars the finger may be on (FT-B15).
  /// - Parameters:
  ///   - picture: The upright size of the picture in pixels.
  ///   - view: Where the view stands, in points.
  ///   - range: The forces that the touches can have.
  ///   - scaling: How a force becomes a scale; see `init(frame:range:scaling:)`.
  /// - Throws: `GeometryError` if a number is not finite or out of its range.
  public init(
    fitting picture: PixelSize, in view: ViewRect, range: ForceRange = .usual,
    scaling: Scaling? = nil
  ) throws(GeometryError) {
    let view = try GeometryError.rect(view, "view")
    // The fitted frame of a thread of a picture is thinner than what `rect` lets pass, but never 0.
    try self.init(unchecked: view.fitting(picture), range, scaling)
  }

  /// The zoom of something that fills a frame that is known to be good.
  init(
    unchecked frame: ViewRect, _ range: ForceRange, _ scaling: Scaling? = nil
  ) throws(GeometryError) {
    self.frame = frame
    self.range = range
    self.scaling = scaling ?? .even(upTo: max(1, range.maximum))
    guard case .even(let largest) = self.scaling else { return }
    guard try GeometryError.point(largest, "scaling") >= 1 else {
      throw GeometryError(
        argument: "scaling", value: largest,
        reason: .contradiction("is below 1, and a press does not shrink"))
    }
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
    switch scaling {
    case .even(let largest): 1.0.moved(towards: largest, by: try range.share(of: force))
    case .force: max(1, try range.clamped(force))
    }
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
    let inside = AspectFit(picture: picture, viewport: ViewSize(width: width, height: height)).frame
    return ViewRect(
      x: x + inside.x, y: y + inside.y, width: inside.width, height: inside.height)
  }
}
