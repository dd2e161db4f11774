internal import Measurement
internal import RealModule

/// Launches as they were recorded, of one source linked in several orders.
struct LaunchRecording: Decodable {
  struct Case: Decodable {
    var name: String
    /// For each order, the medians of some launches: logarithms of its CPU time over that of one
    /// order that is the same for all.
    var layouts: [[Double]]
  }

  var cases: [Case]
}

/// What `compare` would say of equal sources, and of a planted change, if its launches were drawn
/// from recorded ones.
///
/// Each launch draws an order for either build and takes a recorded launch of each. What the order
/// that all were measured against does falls out of their difference. The noise of two launches goes
/// into it and not of one, so real comparisons are less noisy than these.
struct ComparisonExperiment: Codable, Sendable {
  /// The logarithm of the planted change, as a fraction.
  var planted: Double
  /// How many cases are judged together.
  private let recordedCases: Int
  var comparisons = 0
  /// "Slower" and "faster" before a second measurement.
  var changedAtFirst = 0
  var slower = 0
  var faster = 0
  var same = 0
  var inconclusive = 0
  /// The launches of both measurements.
  var launches = 0
  /// Second measurements, and how many of their intervals of 98 % miss the planted change.
  var confirmations = 0
  var missed = 0
  /// The sum of the second measurements' estimates less the planted change, as logarithms.
  var bias = 0.0

  /// Runs the suite so many times.
  init(
    planted: Double, of recording: LaunchRecording, runs: Int, random: inout SeededRandom
  ) throws {
    self.planted = planted
    recordedCases = recording.cases.count
    for _ in 0..<runs {
      var cases: [CaseComparison] = []
      for each in recording.cases { cases.append(try measured(each, &random)) }
      for judged in ComparisonVerdicts.judge(cases, settings: GateSettings()).cases {
        count(judged)
      }
    }
  }

  private func measured(
    _ each: LaunchRecording.Case, _ random: inout SeededRandom
  ) throws -> CaseComparison {
    let settings = GateSettings()
    func launch() -> PairedLaunch {
      func drawn() -> Double {
        let layout = each.layouts[random.index(below: each.layouts.count)]
        return layout[random.index(below: layout.count)]
      }
      let ratio = Double.exp(drawn() - drawn() + Double.log(onePlus: planted))
      func arm(_ nanoseconds: Double) -> PairedLaunch.Arm {
        PairedLaunch.Arm(
          first: Elapsed(wallNanoseconds: 1, cpuNanoseconds: 1),
          wallNanoseconds: [UInt64(nanoseconds)], cpuNanoseconds: [UInt64(nanoseconds)])
      }
      return PairedLaunch(
        startNanoseconds: 0, repeats: 1, warmUpPairs: 0, base: arm(1e9),
        candidate: arm(1e9 * ratio), candidateRanFirst: [false])
    }
    var looks = try SequentialComparison(settings: settings)
    var launches: [PairedLaunch] = []
    while case .measure(let until) = try looks.next(after: launches) {
      while launches.count < until { launches.append(launch()) }
    }
    guard let first = looks.latest else { throw SampleError.noSamples }
    var result = CaseComparison(
      name: each.name, role: .gated, launches: launches, cpu: first, wall: first,
      verdict: first.verdict)
    if [.slower, .faster].contains(first.verdict) {
      let second = settings.confirming(first, among: recordedCases)
      while result.confirmation.count < second.looks[0] { result.confirmation.append(launch()) }
      result.confirmed = try ChangeEstimate(
        of: result.confirmation, clock: .cpu, settings: second, errorRate: second.errorRate)
    }
    return result
  }

  private mutating func count(_ judged: CaseComparison) {
    comparisons += 1
    launches += judged.launches.count + judged.confirmation.count
    if [.slower, .faster].contains(judged.cpu.verdict) { changedAtFirst += 1 }
    switch judged.verdict {
    case .slower: slower += 1
    case .faster: faster += 1
    case .same: same += 1
    case .inconclusive: inconclusive += 1
    }
    guard let confirmed = judged.confirmed, let interval = confirmed.interval else { return }
    confirmations += 1
    if interval.lower > 1 + planted || interval.upper < 1 + planted { missed += 1 }
    bias += Double.log(confirmed.ratio) - Double.log(onePlus: planted)
  }

  static let heading = [
    "| planted | comparisons | changed at first | slower | faster | same | inconclusive"
      + " | launches | intervals that miss | bias |",
    "|---|---|---|---|---|---|---|---|---|---|",
  ]

  /// A line of Markdown.
  var line: String {
    let confirmed = Double(max(1, confirmations))
    let cells = [
      percent(planted), "\(comparisons)", "\(changedAtFirst)", "\(slower)", "\(faster)", "\(same)",
      "\(inconclusive)", "\((Double(launches) / Double(max(1, comparisons)) * 10).rounded() / 10)",
      "\(missed) of \(confirmations)", "\((bias / confirmed * 1e5).rounded() / 1e3) %",
    ]
    return "| " + cells.joined(separator: " | ") + " |"
  }
}
