internal import Measurement

/// What the gate said of histories in which nothing changed.
struct QuietFigures: Codable, Sendable {
  var noise: String
  var runs = 0
  var alerts = 0
  /// How many of the alerts were raised by the prediction interval, rather than a change of level.
  var byPrediction = 0
  var alertsPer100Runs: Double { 100 * Double(alerts) / Double(max(1, runs)) }

  init(noise: String) { self.noise = noise }

  /// Judges a whole history, run after run.
  mutating func count(_ values: [Double], settings: HistoryGateSettings) throws {
    let found = try Alerts(values, runs: values.indices, settings: settings).alerts
    runs += values.count
    alerts += found.count
    byPrediction += found.filter(\.isByPrediction).count
  }
}

/// What the gate did with slowdowns of one kind, planted in histories of one kind.
struct PlantFigures: Codable, Sendable {
  var noise: String
  var plant: String
  var trials = 0
  /// How many were reported, up to 40 runs after their end.
  var found = 0
  /// How many were reported by the second run after the first slower one.
  var foundWithin3 = 0
  /// How many the last report of the alert placed within two runs of the truth.
  var within2 = 0
  /// How many had the truth in the range of the last report.
  var inRange = 0
  /// How many runs all these ranges hold.
  var runsInRanges = 0
  /// How many were called a drift in the end.
  var calledDrift = 0
  /// How many more alerts the same slowdown raised.
  var repeated = 0
  /// Alerts, in the runs judged, that had nothing to do with it.
  var others = 0
  /// For each found, the runs from the first slower one to the alert; 0 is that run itself.
  var delays: [Int] = []

  init(noise: String, plant: String) {
    self.noise = noise
    self.plant = plant
  }

  /// A quantile of the delays, by nearest rank; nil if nothing was found.
  func delay(_ fraction: Double) -> Int? {
    let sorted = delays.sorted()
    if sorted.isEmpty { return nil }
    return sorted[min(sorted.count - 1, Int(fraction * Double(sorted.count)))]
  }

  /// Plants a slowdown at a place and judges the runs from there on.
  mutating func count(
    _ plant: Plant, in values: [Double], at place: Int, settings: HistoryGateSettings
  ) throws {
    let planted = plant.planted(in: values, at: place)
    let last = place + plant.length - 1
    // Long enough for any alert that is news for ten runs to be raised and to settle.
    let runs = place..<min(values.count, last + 41)
    let alerts = try Alerts(planted, runs: runs, settings: settings).alerts
    // Ten runs are the mean range of a step of 3 % in the hardest noise: not another change yet.
    let about = place - 10...last + 10
    let near = alerts.filter { alert in
      alert.findings.contains { $0.direction == .slower && $0.range.overlaps(about) }
    }
    trials += 1
    others += alerts.count - near.count
    guard let alert = near.first else { return }
    found += 1
    repeated += near.count - 1
    delays.append(alert.raised - place)
    if alert.raised - place <= 2 { foundWithin3 += 1 }
    let range = alert.lastChange?.range ?? alert.findings[alert.findings.count - 1].range
    runsInRanges += range.count
    if range.contains(place) { inRange += 1 }
    guard let change = alert.lastChange else { return }
    if abs(change.index - place) <= 2 { within2 += 1 }
    if change.kind == .drift { calledDrift += 1 }
  }
}
