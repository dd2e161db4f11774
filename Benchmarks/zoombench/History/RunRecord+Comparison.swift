internal import Foundation
internal import Measurement
internal import MeasurementHistory

extension RunRecord {
  /// A comparison as history keeps it: what its candidate gave in the cases under test.
  ///
  /// Ratios to the baseline are those of the pairs, and are there only where the base was the
  /// pinned baseline. Ratios to the control are of medians, for case and control were not sampled
  /// in pairs.
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
      cases: try result.cases.filter { $0.role == .gated }.map { item in
        let samples = try Samples(item)
        return Case(
          name: item.name, cpuToControl: Self.ratio(samples.cpu, to: control?.cpu),
          wallToControl: Self.ratio(samples.wall, to: control?.wall),
          cpuToBaseline: isBaseline ? Ratio(item.cpu) : nil,
          wallToBaseline: isBaseline ? Ratio(item.wall) : nil,
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

extension RunRecord.Ratio {
  fileprivate init(_ estimate: ChangeEstimate) {
    self.init(
      value: estimate.ratio, lower: estimate.interval?.lower, upper: estimate.interval?.upper)
  }

  /// What pairs of samples say.
  init(_ ratio: PairedRatio) {
    self.init(value: ratio.ratio, lower: ratio.interval?.lower, upper: ratio.interval?.upper)
  }
}
