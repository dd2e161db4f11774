extension Shrinker {
  /// Leaves out elements, as many neighbours at once as possible.
  ///
  /// Outer ones first, as they are larger; the last first, so that what is left keeps its index.
  nonisolated(nonsending) func deleteSiblings(_ evaluate: Evaluate) async {
    var level = 0
    while level < layout.levelCount {
      var place = Int.max
      while !isStopped, let number = layout.lastRemovable(level: level, before: place) {
        let (layout, original) = (layout, best)
        let (family, index) = layout.places[number]
        let siblings = layout.families[family].map { layout.spans[$0] }
        let removed = await findInteger(upTo: UInt64(index + 1)) { count in
          let first = siblings[index + 1 - Int(count)]
          return await self.improvesRemoving(
            first.start..<siblings[index].end, count: count, of: siblings, from: original,
            evaluate)
        }
        place = siblings[removed == 0 ? index : index + 1 - Int(removed)].start
      }
      level += 1
    }
  }

  /// Leaves out some elements, and where the generator then wants more of them lowers the number
  /// that says how many there are, or says that there are no more.
  nonisolated(nonsending) private func improvesRemoving(
    _ stretch: Range<Int>, count: UInt64, of siblings: [Span], from original: Attempt,
    _ evaluate: Evaluate
  ) async -> Bool {
    let shorter = original.choices.removing(stretch)
    let trial = await attempt(shorter, evaluate)
    if trial.isImprovement { return true }
    guard trial.isOverrun, let first = siblings.first, let last = siblings.last else {
      return false
    }
    for place in [first.start - 1, first.start] where place >= 0 && place < stretch.lowerBound {
      guard let ladder = Ladder(original.choices[place]), ladder.height >= count,
        let length = ladder.at(ladder.height - count)
      else { continue }
      if await improves(shorter.replacing(place, with: length), evaluate) { return true }
    }
    // A list as long as it may be does not say that there are no more.
    guard original.choices[last.start].isFlag else { return false }
    let end = last.end - stretch.count
    let stop = [original.choices[last.start].simplest]
    return await improves(shorter.replacing(end..<end, with: stop), evaluate)
  }
}
