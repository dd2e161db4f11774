extension Shrinker {
  /// Searches for a simpler failure that the passes cannot reach.
  ///
  /// First it draws 300 cases, the same for every start, and shrinks the 12 simplest failures among them. Then it
  /// simplifies one part of the best failure and redraws other choices at random, because some improvements need
  /// changes of several numbers at once. It ends after six rounds of such edits without a simpler failure.
  nonisolated(nonsending) func search(_ explore: Explore) async {
    guard limits.searchEvaluations > 0, best.choices.contains(where: { !$0.isSimplest }),
      beginSearch()
    else { return }
    var found: [Attempt] = []
    for seed in 0..<UInt64(300) {
      let tail: TestCase.Tail = seed % 4 == 0 ? .random : .nearSimplest
      guard let attempt = await explored([], tail, seed: seed, explore) else { break }
      if attempt.outcome == .failed(origin) { found.append(attempt) }
    }
    found.sort { $0.choices.isSimpler(than: $1.choices) }
    for start in found.prefix(12) where !isStopped { await descend(from: start) }
    var (seed, vainRounds) = (UInt64(0), 0)
    while !isStopped, vainRounds < 6 {
      vainRounds = await improvesElsewhere(&seed, explore) ? 0 : vainRounds + 1
    }
  }

  /// Shrinks another failure and keeps the simpler of the two.
  nonisolated(nonsending) private func descend(from start: Attempt) async {
    let kept = best
    best = start
    // A good start needs fewer runs, and a slow one must leave runs for the others.
    await run(atMost: 400)
    if !best.choices.isSimpler(than: kept.choices) { best = kept }
  }

  /// An edit that makes a case simpler; the case may then pass.
  private enum Edit {
    case remove(Span)
    case branch(Span)
    case lower(Int)
  }

  /// Tries every edit in turn, each time with other random changes elsewhere; returns whether a simpler failure was
  /// found.
  nonisolated(nonsending) private func improvesElsewhere(
    _ seed: inout UInt64, _ explore: Explore
  ) async -> Bool {
    let (kept, edits) = (best, edits)
    for turn in 0..<(8 * min(max(kept.choices.count, 4), 24)) {
      for edit in edits {
        guard !isStopped else { return false }
        seed += 1
        if await improves(kept, by: edit, turn, seed: seed, explore) {
          await run()
          return true
        }
      }
    }
    return false
  }

  nonisolated(nonsending) private func improves(
    _ kept: Attempt, by edit: Edit, _ turn: Int, seed: UInt64, _ explore: Explore
  ) async -> Bool {
    var random = SplitMix64(seed: seed)
    guard let (list, first) = await apply(edit, to: kept, &random, explore) else { return false }
    guard case .lower(let place) = edit, seed % 3 == 0 else {
      return await improves(list.redrawn(turn, from: first, &random))
    }
    let tail: TestCase.Tail = seed % 2 == 0 ? .random : .nearSimplest
    guard let attempt = await explored(Array(list[...place]), tail, seed: seed, explore),
      attempt.outcome == .failed(origin)
    else { return false }
    await descend(from: attempt)
    return best.choices.isSimpler(than: kept.choices)
  }

  private var edits: [Edit] {
    let (layout, choices) = (layout, best.choices)
    let removable = layout.spans.filter(\.isRemovable).map { Edit.remove($0) }
    let branches = layout.spans.filter { $0.kind == .alternative && !choices[$0.start].isSimplest }
    let starts = Set(branches.map(\.start))
    let places = choices.indices.filter { !choices[$0].isSimplest && !starts.contains($0) }
    return removable + branches.map { .branch($0) } + places.map { .lower($0) }
  }

  /// Returns the edited list, and the index of the first choice that may be redrawn without making the list less simple
  /// than the original.
  nonisolated(nonsending) private func apply(
    _ edit: Edit, to attempt: Attempt, _ random: inout SplitMix64, _ explore: Explore
  ) async -> (list: [Choice], first: Int)? {
    let choices = attempt.choices
    switch edit {
    case .remove(let span): return (choices.removing(span.range), 0)
    case .lower(let place):
      guard let lower = choices[place].simpler(&random) else { return nil }
      return (choices.replacing(place, with: lower), place + 1)
    case .branch(let span):
      guard let branch = choices[span.start].simpler(&random) else { return nil }
      // The length of the other branch is known only after a run.
      let head = Array(choices[..<span.start]) + [branch]
      guard let other = await explored(head, .nearSimplest, seed: random.next(), explore),
        let end = other.spans.last(where: { $0.start == span.start && $0.depth == span.depth })?.end
      else { return (head + choices[(span.start + 1)...], span.start + 1) }
      let list = Array(other.choices[..<end]) + choices[span.end...]
      return (list, list.count < choices.count ? 0 : span.start + 1)
    }
  }
}

extension [Choice] {
  /// Returns the list with one number, two neighbours (such as a point's coordinates) or about half redrawn.
  ///
  /// `turn` selects the number. Choices before `first` are not redrawn.
  fileprivate func redrawn(_ turn: Int, from first: Int, _ random: inout SplitMix64) -> [Choice] {
    let numbers = indices.filter { $0 >= first && !self[$0].isFlag }
    guard !numbers.isEmpty else { return self }
    var list = self
    let (round, place) = turn.quotientAndRemainder(dividingBy: numbers.count)
    // A number with few values takes each of them in turn.
    if case .integer(let choice) = self[numbers[place]], choice.below == 0, choice.above < 8 {
      let value = UInt64(round) % (choice.above + 1)
      list[numbers[place]] = .integer(choice.with(value, isNegative: false))
      return list
    }
    let pick = random.next()
    let isNear = pick >> 63 == 0
    for (number, index) in numbers.enumerated() {
      let isRedrawn =
        pick & 7 == 0
        ? random.next() >> 63 == 0 : number == place || (pick & 7 > 3 && number == place + 1)
      guard isRedrawn else { continue }
      list[index] = isNear ? self[index].nearSimplest(&random) : self[index].anyOther(&random)
    }
    return list
  }
}

extension Choice {
  /// Returns a strictly simpler choice, usually one of the simplest; nil if there is none.
  fileprivate func simpler(_ random: inout SplitMix64) -> Choice? {
    guard !isSimplest else { return nil }
    for _ in 0..<8 {
      let candidate = nearSimplest(&random)
      if candidate.isSimpler(than: self) { return candidate }
    }
    return simplest
  }
}
