extension Affine {
  /// The largest and the smallest factor by which the map stretches a length, in any direction.
  ///
  /// These are the singular values of its linear part: with E = (a + d) / 2, F = (a - d) / 2,
  /// G = (b + c) / 2 and H = (b - c) / 2 they are |(E, H)| + |(F, G)| and their difference
  /// (J. Blinn, "Consider the lowly 2 x 2 matrix", IEEE CG&A 1996). NaN if a number is.
  package var stretches: (largest: Double, smallest: Double) {
    let turning = Self.length((a + d) / 2, (b - c) / 2)
    let mirroring = Self.length((a - d) / 2, (b + c) / 2)
    return (turning + mirroring, abs(turning - mirroring))
  }

  /// The length of a vector.
  ///
  /// Squares overflow beyond 1e154, which ends as an infinity and below 1e-154 as zero; maps of such
  /// numbers are refused by whoever asks.
  static func length(_ x: Double, _ y: Double) -> Double { (x * x + y * y).squareRoot() }
}
