extension Shrinker {
  /// Makes one list of two neighbours, which has two choices less: the end of the one and the
  /// beginning of the other.
  ///
  /// All neighbours at once first, then each pair from the last.
  nonisolated(nonsending) func joinSiblings(_ evaluate: Evaluate) async {
    let seams = self.seams
    guard !seams.isEmpty else { return }
    if seams.count > 1 {
      let all = seams.reversed().reduce(best.choices) { $0.removing($1..<$1 + 2) }
      if await improves(all, evaluate) { return }
    }
    var place = Int.max
    while !isStopped, let seam = self.seams.last(where: { $0 < place }) {
      _ = await attempt(best.choices.removing(seam..<seam + 2), evaluate)
      place = seam
    }
  }

  /// Where an element that ends on "no more" is followed by "one more".
  private var seams: [Int] {
    let (layout, choices) = (layout, best.choices)
    return layout.families.flatMap { family in
      Swift.zip(family, family.dropFirst()).compactMap { left, right in
        let (left, right) = (layout.spans[left], layout.spans[right])
        let isSeam =
          left.kind == .element && left.end == right.start && left.end - left.start > 1
          && right.end - right.start > 1 && choices[left.end - 1].isFlag(0)
          && choices[right.start].isFlag(1)
        return isSeam ? left.end - 1 : nil
      }
    }.sorted()
  }
}

extension Choice {
  /// Whether the decision is between two, and which was taken.
  fileprivate func isFlag(_ value: UInt64) -> Bool {
    guard case .integer(let choice) = self else { return false }
    return choice.below == 0 && choice.above == 1 && choice.magnitude == value
  }
}
