internal import Measurement

/// The results of `compare` for two executables that it cannot link again.
struct OneLayoutRow: Codable, Sendable {
  /// The standard deviation of the difference between two builds of one source.
  var builds: Double
  /// The standard deviation of a launch.
  var deviation: Double
  var shape: LaunchShape
  var result: ComparisonExperiment

  /// Equal sources and planted changes, with margins of 1 % and of 3 %; then launches that scatter
  /// in other ways, and changes of just the margin.
  static func all(trials: Int, seed: UInt64) throws -> [OneLayoutRow] {
    var rows: [OneLayoutRow] = []
    func add(
      margin: Double = 0.01, builds: Double = 0, deviation: Double = 0.01,
      shape: LaunchShape = .normal, planted: Double
    ) throws {
      var random = SeededRandom(
        seed: seed,
        label: "\(margin) \(builds) \(deviation) \(shape.rawValue) \(planted)")
      let result = try ComparisonExperiment(
        planted: planted,
        of: [LaunchSource(builds: builds, deviation: deviation, shape: shape)],
        settings: GateSettings(margin: margin, sameMargin: margin + 0.02), runs: 10 * trials,
        random: &random)
      rows.append(
        OneLayoutRow(builds: builds, deviation: deviation, shape: shape, result: result))
    }
    for margin in [0.01, GateSettings.oneLayoutMargin] {
      for builds in [0, 0.005, 0.01, 0.015, 0.021] {
        for planted in [0, 0.05, 0.1] {
          try add(margin: margin, builds: builds, planted: planted)
        }
      }
    }
    for shape in LaunchShape.allCases {
      try add(deviation: 0.03, shape: shape, planted: 0)
      // A negative deviation is the mirror image: some launches of the base are slow.
      for deviation in [0.03, -0.03] {
        try add(deviation: deviation, shape: shape, planted: 0.01)
      }
    }
    return rows
  }

  static let heading = """
    | margin | builds differ by | launches scatter | planted | comparisons | slower | faster | same \
    | inconclusive |
    |---|---|---|---|---|---|---|---|---|
    """

  /// A line of Markdown.
  var line: String {
    let counts = [result.slower, result.faster, result.same, result.inconclusive].map {
      percent(Double($0) / Double(max(1, result.comparisons)))
    }
    let cells =
      [
        percent(result.margin), percent(builds),
        percent(deviation.magnitude) + ", \(shape.rawValue)\(deviation < 0 ? ", base" : "")",
        percent(result.planted),
        "\(result.comparisons)",
      ] + counts
    return "| " + cells.joined(separator: " | ") + " |"
  }
}
