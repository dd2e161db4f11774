extension Shrinker {
  /// How many simple cases of the generator are tried from its first choice on.
  private static var explorations: UInt64 { 300 }
  /// How many of the failures among them are shrunk.
  private static var starts: Int { 12 }
  /// How many simpler values are tried for each choice, with others after it.
  private static var triesAChoice: UInt64 { 48 }

  /// Looks for a simpler failure that no pass leads to.
  ///
  /// Simple cases are drawn from the first choice on, the same whatever the start was, and the
  /// simplest failures among them are shrunk. Then each choice of the simplest failure is made
  /// simpler while those after it are drawn anew, which is what a change of several numbers at
  /// once takes.
  nonisolated(nonsending) func search(_ explore: Explore) async {
    guard !isStopped, limits.searchEvaluations > 0, best.choices.contains(where: { !$0.isSimplest })
    else { return }
    beginSearch()
    var found: [Attempt] = []
    for seed in 0..<Self.explorations {
      let tail: TestCase.Tail = seed % 4 == 0 ? .random : .nearSimplest
      guard let attempt = await explored([], tail, seed: seed, explore) else { return }
      if attempt.outcome == .failed(origin) { found.append(attempt) }
    }
    found.sort { $0.choices.isSimpler(than: $1.choices) }
    for start in found.prefix(Self.starts) where !isStopped { await descend(from: start) }
    var place = 0
    while !isStopped, place < best.choices.count {
      if best.choices[place].isSimplest {
        place += 1
      } else if await lowersAnew(place, explore) {
        place = 0
      } else {
        place += 1
      }
    }
  }

  /// Shrinks another failure and keeps the simpler of the two.
  nonisolated(nonsending) private func descend(from start: Attempt) async {
    let kept = best
    best = start
    await run()
    if kept.choices.isSimpler(than: best.choices) { best = kept }
  }

  /// Makes one choice simpler and draws those after it anew, or some of them; tells whether a
  /// simpler failure came of it.
  nonisolated(nonsending) private func lowersAnew(_ place: Int, _ explore: Explore) async -> Bool {
    var random = SplitMix64(seed: UInt64(place))
    for seed in 0..<Self.triesAChoice {
      guard !isStopped else { return false }
      let kept = best
      guard let lower = kept.choices[place].simpler(&random) else { return false }
      if seed % 2 == 0 {
        var list = kept.choices.replacing(place, with: lower)
        for later in list.indices[(place + 1)...] where random.next() >> 63 == 0 {
          list[later] = list[later].nearSimplest(&random)
        }
        guard await improves(list) else { continue }
      } else {
        let head = kept.choices[..<place] + [lower]
        let tail: TestCase.Tail = seed % 4 == 1 ? .random : .nearSimplest
        guard let attempt = await explored(Array(head), tail, seed: seed, explore) else {
          return false
        }
        guard attempt.outcome == .failed(origin) else { continue }
        await descend(from: attempt)
      }
      if best.choices.isSimpler(than: kept.choices) {
        await run()
        return true
      }
    }
    return false
  }
}

extension Choice {
  /// A strictly simpler decision, mostly one of the simplest; nil when there is none.
  fileprivate func simpler(_ random: inout SplitMix64) -> Choice? {
    guard !isSimplest else { return nil }
    for _ in 0..<8 {
      let candidate = nearSimplest(&random)
      if candidate.isSimpler(than: self) { return candidate }
    }
    return simplest
  }
}
