extension Shrinker {
  /// Puts a part of its kind in place of a whole: a subtree for a tree.
  ///
  /// The parts nearest to the whole are tried, so that a deep tree is walked down, not searched.
  nonisolated(nonsending) func replaceByDescendants(_ evaluate: Evaluate) async {
    var number = 0
    while !isStopped, number < layout.spans.count {
      let whole = layout.spans[number]
      let parts = nearestParts(of: number).sorted { $0.count > $1.count }
      var isReplaced = false
      for part in parts where !isReplaced {
        isReplaced = await improves(whole, replacedBy: part, evaluate)
      }
      if !isReplaced { number += 1 }
    }
  }

  /// Whether a part does for the whole, filled up with the simplest where it is too short there:
  /// a leaf at the greatest depth need not say that it is one.
  nonisolated(nonsending) private func improves(
    _ whole: Span, replacedBy part: Span, _ evaluate: Evaluate
  ) async -> Bool {
    let before = improvementCount
    let content = best.choices[part.start..<part.end]
    let list = best.choices.replacing(whole.start..<whole.end, with: content)
    let trial = await attempt(list, evaluate)
    if trial.isOverrun {
      let filler = Choice.integer(IntegerChoice(magnitude: 0, below: 0, above: 0))
      let fill = Array(repeating: filler, count: whole.count - part.count - 1)
      await replace(whole, with: content + fill, evaluate)
    }
    return improvementCount > before
  }

  /// The spans of its kind within a span, two generations of them: alternatives often come in
  /// pairs, that there is a branch and which.
  private func nearestParts(of whole: Int) -> [Span] {
    let layout = layout
    let (kind, end) = (layout.spans[whole].kind, layout.spans[whole].end)
    guard kind == .alternative || kind == .dependent || kind == .element else { return [] }
    var generations: [Int: Int] = [whole: 0]
    var parts: [Span] = []
    for number in layout.spans.indices[whole...].dropFirst() {
      guard layout.spans[number].start < end else { break }
      var above = layout.parents[number]
      while let parent = above, generations[parent] == nil { above = layout.parents[parent] }
      guard layout.spans[number].kind == kind, let above, let generation = generations[above],
        generation < 3
      else { continue }
      generations[number] = generation + 1
      if layout.spans[number].count < layout.spans[whole].count {
        parts.append(layout.spans[number])
      }
    }
    return parts
  }
}

extension Span {
  /// How many choices it has.
  var count: Int { end - start }
}
