internal import Foundation
internal import Measurement

/// JUnit's XML according to Jenkins' schema (junit-10.xsd): a suite for each result file.
///
/// That schema allows properties only in suites, so each property's name begins with its case's name.
/// Undecided cases are skipped, never passed.
enum JUnitWriter {
  static func rendered(_ input: ReportInput) -> String {
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"zoombench\">\n"
      + input.files.map(suite).joined() + "</testsuites>\n"
  }

  private static func suite(_ file: ReportInput.File) -> String {
    let rows = file.result.rows
    func count(_ standing: Standing) -> Int { rows.count { $0.verdict.standing == standing } }
    let numbers = CSVWriter.numbers
    let properties = rows.flatMap { row in
      numbers.map { name, value -> String in
        let text = value(row).map(Format.plain) ?? ""
        let title = Escape.xml("\(row.name): \(name)")
        return text.isEmpty ? "" : "      <property name=\"\(title)\" value=\"\(text)\"/>\n"
      }
    }
    let seconds = rows.compactMap(\.figures.seconds).reduce(0, +)
    return "  <testsuite name=\"\(Escape.xml(file.name))\" tests=\"\(rows.count)\""
      + " failures=\"\(count(.failed))\" errors=\"\(count(.unmeasured))\""
      + " skipped=\"\(count(.undecided))\" time=\"\(time(seconds))\">\n"
      + "    <properties>\n\(properties.joined())    </properties>\n"
      + rows.map { testCase($0, file.result.kind) }.joined() + "  </testsuite>\n"
  }

  private static func testCase(_ row: Row, _ kind: RunResult.Kind) -> String {
    let className =
      row.law?.subject
      ?? "zoombench.\(kind.rawValue)" + (kind == .compare ? ".\(row.role.rawValue)" : "")
    let name = row.law.map { "\($0.law): \($0.statement)" } ?? row.name
    let opening =
      "    <testcase classname=\"\(Escape.xml(className))\" name=\"\(Escape.xml(name))\""
      + " time=\"\(time(row.figures.seconds ?? 0))\""
    let message = Escape.xml(row.verdict.reason ?? "")
    let content: String? =
      switch row.verdict.standing {
      case .passed: nil
      case .failed:
        "<failure type=\"\(row.verdict.word.rawValue)\" message=\"\(message)\">"
          + "\(Escape.xml(breaches(of: row)))</failure>"
      case .undecided: "<skipped message=\"\(message)\"/>"
      case .unmeasured: "<error type=\"unmeasured\" message=\"\(message)\"/>"
      }
    return content.map { "\(opening)>\n      \($0)\n    </testcase>\n" } ?? "\(opening)/>\n"
  }

  /// Returns all breaches of a law, since most readers accept one failure per case.
  private static func breaches(of row: Row) -> String {
    (row.law?.breaches ?? []).map { breach in
      let separator = breach.input.contains("\n") ? "\n" : ": "
      return "\(breach.input)\(separator)\(breach.complaint)\n\(breach.replay)"
    }.joined(separator: "\n")
  }

  /// Returns seconds with three decimals, as the schema requires.
  private static func time(_ seconds: Double) -> String {
    String(format: "%.3f", min(max(seconds, 0), 1e9))
  }
}
