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

/// A source of launches for one case.
struct LaunchSource: Sendable {
  var name: String
  /// Begins a comparison of two builds of one source, and returns what draws its launches: the
  /// logarithm of candidate over base of each.
  var begin: @Sendable (inout SeededRandom) -> @Sendable (inout SeededRandom) -> Double

  /// Each launch draws an order for either build and takes a recorded launch of each.
  ///
  /// What the order that all were measured against does falls out of their difference. The noise of
  /// two launches goes into it and not of one, so real comparisons are less noisy than these.
  init(_ recorded: LaunchRecording.Case) {
    name = recorded.name
    let layouts = recorded.layouts
    begin = { _ in
      { random in
        func drawn() -> Double {
          let layout = layouts[random.index(below: layouts.count)]
          return layout[random.index(below: layout.count)]
        }
        return drawn() - drawn()
      }
    }
  }

  /// Launches of two executables whose code lies where it lies.
  ///
  /// - Parameters:
  ///   - builds: The standard deviation of what two builds of one source differ by.
  ///   - deviation: The standard deviation of a launch.
  ///   - shape: How launches scatter.
  init(builds: Double, deviation: Double, shape: LaunchShape) {
    name = "builds differ by \(percent(builds))"
    begin = { random in
      let offset = builds * LaunchShape.normal.drawn(using: &random)
      return { random in offset + deviation * shape.drawn(using: &random) }
    }
  }
}

/// Counts the verdicts of `compare` on equal sources and on a planted change.
struct ComparisonExperiment: Codable, Sendable {
  /// The planted change, as a fraction.
  var planted: Double
  /// A change up to this fraction is never called slower or faster.
  var margin: Double
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
    planted: Double, of cases: [LaunchSource], settings: GateSettings = GateSettings(), runs: Int,
    random: inout SeededRandom
  ) throws {
    (self.planted, margin) = (planted, settings.margin)
    for _ in 0..<runs {
      var measured: [CaseComparison] = []
      for each in cases {
        measured.append(try self.measured(each, among: cases.count, settings, &random))
      }
      for judged in ComparisonVerdicts.judge(measured, settings: settings).cases { count(judged) }
    }
  }

  private func measured(
    _ each: LaunchSource, among cases: Int, _ settings: GateSettings, _ random: inout SeededRandom
  ) throws -> CaseComparison {
    let draw = each.begin(&random)
    func launch() -> PairedLaunch {
      let ratio = Double.exp(draw(&random) + Double.log(onePlus: planted))
      func arm(_ nanoseconds: Double) -> PairedLaunch.Arm {
        PairedLaunch.Arm(
          first: Elapsed(wallNanoseconds: 1, cpuNanoseconds: 1),
          wallNanoseconds: [UInt64(nanoseconds)], cpuNanoseconds: [UInt64(nanoseconds)])
      }
      return PairedLaunch(
        startNanoseconds: 0, repeats: 1, warmUpPairs: 0, base: arm(1e9),
        candidate: arm(1e9 * ratio), candidateRanFirst: [false])
    }
    var looks = SequentialComparison(settings: settings)
    var launches: [PairedLaunch] = []
    while let until = try looks.next(after: launches) {
      while launches.count < until { launches.append(launch()) }
    }
    guard let first = looks.latest else { throw SampleError.noSamples }
    var result = CaseComparison(
      name: each.name, role: .gated, launches: launches, cpu: first, wall: first,
      verdict: first.verdict)
    if [.slower, .faster].contains(first.verdict) {
      let second = settings.confirming(first, among: cases)
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
    "| margin | planted | comparisons | changed at first | slower | faster | same | inconclusive"
      + " | launches | intervals that miss | bias |",
    "|---|---|---|---|---|---|---|---|---|---|---|",
  ]

  /// A line of Markdown.
  var line: String {
    let confirmed = Double(max(1, confirmations))
    let cells = [
      percent(margin), percent(planted), "\(comparisons)", "\(changedAtFirst)", "\(slower)",
      "\(faster)", "\(same)",
      "\(inconclusive)", "\((Double(launches) / Double(max(1, comparisons)) * 10).rounded() / 10)",
      "\(missed) of \(confirmations)", "\((bias / confirmed * 1e5).rounded() / 1e3) %",
    ]
    return "| " + cells.joined(separator: " | ") + " |"
  }
}
