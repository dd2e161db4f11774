internal import Foundation
internal import Measurement

/// JSON for github-action-benchmark's tool `customSmallerIsBetter`: one entry per gated case.
///
/// The value is the median wall time. The action compares it with one earlier run, so it suits dedicated
/// machines. `extra` has the result of a comparison. One more entry counts the pictures that could not be
/// measured.
enum SmallerIsBetterExport {
  private struct Entry: Encodable {
    var name: String
    var unit: String
    var value: Double
    var range: String
    var extra: String
  }

  static func rendered(_ input: ReportInput) throws -> String {
    let cases = ExportedCase.all(of: input)
    var entries = cases.compactMap { one -> Entry? in
      guard one.isGated, let median = ExportedMedian(one.wall) else { return nil }
      let half = max(median.upper - median.value, median.value - median.lower)
      return Entry(
        name: one.name, unit: "ms", value: (median.value / 1e6).rounded9,
        range: "± \(Format.significant(half / 1e6))", extra: extra(one, median))
    }
    let unmeasured = cases.filter { $0.outcome.word == "unmeasured" }
    if !unmeasured.isEmpty {
      entries.append(
        Entry(
          name: "not measured", unit: "pictures", value: Double(unmeasured.count), range: "",
          extra: unmeasured.compactMap(\.outcome.message).joined(separator: "\n")))
    }
    return try Output.json(entries)
  }

  private static func extra(_ one: ExportedCase, _ median: ExportedMedian) -> String {
    var lines = ["samples: \(median.samples.count)"]
    if let found = one.comparison {
      lines.append("\(found.clock.word) time against the base: \(Format.estimate(found.change))")
      lines.append("verdict: \(one.conclusion?.rawValue ?? found.verdict.rawValue)")
    }
    if let speedUp = one.speedUp { lines.append("× naive: \(Format.significant(speedUp.ratio))") }
    if let floor = one.timesFloor { lines.append("× floor: \(Format.significant(floor.ratio))") }
    return lines.joined(separator: "\n")
  }
}
