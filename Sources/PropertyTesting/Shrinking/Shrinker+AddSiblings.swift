extension Shrinker {
  /// Makes one element of two neighbours that are a number each: their sum.
  ///
  /// A sum beyond the limits wraps around, as it does in the fixed-width arithmetic whose bugs
  /// such sums show.
  nonisolated(nonsending) func addSiblings(_ evaluate: Evaluate) async {
    var right = best.choices.count
    while !isStopped, let pair = pairs.last(where: { $0.right < right }) {
      right = pair.right
      guard case .integer(let first) = best.choices[pair.left],
        case .integer(let second) = best.choices[pair.right],
        let sum = second.wrapping(first.distance + second.distance)
      else { continue }
      let list = best.choices.replacing(pair.right, with: .integer(sum))
      _ = await attempt(list.removing(pair.stretch), evaluate)
    }
  }

  /// The numbers, none of them the simplest, of neighbours that have only one each, and the
  /// stretch of the left neighbour.
  private var pairs: [(left: Int, right: Int, stretch: Range<Int>)] {
    let (layout, choices) = (layout, best.choices)
    return layout.families.flatMap { family in
      Swift.zip(family, family.dropFirst()).compactMap { left, right in
        let (left, right) = (layout.spans[left], layout.spans[right])
        let numbers = [left, right].compactMap { span -> Int? in
          guard span.kind == .element, span.count <= 2, !choices[span.end - 1].isFlag,
            !choices[span.end - 1].isSimplest
          else { return nil }
          return span.end - 1
        }
        guard numbers.count == 2, left.count == right.count else { return nil }
        return (numbers[0], numbers[1], left.start..<left.end)
      }
    }.sorted { $0.right < $1.right }
  }
}

extension IntegerChoice {
  /// The same decision at a distance brought within its limits by whole turns of its range.
  fileprivate func wrapping(_ distance: Int128) -> IntegerChoice? {
    let turn = Int128(below) + Int128(above) + 1
    if let fitting = at(distance) { return fitting }
    return at(distance > 0 ? distance - turn : distance + turn)
  }
}
