internal import Measurement

/// Bencher Metric Format: latency (wall) and CPU time of each gated case in nanoseconds.
///
/// `value` is the median and decides alerts; the bounds are its 98 % interval. Counters are
/// measures of their own, since they are exact.
enum BencherExport {
  private struct Metric: Encodable {
    var value: Double
    var lower: Double?
    var upper: Double?

    private enum CodingKeys: String, CodingKey {
      case value
      case lower = "lower_value"
      case upper = "upper_value"
    }
  }

  static func rendered(_ input: ReportInput) throws -> String {
    var benchmarks: [String: [String: Metric]] = [:]
    for one in ExportedCase.all(of: input) where one.isGated {
      var measures: [String: Metric] = [:]
      measures["latency"] = metric(one.wall)
      measures["cpu-time"] = metric(one.cpu)
      guard !measures.isEmpty else { continue }
      for (name, count) in one.counters {
        // A measure's name has at most 64 characters.
        measures[PageParts.name(ExportText.line(name), limit: 60)] = Metric(value: Double(count))
      }
      benchmarks[one.name] = measures
    }
    return try ExportText.json(benchmarks)
  }

  private static func metric(_ samples: [[Double]]) -> Metric? {
    ExportedMedian(samples).map {
      Metric(value: $0.value.rounded9, lower: $0.lower.rounded9, upper: $0.upper.rounded9)
    }
  }
}
