internal import Measurement

/// A count that is not what it was: exact, or apart by more than launches make it stray, so that
/// one run is enough.
struct CounterChange: Hashable, CustomStringConvertible {
  let name: String
  let base: Int
  let candidate: Int

  var isRise: Bool { candidate > base }

  var description: String {
    "\(name) \(isRise ? "rose" : "fell") from \(Format.grouped(base)) to "
      + "\(Format.grouped(candidate))"
  }

  /// Counters of both builds that are steady and differ, by name.
  ///
  /// Instructions repeat to some ten-millionths only, for hash seeds and addresses differ from
  /// process to process; half a per cent is far from that and below what time could show.
  static func all(in counters: CaseComparison.Counters) -> [CounterChange] {
    return counters.base.keys.sorted().compactMap { name in
      guard let base = counters.base[name], let candidate = counters.candidate[name],
        !counters.unsteady.contains(name), base != candidate
      else { return nil }
      let slack = name == InstructionCount.counter ? max(base, 1) / 200 : 0
      guard (candidate - base).magnitude > slack else { return nil }
      return CounterChange(name: name, base: base, candidate: candidate)
    }
  }
}
