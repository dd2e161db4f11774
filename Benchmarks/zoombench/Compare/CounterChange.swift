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
  static func all(in counters: CaseComparison.Counters) -> [CounterChange] {
    counters.base.keys.sorted().compactMap { name in
      guard let base = counters.base[name], let candidate = counters.candidate[name],
        !counters.unsteady.contains(name), base != candidate
      else { return nil }
      return CounterChange(name: name, base: base, candidate: candidate)
    }
  }
}
