/// Moments as texts of ISO 8601 in UTC, such as `2027-01-15T08:00:00Z`, with or without fractions.
///
/// Without their "Z" they sort as the moments do, fractions too.
enum TimeStamp {
  static func isValid(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard bytes.count >= 20, bytes.last == UInt8(ascii: "Z") else { return false }
    for (byte, pattern) in zip(bytes, "0000-00-00T00:00:00".utf8) {
      let fits = pattern == UInt8(ascii: "0") ? isDigit(byte) : byte == pattern
      guard fits else { return false }
    }
    let fraction = bytes[19..<(bytes.count - 1)]
    guard let first = fraction.first else { return true }
    return first == UInt8(ascii: ".") && fraction.count > 1
      && fraction.dropFirst().allSatisfy(isDigit)
  }

  /// The part by which moments sort.
  static func sortKey(_ text: String) -> Substring {
    text.hasSuffix("Z") ? text.dropLast() : text[...]
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}
