extension BaselineJPEG {
  /// Quantisation steps and the exact reciprocals that stand in for the division.
  struct Quantisation: Sendable {
    /// Steps 1...255 in natural (row by row) order.
    let steps: [Int]

    /// Scales a table of Annex K.1 as libjpeg's `jpeg_quality_scaling` does.
    ///
    /// Below 50 the factor is 5000 / quality per cent, from there on 200 - 2 * quality.
    init(table: Int, quality: Int) {
      let scale = quality < 50 ? 5000 / quality : 200 - quality * 2
      let base = table == 0 ? Self.luminance : Self.chrominance
      steps = base.map { min(255, max(1, ($0 * scale + 50) / 100)) }
    }

    /// For each step q the multiplier that divides by 8q, the scale of the forward DCT.
    ///
    /// With d = 8q and m = 2^32 / d rounded up, n * m >> 32 is n / d rounded down for every
    /// n < 2^32 / d; here n < 2^15 and d <= 2040, so the quotient is exact.
    var reciprocals: [UInt64] {
      steps.map { step in
        let divisor = UInt64(step * 8)
        return ((1 << 32) + divisor - 1) / divisor
      }
    }

    /// Natural index of each position of the zigzag (T.81 Figure 5).
    static let zigzag: [Int] = [
      0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5,
      12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14, 21, 28,
      35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51,
      58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63,
    ]

    /// T.81 Table K.1.
    static let luminance: [Int] = [
      16, 11, 10, 16, 24, 40, 51, 61,
      12, 12, 14, 19, 26, 58, 60, 55,
      14, 13, 16, 24, 40, 57, 69, 56,
      14, 17, 22, 29, 51, 87, 80, 62,
      18, 22, 37, 56, 68, 109, 103, 77,
      24, 35, 55, 64, 81, 104, 113, 92,
      49, 64, 78, 87, 103, 121, 120, 101,
      72, 92, 95, 98, 112, 100, 103, 99,
    ]

    /// T.81 Table K.2.
    static let chrominance: [Int] = [
      17, 18, 24, 47, 99, 99, 99, 99,
      18, 21, 26, 66, 99, 99, 99, 99,
      24, 26, 56, 99, 99, 99, 99, 99,
      47, 66, 99, 99, 99, 99, 99, 99,
      99, 99, 99, 99, 99, 99, 99, 99,
      99, 99, 99, 99, 99, 99, 99, 99,
      99, 99, 99, 99, 99, 99, 99, 99,
      99, 99, 99, 99, 99, 99, 99, 99,
    ]
  }
}
