internal import PropertyTesting
internal import ZoomGeometry

/// How far results may be from what the formula gives without rounding, NUM-1 to NUM-10.
///
/// The formula is evaluated in rational numbers, of which doubles are some. Errors are measured in
/// units in the last place of the largest length that a result is calculated from, and in pixels of
/// a screen with three a point. The formula is the corrected one, which the published peek does not
/// follow; the published double tap does.
public enum NumberLaws {
  /// Those of the arithmetic that the systems share.
  public static let arithmetic: [Law<ArithmeticSubject>] = [
    fit, composition, application, inversion,
  ]
  /// Those of the peek.
  public static let peek: [Law<PeekSubject>] = [crop, contents, frame, region]
  /// Those of the double tap.
  public static let doubleTap: [Law<DoubleTapSubject>] = [zooms, offset]

  static let source = "IEEE 754 double precision against rational arithmetic"

  /// The screen's pixels a point, for errors in what is seen.
  static let pixelsAPoint = 3.0

  /// The most that a position on the screen may be off, in its pixels.
  ///
  /// A millionth of what any eye or camera tells apart, and twenty times what 16 ulps of 4096 points
  /// come to.
  static let pixelBudget = 1e-9
}

/// An error, and the unit that it is measured in.
struct Rounding {
  let error: Double
  let unit: Double

  /// The error in units.
  var units: Double { error / unit }

  /// Demands that it is within a budget, and asks the run to look for a larger one.
  func require(
    within budget: Double, _ name: String, _ testCase: inout TestCase,
    fileID: StaticString = #fileID, line: Int = #line
  ) throws {
    testCase.target(units, as: name)
    try Property.require(
      units <= budget,
      "\(name) is off by \(units.inWords) ulp, \(error.inWords), with a budget of \(budget.inWords)",
      fileID: fileID, line: line)
  }
}
