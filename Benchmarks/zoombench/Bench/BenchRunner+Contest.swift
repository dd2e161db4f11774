internal import ForeignPipelines
internal import Measurement
internal import SystemPackage
internal import ZoomPipeline

extension BenchRunner {
  /// A source in the run with its results so far.
  struct Contender {
    let pipeline: any Pipeline
    let path: FilePath
    let source: any RegionSource
    var arm: BenchReport.Arm
    /// The error of its first failure, after which it is no longer asked.
    var failure: PipelineError?

    /// The stopwatch for its answers; for another program it reads the CPU time of the program's processes.
    var stopwatch: Stopwatch {
      guard let foreign = pipeline as? ForeignPipeline, foreign.processorTime != nil else {
        return Stopwatch()
      }
      return Stopwatch(cpu: { foreign.processorTime ?? 0 })
    }
  }

  /// A set of contenders that answer the same requests.
  struct Contest {
    let kind: BenchPlan.PeekKind
    var rounds: [BenchReport.Round] = []
    var contenders: [Contender]

    func group(_ setting: Setting, _ state: BenchPlan.FileState) -> BenchReport.Group {
      func failures(_ isRefusal: Bool) -> [BenchReport.Refusal] {
        contenders.compactMap { contender in
          contender.failure.flatMap { error in
            error.isRefusal == isRefusal
              ? BenchReport.Refusal(source: contender.arm.source, reason: error.reason) : nil
          }
        }
      }
      return BenchReport.Group(
        picture: setting.name, peek: kind, state: state, rounds: rounds,
        arms: contenders.filter { $0.failure == nil }.map(\.arm),
        refusals: setting.refusals + failures(true), failures: setting.failures + failures(false))
    }
  }

  struct Setting {
    let name: String
    let picture: Picture
    /// The pipelines that serve the picture, the reference first.
    let ready: [any Pipeline]
    /// The pipeline of the least possible time; nil if the picture has none.
    let floor: FloorPipeline?
    let refusals: [BenchReport.Refusal]
    let failures: [BenchReport.Refusal]
    var peaks: [String: UInt64] = [:]

    /// Returns the pipelines that compete; the floor only competes warm, because its work is prepared ahead of
    /// each peek.
    func entrants(_ state: BenchPlan.FileState) -> [any Pipeline] {
      guard state == .warm, let floor else { return ready }
      return ready + [floor]
    }
  }
}
