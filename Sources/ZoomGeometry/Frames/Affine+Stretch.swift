extension Affine {
  /// The largest and the smallest factor by which the map stretches a length, in any direction.
  ///
  /// These are the singular values of its linear part: with E = (a + d) / 2, F = (a - d) / 2,
  /// G = (b + c) / 2 and H = (b - c) / 2 they are |(E, H)| + |(F, G)| and their difference
  /// (J. Blinn, "Consider the lowly 2 x 2 matrix", IEEE CG&A 1996). NaN if a number is.
  package var stretches: (largest: Double, smallest: Double) {
    let turning = ViewPoint(x: (a + d) / 2, y: (b - c) / 2).length
    let mirroring = ViewPoint(x: (a - d) / 2, y: (b + c) / 2).length
    return (turning + mirroring, abs(turning - mirroring))
  }
}
