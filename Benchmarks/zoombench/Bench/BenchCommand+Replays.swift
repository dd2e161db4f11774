internal import ArgumentParser
internal import Foundation
internal import Measurement
internal import ZoomCorpus
internal import ZoomGeometry
internal import ZoomPipeline

extension BenchCommand {
  func measureReplays() async throws -> String {
    let started = Date().ISO8601Format()
    let plan = try await replayPlan()
    let bar = ProgressBar(isQuiet: quiet)
    defer { bar.finish() }
    let pipelines = try pipelines()
    defer { pipelines.removeFiles() }
    let outcome = try ReplayBenchRunner(plan: plan, bar: bar, pipelines: pipelines).run()
    let report = ReplayBenchReport(
      command: ["zoombench"] + CommandLine.arguments.dropFirst(), startedAt: started, seed: seed,
      environment: .current(), pictures: outcome.pictures, groups: outcome.groups)
    switch format {
    case .table: return ReplayBenchTable(report).rendered()
    case .markdown: return ReplayBenchTable(report).markdown()
    case .csv: return ReplayBenchCSV(report).rendered()
    case .json, .parts: return try Output.json(report)
    }
  }

  func rendered(_ report: LiveBench.Report) throws -> String {
    switch format {
    case .table: return report.table.rendered() + LiveBench.Report.footing + "\n"
    case .markdown: return report.table.markdown() + "\n" + LiveBench.Report.footing + "\n"
    case .csv: return report.csv
    case .json, .parts: return try Output.json(report)
    }
  }

  /// Returns the gestures to play: the named ones, or one for each system.
  func chosenGestures() throws -> [ReplayBenchPlan.Gesture] {
    var chosen: [ReplayBenchPlan.Gesture] = []
    for name in gestures?.names ?? ReplayBenchPlan.standardGestures {
      guard let script = try CorpusGestures.named(name),
        let system = CorpusGestures.system(of: name)
      else {
        throw ValidationError(
          "there is no gesture named \(name) (use \(CorpusGestures.names.joined(separator: ", ")))")
      }
      chosen.append(ReplayBenchPlan.Gesture(name: name, script: script, system: system))
    }
    return chosen
  }

  private func replayPlan() async throws -> ReplayBenchPlan {
    ReplayBenchPlan(
      subjects: try await subjects(standard: ReplayBenchPlan.standardPictures),
      gestures: try chosenGestures(),
      sources: chosenSources(standard: ReplayBenchPlan.standardSources),
      // A second replay shows whether the first was an exception.
      repeats: rounds ?? (quick ? 1 : 2), seed: seed)
  }
}

extension BenchReport.Environment {
  static func current() -> BenchReport.Environment {
    BenchReport.Environment(
      machine: MachineDescription.current(), zoombench: ToolVersion.number,
      libvips: VipsLibrary.version, libvipsHeaders: VipsLibrary.headerVersion,
      libvipsThreads: VipsLibrary.concurrency,
      timerOverheadNanoseconds: Stopwatch().overhead().wallNanoseconds)
  }
}
