extension Shrinker {
  /// Deletes all rejected spans at once, because their values were not used.
  nonisolated(nonsending) func removeRejected() async {
    var list = best.choices
    var end = list.count
    for span in best.spans.reversed() where span.kind == .rejected && span.end <= end {
      list.removeSubrange(span.range)
      end = span.start
    }
    if list.count < best.choices.count { _ = await attempt(list) }
  }

  /// Calls `body` with each removable span's number; `body` returns the index before which the next span must start.
  ///
  /// Outer spans come first, because they are larger. At each level later spans come first, so that earlier spans keep
  /// their indices.
  nonisolated(nonsending) private func forEachRemovable(
    _ body: nonisolated(nonsending) (Int) async -> Int
  ) async {
    var level = 0
    while level < layout.levelCount {
      var place = Int.max
      while !isStopped, let number = layout.lastRemovable(level: level, before: place) {
        place = await body(number)
      }
      level += 1
    }
  }

  /// Deletes elements, as many neighbours at once as possible.
  nonisolated(nonsending) func deleteSiblings() async {
    await forEachRemovable { number in
      let (layout, original) = (self.layout, self.best)
      let (family, index) = layout.places[number]
      let siblings = layout.families[family].map { layout.spans[$0] }
      let removed = await findInteger(upTo: UInt64(index + 1)) { count in
        let first = siblings[index + 1 - Int(count)]
        return await self.improvesRemoving(
          first.start..<siblings[index].end, count: count, of: siblings, from: original)
      }
      return siblings[removed == 0 ? index : index + 1 - Int(removed)].start
    }
  }

  /// Deletes some elements; returns whether the case improved.
  ///
  /// If the choices then run out, this function tries to lower the number that counts the elements, then to insert a
  /// flag that ends the list.
  nonisolated(nonsending) private func improvesRemoving(
    _ stretch: Range<Int>, count: UInt64, of siblings: [Span], from original: Attempt
  ) async -> Bool {
    let shorter = original.choices.removing(stretch)
    let trial = await attempt(shorter)
    guard !trial.isImprovement, trial.isOverrun, let first = siblings.first,
      let last = siblings.last
    else { return trial.isImprovement }
    for place in [first.start - 1, first.start] where place >= 0 && place < stretch.lowerBound {
      guard let ladder = Ladder(original.choices[place]), ladder.height >= count,
        let length = ladder.at(ladder.height - count)
      else { continue }
      if await improves(shorter.replacing(place, with: length)) { return true }
    }
    // A list of the greatest allowed length lacks a flag at its end; the shorter list needs one.
    guard original.choices[last.start].isFlag else { return false }
    let end = last.end - stretch.count
    let stop = [original.choices[last.start].simplest]
    return await improves(shorter.replacing(end..<end, with: stop))
  }

  /// Deletes runs of choices regardless of spans, longer runs first, for generators that draw by hand.
  nonisolated(nonsending) func deleteRuns() async {
    for length in [4, 3, 2, 1] {
      var end = best.choices.count
      while !isStopped, end >= length {
        let (original, last) = (best.choices, end)
        let removed = await findInteger(upTo: UInt64(last / length)) { count in
          await self.improves(original.removing(last - Int(count) * length..<last))
        }
        end = min(removed == 0 ? end - 1 : end - Int(removed) * length, best.choices.count)
      }
    }
  }

  /// Deletes one element and lowers the numbers that may be indices of later elements.
  nonisolated(nonsending) func renumber() async {
    await forEachRemovable { number in
      let span = self.layout.spans[number]
      let index = UInt64(self.layout.places[number].index)
      var list = self.best.choices
      for place in list.indices where !span.range.contains(place) {
        guard case .integer(let choice) = list[place], choice.above > 1, !choice.isNegative,
          choice.magnitude > index, let lower = choice.at(choice.distance - 1)
        else { continue }
        list[place] = .integer(lower)
      }
      _ = await self.attempt(list.removing(span.range))
      return span.start
    }
  }

  /// Joins all neighbouring lists at once, then pair by pair, beginning with the last: it deletes the flag that ends
  /// the left list and the next flag, by which the outer list announces the right list.
  nonisolated(nonsending) func joinSiblings() async {
    let seams = self.seams
    guard !seams.isEmpty else { return }
    if seams.count > 1 {
      let all = seams.reversed().reduce(best.choices) { $0.removing($1..<$1 + 2) }
      if await improves(all) { return }
    }
    var place = Int.max
    while !isStopped, let seam = self.seams.last(where: { $0 < place }) {
      _ = await attempt(best.choices.removing(seam..<seam + 2))
      place = seam
    }
  }

  /// The seams between neighbouring elements: the index of each flag 0 ("no more") that ends the left element and is
  /// followed by the flag 1 ("one more") of the right element.
  private var seams: [Int] {
    let choices = best.choices
    return layout.neighbours.compactMap { left, right in
      let isSeam =
        left.kind == .element && left.end == right.start && left.count > 1 && right.count > 1
        && choices[left.end - 1].isFlag(0) && choices[right.start].isFlag(1)
      return isSeam ? left.end - 1 : nil
    }.sorted()
  }

  /// Replaces two neighbouring elements that consist of a single number with their sum.
  ///
  /// A sum beyond the limits wraps around, because such sums reveal bugs of code with fixed-width arithmetic.
  nonisolated(nonsending) func addSiblings() async {
    var right = best.choices.count
    while !isStopped, let pair = pairs.last(where: { $0.right < right }) {
      right = pair.right
      guard case .integer(let first) = best.choices[pair.left],
        case .integer(let second) = best.choices[pair.right],
        let sum = second.wrapping(first.distance + second.distance)
      else { continue }
      let list = best.choices.replacing(pair.right, with: .integer(sum))
      _ = await attempt(list.removing(pair.stretch))
    }
  }

  /// The pairs of neighbouring elements whose numbers are not the simplest: the indices of both numbers and the range
  /// of the left element.
  private var pairs: [(left: Int, right: Int, stretch: Range<Int>)] {
    let choices = best.choices
    return layout.neighbours.compactMap { left, right in
      let isPair = [left, right].allSatisfy { span in
        span.kind == .element && span.count <= 2 && !choices[span.end - 1].isFlag
          && !choices[span.end - 1].isSimplest
      }
      return isPair && left.count == right.count ? (left.end - 1, right.end - 1, left.range) : nil
    }.sorted { $0.right < $1.right }
  }

  /// Sorts siblings, the simplest first: all of them at once, then by swapping neighbours.
  nonisolated(nonsending) func sortSiblings() async {
    var family = 0
    while !isStopped, family < layout.families.count {
      let count = layout.families[family].count
      if count > 1 {
        await sort(family)
        // One sweep of bubble sort per pass; the passes repeat after an improvement.
        var right = count - 1
        while !isStopped, right > 0, family < layout.families.count,
          layout.families[family].count == count
        {
          await swap(family, right - 1)
          right -= 1
        }
      }
      family += 1
    }
  }

  nonisolated(nonsending) private func sort(_ family: Int) async {
    let spans = layout.families[family].map { layout.spans[$0] }
    let sorted = spans.map { best.choices[$0.range] }.sorted { $0.isSimpler(than: $1) }
    let list = zip(spans, sorted).reversed().reduce(best.choices) { list, part in
      list.replacing(part.0.range, with: part.1)
    }
    if list != best.choices { _ = await attempt(list) }
  }

  nonisolated(nonsending) private func swap(_ family: Int, _ left: Int) async {
    let first = layout.spans[layout.families[family][left]].range
    let second = layout.spans[layout.families[family][left + 1]].range
    let (early, late) = (best.choices[first], best.choices[second])
    guard late.isSimpler(than: early) else { return }
    _ = await attempt(best.choices.replacing(second, with: early).replacing(first, with: late))
  }
}

extension Choice {
  fileprivate func isFlag(_ value: UInt64) -> Bool {
    guard case .integer(let choice) = self else { return false }
    return choice.below == 0 && choice.above == 1 && choice.magnitude == value
  }
}

extension IntegerChoice {
  /// Returns the same choice at a distance that wraps around the range once; nil if the result is still outside it.
  fileprivate func wrapping(_ distance: Int128) -> IntegerChoice? {
    let turn = Int128(below) + Int128(above) + 1
    return at(distance) ?? at(distance > 0 ? distance - turn : distance + turn)
  }
}
