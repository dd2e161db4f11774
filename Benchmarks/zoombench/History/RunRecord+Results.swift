internal import Foundation
internal import Measurement
internal import MeasurementHistory
internal import ZoomPipeline

extension ResultFile {
  /// Returns the revision that was measured, as far as the file names it.
  ///
  /// - Parameters:
  ///   - commit: what a person named instead.
  ///   - branch: the branch it was on.
  /// - Returns: what git knows of it here, or the name alone.
  /// - Throws: a `Failure` where neither the file nor a person names a commit.
  func revision(commit: String?, branch: String?) async throws -> RunRecord.Revision {
    let build: BuildComparison.Build? =
      if case .comparison(let result) = self { result.candidate } else { nil }
    guard let name = commit ?? build?.commit else {
      throw Failure(
        .badInput, "the file does not say which revision was measured (name it with --commit)")
    }
    var revision = await RevisionFacts.named(name)
    revision.branch = branch
    revision.isDirty = commit == nil && build?.isDirty == true
    return revision
  }

  /// The run; `baseline` is the commit that is pinned.
  func run(of revision: RunRecord.Revision, baseline: String?) throws -> RunRecord {
    switch self {
    case .comparison(let result):
      try RunRecord(result, revision: revision, baseline: baseline)
    case .bench(let report): try RunRecord(report, revision: revision)
    }
  }
}

extension RunRecord {
  /// A comparison as history keeps it: what its candidate gave in the cases under test.
  ///
  /// Ratios to the baseline come from the pairs of the second measurement, or of the only one. They
  /// exist only if the base was the pinned baseline. Ratios to the control are of
  /// medians, for case and control were not sampled in pairs. A case without a launch was not
  /// measured, and is left out.
  ///
  /// - Parameters:
  ///   - result: the comparison.
  ///   - revision: the candidate's.
  ///   - baseline: the commit that is pinned, if any.
  /// - Throws: a `Failure` for samples that cannot be.
  init(
    _ result: BuildComparison, revision: Revision, baseline: String?
  ) throws {
    let isBaseline =
      baseline != nil && result.base.commit == baseline && result.base.isDirty != true
    let control = try result.cases.first { $0.role == .control }.map(Samples.init)
    self.init(
      id: RunRecord.id(ofText: try JSONEncoder.report.encode(result) + Data(revision.commit.utf8)),
      startedAt: result.startedAt, tool: result.candidate.tool, revision: revision,
      machine: result.machine, baseline: isBaseline ? baseline : nil,
      contamination: result.contamination,
      cases: try result.cases.filter {
        $0.role == .gated && $0.failure == nil && !$0.launches.isEmpty
      }.map { item in
        let samples = try Samples(item)
        return Case(
          name: item.name, cpuToControl: Self.ratio(samples.cpu, to: control?.cpu),
          wallToControl: Self.ratio(samples.wall, to: control?.wall),
          cpuToBaseline: isBaseline ? Ratio(item.change(on: .cpu, result.settings)) : nil,
          wallToBaseline: isBaseline ? Ratio(item.change(on: .wall, result.settings)) : nil,
          counters: item.counters.exact,
          cpuNanoseconds: samples.cpu, wallNanoseconds: samples.wall)
      })
  }

  /// The candidate's samples, for the work done once.
  private struct Samples {
    let cpu: [[UInt64]]
    let wall: [[UInt64]]

    /// Divides by how often the work was done for a sample, which launches choose for themselves.
    ///
    /// Samples take a millisecond or more, so that rounding to a nanosecond is nothing as long as
    /// the work takes a microsecond.
    init(_ item: CaseComparison) throws {
      guard item.launches.allSatisfy({ $0.repeats > 0 }) else {
        throw Failure(.badInput, "case \(item.name): a launch of no repeats (measure again)")
      }
      func once(_ samples: [UInt64], _ repeats: Int) -> [UInt64] {
        samples.map { sample in
          let (quotient, rest) = sample.quotientAndRemainder(dividingBy: UInt64(repeats))
          return quotient + (rest >= UInt64(repeats) - rest ? 1 : 0)
        }
      }
      cpu = item.launches.map { once($0.candidate.cpuNanoseconds, $0.repeats) }
      wall = item.launches.map { once($0.candidate.wallNanoseconds, $0.repeats) }
    }
  }

  /// The ratio of medians; nil where there are none, or they are too short for the clock.
  private static func ratio(_ samples: [[UInt64]], to control: [[UInt64]]?) -> Ratio? {
    guard let control, let above = try? Summary(nanoseconds: samples.flatMap { $0 }),
      let below = try? Summary(nanoseconds: control.flatMap { $0 }), above.median > 0,
      below.median > 0
    else { return nil }
    return Ratio(value: above.median / below.median)
  }
}

extension CaseComparison {
  /// The change on a clock in the launches that `change` is estimated from.
  fileprivate func change(
    on shown: PairedLaunch.Clock, _ settings: GateSettings
  ) -> ChangeEstimate {
    guard shown != clock, changeLaunches != launches else { return change(on: shown) }
    let again = try? ChangeEstimate(
      of: changeLaunches, clock: shown, settings: settings, errorRate: settings.errorRate)
    return again ?? change(on: shown)
  }
}

extension RunRecord.Ratio {
  /// Nil without a pair, where the estimate says nothing.
  fileprivate init?(_ estimate: ChangeEstimate) {
    guard estimate.pairs > 0 else { return nil }
    self.init(
      value: estimate.ratio, lower: estimate.interval?.lower, upper: estimate.interval?.upper)
  }

  /// Creates the ratio of pairs of samples.
  init(_ ratio: PairedRatio) {
    self.init(value: ratio.ratio, lower: ratio.interval?.lower, upper: ratio.interval?.upper)
  }
}

extension RunRecord {
  /// A benchmark as history keeps it: each source in each state as a case, with naive as control.
  ///
  /// The floor is left out: it is libjpeg-turbo's time, and a gate on it would judge that library.
  ///
  /// Each ratio compares one pair of rounds. Counts add up all rounds, and their
  /// names say which rounds: the touches follow from seed and number, so that counts of equal name
  /// are of the same touches, and any difference is one of the code. (With a time budget the
  /// number of rounds is the machine's, and few counts meet; `--rounds` makes them all meet.)
  ///
  /// - Parameters:
  ///   - report: the benchmark. Answers that differ from naive's contaminate it.
  ///   - revision: the source of the program that measured.
  /// - Throws: what cannot be written as JSON, from which the id is made.
  init(_ report: BenchReport, revision: Revision) throws {
    self.init(
      id: RunRecord.id(ofText: try JSONEncoder.report.encode(report) + Data(revision.commit.utf8)),
      startedAt: report.startedAt, tool: "zoombench bench \(report.environment.zoombench)",
      revision: revision, machine: report.environment.machine,
      contamination: report.finding.map { [$0] } ?? [],
      cases: report.groups.flatMap { group in
        group.arms.filter { !["naive", FloorPipeline.name].contains($0.source) }.map { arm in
          Case(arm, of: group, seed: report.seed)
        }
      })
  }
}

extension RunRecord.Case {
  fileprivate init(_ arm: BenchReport.Arm, of group: BenchReport.Group, seed: UInt64) {
    func ratio(_ samples: (BenchReport.Arm) -> [UInt64]) -> RunRecord.Ratio? {
      // None where a sample was too short for the clock.
      group.naive.flatMap { naive in
        (try? PairedRatio(numerators: samples(arm), denominators: samples(naive)))
          .map { RunRecord.Ratio($0) }
      }
    }
    self.init(
      name: "\(group.picture) \(group.peek.name) \(group.state.rawValue) \(arm.source)",
      cpuToControl: arm.hasItsOwnCPUTime ? ratio(\.cpuNanoseconds) : nil,
      wallToControl: ratio(\.wallNanoseconds), counters: arm.counters(seed: seed),
      cpuNanoseconds: [arm.cpuNanoseconds], wallNanoseconds: [arm.wallNanoseconds])
  }
}

extension BenchReport.Arm {
  /// Whether the CPU time belongs to the source.
  ///
  /// Of a server we measure our own, and so did earlier versions of any program.
  fileprivate var hasItsOwnCPUTime: Bool { alike == nil || hasProcessorTime == true }

  /// The counts of all rounds together; their names say which rounds, so that only counts of the
  /// same touches meet.
  func counters(seed: UInt64) -> [String: Int] {
    let rounds = "in \(wallNanoseconds.count) rounds of seed \(seed)"
    let counts: [(String, Int?)] = [
      ("bytes read", work.bytesRead), ("units decoded", work.unitsDecoded),
      ("pixels decoded", work.pixelsDecoded),
    ]
    return Dictionary(
      uniqueKeysWithValues: counts.compactMap { name, count in
        count.map { ("\(name) \(rounds)", $0) }
      })
  }
}
