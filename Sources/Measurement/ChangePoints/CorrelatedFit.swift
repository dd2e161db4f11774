internal import RealModule

/// A level and a multiple of a regressor, fitted to values whose neighbouring errors are correlated.
///
/// A value minus the correlated part of its predecessor has an independent error, and least squares fit
/// these differences (Prais and Winsten, "Trend estimators and serial correlation", 1954). So a jump is
/// compared with the changes between neighbouring runs, and a climb with the distance that correlated runs
/// drift by chance. A test of means cannot find a step between two short, correlated levels.
struct CorrelatedFit: Sendable {
  let level: Double

  let slope: Double

  /// The two-sided chance of so great a slope if the true slope is zero, by Student's t; 1 for two values.
  let pValue: Double

  /// Fits two or more values by generalised least squares, in O(n).
  ///
  /// The correlation of neighbouring errors is from zero to less than one; the regressor must not be
  /// constant.
  init(_ values: ArraySlice<Double>, correlation: Double, regressor: (Int) -> Double) {
    func row(_ index: Int) -> (one: Double, x: Double, y: Double) {
      guard index > values.startIndex else {
        let weight = (1 - correlation * correlation).squareRoot()
        return (weight, weight * regressor(index), weight * values[index])
      }
      return (
        1 - correlation, regressor(index) - correlation * regressor(index - 1),
        values[index] - correlation * values[index - 1]
      )
    }
    var (oneOne, oneX, xx, oneY, xy) = (0.0, 0.0, 0.0, 0.0, 0.0)
    for index in values.indices {
      let (one, x, y) = row(index)
      oneOne += one * one
      oneX += one * x
      xx += x * x
      oneY += one * y
      xy += x * y
    }
    let determinant = oneOne * xx - oneX * oneX
    let slope = (oneOne * xy - oneX * oneY) / determinant
    let level = (xx * oneY - oneX * xy) / determinant
    let scatter = values.indices.reduce(0) { sum, index in
      let (one, x, y) = row(index)
      let rest = y - level * one - slope * x
      return sum + rest * rest
    }
    (self.level, self.slope) = (level, slope)
    let freedom = Double(values.count - 2)
    guard freedom > 0 else {
      pValue = 1
      return
    }
    let error = (scatter / freedom * oneOne / determinant).squareRoot()
    if error > 0 {
      pValue = 2 * StudentT(degreesOfFreedom: freedom).upperTail(slope.magnitude / error)
    } else {
      // Values without scatter; NaN, a quotient of rounding errors, proves nothing.
      pValue = error == 0 && slope != 0 ? 0 : 1
    }
  }
}
