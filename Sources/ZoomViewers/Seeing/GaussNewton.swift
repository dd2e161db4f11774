internal import ZoomGeometry

/// A step of a least-squares fit of an affine displacement of the screen (Lucas and Kanade 1981).
///
/// The unknowns are the factors of (x, y, 1): for the displacement across in lanes 0 to 2, and for the displacement
/// down in lanes 4 to 6. So that all numbers are near 1, x and y count from the screen's middle in units of its width.
struct GaussNewton {
  /// A pixel of the screen with its colour, the expected one, and the expected one's gradient.
  struct Sample {
    var x, y: Float
    var colour, expected, across, down: SIMD4<Float>

    var gradients: SIMD3<Float> { SIMD3(dot(across, across), dot(across, down), dot(down, down)) }
    var differences: SIMD2<Float> {
      SIMD2(dot(across, colour - expected), dot(down, colour - expected))
    }
  }

  private let width, height: Double
  /// The inverse of the equations' matrix.
  private var matrix = [SIMD8<Double>](repeating: .zero, count: 8)
  private var variance = 0.0
  /// The weighted sums from which `texture` is computed.
  private var sums = SIMD8<Double>.zero
  /// The map from a pixel to the pixel of the expected colours that shows the same.
  private(set) var motion = Affine.identity

  /// Fits a displacement of a screen; nil if the samples do not determine one.
  ///
  /// Squares of Cauchy's weights at some deviations, estimated from the median, discard overlays.
  init?(_ samples: [Sample], width: Int, height: Int, deviations: Double = 3) {
    let residuals = samples.map { largestDifference($0.colour, $0.expected) }
    // Sorting all would take longer than a step, which needs the scale of residuals only roughly.
    let sorted = stride(from: 0, to: residuals.count, by: residuals.count / 2000 + 1)
      .map { residuals[$0] }.sorted()
    guard !sorted.isEmpty else { return nil }
    // For a normal distribution the deviation is 1.4826 medians. Rounding to levels adds 0.3.
    let reach = deviations * (1.4826 * Double(sorted[sorted.count / 2]) + 0.3)
    (self.width, self.height) = (Double(width), Double(height))
    var right = SIMD8<Double>.zero
    for (sample, residual) in zip(samples, residuals) {
      let share = Double(residual) / reach
      let cauchy = 1 / (1 + share * share)
      let weight = cauchy * cauchy
      let difference = sample.colour - sample.expected
      variance += weight * Double(dot(difference, difference))
      let (seen, wanted) = (Double(sample.colour.z), Double(sample.expected.z))
      let products = SIMD8<Double>(
        seen, wanted, seen * seen, seen * wanted, wanted * wanted, 1, 0, 0)
      sums += products * weight
      let z = normalised(Double(sample.x), Double(sample.y))
      let gradients = SIMD3<Double>(sample.gradients) * weight
      let differences = SIMD2<Double>(sample.differences) * weight
      for row in 0..<3 {
        let products = z * z[row]
        let mixed = products * gradients.y
        matrix[row] += SIMD8(lowHalf: products * gradients.x, highHalf: mixed)
        matrix[row + 4] += SIMD8(lowHalf: mixed, highHalf: products * gradients.z)
      }
      right += SIMD8(lowHalf: z * differences.x, highHalf: z * differences.y)
    }
    variance /= 3 * sums[5]
    guard invert() else { return nil }
    let (found, origin) = (matrix.map { ($0 * right).sum() }, normalised(0, 0))
    motion = Affine(
      a: 1 + found[0] / self.width, b: found[4] / self.width, c: found[1] / self.width,
      d: 1 + found[5] / self.width, tx: found[0] * origin.x + found[1] * origin.y + found[2],
      ty: found[4] * origin.x + found[5] * origin.y + found[6])
  }

  private func normalised(_ x: Double, _ y: Double) -> SIMD4<Double> {
    SIMD4((x - width / 2) / width, (y - height / 2) / width, 1, 0)
  }

  /// Inverts the matrix by Gauss and Jordan; false if it is not positive definite.
  ///
  /// A billionth of the mean diagonal keeps equations solvable that lack an unknown.
  private mutating func invert() -> Bool {
    let unknowns = [0, 1, 2, 4, 5, 6]
    let trace = unknowns.reduce(0.0) { $0 + matrix[$1][$1] }
    for row in unknowns { matrix[row][row] += 1e-9 * trace / 6 }
    for pivot in unknowns {
      let value = matrix[pivot][pivot]
      guard value > 0, value.isFinite else { return false }
      matrix[pivot][pivot] = 1
      matrix[pivot] /= value
      for row in unknowns where row != pivot {
        let factor = matrix[row][pivot]
        matrix[row][pivot] = 0
        matrix[row] -= matrix[pivot] * factor
      }
    }
    return true
  }

  /// Returns the standard error of the displacement at the worst of some points.
  ///
  /// The samples are smoothed by a filter of 3 x 3 pixels, so 9 count as one.
  func error(at points: [ViewPoint]) -> Double {
    let variances = points.map { point in
      let z = normalised(point.x, point.y)
      return (0..<3).reduce(0.0) { sum, row in
        let both = matrix[row].lowHalf + matrix[row + 4].highHalf
        return sum + z[row] * (both * z).sum()
      }
    }
    return (9 * variance * (variances.max() ?? 0)).squareRoot()
  }

  /// The weighted correlation of the textures, and the expected texture's deviation in levels.
  ///
  /// The blue band is the texture alone: the card's code is added to red and green.
  var texture: (correlation: Double, deviation: Double) {
    let means = sums / sums[5]
    let covariance = means[3] - means[0] * means[1]
    let seenVariance = means[2] - means[0] * means[0]
    let expectedVariance = max(means[4] - means[1] * means[1], 0)
    let product = max(seenVariance * expectedVariance, 1e-12)
    return (covariance / product.squareRoot(), expectedVariance.squareRoot())
  }
}
