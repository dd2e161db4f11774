extension Shrinker {
  /// Hands out pairs of numbers, the left not the simplest, the right one of the next three
  /// or, so that the last jump of a permutation is among them, the decision that follows.
  ///
  /// More distant pairs would make the tries grow with the square of the size; Hypothesis looks
  /// as far.
  nonisolated(nonsending) func forEachPair(_ body: nonisolated(nonsending) (Int, Int) async -> Void)
    async
  {
    var left = 0
    while !isStopped, left < best.choices.count {
      let next = left + 1
      if next < best.choices.count, best.choices[next].isFlag, !best.choices[left].isFlag,
        !best.choices[left].isSimplest
      {
        await body(left, next)
      }
      for distance in 0..<3 {
        guard left < best.choices.count, !best.choices[left].isFlag, !best.choices[left].isSimplest
        else { break }
        let later = best.choices.indices[(left + 1)...].lazy.filter {
          !self.best.choices[$0].isFlag
        }
        guard let right = later.dropFirst(distance).first else { break }
        await body(left, right)
      }
      left += 1
    }
  }
}
