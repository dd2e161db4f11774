extension Shrinker {
  /// Lowers one number and raises a later one by the same amount, which keeps a sum.
  nonisolated(nonsending) func redistribute(_ evaluate: Evaluate) async {
    await forEachPair { left, right in
      let original = self.best.choices
      guard let lower = Ladder(original[left]), let higher = Ladder(original[right]),
        lower.hasUnitSteps, higher.hasUnitSteps, lower.height > 0
      else { return }
      let isDown = lower.isNegative
      let works = { (amount: UInt64) -> [Choice]? in
        guard let less = lower.at(lower.height - amount),
          let more = higher.moved(by: amount, downwards: isDown)
        else { return nil }
        return original.replacing(left, with: less).replacing(right, with: more)
      }
      // As much as there is room for comes first: it ends on a bound.
      let most = min(lower.height, higher.room(downwards: isDown) ?? .max)
      guard most > 0 else { return }
      if let list = works(most), await self.improves(list, evaluate) { return }
      _ = await findInteger(upTo: most) { amount in
        guard let list = works(amount) else { return false }
        return await self.improves(list, evaluate)
      }
    }
  }
}
