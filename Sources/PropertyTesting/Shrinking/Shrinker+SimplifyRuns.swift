extension Shrinker {
  /// Makes many numbers as simple as they can be at once, then fewer.
  ///
  /// Flags and branches are left out: those decide what else there is.
  nonisolated(nonsending) func simplifyRuns(_ evaluate: Evaluate) async {
    let branches = Set(best.spans.lazy.filter { $0.kind == .alternative }.map(\.start))
    let places = best.choices.indices.filter { index in
      !best.choices[index].isSimplest && !best.choices[index].isFlag && !branches.contains(index)
    }
    var runs = [places[...]]
    while !isStopped, let run = runs.popLast() {
      // Changing a number may change how many there are.
      guard run.count > 1, let last = run.last, last < best.choices.count else { continue }
      let list = run.reduce(into: best.choices) { list, index in
        list[index] = list[index].simplest
      }
      if await improves(list, evaluate) { continue }
      let middle = run.startIndex + run.count / 2
      runs.append(run[middle...])
      runs.append(run[..<middle])
    }
  }
}

extension Choice {
  /// Whether the decision is between at most two.
  var isFlag: Bool {
    guard case .integer(let choice) = self else { return false }
    return choice.below == 0 && choice.above <= 1
  }
}
