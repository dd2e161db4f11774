extension Shrinker {
  /// Replaces the choices of whole arguments, alternatives and dependent values with the simplest.
  nonisolated(nonsending) func simplifySpans() async {
    var number = 0
    while !isStopped, number < layout.spans.count {
      let span = layout.spans[number]
      let stretch = span.start..<span.end
      if best.choices[stretch].contains(where: { !$0.isSimplest }) {
        await replace(span, with: best.choices[stretch].map(\.simplest))
      }
      number += 1
    }
  }

  /// Replaces the choices of a span; if the generator then uses another number of choices, tries again with those it
  /// used.
  nonisolated(nonsending) func replace(_ span: Span, with choices: [Choice])
    async
  {
    let original = best.choices
    let stretch = span.start..<span.end
    let trial = await attempt(original.replacing(stretch, with: choices))
    guard !trial.isImprovement, let attempt = trial.attempt,
      let other = attempt.spans.last(where: {
        $0.start == span.start && $0.kind == span.kind && $0.depth == span.depth
      }), other.end != span.start + choices.count, other.end <= attempt.choices.count
    else { return }
    let content = attempt.choices[other.start..<other.end]
    _ = await self.attempt(original.replacing(stretch, with: content))
  }

  /// Replaces many numbers with the simplest at once, then fewer.
  ///
  /// Flags and alternatives are excluded, because they decide which other choices exist.
  nonisolated(nonsending) func simplifyRuns() async {
    let branches = Set(best.spans.lazy.filter { $0.kind == .alternative }.map(\.start))
    let places = best.choices.indices.filter { index in
      !best.choices[index].isSimplest && !best.choices[index].isFlag && !branches.contains(index)
    }
    var runs = [places[...]]
    while !isStopped, let run = runs.popLast() {
      // The number of choices may have changed with an earlier number.
      guard run.count > 1, let last = run.last, last < best.choices.count else { continue }
      let list = run.reduce(into: best.choices) { list, index in
        list[index] = list[index].simplest
      }
      if await improves(list) { continue }
      let middle = run.startIndex + run.count / 2
      runs.append(run[middle...])
      runs.append(run[..<middle])
    }
  }
}

extension Choice {
  /// Whether the decision has at most two possible values.
  var isFlag: Bool {
    guard case .integer(let choice) = self else { return false }
    return choice.below == 0 && choice.above <= 1
  }
}

extension Shrinker {
  /// Switches to an earlier alternative with the same content or, if that fails, with the simplest content.
  nonisolated(nonsending) func narrowBranches() async {
    var number = 0
    while !isStopped, number < layout.spans.count {
      let span = layout.spans[number]
      number += 1
      guard span.kind == .alternative, case .integer(let branch) = best.choices[span.start],
        branch.magnitude > 0
      else { continue }
      let before = improvementCount
      // Only the four earliest alternatives are tried; a choice among more is lowered like a number.
      for earlier in 0..<min(branch.magnitude, 4) where improvementCount == before {
        guard let choice = branch.at(Int128(earlier)) else { continue }
        let content = best.choices[(span.start + 1)..<span.end]
        await replace(span, with: [.integer(choice)] + content)
        if improvementCount == before {
          await replace(span, with: [.integer(choice)] + content.map(\.simplest))
        }
      }
    }
  }

  /// Replaces a span with a nested span of the same kind, such as a tree with a subtree.
  ///
  /// Only the nearest nested spans are tried, so that the pass descends a deep tree instead of searching it.
  nonisolated(nonsending) func replaceByDescendants() async {
    var number = 0
    while !isStopped, number < layout.spans.count {
      let whole = layout.spans[number]
      let parts = nearestParts(of: number).sorted { $0.count > $1.count }
      var isReplaced = false
      for part in parts where !isReplaced {
        isReplaced = await improves(whole, replacedBy: part)
      }
      if !isReplaced { number += 1 }
    }
  }

  /// Replaces a whole with a part, padded if it is too short; returns whether the case improved.
  ///
  /// A leaf at the greatest depth is too short elsewhere, because it lacks the choice between leaf and branch.
  nonisolated(nonsending) private func improves(
    _ whole: Span, replacedBy part: Span
  ) async -> Bool {
    let before = improvementCount
    let content = best.choices[part.start..<part.end]
    let list = best.choices.replacing(whole.start..<whole.end, with: content)
    let trial = await attempt(list)
    if trial.isOverrun {
      let filler = Choice.integer(IntegerChoice(magnitude: 0, below: 0, above: 0))
      let fill = Array(repeating: filler, count: whole.count - part.count - 1)
      await replace(whole, with: content + fill)
    }
    return improvementCount > before
  }

  /// Returns the nested spans of the same kind, up to three generations: alternatives often come in pairs, one for
  /// whether there is a branch and one for which.
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
  /// The number of choices in the span.
  var count: Int { end - start }
}
