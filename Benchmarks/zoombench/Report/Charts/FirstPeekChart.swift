internal import Measurement

/// The first peek of each process, which includes opening, headers and cold caches.
enum FirstPeekChart {
  /// Draws one row per arm and one dot per launch; nil without launches.
  static func markup(_ launches: [PairedLaunch], title: String) -> Markup? {
    guard !launches.isEmpty else { return nil }
    let arms = [
      SampleSeries(
        name: "base", colour: 0,
        nanoseconds: launches.map { Double($0.base.first.wallNanoseconds) }),
      SampleSeries(
        name: "candidate", colour: 1,
        nanoseconds: launches.map { Double($0.candidate.first.wallNanoseconds) }),
    ]
    let axis = ChartAxis(over: arms.flatMap(\.samples), isLogarithmic: true).padded(0.06)
    var frame = ChartFrame(
      title: title, summary: summary(arms), height: 76, left: 10, horizontal: axis,
      vertical: ChartAxis(over: [0, 1]), horizontalName: "",
      horizontalLabel: { Format.durationTick($0) }, verticalLabel: { _ in "" })
    for (row, arm) in arms.enumerated() {
      let middle = frame.top + 38 * Double(row) + 24
      var dots = Path()
      for sample in arm.thinned(to: 200) { dots.dot(frame.x(sample), middle) }
      frame.drawing.text(arm.name, 12, middle - 12, style: "label")
      frame.drawing.path(dots, style: "dot big \(arm.style)")
      if let median = arm.median {
        frame.drawing.line(
          frame.x(median), middle - 8, frame.x(median), middle + 8, style: "median")
      }
    }
    return frame.drawing.markup
  }

  private static func summary(_ arms: [SampleSeries]) -> String {
    arms.map { "\($0.name): median \(Format.duration($0.median)) of \($0.samples.count) launches." }
      .joined(separator: " ")
  }
}
