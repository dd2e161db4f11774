extension Shrinker {
  /// Lowers two numbers by the same amount, which keeps a difference.
  nonisolated(nonsending) func lowerTogether(_ evaluate: Evaluate) async {
    await forEachPair { left, right in
      let original = self.best.choices
      guard !original[right].isFlag, let first = Ladder(original[left]),
        let second = Ladder(original[right]),
        first.hasUnitSteps, second.hasUnitSteps
      else { return }
      let least = min(first.height, second.height)
      await minimize(least, isThorough: false) { rest in
        guard let one = first.at(rest + (first.height - least)),
          let other = second.at(rest + (second.height - least))
        else { return false }
        return await self.improves(
          original.replacing(left, with: one).replacing(right, with: other), evaluate)
      }
    }
  }
}
