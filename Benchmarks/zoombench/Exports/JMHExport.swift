internal import Measurement

/// JMH's JSON in mode `sample`, a launch as a fork: what jmh.morethan.io and others read.
enum JMHExport {
  private struct Metric: Encodable {
    var score: Double
    var scoreError: Double
    var scoreConfidence: [Double]
    var scorePercentiles: [String: Double]
    var scoreUnit = "ms/op"
    var rawData: [[Double]]
  }

  private struct Entry: Encodable {
    var jmhVersion = "1.37"
    var benchmark: String
    var mode = "sample"
    var threads = 1
    var forks: Int
    var jvm = ""
    var jvmArgs: [String] = []
    var jdkVersion = ""
    var vmName = "zoombench"
    var vmVersion: String
    var warmupIterations: Int
    var warmupTime = "single-shot"
    var warmupBatchSize = 1
    var measurementIterations: Int
    var measurementTime = "single-shot"
    var measurementBatchSize: Int
    var params: [String: String]
    var primaryMetric: Metric
    var secondaryMetrics: [String: Metric]
  }

  static func rendered(_ input: ReportInput) throws -> String {
    let entries = ExportedCase.all(of: input).flatMap { one in
      let build = one.comparison == nil ? "measured" : "candidate"
      return [entry(one, build, one.wall, one.cpu)]
        + [entry(one, "base", one.baseWall ?? [], one.baseCPU ?? [])]
    }
    return try ExportText.json(entries.compactMap { $0 })
  }

  private static func entry(
    _ one: ExportedCase, _ build: String, _ wall: [[Double]], _ cpu: [[Double]]
  ) -> Entry? {
    guard let primary = metric(wall) else { return nil }
    let launches = one.comparison?.launches ?? []
    // Viewers take what stands before the last full stop as the class; a name has its own.
    let name = ExportText.replacing(one.name) { $0 == "." ? "·" : nil }
    return Entry(
      benchmark: "zoombench.\(name)", forks: wall.count, vmVersion: ToolVersion.number,
      warmupIterations: launches.map(\.warmUpPairs).max() ?? 0,
      measurementIterations: wall.map(\.count).max() ?? 0,
      measurementBatchSize: launches.map(\.repeats).max() ?? 1, params: ["build": build],
      primaryMetric: primary, secondaryMetrics: metric(cpu).map { ["cpu": $0] } ?? [:])
  }

  private static func metric(_ launches: [[Double]]) -> Metric? {
    guard let median = ExportedMedian(launches) else { return nil }
    func milliseconds(_ nanoseconds: Double) -> Double { (nanoseconds / 1e6).rounded9 }
    let samples = median.samples
    let percentiles: [(String, Double?)] = [
      ("0.0", samples.minimum), ("50.0", samples.median), ("90.0", samples.quantile(0.9)),
      ("95.0", samples.quantile(0.95)), ("99.0", samples.quantile(0.99)),
      ("100.0", samples.maximum),
    ]
    return Metric(
      score: milliseconds(median.value),
      scoreError: milliseconds(max(median.upper - median.value, median.value - median.lower)),
      scoreConfidence: [milliseconds(median.lower), milliseconds(median.upper)],
      scorePercentiles: Dictionary(
        uniqueKeysWithValues: percentiles.compactMap { name, value in
          value.map { (name, milliseconds($0)) }
        }),
      rawData: launches.filter { !$0.isEmpty }.map { $0.map(milliseconds) })
  }
}
