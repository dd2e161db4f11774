internal import Measurement

/// Comma-separated values with one header for results of every kind: a row for each case, also for one
/// without figures.
enum CSVWriter {
  typealias Number = (name: String, value: (Row) -> Double?)

  static func rendered(_ input: ReportInput) -> String {
    let texts: [(name: String, value: (Row) -> String?)] = [
      ("name", { $0.name }), ("group", { $0.group }), ("picture", { $0.picture }),
      ("contender", { $0.contender }), ("role", { $0.role.rawValue }),
      ("verdict", { $0.verdict.word.rawValue }), ("standing", { $0.verdict.standing.rawValue }),
      ("reason", { $0.verdict.reason }),
    ]
    let numbers = Self.numbers
    var lines = [["file", "kind"] + texts.map { $0.name }]
    lines[0] += numbers.map { $0.name }
    for file in input.files {
      for row in file.result.rows {
        var line = [file.name, file.result.kind.rawValue]
        line += texts.map { $0.value(row) ?? "" }
        line += numbers.map { $0.value(row).map(Format.plain) ?? "" }
        lines.append(line)
      }
    }
    // The line ends are those of RFC 4180.
    return lines.map { $0.map(Escape.csv).joined(separator: ",") + "\r\n" }.joined()
  }

  /// The columns of numbers, which JUnit has as properties.
  static var numbers: [Number] {
    var numbers: [Number] = [
      ("launches", { Double($0.launches.count) }),
      ("samples", { Double($0.launches.reduce(0, +)) }),
      ("wall_p50_ns", { $0.figures.p50 }), ("wall_p50_low_ns", { $0.figures.p50Lower }),
      ("wall_p50_high_ns", { $0.figures.p50Upper }), ("wall_p95_ns", { $0.figures.p95 }),
      ("wall_p99_ns", { $0.figures.p99 }), ("cpu_p50_ns", { $0.figures.cpuP50 }),
      ("base_wall_p50_ns", { $0.figures.baseP50 }),
      ("base_cpu_p50_ns", { $0.figures.baseCPUP50 }),
    ]
    numbers += ratio("gain") { $0.gain }
    numbers += ratio("x_floor") { $0.timesFloor }
    numbers += ratio("cpu_change") { $0.cpuChange }
    numbers += ratio("wall_change") { $0.wallChange }
    numbers += [
      ("detectable_change", { $0.figures.detectable }),
      ("p95_change", { $0.figures.p95Change?.ratio }),
      ("p99_change", { $0.figures.p99Change?.ratio }),
      count("pixels_decoded") { $0.counters["pixels decoded"] },
      count("pixels_delivered") { $0.counters["pixels delivered"] },
      count("bytes_read") { $0.counters["bytes read"] },
      count("units_decoded") { row in
        ["mcus", "strips", "tiles", "rows"].lazy.compactMap { row.counters["\($0) decoded"] }.first
      },
      count("peak_memory_bytes") { $0.counters["peak memory"] },
      count("answers") { $0.figures.answers },
      count("answers_agreed") { $0.figures.agreed },
      count("cases") { $0.figures.cases },
      ("seconds", { $0.figures.seconds }),
    ]
    return numbers
  }

  private static func count(_ name: String, _ value: @escaping (Row) -> Int?) -> Number {
    (name, { value($0).map { Double($0) } })
  }

  /// Returns the columns of a ratio, its interval and the interval's level.
  private static func ratio(
    _ name: String, _ value: @escaping (Row.Figures) -> Row.Ratio?
  ) -> [Number] {
    [
      (name, { value($0.figures)?.ratio }), ("\(name)_low", { value($0.figures)?.lower }),
      ("\(name)_high", { value($0.figures)?.upper }),
      ("\(name)_level", { value($0.figures)?.level }),
    ]
  }
}
