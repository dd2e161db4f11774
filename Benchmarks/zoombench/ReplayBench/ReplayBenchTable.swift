internal import Measurement
internal import ZoomGeometry
internal import ZoomPipeline

/// A benchmark of replays as a table for people: in a terminal, or as Markdown.
struct ReplayBenchTable {
  private let report: ReplayBenchReport

  init(_ report: ReplayBenchReport) { self.report = report }

  func rendered() -> String { pages.rendered() }

  func markdown() -> String { pages.markdown() }

  private var pages: SectionedReport {
    SectionedReport(
      heading: BenchReport.heading(report.environment, seed: report.seed),
      sections: report.pictures.map { picture in
        SectionedReport.Section(
          picture: picture,
          sheets: report.groups.filter { $0.picture == picture.name }.map { group in
            SectionedReport.Sheet(
              title: title(of: group), table: table(of: group),
              notes: group.refusals.map { "\($0.source) cannot read it: \($0.reason)" })
          })
      },
      footing: Self.footing)
  }

  private func title(of group: ReplayBenchReport.Group) -> String {
    let times = group.repeats == 1 ? "once" : "\(group.repeats) times"
    return "\(group.gesture) (\(group.system.rawValue)), \(group.screen.pixels) px,"
      + " \(group.frames) frame\(group.frames == 1 ? "" : "s"), \(times)"
  }

  private func table(of group: ReplayBenchReport.Group) -> TextTable {
    var table = TextTable(columns: [
      .left("source"), .right("first"), .right("p50"), .right("p95"), .right("p99"),
      .right("in 16.7 ms"), .right("in 8.3 ms"), .right("x naive"), .right("px/px"),
      .right("bytes/px"), .right("off naive"),
    ])
    for arm in group.arms {
      let first = (try? Summary(nanoseconds: arm.firstWallNanoseconds))?.median
      let rest = try? Summary(nanoseconds: arm.wallNanoseconds)
      let shown = Double(max(1, arm.pixelsShown))
      let shares = ReplayBenchReport.budgets.map { budget in
        rest == nil ? "-" : "\(Format.significant(arm.share(within: budget) * 100)) %"
      }
      table.append([
        arm.source, first.map(Format.milliseconds) ?? "-",
        rest.map { Format.milliseconds($0.median) } ?? "-",
        rest?.p95.map(Format.milliseconds) ?? "-", rest?.p99.map(Format.milliseconds) ?? "-",
        shares[0], shares[1],
        group.speedUp(of: arm).map { Format.significant($0.ratio) } ?? "-",
        arm.work.pixelsDecoded.map { Format.significant(Double($0) / shown) } ?? "-",
        arm.work.bytesRead.map { Format.significant(Double($0) / shown) } ?? "-",
        arm.largestMeanDifference.map(Format.significant)
          ?? (arm.source == "naive" ? "reference" : "-"),
      ])
    }
    return table
  }

  private static let footing = [
    "first: the first frame, with opening the picture; p50, p95, p99 and shares: all others.",
    "x naive: how many times faster the same frames came, median; naive renders only"
      + " \(ReplayBenchPlan.naiveFrames) of them.",
    "px/px, bytes/px: pixels decoded, bytes read for each pixel of the screen.",
    "off naive: mean difference of samples (0...255) from naive's frame, the worst frame's; parts"
      + " shown 1:1 do not differ.",
  ]
}
