extension Shrinker {
  /// Says the same in an earlier branch, and where its content does not fit there, the simplest
  /// of that branch.
  nonisolated(nonsending) func narrowBranches(_ evaluate: Evaluate) async {
    var number = 0
    while !isStopped, number < layout.spans.count {
      let span = layout.spans[number]
      number += 1
      guard span.kind == .alternative, case .integer(let branch) = best.choices[span.start],
        branch.magnitude > 0
      else { continue }
      let before = improvementCount
      // The earliest branches are the simplest; a choice among more is lowered as a number.
      for earlier in 0..<min(branch.magnitude, 4) where improvementCount == before {
        guard let choice = branch.at(Int128(earlier)) else { continue }
        let content = best.choices[(span.start + 1)..<span.end]
        await replace(span, with: [.integer(choice)] + content, evaluate)
        if improvementCount == before {
          await replace(span, with: [.integer(choice)] + content.map(\.simplest), evaluate)
        }
      }
    }
  }
}
