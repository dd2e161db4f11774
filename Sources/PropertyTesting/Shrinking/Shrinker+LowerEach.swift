extension Shrinker {
  /// Lowers each number on its own.
  nonisolated(nonsending) func lowerEach(_ evaluate: Evaluate) async {
    var index = 0
    while !isStopped, index < best.choices.count {
      if !best.choices[index].isSimplest { await lower([index], evaluate) }
      index += 1
    }
  }

  /// Lowers the choices at some places, which are equal, as one.
  nonisolated(nonsending) func lower(_ places: [Int], _ evaluate: Evaluate) async {
    switch best.choices[places[0]] {
    case .integer(let choice): await lower(choice, at: places, evaluate)
    case .float(let choice): await lower(choice, at: places, evaluate)
    }
  }

  /// Whether the case stays a failure with a simpler choice at some places.
  nonisolated(nonsending) func improves(
    _ places: [Int], to choice: Choice?, from original: [Choice], _ evaluate: Evaluate
  ) async -> Bool {
    guard let choice, let last = places.last, last < original.count else { return false }
    var list = original
    for place in places { list[place] = choice }
    let trial = await attempt(list, evaluate)
    if trial.isImprovement { return true }
    // A lower number may ask for less: then what it asked for is taken away behind it, as the
    // end of the list, which now goes unread, may be what fails.
    guard let used = trial.attempt?.choices.count, used < original.count,
      last + 1 + original.count - used <= original.count
    else { return false }
    return await improves(
      list.removing(last + 1..<last + 1 + original.count - used), evaluate)
  }
}
