extension Shrinker {
  /// Puts siblings in order, the simplest first: all of them, then neighbour by neighbour.
  nonisolated(nonsending) func sortSiblings(_ evaluate: Evaluate) async {
    var family = 0
    while !isStopped, family < layout.families.count {
      let count = layout.families[family].count
      if count > 1 {
        await sort(family, evaluate)
        // One bubble per pass: a case that gained order comes here again.
        var right = count - 1
        while !isStopped, right > 0, family < layout.families.count,
          layout.families[family].count == count
        {
          await swap(family, right - 1, evaluate)
          right -= 1
        }
      }
      family += 1
    }
  }

  nonisolated(nonsending) private func sort(_ family: Int, _ evaluate: Evaluate) async {
    let spans = layout.families[family].map { layout.spans[$0] }
    let contents = spans.map { best.choices[$0.start..<$0.end] }
    let sorted = contents.sorted { $0.isSimpler(than: $1) }
    var list = best.choices
    for (span, content) in Swift.zip(spans, sorted).reversed() {
      list.replaceSubrange(span.start..<span.end, with: content)
    }
    if list != best.choices { _ = await attempt(list, evaluate) }
  }

  nonisolated(nonsending) private func swap(_ family: Int, _ left: Int, _ evaluate: Evaluate) async
  {
    let first = layout.spans[layout.families[family][left]]
    let second = layout.spans[layout.families[family][left + 1]]
    let (early, late) =
      (best.choices[first.start..<first.end], best.choices[second.start..<second.end])
    guard late.isSimpler(than: early) else { return }
    let list = best.choices.replacing(second.start..<second.end, with: early)
    _ = await attempt(list.replacing(first.start..<first.end, with: late), evaluate)
  }
}
