/// How far a pinch may scale, and how it gives way beyond that.
///
/// The fingers ask for a raw scale r; shown is
///
///     f(r) = r                  for 1 <= r <= Z
///            sqrt(r)            below 1
///            Z sqrt(r / Z)      above Z
///
/// of the raw scale as it stands now, whatever way it took. The published form takes the root of
/// every event's factor, so that its band depends on how often a finger is sampled (TI-B6), and
/// has none above Z.
public struct PinchBand: Sendable, Hashable {
  /// The published largest scale, relative to the fit.
  ///
  /// It is too small to see a picture of 4535x1823 pixels, or one of 3264x4896, pixel for pixel on
  /// a phone of 750x1334 (TI-B15).
  public static let publishedMaximum = 3.0

  /// The largest scale at which the picture rests, relative to the fit: Z, at least 1.
  public let maximum: Double

  /// Creates a band.
  ///
  /// - Throws: `GeometryError` if the maximum is not finite, below 1 or too large to calculate with.
  public init(maximum: Double) throws(GeometryError) {
    guard try GeometryError.finite(maximum, "maximum") >= 1 else {
      throw GeometryError(argument: "maximum", value: maximum, reason: .tooSmall)
    }
    // The largest picture in the smallest viewport at the smallest scale needs 2^31 / 1e-12.
    guard maximum <= 1e24 else {
      throw GeometryError(
        argument: "maximum", value: maximum, reason: .contradiction("is larger than 1e24"))
    }
    self.maximum = maximum
  }

  /// The scale that is shown for a raw one; both are relative to the fit.
  ///
  /// Raw scales beyond a millionth and a million times the maximum count as those: they are shown
  /// at a thousandth and a thousand times it, and are nothing a hand can do.
  /// - Throws: `GeometryError` if the raw scale is not finite or not positive.
  public func shown(_ raw: Double) throws(GeometryError) -> Double {
    let raw = try checked(raw)
    if raw < 1 { return raw.squareRoot() }
    return raw > maximum ? maximum * (raw / maximum).squareRoot() : raw
  }

  /// The raw scale for which a scale is shown: the inverse of `shown(_:)`.
  ///
  /// - Throws: `GeometryError` if the scale is not finite or not positive.
  public func raw(_ shown: Double) throws(GeometryError) -> Double {
    let shown = try GeometryError.positive(shown, "shown")
    if shown < 1 { return try checked(max(shown * shown, lowest)) }
    let raw = shown > maximum ? shown * (shown / maximum) : shown
    return try checked(min(raw, .greatestFiniteMagnitude))
  }

  /// The scale at which a picture comes to rest that is let go at one.
  ///
  /// - Throws: `GeometryError` if the scale is not finite or not positive.
  public func settled(_ shown: Double) throws(GeometryError) -> Double {
    try GeometryError.positive(shown, "shown").clamped(to: 1...maximum)
  }

  private var lowest: Double { 1e-6 }

  private func checked(_ raw: Double) throws(GeometryError) -> Double {
    try GeometryError.positive(raw, "raw").clamped(to: lowest...(maximum * 1e6))
  }
}
