internal import Foundation

/// Times as ISO 8601 texts in UTC, such as `2027-01-15T08:00:00Z`, with or without fractions.
///
/// Without their "Z" they sort by time, including fractions.
enum TimeStamp {
  /// Whether the text is a time of the Gregorian calendar in exactly that form, with a year of four digits.
  static func isValid(_ text: String) -> Bool {
    guard text.last == "Z" else { return false }
    let parts = text.dropLast().split(
      separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let second = "\(parts[0])Z"
    // Parsing alone accepts other forms and days that do not exist.
    let style = Date.ISO8601FormatStyle()
    guard second.utf8.count == 20, let date = try? style.parse(second),
      date.formatted(style) == second
    else { return false }
    let fraction = parts.dropFirst().first
    return fraction.map { !$0.isEmpty && $0.allSatisfy { $0.isASCII && $0.isNumber } } ?? true
  }

  /// Returns the part by which times sort.
  static func sortKey(_ text: String) -> Substring {
    text.hasSuffix("Z") ? text.dropLast() : text[...]
  }
}
