internal import ForeignPipelines
internal import Measurement
internal import SystemPackage
internal import ZoomPipeline

extension BenchRunner {
  /// A source in the run, and what it has given so far.
  struct Contender {
    let pipeline: any Pipeline
    let path: FilePath
    let source: any RegionSource
    var arm: BenchReport.Arm
    /// Why it is out of the run, once it has not answered.
    var failure: PipelineError?

    /// What times its answers: a program of others is given the CPU time of its own processes.
    var stopwatch: Stopwatch {
      guard let foreign = pipeline as? ForeignPipeline, foreign.processorTime != nil else {
        return Stopwatch()
      }
      return Stopwatch(cpu: { foreign.processorTime ?? 0 })
    }
  }

  /// What is asked of every contender under the same conditions.
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

  /// A picture with the sources that can serve it.
  struct Setting {
    typealias Entry = (pipeline: any Pipeline, preparation: Preparation?)

    let name: String
    let picture: Picture
    let ready: [Entry]
    /// What no source can beat; nil where the picture has no such thing.
    let floor: FloorPipeline?
    let refusals: [BenchReport.Refusal]
    /// Programs of others that could not open it.
    let failures: [BenchReport.Refusal]
    /// Peak memory by source.
    var peaks: [String: UInt64] = [:]

    /// Who runs: the floor is made ahead of each peek, which is no way to open a file.
    func entries(_ state: BenchPlan.FileState) -> [Entry] {
      guard state == .warm, let floor else { return ready }
      return ready + [(floor, nil)]
    }
  }
}
