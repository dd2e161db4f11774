internal import Measurement

/// What a comparison means for the exit code.
struct CompareJudgement {
  let result: BuildComparison

  init(_ result: BuildComparison) { self.result = result }

  /// Throws what the exit code has to say; pixels before counts, counts before time.
  func check(strict: Bool) throws {
    let gated = result.cases.filter { $0.role == .gated }
    if let wrong = gated.first(where: { !$0.differingRounds.isEmpty }) {
      let more = gated.count { !$0.differingRounds.isEmpty } - 1
      throw Failure(
        .finding, "\(wrong.name): the candidate's pixels differ from the base's\(Self.and(more))")
    }
    // Counts are exact, whatever the clock had to endure.
    let risen = gated.filter { CounterChange.all(in: $0.counters).contains(where: \.isRise) }
    if let first = risen.first,
      let change = CounterChange.all(in: first.counters).first(where: \.isRise)
    {
      throw Failure(.finding, "\(first.name): \(change)\(Self.and(risen.count - 1))")
    }
    let slower = gated.filter { $0.verdict == .slower }
    if let worst = slower.max(by: { $0.cpu.ratio < $1.cpu.ratio }) {
      throw Failure(
        .finding,
        "\(worst.name) is slower by \(Format.change(worst.cpu.ratio))\(Self.and(slower.count - 1))"
      )
    }
    let open = gated.filter { $0.verdict == .inconclusive }
    if strict, let first = open.first {
      throw Failure(
        .inconclusive,
        "\(first.name): \(first.reason ?? "too noisy to tell")\(Self.and(open.count - 1)) "
          + "(give it a longer --budget or a quieter machine)")
    }
  }

  private static func and(_ more: Int) -> String { more > 0 ? " (and \(more) more cases)" : "" }
}
