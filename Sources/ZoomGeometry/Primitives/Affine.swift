internal import RealModule

/// An affine map of the plane, in Core Graphics' form: x' = a x + c y + tx, y' = b x + d y + ty.
///
/// Coordinates have y down, so a positive angle turns clockwise. Nothing is validated, because the
/// published formulas can yield NaN.
public struct Affine: Sendable, Hashable, Codable {
  /// The numbers of the map, with Core Graphics' names.
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

  /// The map that changes nothing.
  public static let identity = Affine(a: 1, b: 0, c: 0, d: 1, tx: 0, ty: 0)

  /// Returns a translation.
  public static func translation(x: Double, y: Double) -> Affine {
    Affine(a: 1, b: 0, c: 0, d: 1, tx: x, ty: y)
  }

  /// Returns a scaling about the origin.
  public static func scale(x: Double, y: Double) -> Affine {
    Affine(a: x, b: 0, c: 0, d: y, tx: 0, ty: 0)
  }

  /// Returns a scaling of both axes by the same factor, about the origin.
  public static func scale(_ factor: Double) -> Affine { scale(x: factor, y: factor) }

  /// Returns an exact turn about the origin.
  public static func turn(_ turn: QuarterTurn) -> Affine {
    switch turn {
    case .none: identity
    case .clockwise: Affine(a: 0, b: 1, c: -1, d: 0, tx: 0, ty: 0)
    case .half: Affine(a: -1, b: 0, c: 0, d: -1, tx: 0, ty: 0)
    case .counterclockwise: Affine(a: 0, b: -1, c: 1, d: 0, tx: 0, ty: 0)
    }
  }

  /// Returns a clockwise rotation about the origin, for animations between quarter turns.
  public static func rotation(_ radians: Double) -> Affine {
    let (sine, cosine) = (Double.sin(radians), Double.cos(radians))
    return Affine(a: cosine, b: sine, c: -sine, d: cosine, tx: 0, ty: 0)
  }

  /// The map without its translation, which applies to differences of points.
  var linear: Affine { Affine(a: a, b: b, c: c, d: d, tx: 0, ty: 0) }

  /// Returns the map that applies this one and then the next.
  public func then(_ next: Affine) -> Affine {
    let start = next.apply(to: ViewPoint(x: tx, y: ty))
    return Affine(
      a: next.a * a + next.c * b, b: next.b * a + next.d * b,
      c: next.a * c + next.c * d, d: next.b * c + next.d * d, tx: start.x, ty: start.y)
  }

  /// Returns the image of a point.
  public func apply(to point: ViewPoint) -> ViewPoint {
    ViewPoint(x: a * point.x + c * point.y + tx, y: b * point.x + d * point.y + ty)
  }

  /// Returns the smallest upright rectangle that contains the image of a rectangle.
  public func boundingBox(of rect: ViewRect) -> ViewRect {
    // An array would allocate, and this runs several times per frame.
    let p = apply(to: ViewPoint(x: rect.x, y: rect.y))
    let q = apply(to: ViewPoint(x: rect.maxX, y: rect.y))
    let r = apply(to: ViewPoint(x: rect.x, y: rect.maxY))
    let s = apply(to: ViewPoint(x: rect.maxX, y: rect.maxY))
    let (left, right) = (min(p.x, q.x, r.x, s.x), max(p.x, q.x, r.x, s.x))
    let (top, bottom) = (min(p.y, q.y, r.y, s.y), max(p.y, q.y, r.y, s.y))
    return ViewRect(x: left, y: top, width: right - left, height: bottom - top)
  }

  /// The factor by which areas grow; negative for a map that mirrors.
  public var determinant: Double { a * d - b * c }

  /// Returns the inverse, or nil if it does not exist in finite numbers.
  public func inverted() -> Affine? {
    let determinant = self.determinant
    guard determinant.isNormal else { return nil }
    let inverse = Affine(
      a: d / determinant, b: -b / determinant, c: -c / determinant, d: a / determinant,
      tx: (c * ty - d * tx) / determinant, ty: (b * tx - a * ty) / determinant)
    return inverse.isFinite ? inverse : nil
  }

  /// The angle in radians by which the map turns the x axis clockwise.
  package var angle: Double { Double.atan2(y: b, x: a) }

  /// Whether all six numbers are finite.
  public var isFinite: Bool {
    a.isFinite && b.isFinite && c.isFinite && d.isFinite && tx.isFinite && ty.isFinite
  }

  /// The largest factor by which the map stretches a length, in any direction.
  ///
  /// It is the larger singular value of the linear part: |(E, H)| + |(F, G)| with E = (a + d) / 2,
  /// F = (a - d) / 2, G = (b + c) / 2 and H = (b - c) / 2 (J. Blinn, "Consider the lowly 2 x 2
  /// matrix", IEEE CG&A 1996). NaN if a number is.
  package var largestStretch: Double {
    ViewPoint(x: (a + d) / 2, y: (b - c) / 2).length
      + ViewPoint(x: (a - d) / 2, y: (b + c) / 2).length
  }
}
