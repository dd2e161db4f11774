/// Whether both builds give the same answers.
struct AnswerLedger {
  private(set) var compared = 0
  private(set) var differing: [Int] = []

  /// Compares the answers of a round, if both builds gave a digest of theirs.
  mutating func compare(round: Int, base: String?, candidate: String?) {
    guard let base, let candidate else { return }
    compared += 1
    // Hexadecimal digits are the same number in either case.
    if base.lowercased() != candidate.lowercased() { differing.append(round) }
  }
}

/// What each build counts, and whether it counts the same in each launch.
struct CounterLedger {
  /// The rounds that are counted in each launch: more than one input, at little cost.
  static let rounds = 0..<4

  /// The least and the greatest sum of each name, and how many launches had it.
  private struct Span {
    var least: Int
    var greatest: Int
    var launches = 1
  }

  private var base: [String: Span] = [:]
  private var candidate: [String: Span] = [:]
  private var launches = 0

  /// Takes the sums of one launch.
  mutating func add(base: [String: Int], candidate: [String: Int]) {
    launches += 1
    Self.add(base, to: &self.base)
    Self.add(candidate, to: &self.candidate)
  }

  /// What counts of each build, and the names that gate nothing.
  ///
  /// A count that every launch of a build repeated is exact. One that strayed, or that a single
  /// launch cannot show to be steady, gates only where even the nearest counts of the two builds
  /// lie further apart than `slack`; these two are then what is reported.
  var counters: CaseComparison.Counters {
    var counters = CaseComparison.Counters(
      base: base.mapValues(\.least), candidate: candidate.mapValues(\.least))
    var unsteady: Set<String> = []
    for name in Set(base.keys).union(candidate.keys) {
      let spans = [base[name], candidate[name]].compactMap(\.self)
      let isSteady =
        launches > 1
        && spans.allSatisfy { $0.least == $0.greatest && $0.launches == launches }
      if isSteady { continue }
      guard let before = base[name], let after = candidate[name],
        let ends = Self.apart(before, after)
      else {
        unsteady.insert(name)
        continue
      }
      counters.base[name] = ends.base
      counters.candidate[name] = ends.candidate
    }
    counters.unsteady = unsteady.sorted()
    return counters
  }

  /// How far counts that stray must lie apart: what order of threads does to allocations is less.
  private static let slack = 0.02

  /// The nearest counts of two builds, if they lie apart by more than the slack.
  private static func apart(_ base: Span, _ candidate: Span) -> (base: Int, candidate: Int)? {
    if Double(candidate.least) > Double(base.greatest) * (1 + slack) {
      return (base.greatest, candidate.least)
    }
    if Double(base.least) > Double(candidate.greatest) * (1 + slack) {
      return (base.least, candidate.greatest)
    }
    return nil
  }

  private static func add(_ sums: [String: Int], to spans: inout [String: Span]) {
    for (name, sum) in sums {
      guard var span = spans[name] else {
        spans[name] = Span(least: sum, greatest: sum)
        continue
      }
      span.least = min(span.least, sum)
      span.greatest = max(span.greatest, sum)
      span.launches += 1
      spans[name] = span
    }
  }
}
