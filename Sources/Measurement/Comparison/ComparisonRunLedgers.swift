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

  private var base: [String: Int]?
  private var candidate: [String: Int]?
  private var unsteady: Set<String> = []

  /// Takes the sums of one launch.
  mutating func add(base: [String: Int], candidate: [String: Int]) {
    Self.add(base, to: &self.base, &unsteady)
    Self.add(candidate, to: &self.candidate, &unsteady)
  }

  /// The sums of the first launch, and the names that gate nothing.
  var counters: CaseComparison.Counters {
    CaseComparison.Counters(
      base: base ?? [:], candidate: candidate ?? [:], unsteady: unsteady.sorted())
  }

  private static func add(
    _ sums: [String: Int], to first: inout [String: Int]?, _ unsteady: inout Set<String>
  ) {
    guard let known = first else {
      first = sums
      return
    }
    unsteady.formUnion(Set(known.keys).union(sums.keys).filter { known[$0] != sums[$0] })
  }
}
