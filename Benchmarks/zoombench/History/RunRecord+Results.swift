internal import Foundation
internal import Measurement
internal import MeasurementHistory

extension RunResult {
  /// Returns the measured revision, with its facts from git, or only the name if git does not know it.
  ///
  /// `commit` overrides the commit in the result.
  ///
  /// - Throws: a `Failure` if neither the result nor the caller names a commit.
  func revision(commit: String?, branch: String?) throws -> RunRecord.Revision {
    let candidate = kind == .compare ? contenders.last : nil
    guard let name = commit ?? candidate?.commit else {
      throw Failure(
        .badInput, "the file does not say which revision was measured (name it with --commit)")
    }
    var revision = RevisionFacts.named(name)
    revision.branch = branch
    revision.isDirty = commit == nil && candidate?.isDirty == true
    return revision
  }
}

extension RunRecord {
  /// Creates the history's record of a comparison: the candidate's results in the cases under test.
  ///
  /// Ratios to the baseline use the pairs of the second measurement, or of the only one; they require that
  /// the base was the pinned baseline. Ratios to the control are ratios of medians, because case and
  /// control were not sampled in pairs. A case without a launch was not measured, and is omitted.
  ///
  /// - Throws: a `Failure` for impossible samples.
  private init(
    comparison result: RunResult, _ settings: GateSettings, revision: Revision, baseline: String?
  ) throws {
    let base = result.contenders.first
    let isBaseline = baseline != nil && base?.commit == baseline && base?.isDirty != true
    let cases = result.cases
    let control = try cases.first { $0.role == .control }.map(Samples.init)
    self.init(
      id: RunRecord.id(
        ofText: try JSONEncoder.report.encode(cases)
          + Data("\(result.startedAt) \(revision.commit)".utf8)),
      startedAt: result.startedAt, tool: result.contenders.last?.tool ?? "", revision: revision,
      machine: result.environment.machine, baseline: isBaseline ? baseline : nil,
      contamination: result.contamination ?? [],
      cases: try cases.filter {
        $0.role == .gated && $0.failure == nil && !$0.launches.isEmpty
      }.map { item in
        let samples = try Samples(item)
        return Case(
          name: item.name, cpuToControl: Self.ratio(samples.cpu, to: control?.cpu),
          wallToControl: Self.ratio(samples.wall, to: control?.wall),
          cpuToBaseline: isBaseline ? Ratio(item.change(on: .cpu, settings)) : nil,
          wallToBaseline: isBaseline ? Ratio(item.change(on: .wall, settings)) : nil,
          counters: item.counters.exact,
          cpuNanoseconds: samples.cpu, wallNanoseconds: samples.wall)
      })
  }

  /// The candidate's samples, per single run of the work.
  private struct Samples {
    let cpu: [[UInt64]]
    let wall: [[UInt64]]

    /// Divides by the repeats per sample, which each launch chooses.
    ///
    /// Samples take at least a millisecond, so rounding to a nanosecond is negligible if the work takes a
    /// microsecond or more.
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

  /// Returns the ratio of medians; nil without samples, or if they are too short for the clock.
  private static func ratio(_ samples: [[UInt64]], to control: [[UInt64]]?) -> Ratio? {
    guard let control, let above = try? SortedSamples(nanoseconds: samples.flatMap { $0 }),
      let below = try? SortedSamples(nanoseconds: control.flatMap { $0 }), above.median > 0,
      below.median > 0
    else { return nil }
    return Ratio(value: above.median / below.median)
  }
}

extension CaseComparison {
  /// Returns the change on a clock over the launches that `change` is estimated from.
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
  /// Creates a ratio; nil if the estimate is without pairs.
  fileprivate init?(_ estimate: ChangeEstimate) {
    guard estimate.pairs > 0 else { return nil }
    self.init(
      value: estimate.ratio, lower: estimate.interval?.lower, upper: estimate.interval?.upper)
  }

  init(_ ratio: PairedRatio) {
    self.init(value: ratio.ratio, lower: ratio.interval?.lower, upper: ratio.interval?.upper)
  }
}

extension RunRecord {
  /// Creates the history's record of a result; `baseline` is the pinned commit.
  ///
  /// In a benchmark, each contender is a case under each condition, with naive as control. The floor is
  /// omitted: it is the time of a decoder's library, which a gate must not judge.
  ///
  /// Each ratio compares pairs of rounds; intervals of several launches are about launches.
  ///
  /// Counts are of one peek, whose place depends on the seed. Their names include the seed, so that a
  /// difference between counts of the same name comes from the code.
  ///
  /// Answers that differ from naive's contaminate the run, and so do findings of a load.
  ///
  /// - Throws: a `Failure` for a result of another command, or an encoding error, since the id is made from
  ///   the JSON.
  init(_ result: RunResult, revision: Revision, baseline: String? = nil) throws {
    if result.kind == .compare, let settings = result.settings.gate {
      try self.init(comparison: result, settings, revision: revision, baseline: baseline)
      return
    }
    guard [.bench, .load].contains(result.kind) else {
      throw Failure(
        .badInput, "a history takes results of bench, compare and load, not of \(result.kind)")
    }
    let naive = result.rows.filter { $0.contender == "naive" }
    self.init(
      id: RunRecord.id(
        ofText: try JSONEncoder.report.encode(result)
          + Data("\(revision.commit)".utf8)),
      startedAt: result.startedAt,
      tool: result.tool.replacing("zoombench", with: "zoombench \(result.kind)"),
      revision: revision, machine: result.environment.machine,
      contamination: result.conclusion.standing == .failed
        ? [result.conclusion.explanation ?? result.conclusion.title] : [],
      cases: result.loadCases
        ?? result.rows.compactMap { row -> Case? in
          guard row.bench != nil,
            let contender = result.contenders.first(where: { $0.name == row.contender }),
            [.source, .program, .viewer].contains(contender.kind), contender.name != "naive"
          else { return nil }
          return Case(
            row, by: contender, to: naive.first { $0.group == row.group }, seed: result.seed)
        })
  }
}

extension RunRecord.Case {
  fileprivate init(
    _ row: Row, by contender: RunResult.Contender, to naive: Row?, seed: UInt64
  ) {
    func ratio(_ samples: KeyPath<Row, [[UInt64]]>) -> RunRecord.Ratio? {
      // Nil if a sample was too short for the clock.
      naive.flatMap { naive in
        (try? PairedRatio(
          numerators: row[keyPath: samples].flatMap { $0 },
          denominators: naive[keyPath: samples].flatMap { $0 },
          launches: row.launches.count > 1 ? row.launches : nil)).map { RunRecord.Ratio($0) }
      }
    }
    let inexact = [ViewerWork.lateFrames, WorkerServer.peakMemory]
    let counts = row.counters.filter {
      $0.key == "bytes read" || $0.key.hasSuffix(" decoded")
        || contender.kind == .viewer && !inexact.contains($0.key)
    }.map { ("\($0.key), seed \(seed)", $0.value) }
    self.init(
      name: row.name, cpuToControl: contender.clock == .wall ? nil : ratio(\.cpu),
      wallToControl: ratio(\.wall), counters: Dictionary(uniqueKeysWithValues: counts),
      cpuNanoseconds: row.cpu, wallNanoseconds: row.wall)
  }
}
