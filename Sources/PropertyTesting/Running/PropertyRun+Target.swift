extension PropertyRun {
  /// Tries variations of the best case of one score.
  func target(_ climbers: inout Climbers, atMost most: Int) async {
    let lists = climbers.variations(of: total.best, atMost: most)
    let (seed, first) = (climbers.seed, climbers.evaluations)
    _ = await round(0..<lists.count, .target) {
      .replay(lists[$0], tail: .random, seed: seed &+ UInt64(first + $0))
    }
    climbers.learn(from: total.best, evaluations: lists.count)
  }
}
