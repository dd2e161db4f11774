internal import RealModule

/// Tells climbs from steps among the changes of level.
///
/// E-divisive knows only levels. A slow climb comes out of it as one step in the middle, or as a
/// stair of several. A ramp that explains the same values much better than one step does is
/// what there was; ramps that meet in the same direction are one.
enum Climbs {
  /// The fewest runs of a climb, in shortest segments: below that, each level of a stair is a spike.
  private static let segments = 2

  /// By how much the Bayesian information criterion has to prefer the ramp.
  ///
  /// Ten is what Kass and Raftery ("Bayes factors", JASA 1995) call very strong evidence.
  private static let evidence = 10.0

  /// How many values on each side of a change are looked at, so that n² stays small.
  static let reach = 500

  /// Returns the change points, with each climb as one.
  static func told(
    from levels: Levels, of series: LevelSeries, settings: ChangePointSettings
  ) -> [ChangePoint] {
    var found: [(change: ChangePoint, around: Range<Int>)] = []
    let located = located(levels, in: series, settings: settings)
    for position in levels.starts.indices {
      let index = levels.starts[position]
      let test = levels.tests[position]
      let around = near(index...index, in: levels.around(position))
      if let climb = climb(
        in: around, of: series, direction: test.difference, pValue: test.pValue, settings: settings)
      {
        if let last = found.last, last.change.kind == .drift,
          last.change.direction == climb.direction,
          climb.range.lowerBound - last.change.range.upperBound <= segments
            * settings.minimumSegment,
          let whole = self.climb(
            in: last.around.lowerBound..<around.upperBound, of: series, direction: test.difference,
            pValue: min(last.change.pValue, climb.pValue), settings: settings)
        {
          found[found.count - 1] = (whole, last.around.lowerBound..<around.upperBound)
        } else {
          found.append((climb, around))
        }
      } else {
        let place = located[position]
        let change = ChangePoint(
          kind: .step, index: place.index, range: place.range,
          ratio: Double.exp(test.difference), pValue: test.pValue)
        found.append((change, around))
      }
    }
    return found.map(\.change)
  }

  /// Where each change is as a step, by least squares.
  ///
  /// That is where the likelihood of normal noise is greatest: nearer to the truth than the place
  /// of the greatest energy. Should two places come too close, all stay where the energy saw them.
  private static func located(
    _ levels: Levels, in series: LevelSeries, settings: ChangePointSettings
  ) -> [(index: Int, range: ClosedRange<Int>)] {
    let minimum = settings.minimumSegment
    let places = levels.starts.indices.map { position in
      let index = levels.starts[position]
      let around = near(index...index, in: levels.around(position))
      let found = StepLocation(series, segment: around, minimum: minimum)
      return (index: found?.index ?? index, range: found?.range ?? index...index)
    }
    if zip(places, places.dropFirst()).allSatisfy({ $1.index - $0.index >= minimum }) {
      return places
    }
    return zip(levels.starts, places).map { start, place in
      (start, min(start, place.range.lowerBound)...max(start, place.range.upperBound))
    }
  }

  private static func near(_ change: ClosedRange<Int>, in around: Range<Int>) -> Range<Int> {
    max(
      around.lowerBound, change.lowerBound - reach)..<min(
        around.upperBound, change.upperBound + reach)
  }

  private static func climb(
    in segment: Range<Int>, of series: LevelSeries, direction: Double, pValue: Double,
    settings: ChangePointSettings
  ) -> ChangePoint? {
    guard
      let ramp = ramp(
        in: segment, of: series, shortestLevel: settings.minimumSegment,
        shortestClimb: segments * settings.minimumSegment, evidence: evidence),
      ramp.rise.sign == direction.sign,
      ramp.rise.magnitude >= Double.log(onePlus: settings.minimumMagnitude)
    else { return nil }
    return ChangePoint(
      kind: .drift, index: ramp.climb.lowerBound, range: ramp.climb,
      ratio: Double.exp(ramp.rise), pValue: pValue)
  }

  /// Returns the ramp that explains a segment better than one step does.
  ///
  /// - Parameters:
  ///   - segment: The values to explain.
  ///   - series: What they are values of.
  ///   - shortestLevel: The fewest values on each side of the step, at least one.
  ///   - shortestClimb: The fewest values of the climb, at least one.
  ///   - evidence: By how much the Bayesian information criterion has to prefer the ramp, at least.
  /// - Returns: Nil if a step is good enough, or the segment too short for either.
  static func ramp(
    in segment: Range<Int>, of series: LevelSeries, shortestLevel: Int, shortestClimb: Int,
    evidence: Double
  ) -> Ramp? {
    guard
      let step = StepLocation(series, segment: segment, minimum: shortestLevel),
      let ramp = Ramp(series, segment: segment, shortest: shortestClimb),
      ramp.scatter < step.scatter
    else { return nil }
    // The ramp has one more parameter than the step: the other end of the climb.
    let count = Double(segment.count)
    let gain = count * Double.log(step.scatter / ramp.scatter) - Double.log(count)
    return gain >= evidence ? ramp : nil
  }
}
