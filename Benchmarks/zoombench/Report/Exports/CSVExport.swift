internal import Measurement

/// Comma-separated values: one row per case of any file, including checks of the run.
enum CSVExport {
  static let columns = [
    "file", "case", "role", "outcome", "verdict", "reason", "launches", "samples", "wall_p50_ns",
    "wall_p50_low_ns", "wall_p50_high_ns", "wall_p95_ns", "cpu_p50_ns", "base_wall_p50_ns",
    "base_cpu_p50_ns", "cpu_ratio", "cpu_ratio_low", "cpu_ratio_high", "cpu_ratio_level",
    "wall_ratio",
    "wall_ratio_low", "wall_ratio_high", "detectable_change", "x_naive", "x_naive_low",
    "x_naive_high", "x_floor", "x_floor_low", "x_floor_high", "answers_differing",
  ]

  static func rendered(_ input: ReportInput) -> String {
    CSVReport.text([columns] + ExportedCase.all(of: input).map(row))
  }

  private static func row(_ one: ExportedCase) -> [String] {
    let found = one.comparison
    let change = found.flatMap { $0.change.pairs > 0 ? $0 : nil }
    let (cpuChange, wallChange) = (change?.change(on: .cpu), change?.change(on: .wall))
    let wall = ExportedMedian(one.wall)
    var row = [
      one.file, one.name, found?.role.rawValue ?? "bench",
      one.conclusion?.rawValue ?? one.outcome.word, found?.verdict.rawValue ?? "",
      found?.reason ?? (found == nil ? one.outcome.message : nil) ?? "", String(one.wall.count),
      String(one.wall.map(\.count).reduce(0, +)),
    ]
    let numbers: [Double?] = [
      wall?.value, wall?.lower, wall?.upper, wall?.samples.quantile(0.95),
      ExportedMedian(one.cpu)?.value, one.baseWall.flatMap { ExportedMedian($0)?.value },
      one.baseCPU.flatMap { ExportedMedian($0)?.value }, cpuChange?.ratio,
      cpuChange?.interval?.lower, cpuChange?.interval?.upper,
      cpuChange?.interval?.coverage, wallChange?.ratio, wallChange?.interval?.lower,
      wallChange?.interval?.upper, change?.change.detectableChange,
      one.speedUp?.ratio, one.speedUp?.interval?.lower, one.speedUp?.interval?.upper,
      one.timesFloor?.ratio, one.timesFloor?.interval?.lower, one.timesFloor?.interval?.upper,
    ]
    row += numbers.map { number in number.map { Format.plain($0) } ?? "" }
    let differing =
      found.map { $0.differingRounds.count } ?? (one.outcome == .passed ? 0 : nil)
    row.append(differing.map { String($0) } ?? "")
    return row
  }
}
