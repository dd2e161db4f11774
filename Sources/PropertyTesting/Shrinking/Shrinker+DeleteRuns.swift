extension Shrinker {
  /// Leaves out runs of choices whatever they mean, the longer runs first.
  ///
  /// This is for generators that draw by hand and mark no spans.
  nonisolated(nonsending) func deleteRuns(_ evaluate: Evaluate) async {
    for length in [4, 3, 2, 1] {
      var end = best.choices.count
      while !isStopped, end >= length {
        let (original, last) = (best.choices, end)
        let removed = await findInteger(upTo: UInt64(last / length)) { count in
          await self.improves(
            original.removing(last - Int(count) * length..<last), evaluate)
        }
        end = min(removed == 0 ? end - 1 : end - Int(removed) * length, best.choices.count)
      }
    }
  }
}
