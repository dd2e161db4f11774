internal import Measurement

extension BuildComparison {
  /// What in this result cannot be true, in a few words; nil for a sound one.
  ///
  /// A file is hostile input: charts and exports rely on what is checked here and on nothing else.
  var contradiction: String? {
    for (number, one) in cases.enumerated() {
      for launch in one.launches + one.confirmation where launch.contradicts {
        return "columns of case \(number) have unequal lengths, or a launch no repeats"
      }
      let counts = [one.counters.base, one.counters.candidate].flatMap(\.values)
      if counts.contains(where: { $0 < 0 }) { return "a count of case \(number) is negative" }
      if one.tails?.contradicts == true {
        return "a tail of case \(number) is not above zero, or its interval is upside down"
      }
      for estimate in [one.cpu, one.wall] + [one.confirmed].compactMap({ $0 })
      where !(estimate.ratio > 0) || estimate.interval.map({ !($0.lower <= $0.upper) }) == true {
        return "a ratio of case \(number) is not above zero, or its interval is upside down"
      }
    }
    return nil
  }
}

extension PairedLaunch {
  fileprivate var contradicts: Bool {
    let columns = [base, candidate].flatMap { [$0.wallNanoseconds.count, $0.cpuNanoseconds.count] }
    return repeats < 1 || columns.contains { $0 != pairs }
  }
}

extension TailLatency {
  fileprivate var contradicts: Bool {
    [p95, p99].compactMap(\.self).flatMap { [$0.base, $0.candidate, $0.ratio] }.contains { tail in
      let ends = (tail.lower ?? tail.value, tail.upper ?? tail.value)
      return !(tail.value > 0) || !(ends.0 > 0) || !(ends.0 <= ends.1)
    }
  }
}

extension BenchReport {
  /// What in this report cannot be true, in a few words; nil for a sound one.
  var contradiction: String? {
    for (number, group) in groups.enumerated() {
      guard let picture = pictures.first(where: { $0.name == group.picture }) else {
        return "group \(number) is of a picture that is not listed"
      }
      guard picture.width > 0, picture.height > 0 else {
        return "the picture of group \(number) has no pixels"
      }
      let columns = group.arms.flatMap { [$0.wallNanoseconds.count, $0.cpuNanoseconds.count] }
      guard columns.allSatisfy({ $0 == group.rounds.count }) else {
        return "columns of group \(number) have unequal lengths"
      }
    }
    return nil
  }
}
