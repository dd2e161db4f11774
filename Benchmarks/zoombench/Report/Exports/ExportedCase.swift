internal import Measurement
internal import ZoomPipeline

/// One case for all exports, whichever command measured it.
struct ExportedCase {
  /// The name: one line, not empty, and unique within an export.
  var name: String
  var file: String
  /// Nanoseconds of one run of the work, one array per launch: the candidate's, or a source's.
  var wall: [[Double]]
  var cpu: [[Double]]
  /// The base's samples; nil for a benchmark.
  var baseWall: [[Double]]?
  var baseCPU: [[Double]]?
  var counters: [String: Int]
  var baseCounters: [String: Int]?
  /// The comparison of the case, with the final verdict; nil for a benchmark.
  var comparison: CaseComparison?
  /// The speed relative to naive; nil for a comparison and for naive.
  var speedUp: PairedRatio?
  /// The time relative to the floor's; nil for a comparison and without a floor.
  var timesFloor: PairedRatio?
  /// The conclusion of a comparison; nil for its checks and for a benchmark.
  var conclusion: Conclusion?
  var outcome: CaseOutcome

  /// Whether it is code under test rather than a check of the run.
  var isGated: Bool { comparison.map { $0.role == .gated } ?? true }

  /// Returns all cases of an input, in order, with unique names.
  static func all(of input: ReportInput) -> [ExportedCase] {
    var cases = input.files.flatMap { file in
      switch file.result {
      case .comparison(let result): ExportedCase.cases(of: result, in: file.name)
      case .bench(let report): ExportedCase.cases(of: report, in: file.name)
      }
    }
    // Readers that use names as keys would lose cases with equal names.
    let names = cases.map { ExportText.title($0.name) }
    for (index, name) in ExportText.unique(names).enumerated() { cases[index].name = name }
    return cases
  }

  private static func cases(of result: BuildComparison, in file: String) -> [ExportedCase] {
    let verdict = result.verdict
    return (verdict.gated + verdict.checks).map { ExportedCase($0, in: file) }
  }

  private init(_ found: ComparisonVerdict.Case, in file: String) {
    let one = found.comparison
    name = one.name
    self.file = file
    wall = CaseComparison.wall(one.launches, \.candidate)
    cpu = CaseComparison.cpu(one.launches, \.candidate)
    baseWall = CaseComparison.wall(one.launches, \.base)
    baseCPU = CaseComparison.cpu(one.launches, \.base)
    counters = one.counters.candidate
    baseCounters = one.counters.base
    comparison = one
    conclusion = found.conclusion
    outcome = found.outcome
  }

  private init(_ arm: BenchReport.Arm, of group: BenchReport.Group, in file: String) {
    name = "\(group.name)/\(arm.source)"
    self.file = file
    wall = [arm.wallNanoseconds.map { Double($0) }]
    cpu = [arm.cpuNanoseconds.map { Double($0) }]
    counters = [:]
    counters["pixels decoded"] = arm.work.pixelsDecoded
    counters["bytes read"] = arm.work.bytesRead
    speedUp = arm.source == "naive" ? nil : group.figures(of: arm)?.speedUp
    timesFloor = group.timesFloor(of: arm)
    outcome =
      (arm.isExact || arm.alike != nil) && !arm.disagreements.isEmpty
      ? .failed(
        Conclusion.pixelsDiffer.rawValue,
        message: "\(arm.disagreements.count) of \(arm.wallNanoseconds.count) answers differ from"
          + " naive's pixels")
      : .passed
  }

  private init(_ name: String, in file: String, _ outcome: CaseOutcome) {
    (self.name, self.file, self.outcome) = (name, file, outcome)
    (wall, cpu, counters) = ([], [], [:])
  }

  /// Returns a benchmark's arms, then the cases without samples: sources that failed or that refused a
  /// picture in one state only, and pictures that naive could not read.
  private static func cases(of report: BenchReport, in file: String) -> [ExportedCase] {
    report.groups.flatMap { group -> [ExportedCase] in
      func missing(_ refusal: BenchReport.Refusal, _ outcome: CaseOutcome) -> ExportedCase {
        ExportedCase("\(group.name)/\(refusal.source)", in: file, outcome)
      }
      return group.arms.map { ExportedCase($0, of: group, in: file) }
        + group.failures.map {
          missing($0, .failed("failed", message: "it failed where naive did not: \($0.reason)"))
        }
        + report.partlyRefused(in: group).map {
          missing($0, .undecided(message: "it refuses this: \($0.reason)"))
        }
    }
      + report.unmeasured.map {
        ExportedCase($0.picture, in: file, .unmeasured(message: $0.reason))
      }
  }
}

extension CaseComparison {
  /// Returns the wall time of one run of the work in nanoseconds, by launch and pair.
  static func wall(
    _ launches: [PairedLaunch], _ arm: (PairedLaunch) -> PairedLaunch.Arm
  ) -> [[Double]] {
    launches.map { launch in
      arm(launch).wallNanoseconds.map { Double($0) / Double(max(1, launch.repeats)) }
    }
  }

  /// Returns the CPU time of one run of the work in nanoseconds, by launch and pair.
  static func cpu(
    _ launches: [PairedLaunch], _ arm: (PairedLaunch) -> PairedLaunch.Arm
  ) -> [[Double]] {
    launches.map { launch in
      arm(launch).cpuNanoseconds.map { Double($0) / Double(max(1, launch.repeats)) }
    }
  }
}

/// The median of samples with a 98 % confidence interval, in nanoseconds.
struct ExportedMedian {
  var value: Double
  var lower: Double
  var upper: Double
  var samples: SortedSamples

  /// Returns nil without samples; with fewer than seven, the ends are the extremes.
  init?(_ launches: [[Double]]) {
    guard let samples = try? SortedSamples(launches.flatMap { $0 }) else { return nil }
    let chosen = try? MedianInterval.narrowest(count: samples.count, confidence: 0.98)
    let rank = chosen?.rank ?? 1
    value = samples.median
    lower = samples.values[rank - 1]
    upper = samples.values[samples.count - rank]
    self.samples = samples
  }
}
