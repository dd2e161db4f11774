internal import Foundation
internal import Measurement
internal import ZoomPipeline

/// Formats numbers for people: few digits, a unit, and a dash for missing numbers.
package enum Format {
  /// Returns milliseconds with three significant digits.
  static func milliseconds(_ nanoseconds: Double) -> String {
    "\(significant(nanoseconds / 1e6)) ms"
  }

  /// Returns what was fetched from a server: "3 requests, 1 round trip, 36.9 kB".
  static func fetched(_ fetched: Work.Fetched) -> String {
    [
      count(fetched.requests, "request"), count(fetched.roundTrips, "round trip"),
      bytes(Double(fetched.bytes)),
    ].joined(separator: ", ")
  }

  /// Returns bytes in the largest unit that keeps them above one.
  static func bytes(_ count: Double) -> String {
    switch count {
    case 1e9...: "\(significant(count / 1e9)) GB"
    case 1e6...: "\(significant(count / 1e6)) MB"
    case 1e3...: "\(significant(count / 1e3)) kB"
    default: "\(Int(max(0, count))) B"
    }
  }

  /// Returns foreign text, such as a file's name, as part of a line.
  ///
  /// Line ends, which are legal in names, become `\n`, tabs become spaces, and other characters that could
  /// control a terminal are escaped as in `TerminalText`.
  ///
  /// At most `limit` scalars are shown, followed by "…" if the text was truncated; scalars are counted,
  /// because a grapheme cluster may have any length.
  static func oneLine(_ text: String, limit: Int = .max) -> String {
    var line = String.UnicodeScalarView()
    var before: Unicode.Scalar?
    for (index, scalar) in text.unicodeScalars.enumerated() {
      defer { before = scalar }
      guard index < limit else { return String(line) + "…" }
      switch scalar.properties.generalCategory {
      case .control where scalar == "\n" && before == "\r": break
      case .lineSeparator, .paragraphSeparator: line.append(contentsOf: "\\n".unicodeScalars)
      case .control where Character(scalar).isNewline:
        line.append(contentsOf: "\\n".unicodeScalars)
      case .control where scalar == "\t": line.append(" ")
      case _ where TerminalText.isUnsafe(scalar):
        line.append(contentsOf: TerminalText.escape(scalar).unicodeScalars)
      // Noncharacters, which some parsers refuse.
      case .unassigned where scalar.value & 0xFFFE == 0xFFFE: line.append("\u{FFFD}")
      default: line.append(scalar)
      }
    }
    return String(line)
  }

  /// Returns the name of a row: one line of bounded length that is not empty.
  static func rowName(_ name: String) -> String {
    let line = oneLine(name, limit: 300)
    return line.allSatisfy(\.isWhitespace) ? "(no name)" : line
  }

  /// Returns a count with its noun: "1 source", "2 sources".
  package static func count(_ count: Int, _ noun: String) -> String {
    "\(grouped(count)) \(noun)\(count == 1 ? "" : "s")"
  }

  /// Returns " (and 2 more cases)", to follow the first of several things; empty for no more.
  static func andMore(_ count: Int, _ noun: String) -> String {
    count > 0 ? " (and \(count) more \(noun)\(count == 1 ? "" : "s"))" : ""
  }

  /// Returns text with a capital letter, as the start of a line.
  static func title(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }

  /// Returns a number without ".0" if it is whole.
  package static func number(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e15 ? String(Int(value)) : String(value)
  }

  /// Returns a whole number with commas between thousands.
  static func grouped(_ count: Int) -> String {
    let digits = Array(String(count.magnitude))
    var text = count < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { text += "," }
      text.append(digit)
    }
    return text
  }

  /// Returns a share in per cent; a small share is never shown as 0 %.
  static func share(_ share: Double) -> String {
    if share == 0 { return "0 %" }
    return share < 0.001 ? "< 0.1 %" : significant(100 * share) + " %"
  }

  /// The dash for a missing number.
  package static let nothing = "–"

  /// Returns three significant digits, at most nine decimals, no exponent: "0.300", "12.5", "1250".
  package static func significant(_ value: Double) -> String {
    guard value.isFinite, value.magnitude < 1e15 else { return nothing }
    if value == 0 { return "0" }
    // Rounded first, because 9.996 becomes 10.0, not 10.00.
    let rounded = Double(String(format: "%.3g", value.magnitude)) ?? value.magnitude
    return fixed(value, digits: min(9, max(0, 2 - Int(log10(rounded).rounded(.down)))))
  }

  /// Returns three significant digits without trailing zeros: "0.3".
  static func trimmed(_ value: Double) -> String {
    var text = significant(value)
    guard text.contains(".") else { return text }
    while text.last == "0" { text.removeLast() }
    if text.last == "." { text.removeLast() }
    return text
  }

  private static func fixed(_ value: Double, digits: Int) -> String {
    let text = String(format: "%.\(digits)f", value.magnitude)
    let isZero = text.allSatisfy { $0 == "0" || $0 == "." }
    return (value < 0 && !isZero ? "−" : "") + text
  }

  /// Returns a ratio as a signed change in per cent: 1.05 is "+5 %".
  package static func change(_ ratio: Double?) -> String {
    guard let ratio, ratio.isFinite else { return nothing }
    return signedPercent(100 * (ratio - 1))
  }

  /// Returns a change with its interval, such as "+5 % [+4.1 %, +6 %]".
  static func estimate(_ estimate: ChangeEstimate) -> String {
    estimate.pairs > 0 ? change(estimate.ratio, estimate.interval) : "not measured"
  }

  static func estimate(_ tail: TailLatency.Change) -> String { change(tail.ratio, tail.interval) }

  private static func change(_ ratio: Double, _ interval: PairedRatio.Interval?) -> String {
    let interval = interval.map { " [\(change($0.lower)), \(change($0.upper))]" }
    return change(ratio) + (interval ?? "")
  }

  static func percent(_ fraction: Double?) -> String {
    guard let fraction, fraction.isFinite else { return nothing }
    return "\(trimmed(100 * fraction)) %"
  }

  /// Returns a percentage with its sign and at most two decimals.
  static func signedPercent(_ percent: Double) -> String {
    guard percent.isFinite, percent.magnitude < 1e15 else { return nothing }
    // More digits would be noise: on a shared machine, no interval is narrower than 0.01 %.
    let rounded = (percent.magnitude * 100).rounded() / 100
    let text = fixed(percent, digits: rounded < 10 ? 2 : rounded < 100 ? 1 : 0)
    return (percent > 0 && text.contains { "123456789".contains($0) } ? "+" : "") + text + " %"
  }

  /// Returns a number for machines: nine significant digits, no unit; empty for infinity and NaN.
  static func plain(_ value: Double) -> String {
    guard value.isFinite else { return "" }
    let rounded = Double(String(format: "%.9g", value)) ?? value
    return rounded == rounded.rounded() && rounded.magnitude < 1e15
      ? String(Int(rounded)) : String(rounded)
  }

  /// Returns the confidence level of an interval, rounded down: "99.8 %".
  static func level(_ interval: PairedRatio.Interval?) -> String {
    guard let coverage = interval?.coverage, coverage.isFinite else { return nothing }
    // The small addition corrects rounding errors of products such as 0.998 * 10,000.
    return "\(number(((coverage * 1e4 + 1e-8).rounded(.down)) / 100)) %"
  }
}
