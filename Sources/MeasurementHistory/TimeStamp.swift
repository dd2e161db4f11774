/// Times as ISO 8601 texts in UTC, such as `2027-01-15T08:00:00Z`, with or without fractions.
///
/// Without their "Z" they sort by time, including fractions.
enum TimeStamp {
  static func isValid(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard bytes.count >= 20, bytes.last == UInt8(ascii: "Z") else { return false }
    for (byte, pattern) in zip(bytes, "0000-00-00T00:00:00".utf8) {
      let fits = pattern == UInt8(ascii: "0") ? isDigit(byte) : byte == pattern
      guard fits else { return false }
    }
    guard isMoment(bytes[..<19]) else { return false }
    let fraction = bytes[19..<(bytes.count - 1)]
    guard let first = fraction.first else { return true }
    return first == UInt8(ascii: ".") && fraction.count > 1
      && fraction.dropFirst().allSatisfy(isDigit)
  }

  /// Whether the day exists in the Gregorian calendar, and the second in that day.
  ///
  /// A leap second is the 61st of the last minute of a day (RFC 3339, 5.7).
  private static func isMoment(_ bytes: ArraySlice<UInt8>) -> Bool {
    let numbers = bytes.split { !isDigit($0) }.map { digits in
      digits.reduce(0) { 10 * $0 + Int($1 - UInt8(ascii: "0")) }
    }
    let (year, month, day) = (numbers[0], numbers[1], numbers[2])
    let (hour, minute, second) = (numbers[3], numbers[4], numbers[5])
    guard (1...12).contains(month), (1...days(of: month, in: year)).contains(day) else {
      return false
    }
    return hour < 24 && minute < 60 && second < (hour == 23 && minute == 59 ? 61 : 60)
  }

  private static func days(of month: Int, in year: Int) -> Int {
    let isLeap = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
    return switch month {
    case 2: isLeap ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Returns the part by which times sort.
  static func sortKey(_ text: String) -> Substring {
    text.hasSuffix("Z") ? text.dropLast() : text[...]
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}
