/// The date format of HTTP (RFC 9110, section 5.6.7): "Sun, 06 Nov 1994 08:49:37 GMT".
enum HTTPDate {
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Returns the seconds since 1970; nil for other text, also for the two obsolete formats.
  static func seconds(_ text: String) -> Int? {
    let words = text.split(separator: " ")
    guard words.count == 6, words[5] == "GMT", let day = Int(words[1]), (1...31).contains(day),
      let month = months.firstIndex(of: String(words[2])), let year = Int(words[3]),
      (1970...9999).contains(year)
    else { return nil }
    let parts = words[4].split(separator: ":", omittingEmptySubsequences: false)
    let clock = parts.compactMap { Int($0) }
    guard parts.count == 3, clock.count == 3,
      zip(clock, [24, 60, 61]).allSatisfy({ (0..<$1).contains($0) })
    else {
      return nil
    }
    return days(year, month + 1, day) * 86_400 + clock[0] * 3600 + clock[1] * 60 + clock[2]
  }

  /// Returns the days from 1970 on, by counting years from March, so that leap days come last.
  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let shifted = month > 2 ? year : year - 1
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let leapDays = shifted / 4 - shifted / 100 + shifted / 400
    // 719,468 days lie between 1 March of the year 0 and 1 January 1970.
    return shifted * 365 + leapDays + dayOfYear - 719_468
  }
}
