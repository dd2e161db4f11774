internal import RealModule

/// A history cut into levels, and the tests between neighbouring ones.
struct Levels: Sendable {
  private let series: LevelSeries
  private let settings: ChangePointSettings

  /// The correlation of neighbouring runs that the tests allow for.
  private var correlation = 0.0

  /// The first index of each level but the first, ascending.
  private(set) var starts: [Int]

  /// The test at each of the starts.
  private(set) var tests: [LevelTest] = []

  /// Cuts a history at ascending places.
  init(_ series: LevelSeries, starts: [Int], settings: ChangePointSettings) {
    self.series = series
    self.starts = starts
    self.settings = settings
    tests = starts.indices.map { test($0) }
  }

  /// The two levels that meet at a start, as one range.
  func around(_ position: Int) -> Range<Int> {
    let lower = position > 0 ? starts[position - 1] : 0
    let upper = position + 1 < starts.count ? starts[position + 1] : series.count
    return lower..<upper
  }

  private func test(_ position: Int) -> LevelTest {
    let around = around(position)
    let index = starts[position]
    return LevelTest(
      series, before: around.lowerBound..<index, after: index..<around.upperBound,
      correlation: correlation)
  }

  /// Removes the starts that neighbouring runs being alike could have made.
  ///
  /// Runs that share a host, or the weather, wander together, and to a t test a short walk is a
  /// level. How much they do is only seen once the levels are known, so this comes after a first
  /// merge. It is estimated at zero or more, so that chance never sharpens the test, and at 0.9 or
  /// less, so that a drift, whose residuals go together too, is not lost in it.
  mutating func mergeAllowingForCorrelation() {
    let bounds = [0] + starts + [series.count]
    var product = 0.0
    var square = 0.0
    for level in zip(bounds, bounds.dropFirst()) where level.0 < level.1 {
      let mean = series.mean(level.0..<level.1)
      let residuals = series.values[level.0..<level.1].map { $0 - mean }
      product += zip(residuals, residuals.dropFirst()).reduce(0) { $0 + $1.0 * $1.1 }
      square += residuals.reduce(0) { $0 + $1 * $1 }
    }
    guard square > 0, product > 0 else { return }
    correlation = min(0.9, product / square)
    tests = starts.indices.map { test($0) }
    merge()
  }

  /// Removes starts until each level is long enough and differs enough from its neighbours.
  mutating func merge() {
    while let position = weakest() {
      starts.remove(at: position)
      tests.remove(at: position)
      for neighbour in [position - 1, position] where starts.indices.contains(neighbour) {
        tests[neighbour] = test(neighbour)
      }
    }
  }

  private func weakest() -> Int? {
    // Windows may place one step a run or two apart; the better place of the two stays.
    let close = starts.indices.filter { position in
      let around = around(position)
      return starts[position] - around.lowerBound < settings.minimumSegment
        || around.upperBound - starts[position] < settings.minimumSegment
    }
    if let worst = close.max(by: { tests[$0].pValue < tests[$1].pValue }) { return worst }
    if let worst = starts.indices.max(by: { tests[$0].pValue < tests[$1].pValue }),
      tests[worst].pValue > settings.maximumP
    {
      return worst
    }
    let least = Double.log(onePlus: settings.minimumMagnitude)
    if let smallest = starts.indices.min(by: {
      tests[$0].difference.magnitude < tests[$1].difference.magnitude
    }), tests[smallest].difference.magnitude < least {
      return smallest
    }
    return nil
  }
}
