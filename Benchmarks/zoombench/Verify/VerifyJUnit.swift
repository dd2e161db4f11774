/// The report of `zoombench verify` as JUnit's XML, which build servers read.
struct VerifyJUnit {
  private let report: VerifyReport

  init(_ report: VerifyReport) { self.report = report }

  func rendered() -> String {
    var text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <testsuite name="zoombench verify" tests="\(report.laws.count)"\
       failures="\(report.count(.broken))" skipped="\(report.count(.undecided))"\
       time="\(report.seconds)">

      """
    for row in report.laws { text += testCase(row) }
    return text + "</testsuite>\n"
  }

  private func testCase(_ row: VerifyReport.LawRow) -> String {
    let opening =
      "  <testcase classname=\"\(Self.escaped(row.subject))\""
      + " name=\"\(Self.escaped(row.law + ": " + row.statement))\" time=\"\(row.seconds)\""
    switch row.verdict {
    case .held: return opening + "/>\n"
    case .undecided:
      return opening + ">\n    <skipped message=\"\(Self.escaped(row.reason ?? ""))\"/>\n"
        + "  </testcase>\n"
    case .broken:
      // A test case has one failure in what most readers accept; the others follow in its text.
      let lines = row.breaches.map { "\($0.input): \($0.complaint)\n\($0.replay)" }
      let message = row.breaches.first?.complaint ?? "the law is broken"
      return opening + ">\n    <failure type=\"\(Self.escaped(row.law))\""
        + " message=\"\(Self.escaped(message))\">"
        + Self.escaped(lines.joined(separator: "\n")) + "</failure>\n  </testcase>\n"
    }
  }

  /// Text as XML takes it: the five entities, and no characters that XML 1.0 forbids.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&apos;"
      // In an attribute a line end would be read as a space.
      case "\n": result += "&#10;"
      case "\t": result += "&#9;"
      case "\r": result += "&#13;"
      case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF:
        result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
