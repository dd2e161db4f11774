internal import Foundation

/// Numbers as people read them.
enum Format {
  /// Milliseconds with three significant digits.
  static func milliseconds(_ nanoseconds: Double) -> String {
    "\(significant(nanoseconds / 1e6)) ms"
  }

  /// Three significant digits, never in exponent form.
  static func significant(_ value: Double) -> String {
    guard value.isFinite else { return "\(value)" }
    switch abs(value) {
    case 100...: return String(format: "%.0f", value)
    case 10..<100: return String(format: "%.1f", value)
    case 1..<10: return String(format: "%.2f", value)
    default: return String(format: "%.3f", value)
    }
  }

  /// Bytes in the largest unit that keeps them above one.
  static func bytes(_ count: Double) -> String {
    switch count {
    case 1e9...: "\(significant(count / 1e9)) GB"
    case 1e6...: "\(significant(count / 1e6)) MB"
    case 1e3...: "\(significant(count / 1e3)) kB"
    default: "\(Int(count)) B"
    }
  }

  /// A file's name as part of a line: line ends in it, which are legal, are shown as such.
  static func oneLine(_ name: String) -> String {
    name.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .joined(separator: "\\n")
  }

  /// A number without a fraction it does not have.
  static func number(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e15 ? String(Int(value)) : String(value)
  }

  /// A whole number with commas between thousands.
  static func grouped(_ count: Int) -> String {
    let digits = Array(String(count.magnitude))
    var text = count < 0 ? "-" : ""
    for (place, digit) in digits.enumerated() {
      if place > 0, (digits.count - place).isMultiple(of: 3) { text += "," }
      text.append(digit)
    }
    return text
  }

  /// A share in percent; few are never shown as none.
  static func percent(_ share: Double) -> String {
    if share == 0 { return "0 %" }
    return share < 0.001 ? "< 0.1 %" : significant(100 * share) + " %"
  }
}
