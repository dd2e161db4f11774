internal import Measurement
internal import ZoomPipeline

/// A run as comma-separated values: one row for each picture, peek, state and source.
///
/// Rows without figures are for a source that failed or refused a picture in only one state, and for a
/// picture that could not be measured. Their last column has the reason.
struct CSVReport {
  private let report: BenchReport

  init(_ report: BenchReport) { self.report = report }

  private static let columns = [
    "picture", "width", "height", "peek_points", "peek_scale", "state", "source", "rounds",
    "wall_p50_ns", "wall_p95_ns", "wall_p99_ns", "cpu_p50_ns", "speedup", "speedup_low",
    "speedup_high", "x_floor", "x_floor_low", "x_floor_high", "pixels_decoded",
    "pixels_delivered", "bytes_read", "units_decoded", "unit", "peak_memory_bytes", "agreed",
    "disagreed", "problem",
  ]

  func rendered() -> String {
    var rows = [Self.columns]
    for group in report.groups {
      guard let picture = report.pictures.first(where: { $0.name == group.picture }) else {
        continue
      }
      for arm in group.arms {
        guard let figures = group.figures(of: arm) else { continue }
        rows.append(Self.row(group, picture, arm, figures))
      }
      for missing in group.failures + report.partlyRefused(in: group) {
        rows.append(Self.row(Self.head(group, picture) + [missing.source], missing.reason))
      }
    }
    rows += report.unmeasured.map { Self.row([$0.picture], $0.reason) }
    return Self.text(rows)
  }

  /// Returns the text of a file with these rows.
  ///
  /// RFC 4180: fields with separators or quotes are quoted, lines end in CRLF.
  static func text(_ rows: [[String]]) -> String {
    rows.map { $0.map(quoted).joined(separator: ",") + "\r\n" }.joined()
  }

  private static func row(
    _ group: BenchReport.Group, _ picture: BenchReport.PictureFacts, _ arm: BenchReport.Arm,
    _ figures: BenchReport.Group.Figures
  ) -> [String] {
    var row = head(group, picture) + [arm.source, String(arm.wallNanoseconds.count)]
    let cpu = (try? Summary(nanoseconds: arm.cpuNanoseconds))?.median
    let speedUp = figures.speedUp
    let numbers: [Double?] = [
      figures.median, figures.p95, figures.p99, cpu, speedUp?.ratio, speedUp?.interval?.lower,
      speedUp?.interval?.upper, figures.timesFloor?.ratio, figures.timesFloor?.interval?.lower,
      figures.timesFloor?.interval?.upper,
    ]
    row += numbers.map { (number: Double?) -> String in number.map { String($0) } ?? "" }
    let counts: [Int?] = [
      arm.work.pixelsDecoded, arm.work.pixelsDelivered, arm.work.bytesRead, arm.work.unitsDecoded,
    ]
    row += counts.map { (count: Int?) -> String in count.map { String($0) } ?? "" }
    row.append(arm.work.unit?.rawValue ?? "")
    row.append(arm.peakMemoryBytes.map { String($0) } ?? "")
    row += [String(arm.agreed), String(arm.disagreements.count), ""]
    return row
  }

  /// Returns the first fields of every row of a group.
  private static func head(
    _ group: BenchReport.Group, _ picture: BenchReport.PictureFacts
  ) -> [String] {
    [
      group.picture, String(picture.width), String(picture.height), Format.number(group.peek.side),
      Format.number(group.peek.scale), group.state.rawValue,
    ]
  }

  private static func row(_ beginning: [String], _ problem: String) -> [String] {
    beginning + Array(repeating: "", count: columns.count - beginning.count - 1) + [problem]
  }

  private static func quoted(_ field: String) -> String {
    // Scalars, because Swift treats CR LF as one character, which does not equal LF.
    let special = ",\"\r\n".unicodeScalars
    guard field.unicodeScalars.contains(where: special.contains) else { return field }
    return "\"" + ExportText.replacing(field) { $0 == "\"" ? "\"\"" : nil } + "\""
  }
}
