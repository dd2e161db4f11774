internal import Measurement

extension RunRecord {
  /// Why history does not take the run, without a full stop; nil when it does.
  ///
  /// The id is a UUID, moments are ISO 8601 in UTC and are in the calendar, ratios are finite, above zero and in order,
  /// ratios to a baseline come with the baseline, and no two cases have one name.
  package var problem: String? {
    if !Self.isUUID(id) { return "its id is not a UUID" }
    if !TimeStamp.isValid(startedAt) {
      return "startedAt is not a moment such as 2027-01-15T08:00:00Z"
    }
    if let moment = revision.committedAt, !TimeStamp.isValid(moment) {
      return "committedAt is not a moment such as 2027-01-15T08:00:00Z"
    }
    if !Self.isCommit(revision.commit) { return "its commit is not a word" }
    if let baseline, !Self.isCommit(baseline) { return "its baseline is not a word" }
    if let loads = machine.loadAverages, !loads.allSatisfy({ $0.isFinite }) {
      return "a load average is not a finite number"
    }
    // SQLite's C interface ends a text at a zero.
    if ([tool, revision.branch ?? ""] + contamination).contains(where: Self.hasZero) {
      return "a text has a zero character"
    }
    var names: Set<String> = []
    for item in cases {
      if !names.insert(item.name).inserted { return "it has two cases named \(item.name)" }
      if let problem = problem(of: item) { return "case \(item.name): \(problem)" }
    }
    return nil
  }

  private func problem(of item: Case) -> String? {
    if item.name.isEmpty { return "its name is empty" }
    if item.name.utf8.contains(0) || item.counters.keys.contains(where: Self.hasZero) {
      return "a name has a zero character"
    }
    for (measure, ratio) in item.ratios {
      let numbers = [ratio.value] + [ratio.lower, ratio.upper].compactMap { $0 }
      guard numbers.allSatisfy({ $0.isFinite && $0 > 0 }) else {
        return "\(measure.name) is not a finite number above zero"
      }
      if let lower = ratio.lower, let upper = ratio.upper, lower > upper {
        return "\(measure.name) has its interval's ends in the wrong order"
      }
      if measure.refersToBaseline && baseline == nil {
        return "\(measure.name) is there, but the run names no baseline"
      }
    }
    return nil
  }

  private static func hasZero(_ text: String) -> Bool { text.utf8.contains(0) }

  /// 8-4-4-4-12 hexadecimal digits (RFC 9562).
  static func isUUID(_ text: String) -> Bool {
    let groups = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    return groups.map(\.count) == [8, 4, 4, 4, 12]
      && groups.joined().allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
          UInt8(ascii: "A")...UInt8(ascii: "F"):
          true
        default: false
        }
      }
  }

  /// A word without spaces and control characters: a commit, or what `--commit` was given.
  static func isCommit(_ text: String) -> Bool {
    !text.isEmpty && text.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7F }
  }
}
