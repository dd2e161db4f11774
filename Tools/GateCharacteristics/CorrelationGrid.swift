internal import Measurement

/// The gate's false alarms and power if neighbouring runs are correlated, by deviation and correlation.
struct CorrelationGrid: Codable, Sendable {
  /// Runs of one deviation and correlation.
  struct Row: Codable, Sendable {
    var deviation: Double
    var correlation: Double
    /// The judged runs of all cases, in which nothing changed, and the alarms that they raised.
    var runs = 0
    var steps = 0
    var drifts = 0
    /// The runs that the gate fails.
    var red = 0
    /// Steps that were planted, by their size in per cent.
    var planted: [Planted] = []
  }

  struct Planted: Codable, Sendable {
    var step: Double
    var trials: Int
    var found: Int
    var foundWithin3: Int
  }

  var seed: UInt64
  /// The number of runs of each history.
  var length: Int
  var rows: [Row] = []

  /// Draws histories and judges them.
  ///
  /// - Parameters:
  ///   - seed: Chooses the histories.
  ///   - length: How many runs each history has.
  ///   - runs: How many runs of all cases are judged where nothing changed, at least.
  ///   - trials: How many steps of each size are planted.
  /// - Throws: Nothing in fact: what is drawn is a ratio.
  init(seed: UInt64, length: Int, runs: Int, trials: Int) throws {
    (self.seed, self.length) = (seed, length)
    for deviation in [0.005, 0.01, 0.02, 0.03] {
      for correlation in [0, 0.2, 0.4, 0.6, 0.8] {
        rows.append(try row(deviation, correlation, runs, trials))
      }
    }
  }

  private func row(
    _ deviation: Double, _ correlation: Double, _ runs: Int, _ trials: Int
  ) throws -> Row {
    let noise = SyntheticNoise(
      name: "\(percent(deviation)), \(correlation)", deviation: deviation, outliers: 0,
      correlation: correlation)
    var random = SeededRandom(seed: seed, label: "\(length) \(noise.name)")
    var row = Row(deviation: deviation, correlation: correlation)
    while row.runs < runs {
      var red: Set<Int> = []
      for _ in 0..<casesOfARun {
        let values = noise.series(count: length, using: &random)
        let found = try Alerts(values, runs: values.indices)
        for alert in found.alerts {
          if alert.findings[0].kind == .step { row.steps += 1 } else { row.drifts += 1 }
        }
        red.formUnion(found.red)
      }
      row.red += red.count
      row.runs += judgedRuns(of: length)
    }
    for step in [0.05, 0.1] {
      var figures = PlantFigures(noise: noise.name, plant: percent(step))
      for _ in 0..<trials {
        try figures.count(
          .step(step), in: noise.series(count: length + 41, using: &random), at: length)
      }
      row.planted.append(
        Planted(
          step: step, trials: trials, found: figures.found, foundWithin3: figures.foundWithin3))
    }
    return row
  }

  /// The rows as a table of Markdown.
  var table: String {
    var lines = [
      "| runs vary by | correlation | runs of \(casesOfARun) cases | steps | drifts"
        + " | false alarms per 100 runs | failed runs per 100 | 5 % within 3 runs | found at all | 10 % within 3 runs"
        + " | found at all |", "|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    for row in rows {
      let shares = row.planted.flatMap { planted in
        [planted.foundWithin3, planted.found].map {
          percent(Double($0) / Double(max(1, planted.trials)))
        }
      }
      let cells =
        [
          percent(row.deviation), "\(row.correlation)", "\(row.runs)", "\(row.steps)",
          "\(row.drifts)", per100(row.steps + row.drifts, row.runs),
          per100(row.red, row.runs),
        ] + shares
      lines.append("| " + cells.joined(separator: " | ") + " |")
    }
    return lines.joined(separator: "\n")
  }
}
