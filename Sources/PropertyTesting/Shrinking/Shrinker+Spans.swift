extension Shrinker {
  nonisolated(nonsending) func simplifySpans() async {
    var number = 0
    while !isStopped, number < layout.spans.count {
      let span = layout.spans[number]
      let content = best.choices[span.range]
      if content.contains(where: { !$0.isSimplest }) {
        await replace(span, with: content.map(\.simplest))
      }
      number += 1
    }
  }

  /// Replaces the choices of a span; if the generator then uses another number of choices, tries again with the choices
  /// that it used.
  nonisolated(nonsending) private func replace(_ span: Span, with choices: [Choice]) async {
    let original = best.choices
    let trial = await attempt(original.replacing(span.range, with: choices))
    guard !trial.isImprovement, let attempt = trial.attempt,
      let other = attempt.spans.last(where: {
        $0.start == span.start && $0.kind == span.kind && $0.depth == span.depth
      }), other.count != choices.count, other.end <= attempt.choices.count
    else { return }
    _ = await self.attempt(original.replacing(span.range, with: attempt.choices[other.range]))
  }

  /// Replaces all numbers with the simplest at once; where that fails, each half of them, each quarter, and so on.
  ///
  /// Flags and choices between alternatives are left out, because other choices depend on them.
  nonisolated(nonsending) func simplifyRuns() async {
    let branches = Set(best.spans.lazy.filter { $0.kind == .alternative }.map(\.start))
    let places = best.choices.indices.filter { index in
      !best.choices[index].isSimplest && !best.choices[index].isFlag && !branches.contains(index)
    }
    var runs = [places[...]]
    while !isStopped, let run = runs.popLast() {
      // An earlier replacement may have changed the number of choices.
      guard run.count > 1, let last = run.last, last < best.choices.count else { continue }
      let list = run.reduce(into: best.choices) { list, index in
        list[index] = list[index].simplest
      }
      if await improves(list) { continue }
      let middle = run.startIndex + run.count / 2
      runs += [run[middle...], run[..<middle]]
    }
  }

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
      // Only the first four alternatives are tried; a later one is lowered like a number.
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

  /// Replaces a span with one of the nearest nested spans of the same kind, such as a tree with a subtree.
  nonisolated(nonsending) func replaceByDescendants() async {
    var number = 0
    while !isStopped, number < layout.spans.count {
      let whole = layout.spans[number]
      let parts = nearestParts(of: number).sorted { $0.count > $1.count }
      let before = improvementCount
      for part in parts where improvementCount == before { await replace(whole, with: part) }
      if improvementCount == before { number += 1 }
    }
  }

  /// Replaces a span with a part of it.
  ///
  /// If the choices then run out, zeros are added to the part: a leaf, for example, may lack the choice between leaf
  /// and branch.
  nonisolated(nonsending) private func replace(_ whole: Span, with part: Span) async {
    let content = best.choices[part.range]
    guard await attempt(best.choices.replacing(whole.range, with: content)).isOverrun else {
      return
    }
    let filler = Choice.integer(IntegerChoice(magnitude: 0, below: 0, above: 0))
    await replace(
      whole, with: content + Array(repeating: filler, count: whole.count - part.count - 1))
  }

  /// Returns the nested spans of the same kind, up to three levels deep, because a branch of a value is often two
  /// nested alternatives: whether there is a branch and, inside it, which.
  private func nearestParts(of whole: Int) -> [Span] {
    let layout = layout
    let span = layout.spans[whole]
    guard [.alternative, .dependent, .element].contains(span.kind) else { return [] }
    var generations: [Int: Int] = [whole: 0]
    var parts: [Span] = []
    for number in layout.spans.indices[whole...].dropFirst() {
      guard layout.spans[number].start < span.end else { break }
      var above = layout.parents[number]
      while let parent = above, generations[parent] == nil { above = layout.parents[parent] }
      guard layout.spans[number].kind == span.kind, let above, let generation = generations[above],
        generation < 3
      else { continue }
      generations[number] = generation + 1
      if layout.spans[number].count < span.count { parts.append(layout.spans[number]) }
    }
    return parts
  }
}

extension Choice {
  /// Whether the choice has at most two possible values.
  var isFlag: Bool {
    guard case .integer(let choice) = self else { return false }
    return choice.below == 0 && choice.above <= 1
  }
}

/// A forest of the spans of a case.
struct SpanLayout {
  /// The spans, each after those that contain it.
  let spans: [Span]
  /// The parent of each span, which is the innermost span that contains it.
  private(set) var parents: [Int?] = []
  /// The depth of each span in the forest.
  private var levels: [Int] = []
  /// The families: spans of one kind with the same parent, from left to right.
  private(set) var families: [[Int]] = []
  /// The family of each span, and its index in the family.
  private(set) var places: [(family: Int, index: Int)] = []

  init(_ attempt: Attempt) {
    spans = attempt.spans.sorted { left, right in
      (left.start, -left.end, left.depth) < (right.start, -right.end, right.depth)
    }
    var open: [Int] = []
    var names: [[Int]: Int] = [:]
    for (number, span) in spans.enumerated() {
      while let last = open.last, spans[last].end <= span.start { open.removeLast() }
      let name = [open.last ?? -1, Int(span.kind.rawValue)]
      parents.append(open.last)
      levels.append(open.count)
      open.append(number)
      let family = names[name] ?? families.count
      if family == families.count {
        names[name] = family
        families.append([])
      }
      places.append((family, families[family].count))
      families[family].append(number)
    }
  }

  /// Returns the last removable span of a level that starts before an index.
  func lastRemovable(level: Int, before place: Int) -> Int? {
    spans.indices.last {
      levels[$0] == level && spans[$0].start < place && spans[$0].isRemovable
    }
  }

  var levelCount: Int { (levels.max() ?? -1) + 1 }

  var neighbours: [(left: Span, right: Span)] {
    families.flatMap { family in
      zip(family, family.dropFirst()).map { (spans[$0], spans[$1]) }
    }
  }
}

extension Span {
  var range: Range<Int> { start..<end }
  var count: Int { end - start }
  /// Whether a generator may work without the span.
  var isRemovable: Bool { [.element, .rejected, .draw].contains(kind) }
}

extension [Choice] {
  func removing(_ stretch: Range<Int>) -> [Choice] { replacing(stretch, with: []) }

  func replacing(_ stretch: Range<Int>, with choices: some Collection<Choice>) -> [Choice] {
    var list = self
    list.replaceSubrange(stretch, with: choices)
    return list
  }

  func replacing(_ index: Int, with choice: Choice) -> [Choice] {
    replacing(index..<index + 1, with: [choice])
  }
}
