internal import Measurement

/// Everything that one invocation found out.
struct Experiment: Codable, Sendable {
  var seed: UInt64
  var quiet: [QuietFigures] = []
  var planted: [PlantFigures] = []

  init(seed: UInt64) { self.seed = seed }

  /// Judges histories in which nothing changed as they are, and with slowdowns planted.
  ///
  /// - Parameters:
  ///   - noise: What the histories are called together.
  ///   - suites: Histories to judge as they are, each those of all cases of the same runs.
  ///   - trials: How many slowdowns of each kind to plant, at random places.
  ///   - draw: Gives a history to plant in, for the number of a trial.
  /// - Throws: `NotARatio` for a history that is none.
  mutating func run(
    _ noise: String, quiet suites: [[[Double]]], trials: Int,
    draw: (_ trial: Int, inout SeededRandom) -> [Double]
  ) throws {
    var figures = QuietFigures(noise: noise)
    for suite in suites { try figures.count(suite) }
    quiet.append(figures)
    for plant in Plant.all {
      var random = SeededRandom(seed: seed, label: "\(noise), \(plant.name)")
      var figures = PlantFigures(noise: noise, plant: plant.name)
      for trial in 0..<trials {
        let values = draw(trial, &random)
        // Enough before it to know a level, and enough after it for what the gate promises.
        let places = values.count - plant.length - 2 * Self.margin
        guard places > 0 else { continue }
        let place = Self.margin + random.index(below: places)
        try figures.count(plant, in: values, at: place)
      }
      if figures.trials > 0 { planted.append(figures) }
    }
  }

  /// The fewest runs before and after a slowdown.
  private static let margin = 15

  /// The figures as two tables of Markdown.
  var tables: String {
    var lines = [
      "| noise | runs of \(casesOfARun) cases | false alarms | per 100 runs | failed runs per 100 |",
      "|---|---|---|---|---|",
    ]
    for row in quiet {
      lines.append(
        "| \(row.noise) | \(row.runs) | \(row.alerts) | \(per100(row.alerts, row.runs))"
          + " | \(per100(row.red, row.runs)) |")
    }
    lines += [
      "",
      "| noise | planted | trials | found | found within 3 runs | within 2 commits | in range"
        + " | mean range | delay p50 / p95 | passed meanwhile | called drift | repeated | others |",
      "|---|---|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    for row in planted {
      let share = { (count: Int) in percent(Double(count) / Double(row.trials)) }
      let delay = { (fraction: Double) in row.delay(fraction).map { "\($0)" } ?? "-" }
      let cells = [
        row.noise, row.plant, "\(row.trials)", share(row.found), share(row.foundWithin3),
        share(row.within2), share(row.inRange),
        "\(Self.rounded(Double(row.runsInRanges) / Double(max(1, row.found))))",
        "\(delay(0.5)) / \(delay(0.95))", "\(row.passed)", share(row.calledDrift),
        "\(row.repeated)",
        "\(row.others)",
      ]
      lines.append("| " + cells.joined(separator: " | ") + " |")
    }
    return lines.joined(separator: "\n")
  }

  private static func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }
}
