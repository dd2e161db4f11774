/// A timing curve through (0, 0) and (1, 1) with two control points, as CSS and Core Animation have.
public struct CubicBezier: Sendable, Hashable {
  private let x1, y1, x2, y2: Double

  /// Creates a curve.
  ///
  /// - Parameters:
  ///   - x1: The first control point's time, 0 to 1.
  ///   - y1: The first control point's progress.
  ///   - x2: The second control point's time, 0 to 1.
  ///   - y2: The second control point's progress.
  /// - Throws: `GeometryError` if a number is not finite or a time is not in 0...1, where the curve
  ///   would go back in time.
  public init(x1: Double, y1: Double, x2: Double, y2: Double) throws(GeometryError) {
    self.x1 = try GeometryError.unit(x1, "x1")
    self.y1 = try GeometryError.finite(y1, "y1")
    self.x2 = try GeometryError.unit(x2, "x2")
    self.y2 = try GeometryError.finite(y2, "y2")
  }

  private init(unchecked x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) {
    self.x1 = x1
    self.y1 = y1
    self.x2 = x2
    self.y2 = y2
  }

  /// Core Animation's ease in, ease out: (0.42, 0), (0.58, 1).
  public static let easeInEaseOut = CubicBezier(unchecked: 0.42, 0, 0.58, 1)

  /// Returns the progress at a time.
  ///
  /// - Parameter time: 0 to 1; clamped to it.
  /// - Returns: The progress, exactly 0 at the start and 1 at the end.
  public func value(at time: Double) -> Double {
    guard time > 0 else { return 0 }
    guard time < 1 else { return 1 }
    // x(u) never falls, so bisection finds u; 60 halvings leave no more than rounding.
    var low = 0.0
    var high = 1.0
    for _ in 0..<60 {
      let middle = (low + high) / 2
      if Self.bernstein(middle, x1, x2) < time { low = middle } else { high = middle }
    }
    return Self.bernstein((low + high) / 2, y1, y2)
  }

  /// The cubic from 0 to 1 with two control values.
  private static func bernstein(_ u: Double, _ first: Double, _ second: Double) -> Double {
    let v = 1 - u
    return 3 * v * v * u * first + 3 * v * u * u * second + u * u * u
  }
}
