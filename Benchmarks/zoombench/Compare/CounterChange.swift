internal import Measurement

/// A count that changed: an exact one, or one that differs by more than launches of one build do.
struct CounterChange: Hashable, CustomStringConvertible {
  let name: String
  let base: Int
  let candidate: Int

  var isRise: Bool { candidate > base }

  var description: String {
    "\(name) \(isRise ? "rose" : "fell") from \(Format.grouped(base)) to "
      + "\(Format.grouped(candidate))"
  }

  /// Returns the steady counters that differ between the builds, by name.
  ///
  /// Instruction counts repeat only to some ten-millionths, since hash seeds and addresses differ between
  /// processes. The limit of half a per cent is far above that, and below what time could show.
  static func all(in counters: CaseComparison.Counters) -> [CounterChange] {
    counters.base.keys.sorted().compactMap { name in
      guard let base = counters.base[name], let candidate = counters.candidate[name],
        !counters.unsteady.contains(name), base != candidate
      else { return nil }
      let slack = name == InstructionCount.counter ? max(base, 1) / 200 : 0
      guard (candidate - base).magnitude > slack else { return nil }
      return CounterChange(name: name, base: base, candidate: candidate)
    }
  }
}
