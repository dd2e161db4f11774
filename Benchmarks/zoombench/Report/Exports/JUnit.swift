internal import Measurement

/// JUnit's XML according to Jenkins' schema (junit-10.xsd): suites of test cases.
///
/// That schema allows properties only in suites, so each property's name begins with its case's name.
struct JUnit {
  struct Case {
    let className: String
    let name: String
    let seconds: Double
    let outcome: CaseOutcome
    var detail = ""
  }

  struct Suite {
    let name: String
    let seconds: Double
    var properties: [(String, String)] = []
    let cases: [Case]
  }

  let suites: [Suite]

  func rendered() -> String {
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"zoombench\">\n"
      + suites.map(Self.text).joined() + "</testsuites>\n"
  }

  private static func text(_ suite: Suite) -> String {
    func count(_ word: String) -> Int { suite.cases.count { $0.outcome.word == word } }
    let properties = suite.properties.map {
      "      <property name=\"\(Markup.escaped($0.0))\" value=\"\(Markup.escaped($0.1))\"/>\n"
    }
    return "  <testsuite name=\"\(Markup.escaped(suite.name))\" tests=\"\(suite.cases.count)\""
      + " failures=\"\(count("failed"))\" errors=\"\(count("unmeasured"))\" skipped=\"\(count("undecided"))\""
      + " time=\"\(time(suite.seconds))\">\n    <properties>\n\(properties.joined())"
      + "    </properties>\n" + suite.cases.map(text).joined() + "  </testsuite>\n"
  }

  private static func text(_ one: Case) -> String {
    let opening =
      "    <testcase classname=\"\(Markup.escaped(one.className))\""
      + " name=\"\(Markup.escaped(one.name))\" time=\"\(time(one.seconds))\""
    switch one.outcome {
    case .passed: return opening + "/>\n"
    case .failed(let finding, let message):
      return opening + ">\n      <failure type=\"\(Markup.escaped(finding))\""
        + " message=\"\(Markup.escaped(message))\">\(Markup.escaped(one.detail))</failure>\n"
        + "    </testcase>\n"
    case .undecided(let message):
      return opening
        + ">\n      <skipped message=\"\(Markup.escaped(message))\"/>\n    </testcase>\n"
    case .unmeasured(let message):
      return opening
        + ">\n      <error type=\"unmeasured\" message=\"\(Markup.escaped(message))\"/>"
        + "\n    </testcase>\n"
    }
  }

  /// Returns seconds with three decimals, as the schema requires.
  private static func time(_ seconds: Double) -> String {
    let thousandths = Int((min(max(seconds, 0), 1e9) * 1000).rounded())
    let rest = String(thousandths % 1000)
    return "\(thousandths / 1000)." + String(repeating: "0", count: 3 - rest.count) + rest
  }
}

extension JUnit {
  /// Creates one suite per result file; undecided cases are reported as skipped, never as passed.
  init(_ input: ReportInput) {
    let cases = ExportedCase.all(of: input)
    var start = 0
    suites = input.files.map { file in
      let own = cases[start..<start + file.caseCount]
      start += own.count
      return Suite(
        name: file.name, seconds: own.map(Self.seconds).reduce(0, +),
        properties: own.flatMap(Self.properties),
        cases: own.map { one in
          Case(
            className:
              "zoombench.\(one.comparison.map { "compare.\($0.role.rawValue)" } ?? "bench")",
            name: one.name, seconds: Self.seconds(one), outcome: one.outcome)
        })
    }
  }

  private static func properties(_ one: ExportedCase) -> [(String, String)] {
    var numbers: [(String, Double?)] = [
      ("wall_p50_ns", ExportedMedian(one.wall)?.value),
      ("cpu_p50_ns", ExportedMedian(one.cpu)?.value), ("x_naive", one.speedUp?.ratio),
      ("x_floor", one.timesFloor?.ratio),
    ]
    if let found = one.comparison, found.change.pairs > 0 {
      let change = found.change(on: .cpu)
      numbers += [
        ("cpu_ratio", change.ratio), ("cpu_ratio_low", change.interval?.lower),
        ("cpu_ratio_high", change.interval?.upper), ("cpu_ratio_level", change.interval?.coverage),
        ("wall_ratio", found.change(on: .wall).ratio), ("pairs", Double(found.change.pairs)),
        ("detectable_change", found.change.detectableChange),
      ]
    }
    return numbers.compactMap { name, number in
      let value = number.map { Format.plain($0) } ?? ""
      return value.isEmpty ? nil : ("\(one.name): \(name)", value)
    }
  }

  private static func seconds(_ one: ExportedCase) -> Double {
    (one.wall + (one.baseWall ?? [])).joined().reduce(0, +) / 1e9
  }

  /// Creates one suite with a case for each law and subject.
  init(_ report: VerifyReport) {
    let cases = report.laws.map { row -> Case in
      let outcome: CaseOutcome =
        switch row.verdict {
        case .held: .passed
        case .undecided: .undecided(message: row.reason ?? "")
        case .broken:
          .failed(row.law, message: row.breaches.first?.complaint ?? "the law is broken")
        }
      // Most readers accept one failure per case, so its text contains all breaches.
      let breaches = row.breaches.map { breach in
        let separator = breach.input.contains("\n") ? "\n" : ": "
        return "\(breach.input)\(separator)\(breach.complaint)\n\(breach.replay)"
      }
      return Case(
        className: row.subject, name: "\(row.law): \(row.statement)", seconds: row.seconds,
        outcome: outcome, detail: breaches.joined(separator: "\n"))
    }
    suites = [Suite(name: "zoombench verify", seconds: report.seconds, cases: cases)]
  }
}

extension ReportInput.File {
  var caseCount: Int {
    switch result {
    case .comparison(let result): result.cases.count + result.onlyInBase.count
    case .bench(let report):
      report.groups.map { $0.arms.count + $0.failures.count + report.partlyRefused(in: $0).count }
        .reduce(report.unmeasured.count, +)
    }
  }
}
