internal import Measurement

/// A count that differs between two builds by more than it varies between launches of one.
struct CounterChange: Hashable, CustomStringConvertible {
  let name: String
  let base: Int
  let candidate: Int

  var isRise: Bool { candidate > base }

  var description: String {
    "\(name) \(isRise ? "rose" : "fell") from \(Format.grouped(base)) to "
      + "\(Format.grouped(candidate))"
  }

  /// Returns the changes of all gated counters, in the order of their names.
  static func all(in counters: CaseComparison.Counters) -> [CounterChange] {
    counters.base.keys.sorted().compactMap { name in
      guard let base = counters.base[name], let candidate = counters.candidate[name],
        !counters.unsteady.contains(name), base != candidate
      else { return nil }
      return CounterChange(name: name, base: base, candidate: candidate)
    }
  }
}
