internal import ZoomGeometry

/// Coordinates of the screen in which all numbers of a fit are near 1: (x, y) from the middle, over
/// the width.
struct ScreenFrame {
  let width, height: Int

  /// Returns the coordinates of a point in pixels, and 1.
  @inline(__always) func normalised(_ x: Double, _ y: Double) -> SIMD3<Double> {
    let side = Double(width)
    return SIMD3((x - side / 2) / side, (y - Double(height) / 2) / side, 1)
  }

  /// Returns the map of pixels whose results have these factors in the frame's coordinates.
  func map(_ x: [Double], _ y: [Double]) -> Affine {
    let origin = normalised(0, 0)
    let side = Double(width)
    return Affine(
      a: x[0] / side, b: y[0] / side, c: x[1] / side, d: y[1] / side,
      tx: x[0] * origin.x + x[1] * origin.y + x[2], ty: y[0] * origin.x + y[1] * origin.y + y[2])
  }
}

/// Symmetric equations, solved by the factors of Cholesky.
struct LinearSystem {
  private let side: Int
  private let factor: [Double]

  /// Factors a positive definite matrix in row order; nil if it is not.
  ///
  /// The damping, a share of the mean diagonal, keeps equations solvable that lack an unknown.
  init?(_ matrix: [Double], damping: Double) {
    let side = Int(Double(matrix.count).squareRoot())
    let trace = (0..<side).reduce(0.0) { $0 + matrix[$1 * side + $1] }
    var factor = matrix
    for column in 0..<side {
      for row in column..<side {
        var sum = matrix[row * side + column]
        if row == column { sum += damping * trace / Double(side) }
        for k in 0..<column { sum -= factor[row * side + k] * factor[column * side + k] }
        if row == column {
          guard sum > 0, sum.isFinite else { return nil }
          factor[row * side + row] = sum.squareRoot()
        } else {
          factor[row * side + column] = sum / factor[column * side + column]
        }
      }
    }
    (self.side, self.factor) = (side, factor)
  }

  /// Returns the unknowns.
  func solve(_ right: [Double]) -> [Double] {
    var result = right
    for row in 0..<side {
      for k in 0..<row { result[row] -= factor[row * side + k] * result[k] }
      result[row] /= factor[row * side + row]
    }
    for row in (0..<side).reversed() {
      for k in row + 1..<side { result[row] -= factor[k * side + row] * result[k] }
      result[row] /= factor[row * side + row]
    }
    return result
  }
}

/// Returns the median of numbers that are not negative, within 1/64; 64 if it is larger.
///
/// Counting takes a fraction of the time of sorting.
func median(_ numbers: [Float]) -> Double {
  var counts = [Int](repeating: 0, count: 2049)
  for number in numbers { counts[Int(min(max(number, 0) * 32, 2048))] += 1 }
  var (sum, bin) = (0, 0)
  while bin < 2048, (sum + counts[bin]) * 2 < numbers.count {
    sum += counts[bin]
    bin += 1
  }
  return (Double(bin) + 0.5) / 32
}

/// A step of a least-squares fit of an affine displacement of the screen (Lucas and Kanade 1981).
struct GaussNewton {
  /// A pixel of the screen with its colour, the expected one, and the expected one's gradient.
  struct Sample {
    var x, y: Float
    var colour, expected, across, down: SIMD4<Float>

    /// The largest difference of a band.
    var residual: Float {
      let difference = colour - expected
      return max(abs(difference.x), abs(difference.y), abs(difference.z))
    }
  }

  let samples: [Sample]
  let frame: ScreenFrame
  /// The residual at which a weight falls to a half or, if weights are squared, to a quarter.
  private let reach: Float
  private let isSquared: Bool
  private let system: LinearSystem
  /// The map from a pixel to the pixel of the expected colours that shows the same.
  let motion: Affine
  /// The mean weight.
  let meanWeight: Double
  /// The weighted mean of the squared differences.
  private let variance: Double

  /// Fits a displacement; nil if the samples do not determine one.
  ///
  /// Cauchy's weights at 3 deviations, estimated from the median, discard overlays. Squared weights
  /// discard more; unsquared ones let a start that is far off come closer.
  init?(_ samples: [Sample], _ frame: ScreenFrame, isSquared: Bool, damping: Double) {
    // For a normal distribution the deviation is 1.4826 medians. Rounding to levels adds 0.3.
    let reach = 3 * Float(1.4826 * median(samples.map(\.residual)) + 0.3)
    // The products of (x, y, 1) with itself: xx, xy, x, yy, y, 1.
    var (xx, xy, yy) = (SIMD8<Double>.zero, SIMD8<Double>.zero, SIMD8<Double>.zero)
    var (toX, toY) = (SIMD3<Double>.zero, SIMD3<Double>.zero)
    var (weights, squares) = (0.0, 0.0)
    for sample in samples {
      let weight = Self.weight(sample, reach, isSquared)
      let z = frame.normalised(Double(sample.x), Double(sample.y))
      let (x, y) = (z.x, z.y)
      let products = SIMD8<Double>(x * x, x * y, x, y * y, y, 1, 0, 0)
      let difference = sample.colour - sample.expected
      func weighted(_ one: SIMD4<Float>, _ other: SIMD4<Float>) -> Double {
        let product = one * other
        return weight * Double(product.x + product.y + product.z)
      }
      xx += products * weighted(sample.across, sample.across)
      xy += products * weighted(sample.across, sample.down)
      yy += products * weighted(sample.down, sample.down)
      toX += z * weighted(sample.across, difference)
      toY += z * weighted(sample.down, difference)
      weights += weight
      squares += weighted(difference, difference)
    }
    let places = [0, 1, 2, 1, 3, 4, 2, 4, 5]
    var matrix = [Double](repeating: 0, count: 36)
    for row in 0..<3 {
      for column in 0..<3 {
        let place = places[row * 3 + column]
        matrix[row * 6 + column] = xx[place]
        matrix[row * 6 + column + 3] = xy[place]
        matrix[(row + 3) * 6 + column] = xy[place]
        matrix[(row + 3) * 6 + column + 3] = yy[place]
      }
    }
    guard weights > 0, let system = LinearSystem(matrix, damping: damping) else { return nil }
    let solved = system.solve([toX.x, toX.y, toX.z, toY.x, toY.y, toY.z])
    let moved = frame.map(Array(solved[0..<3]), Array(solved[3..<6]))
    (self.samples, self.frame, self.reach, self.isSquared) = (samples, frame, reach, isSquared)
    self.system = system
    motion = Affine(
      a: 1 + moved.a, b: moved.b, c: moved.c, d: 1 + moved.d, tx: moved.tx, ty: moved.ty)
    meanWeight = weights / Double(samples.count)
    variance = squares / (3 * weights)
  }

  private static func weight(_ sample: Sample, _ reach: Float, _ isSquared: Bool) -> Double {
    let share = Double(sample.residual / reach)
    let cauchy = 1 / (1 + share * share)
    return isSquared ? cauchy * cauchy : cauchy
  }

  /// Returns the longest way of a corner of a window.
  func largestMotion(in window: ScreenWindow) -> Double {
    window.corners.map { motion.apply(to: $0).distance(to: $0) }.max() ?? 0
  }

  /// Returns the standard error of the displacement at the worst corner of a window.
  ///
  /// The samples are smoothed by a filter of 3 x 3 pixels, so 9 count as one.
  func error(in window: ScreenWindow) -> Double {
    let variances = window.corners.map { corner in
      let z = frame.normalised(corner.x, corner.y)
      let (across, down) = ([z.x, z.y, z.z, 0, 0, 0], [0, 0, 0, z.x, z.y, z.z])
      return system.solve(across).dot(across) + system.solve(down).dot(down)
    }
    return (9 * variance * (variances.max() ?? 0)).squareRoot()
  }

  /// Returns the weighted correlation of the textures, and the expected texture's deviation.
  ///
  /// The texture is the colour without the ramps of the code: those resemble any smooth gradient.
  func texture(_ ramps: (Sample) -> SIMD4<Float>) -> (correlation: Double, deviation: Double) {
    var (one, other) = (SIMD4<Double>.zero, SIMD4<Double>.zero)
    var (oneSquare, otherSquare) = (SIMD4<Double>.zero, SIMD4<Double>.zero)
    var (product, weights) = (SIMD4<Double>.zero, 0.0)
    for sample in samples {
      let weight = Self.weight(sample, reach, isSquared)
      let ramp = ramps(sample)
      let seen = SIMD4<Double>(sample.colour - ramp)
      let expected = SIMD4<Double>(sample.expected - ramp)
      let (weightedSeen, weightedExpected) = (seen * weight, expected * weight)
      one += weightedSeen
      other += weightedExpected
      oneSquare += weightedSeen * seen
      otherSquare += weightedExpected * expected
      product += weightedSeen * expected
      weights += weight
    }
    func covariance(
      _ sum: SIMD4<Double>, _ one: SIMD4<Double>, _ other: SIMD4<Double>
    ) -> Double {
      let means: SIMD4<Double> = (one / weights) * (other / weights)
      let bands: SIMD4<Double> = sum / weights - means
      return bands.x + bands.y + bands.z
    }
    let squares = covariance(oneSquare, one, one) * covariance(otherSquare, other, other)
    return (
      covariance(product, one, other) / max(squares, 1e-12).squareRoot(),
      (max(covariance(otherSquare, other, other), 0) / 3).squareRoot()
    )
  }
}

extension ScreenWindow {
  /// The four corners.
  fileprivate var corners: [ViewPoint] {
    [(x, y), (x + width, y), (x, y + height), (x + width, y + height)].map {
      ViewPoint(x: Double($0.0), y: Double($0.1))
    }
  }
}

extension [Double] {
  /// Returns the sum of the products with another vector's numbers.
  fileprivate func dot(_ other: [Double]) -> Double {
    zip(self, other).reduce(0) { $0 + $1.0 * $1.1 }
  }
}
