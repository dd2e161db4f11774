internal import Measurement

/// The number of cases per run.
let casesOfARun = 30

/// Returns the number of runs of a history that the gate judges.
func judgedRuns(of length: Int) -> Int { max(0, length + 1 - HistoryGate.fewestRuns) }

/// The gate's alarms on histories in which nothing changed.
struct QuietFigures: Codable, Sendable {
  var noise: String
  /// The number of judged runs; the first nine are not judged.
  var runs = 0
  /// Alerts in any case.
  var alerts = 0
  /// The runs that the gate fails, since some case looks slower: an alert is news for ten runs.
  var red = 0

  init(noise: String) { self.noise = noise }

  /// Judges the histories of all cases, run after run.
  mutating func count(_ suite: [[Double]]) throws {
    let found = try suite.map { try Alerts($0, runs: $0.indices) }
    alerts += found.reduce(0) { $0 + $1.alerts.count }
    red += found.reduce(into: Set()) { $0.formUnion($1.red) }.count
    runs += judgedRuns(of: suite.first?.count ?? 0)
  }
}

/// The gate's alarms on slowdowns of one kind, planted in histories of one kind.
struct PlantFigures: Codable, Sendable {
  var noise: String
  var plant: String
  var trials = 0
  /// The number reported, up to 40 runs after their end.
  var found = 0
  /// The number reported by the second run after the first slower one.
  var foundWithin3 = 0
  /// The number that the last report of the alert placed within two runs of the truth.
  var within2 = 0
  /// The number whose true place was in the range of the last report.
  var inRange = 0
  /// The number of runs in all these ranges.
  var runsInRanges = 0
  /// The runs between an alert and the end of its slowdown that the gate passed.
  var passed = 0
  /// The number reported as a drift in the end.
  var calledDrift = 0
  /// The number of further alerts for the same slowdown.
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
    _ plant: Plant, in values: [Double], at place: Int
  ) throws {
    let planted = plant.planted(in: values, at: place)
    let last = place + plant.length - 1
    // Long enough for any alert that is news for ten runs to be raised and to settle.
    let runs = place..<min(values.count, last + 41)
    let judged = try Alerts(planted, runs: runs)
    let alerts = judged.alerts
    // Ten runs are the mean range of a step of 3 % in the hardest noise: not another change yet.
    let about = place - 10...last + 10
    let near = alerts.filter { alert in
      alert.findings.contains { $0.direction == .slower && $0.plausible.overlaps(about) }
    }
    trials += 1
    others += alerts.count - near.count
    guard let alert = near.first else { return }
    found += 1
    repeated += near.count - 1
    delays.append(alert.raised - place)
    if alert.raised - place <= 2 { foundWithin3 += 1 }
    passed += stride(from: alert.raised, through: last, by: 1).count { !judged.red.contains($0) }
    let change = alert.findings[alert.findings.count - 1]
    runsInRanges += change.plausible.count
    if change.plausible.contains(place) { inRange += 1 }
    if abs(change.index - place) <= 2 { within2 += 1 }
    if change.kind == .drift { calledDrift += 1 }
  }
}

/// The alerts that continuous integration would raise, judging the history after each run.
struct Alerts: Sendable {
  /// One alert, from the run that raised it, with what later runs said of the same change.
  struct Alert: Sendable {
    /// The index of the run that raised it.
    var raised: Int
    /// The findings, at most one per run, oldest first; never empty.
    var findings: [ChangePoint]
  }

  private(set) var alerts: [Alert] = []

  /// The runs that the gate fails.
  private(set) var red: Set<Int> = []

  /// Judges some runs of a history one after the other.
  init(_ values: [Double], runs: Range<Int>) throws {
    for run in runs {
      for finding in try HistoryGate.judge(Array(values[...run]), among: casesOfARun) {
        if finding.direction == .slower { red.insert(run) }
        let known = alerts.lastIndex { $0.findings.contains { $0.isSame(as: finding) } }
        if let known {
          alerts[known].findings.append(finding)
        } else {
          alerts.append(Alert(raised: run, findings: [finding]))
        }
      }
    }
  }
}
