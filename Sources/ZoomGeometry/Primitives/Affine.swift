internal import RealModule

/// An affine map of the plane, in Core Graphics' form: x' = a x + c y + tx, y' = b x + d y + ty.
///
/// Coordinates have y down, so a positive angle turns clockwise. Nothing is validated, for the
/// published formulas, which are kept, put NaN into it.
public struct Affine: Sendable, Hashable, Codable {
  /// The numbers of the map, by their names in Core Graphics.
  public var a, b, c, d, tx, ty: Double

  /// Creates a map from its six numbers.
  public init(a: Double, b: Double, c: Double, d: Double, tx: Double, ty: Double) {
    self.a = a
    self.b = b
    self.c = c
    self.d = d
    self.tx = tx
    self.ty = ty
  }

  /// The map that leaves everything where it is.
  public static let identity = Affine(a: 1, b: 0, c: 0, d: 1, tx: 0, ty: 0)

  /// A move.
  public static func translation(x: Double, y: Double) -> Affine {
    Affine(a: 1, b: 0, c: 0, d: 1, tx: x, ty: y)
  }

  /// A scaling about the origin.
  public static func scale(x: Double, y: Double) -> Affine {
    Affine(a: x, b: 0, c: 0, d: y, tx: 0, ty: 0)
  }

  /// The same scaling of both axes about the origin.
  public static func scale(_ factor: Double) -> Affine { scale(x: factor, y: factor) }

  /// A turn about the origin, exact.
  public static func turn(_ turn: QuarterTurn) -> Affine {
    switch turn {
    case .none: identity
    case .clockwise: Affine(a: 0, b: 1, c: -1, d: 0, tx: 0, ty: 0)
    case .half: Affine(a: -1, b: 0, c: 0, d: -1, tx: 0, ty: 0)
    case .counterclockwise: Affine(a: 0, b: -1, c: 1, d: 0, tx: 0, ty: 0)
    }
  }

  /// A rotation about the origin by an angle in radians, clockwise; for animations between turns.
  public static func rotation(_ radians: Double) -> Affine {
    let (sine, cosine) = (Double.sin(radians), Double.cos(radians))
    return Affine(a: cosine, b: sine, c: -sine, d: cosine, tx: 0, ty: 0)
  }

  /// The map without its move, which is what happens to differences of points.
  var linear: Affine { Affine(a: a, b: b, c: c, d: d, tx: 0, ty: 0) }

  /// Returns the map that does this one first and then the next.
  public func then(_ next: Affine) -> Affine {
    let start = next.apply(to: ViewPoint(x: tx, y: ty))
    return Affine(
      a: next.a * a + next.c * b, b: next.b * a + next.d * b,
      c: next.a * c + next.c * d, d: next.b * c + next.d * d, tx: start.x, ty: start.y)
  }

  /// Returns where a point goes.
  public func apply(to point: ViewPoint) -> ViewPoint {
    ViewPoint(x: a * point.x + c * point.y + tx, y: b * point.x + d * point.y + ty)
  }

  /// Returns the smallest upright rectangle around where a rectangle goes.
  public func boundingBox(of rect: ViewRect) -> ViewRect {
    // No arrays: this runs several times a frame.
    let (p, q) = (
      apply(to: ViewPoint(x: rect.x, y: rect.y)), apply(to: ViewPoint(x: rect.maxX, y: rect.y))
    )
    let (r, s) = (
      apply(to: ViewPoint(x: rect.x, y: rect.maxY)),
      apply(to: ViewPoint(x: rect.maxX, y: rect.maxY))
    )
    let (left, right) = (min(p.x, q.x, r.x, s.x), max(p.x, q.x, r.x, s.x))
    let (top, bottom) = (min(p.y, q.y, r.y, s.y), max(p.y, q.y, r.y, s.y))
    return ViewRect(x: left, y: top, width: right - left, height: bottom - top)
  }

  /// The factor by which areas grow; negative for a map that mirrors.
  public var determinant: Double { a * d - b * c }

  /// Returns the map that undoes this one; nil when there is none, or none in finite numbers.
  public func inverted() -> Affine? {
    let determinant = self.determinant
    guard determinant.isNormal else { return nil }
    let inverse = Affine(
      a: d / determinant, b: -b / determinant, c: -c / determinant, d: a / determinant,
      tx: (c * ty - d * tx) / determinant, ty: (b * tx - a * ty) / determinant)
    return inverse.isFinite ? inverse : nil
  }

  /// Whether all six numbers are finite.
  public var isFinite: Bool {
    a.isFinite && b.isFinite && c.isFinite && d.isFinite && tx.isFinite && ty.isFinite
  }
}
