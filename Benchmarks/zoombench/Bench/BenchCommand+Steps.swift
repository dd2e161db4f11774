internal import ArgumentParser
internal import ZoomCorpus
internal import ZoomGeometry

extension BenchCommand {
  /// Times the steps of live systems, which decode no picture.
  func runSteps() throws {
    let target = output.path
    try Output.checkWritable(target)
    let bar = ProgressBar(isQuiet: quiet)
    let report = try LiveBench(gestures: try chosenGestures(), plays: rounds ?? (quick ? 5 : 50))
      .run(bar)
    bar.finish()
    let table = report.table.rendered() + LiveBench.Report.footing + "\n"
    try Output.write(format == .json ? Output.json(report) : table, to: target)
    if let row = report.allocating.first {
      throw Failure(
        .finding, "\(row.system.rawValue) makes \(row.blocks ?? 0) heap allocations in a play")
    }
  }

  /// Returns the gestures to play: the named ones, or one for each system.
  private func chosenGestures() throws -> [LiveBench.Gesture] {
    let standard = ["peek", "fullscreen", "force", "double-tap", "transition"]
    return try (gestures?.names ?? standard).map { name in
      guard let script = try CorpusGestures.named(name),
        let system = CorpusGestures.system(of: name)
      else {
        throw ValidationError(
          "the gesture \(name) is unknown (use \(CorpusGestures.names.joined(separator: ", ")))")
      }
      return LiveBench.Gesture(name: name, script: script, system: system)
    }
  }
}
