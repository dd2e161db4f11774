internal import Measurement

/// JUnit's XML as Jenkins' schema (junit-10.xsd) has it: a suite a file, a test case a case.
///
/// Slower cases and differing pixels are failures; what is inconclusive is skipped, never passed.
/// That schema has properties in suites only, so a number's name begins with its case's.
enum JUnitExport {
  static func rendered(_ input: ReportInput) -> String {
    let cases = ExportedCase.all(of: input)
    var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"zoombench\">\n"
    var start = 0
    for file in input.files {
      let count = file.caseCount
      text += suite(file, Array(cases[start..<start + count]))
      start += count
    }
    return text + "</testsuites>\n"
  }

  private static func suite(_ file: ReportInput.File, _ cases: [ExportedCase]) -> String {
    var failures = 0
    var skipped = 0
    for one in cases {
      switch one.status {
      case .passed: break
      case .failed: failures += 1
      case .undecided: skipped += 1
      }
    }
    let seconds = cases.map(Self.seconds).reduce(0, +)
    return "  <testsuite name=\"\(Markup.escaped(file.name))\" tests=\"\(cases.count)\""
      + " failures=\"\(failures)\" errors=\"0\" skipped=\"\(skipped)\" time=\"\(time(seconds))\">\n"
      + "    <properties>\n" + cases.map(properties).joined() + "    </properties>\n"
      + cases.map(testCase).joined() + "  </testsuite>\n"
  }

  private static func properties(_ one: ExportedCase) -> String {
    var numbers: [(String, Double?)] = [
      ("wall_p50_ns", ExportedMedian(one.wall)?.value),
      ("cpu_p50_ns", ExportedMedian(one.cpu)?.value), ("x_naive", one.speedUp?.ratio),
      ("x_floor", one.timesFloor?.ratio),
    ]
    if let found = one.comparison, found.cpu.pairs > 0 {
      numbers += [
        ("cpu_ratio", found.cpu.ratio), ("cpu_ratio_low", found.cpu.interval?.lower),
        ("cpu_ratio_high", found.cpu.interval?.upper), ("wall_ratio", found.wall.ratio),
        ("pairs", Double(found.cpu.pairs)), ("detectable_change", found.cpu.detectableChange),
      ]
    }
    return numbers.compactMap { name, number in
      let value = number.map { Format.plain($0) } ?? ""
      guard !value.isEmpty else { return nil }
      return "      <property name=\"\(Markup.escaped("\(one.name): \(name)"))\""
        + " value=\"\(value)\"/>\n"
    }.joined()
  }

  private static func testCase(_ one: ExportedCase) -> String {
    let role = one.comparison.map { "compare.\($0.role.rawValue)" } ?? "bench"
    let opening =
      "    <testcase classname=\"zoombench.\(role)\" name=\"\(Markup.escaped(one.name))\""
      + " time=\"\(time(seconds(one)))\""
    switch one.status {
    case .passed: return opening + "/>\n"
    case .failed(let finding, let message):
      return opening
        + ">\n      <failure type=\"\(finding.rawValue)\" message=\"\(Markup.escaped(message))\"/>\n"
        + "    </testcase>\n"
    case .undecided(let message):
      return opening
        + ">\n      <skipped message=\"\(Markup.escaped(message))\"/>\n    </testcase>\n"
    }
  }

  /// What was timed, both builds together.
  private static func seconds(_ one: ExportedCase) -> Double {
    (one.wall + (one.baseWall ?? [])).joined().reduce(0, +) / 1e9
  }

  /// Seconds with three digits after the point, as the schema wants them.
  private static func time(_ seconds: Double) -> String {
    let thousandths = Int((min(max(seconds, 0), 1e9) * 1000).rounded())
    let rest = String(thousandths % 1000)
    return "\(thousandths / 1000)." + String(repeating: "0", count: 3 - rest.count) + rest
  }
}

extension ReportInput.File {
  /// How many cases it gives to an export.
  var caseCount: Int {
    switch result {
    case .comparison(let result): result.cases.count
    case .bench(let report): report.groups.map { $0.arms.count + $0.failures.count }.reduce(0, +)
    }
  }
}
