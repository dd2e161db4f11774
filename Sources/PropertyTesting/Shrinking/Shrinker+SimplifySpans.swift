extension Shrinker {
  /// Makes whole arguments, branches and dependent parts as simple as they can be.
  nonisolated(nonsending) func simplifySpans(_ evaluate: Evaluate) async {
    var number = 0
    while !isStopped, number < layout.spans.count {
      let span = layout.spans[number]
      let stretch = span.start..<span.end
      if best.choices[stretch].contains(where: { !$0.isSimplest }) {
        await replace(span, with: best.choices[stretch].map(\.simplest), evaluate)
      }
      number += 1
    }
  }

  /// Puts other choices in place of a span, and where these are more than it then has, tries
  /// again without the surplus.
  nonisolated(nonsending) func replace(_ span: Span, with choices: [Choice], _ evaluate: Evaluate)
    async
  {
    let original = best.choices
    let stretch = span.start..<span.end
    let trial = await attempt(original.replacing(stretch, with: choices), evaluate)
    guard !trial.isImprovement, let attempt = trial.attempt,
      let other = attempt.spans.last(where: {
        $0.start == span.start && $0.kind == span.kind && $0.depth == span.depth
      }), other.end != span.start + choices.count, other.end <= attempt.choices.count
    else { return }
    let content = attempt.choices[other.start..<other.end]
    _ = await self.attempt(original.replacing(stretch, with: content), evaluate)
  }
}
