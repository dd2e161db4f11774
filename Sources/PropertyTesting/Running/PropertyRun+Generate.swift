extension PropertyRun {
  /// Tries cases from the generator until there are enough, or it makes no sense to go on.
  func generate() async {
    guard await checkSimplestCase() else { return }
    if await tryAll() { return }
    var climbers = Climbers(seed: seed)
    var next = 0
    // The round in which a failure was met first and the last new one, by the cases run then.
    var (firstFailure, lastFailure) = (0, 0)
    while !isOver, health.isEmpty {
      let done = generated.valid + climbers.evaluations
      let wanted = casesWanted - done
      if wanted <= 0 { return }
      let known = total.failures.count
      if isTargetNext, climbers.evaluations < generated.valid {
        await target(&climbers, atMost: wanted)
      } else {
        let size = min(max(16, generated.executed / 2), 16_384, wanted)
        let seed = seed
        let summary = await round(next..<(next + size), .generate) {
          .random(seed: seed, index: UInt64($0))
        }
        next += size
        generated.add(summary)
        generated.lines = []
        checkHealth()
        if isHopeless { return }
      }
      if total.failures.count > known {
        if known == 0 { firstFailure = generated.executed }
        lastFailure = generated.executed
      }
      if lastFailure > 0 {
        // Other failures are looked for as long as Hypothesis does: until none was met in as many
        // cases again as up to the last, or in 1000.
        let enough = min(firstFailure + 1000, 2 * lastFailure)
        if generated.executed >= enough || total.failures.count >= settings.failureLimit { return }
      }
    }
  }

  /// How many cases are to be run: more than asked for while a required share is not decided.
  private var casesWanted: Int {
    guard generated.valid + 16 >= settings.cases,
      generated.classes.tallies.contains(where: { $0.share != nil }),
      classReports.contains(where: { $0.verdict == .undecided })
    else { return settings.cases }
    return max(settings.cases, settings.classCases)
  }

  /// Whether the next cases are variations of the best ones.
  ///
  /// Half of the cases are. Of fewer than 1000 they are the second half, for they build on the
  /// first; of more they alternate with new ones, as in Hypothesis.
  private var isTargetNext: Bool {
    settings.phases.contains(.target) && !total.best.isEmpty
      && generated.valid >= (settings.cases < 1000 ? (settings.cases + 1) / 2 : 100)
  }
}
