internal import Measurement
internal import ZoomGeometry
internal import ZoomPipeline

/// A benchmark of replays as comma-separated values: a row for each picture, gesture and source.
struct ReplayBenchCSV {
  private let report: ReplayBenchReport

  init(_ report: ReplayBenchReport) { self.report = report }

  private static let columns = [
    "picture", "gesture", "system", "screen_width", "screen_height", "source", "frames", "repeats",
    "first_p50_ns", "wall_p50_ns", "wall_p95_ns", "wall_p99_ns", "cpu_p50_ns", "share_16_7_ms",
    "share_8_3_ms", "speedup", "pixels_decoded", "pixels_shown", "bytes_read", "off_naive",
  ]

  func rendered() -> String {
    var rows = [Self.columns]
    for group in report.groups {
      for arm in group.arms { rows.append(Self.row(group, arm)) }
    }
    return CSVReport.text(rows)
  }

  private static func row(
    _ group: ReplayBenchReport.Group, _ arm: ReplayBenchReport.Arm
  ) -> [String] {
    let first = try? Summary(nanoseconds: arm.firstWallNanoseconds)
    let wall = try? Summary(nanoseconds: arm.wallNanoseconds)
    let cpu = try? Summary(nanoseconds: arm.cpuNanoseconds)
    let shares = ReplayBenchReport.budgets.map { wall == nil ? nil : arm.share(within: $0) }
    let numbers: [Double?] =
      [first?.median, wall?.median, wall?.p95, wall?.p99, cpu?.median]
      + shares + [group.speedUp(of: arm)?.ratio]
    var row = [group.picture, group.gesture, group.system.rawValue]
    row += [String(group.screen.pixels.width), String(group.screen.pixels.height), arm.source]
    row += [String(group.frames), String(group.repeats)]
    row += numbers.map { (number: Double?) -> String in number.map { String($0) } ?? "" }
    row += [arm.work.pixelsDecoded.map { String($0) } ?? "", String(arm.pixelsShown)]
    row.append(arm.work.bytesRead.map { String($0) } ?? "")
    row.append(arm.largestMeanDifference.map { String($0) } ?? "")
    return row
  }
}
