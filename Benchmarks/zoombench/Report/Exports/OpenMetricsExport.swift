internal import Measurement

/// OpenMetrics 1.0 text, for a Pushgateway or the textfile collector of node_exporter.
enum OpenMetricsExport {
  private typealias Labels = [(String, String)]

  static func rendered(_ input: ReportInput) -> String {
    let cases = ExportedCase.all(of: input)
    return info(input) + latency(cases) + changes(cases) + verdicts(cases) + speedUps(cases)
      + floors(cases) + counters(cases) + unmeasured(cases) + "# EOF\n"
  }

  private static func info(_ input: ReportInput) -> String {
    let results = input.comparisons
    guard !results.isEmpty else { return "" }
    return header("zoombench_builds", "info", "The builds that were compared.")
      + results.enumerated().map { index, result in
        sample(
          "zoombench_builds_info",
          [
            ("comparison", String(index + 1)), ("base", result.base.name),
            ("base_commit", result.base.commit ?? ""), ("candidate", result.candidate.name),
            ("candidate_commit", result.candidate.commit ?? ""),
          ], 1)
      }.joined()
  }

  private static func latency(_ cases: [ExportedCase]) -> String {
    var text = ""
    let clocks: [(String, (ExportedCase) -> [(String, [[Double]])])] = [
      ("wall", { one in [("candidate", one.wall), ("base", one.baseWall ?? [])] }),
      ("cpu", { one in [("candidate", one.cpu), ("base", one.baseCPU ?? [])] }),
    ]
    for one in cases {
      for (clock, arms) in clocks {
        for (arm, launches) in arms(one) {
          guard let median = ExportedMedian(launches) else { continue }
          let build = one.comparison == nil ? "measured" : arm
          let labels = [("case", one.name), ("build", build), ("clock", clock)]
          let samples = median.samples
          let quantiles: [(String, Double?)] = [
            ("0.5", samples.median), ("0.9", samples.quantile(0.9)),
            ("0.95", samples.quantile(0.95)), ("0.99", samples.quantile(0.99)),
          ]
          for (quantile, value) in quantiles {
            guard let value else { continue }
            text += sample(
              "zoombench_latency_seconds", labels + [("quantile", quantile)], value / 1e9)
          }
          text += sample(
            "zoombench_latency_seconds_sum", labels, samples.values.reduce(0, +) / 1e9)
          text += sample("zoombench_latency_seconds_count", labels, Double(samples.count))
        }
      }
    }
    return text.isEmpty
      ? ""
      : header(
        "zoombench_latency_seconds", "summary", "Time of one piece of work.", unit: "seconds")
        + text
  }

  private static func changes(_ cases: [ExportedCase]) -> String {
    var text = ""
    for one in cases {
      guard let found = one.comparison, found.change.pairs > 0 else { continue }
      for (clock, estimate) in [("cpu", found.change(on: .cpu)), ("wall", found.change(on: .wall))]
      {
        let bounds: [(String, Double?)] = [
          ("estimate", estimate.ratio), ("lower", estimate.interval?.lower),
          ("upper", estimate.interval?.upper),
        ]
        for (bound, value) in bounds {
          guard let value else { continue }
          text += sample(
            "zoombench_change_ratio", [("case", one.name), ("clock", clock), ("bound", bound)],
            value)
        }
      }
    }
    return family("zoombench_change_ratio", "gauge", "Candidate over base.", text, unit: "ratio")
  }

  private static func verdicts(_ cases: [ExportedCase]) -> String {
    let text = cases.map { one -> String in
      guard let found = one.comparison else { return "" }
      return Verdict.allCases.map { verdict in
        sample(
          "zoombench_verdict",
          [
            ("case", one.name), ("role", found.role.rawValue),
            ("zoombench_verdict", verdict.rawValue),
          ], found.verdict == verdict ? 1 : 0)
      }.joined()
    }.joined()
    return family("zoombench_verdict", "stateset", "What the comparison says of the case.", text)
  }

  private static func unmeasured(_ cases: [ExportedCase]) -> String {
    let text = cases.map { one in
      guard case .unmeasured(let message) = one.outcome else { return "" }
      return sample("zoombench_unmeasured", [("case", one.name), ("reason", message)], 1)
    }.joined()
    return family(
      "zoombench_unmeasured", "gauge", "1 for a picture that could not be measured.", text)
  }

  private static func speedUps(_ cases: [ExportedCase]) -> String {
    let text = cases.map { one in
      one.speedUp.map { sample("zoombench_speedup_ratio", [("case", one.name)], $0.ratio) } ?? ""
    }.joined()
    return family(
      "zoombench_speedup_ratio", "gauge", "How many times faster than naive.", text, unit: "ratio")
  }

  private static func floors(_ cases: [ExportedCase]) -> String {
    let text = cases.map { one in
      one.timesFloor.map { sample("zoombench_floor_ratio", [("case", one.name)], $0.ratio) } ?? ""
    }.joined()
    return family(
      "zoombench_floor_ratio", "gauge", "How many times the time of the decoder alone.", text,
      unit: "ratio")
  }

  private static func counters(_ cases: [ExportedCase]) -> String {
    var text = ""
    for one in cases {
      let build = one.comparison == nil ? "measured" : "candidate"
      for (build, counters) in [(build, one.counters), ("base", one.baseCounters ?? [:])] {
        for (name, count) in counters.sorted(by: { $0.key < $1.key }) {
          text += sample(
            "zoombench_work", [("case", one.name), ("build", build), ("counter", name)],
            Double(count))
        }
      }
    }
    return family("zoombench_work", "gauge", "Deterministic counts of work.", text)
  }

  private static func family(
    _ name: String, _ type: String, _ help: String, _ samples: String, unit: String? = nil
  ) -> String {
    samples.isEmpty ? "" : header(name, type, help, unit: unit) + samples
  }

  private static func header(
    _ name: String, _ type: String, _ help: String, unit: String? = nil
  ) -> String {
    "# TYPE \(name) \(type)\n" + (unit.map { "# UNIT \(name) \($0)\n" } ?? "")
      + "# HELP \(name) \(help)\n"
  }

  /// Returns one line; empty if the value is not finite, since a gap is clearer than NaN.
  private static func sample(_ name: String, _ labels: Labels, _ value: Double) -> String {
    let number = Format.plain(value)
    guard !number.isEmpty else { return "" }
    let list = labels.map { "\($0.0)=\"\(escaped($0.1))\"" }.joined(separator: ",")
    return "\(name){\(list)} \(number)\n"
  }

  /// Returns a label's value: backslash, quote and line feed are escaped, other line ends become spaces.
  private static func escaped(_ text: String) -> String {
    ExportText.replacing(text) { scalar in
      switch scalar {
      case "\\": "\\\\"
      case "\"": "\\\""
      case "\n": "\\n"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F: " "
      case "\u{85}", "\u{2028}", "\u{2029}": " "
      default: nil
      }
    }
  }
}
