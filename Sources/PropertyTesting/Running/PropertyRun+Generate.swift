extension PropertyRun {
  /// Tries generated cases until enough have run or further cases would not help.
  func generate() async {
    guard await checkSimplestCase() else { return }
    if await tryAll() { return }
    var climbers = Climbers(seed: seed)
    var next = 0
    // How many cases had run after the round with the first failure, and after the one with the latest.
    var (firstFailure, lastFailure) = (0, 0)
    while !isOver, report.healthFindings.isEmpty {
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
        checkHealth()
        if isHopeless { return }
      }
      if total.failures.count > known {
        if known == 0 { firstFailure = generated.executed }
        lastFailure = generated.executed
      }
      if lastFailure > 0 {
        // As in Hypothesis, the search for further failures ends 1000 cases after the first failure, or when the number
        // of cases has doubled since the latest one.
        let enough = min(firstFailure + 1000, 2 * lastFailure)
        if generated.executed >= enough || total.failures.count >= settings.failureLimit { return }
      }
    }
  }

  /// The number of cases to run: more than requested while a required share is undecided.
  private var casesWanted: Int {
    guard generated.valid + 16 >= settings.cases,
      generated.classes.tallies.contains(where: { $0.share != nil }),
      classReports.contains(where: { $0.verdict == .undecided })
    else { return settings.cases }
    return max(settings.cases, settings.classCases)
  }

  /// Whether the next cases are variations of the best ones.
  ///
  /// Half of the cases are variations, as in Hypothesis. In a run of fewer than 1000 cases they are the second half; in
  /// a longer run, rounds of variations and of new cases alternate.
  private var isTargetNext: Bool {
    settings.phases.contains(.target) && !total.best.isEmpty
      && generated.valid >= (settings.cases < 1000 ? (settings.cases + 1) / 2 : 100)
  }

  /// Tries every case of the generator once, if there are at most as many as requested.
  ///
  /// Returns true if it tried all of them or was stopped early, and false if cases must be drawn at random instead.
  private func tryAll() async -> Bool {
    // Listing ten thousand cases takes some milliseconds and megabytes.
    let (generator, most) = (runner.generator, min(settings.cases, 10_000))
    let lists: [[Choice]]?
    if let limiter = runner.limiter {
      lists = await limiter.run { generator.allCases(atMost: most) } ?? nil
    } else {
      lists = generator.allCases(atMost: most)
    }
    guard let lists else { return false }
    // If the body itself draws, a case needs more choices than are listed; the first case usually shows this.
    for numbers in [0..<1, 1..<lists.count] where !numbers.isEmpty {
      let summary = await round(numbers, .generate) { .replay(lists[$0], tail: .overrun) }
      if summary.isCutShort { return true }
      if summary.oversized > 0 {
        // The cases tried so far do not count in classes, because they are not a fair sample.
        total.oversized -= summary.oversized
        generated = RoundSummary()
        return false
      }
      generated.add(summary)
    }
    report.wasExhaustive = true
    return true
  }
}

extension Gen {
  /// Returns the choices of every case of the generator, or nil if there are more than a limit.
  ///
  /// The search is depth-first, from the simplest case on. Each untried value of a choice on the current path leads to
  /// at least one case, so a tree that is too large is detected early.
  func allCases(atMost most: Int) -> [[Choice]]? {
    var testCase = TestCase()
    var lists: [[Choice]] = []
    var path: [Choice] = []
    while true {
      testCase.begin(replaying: path, tail: .simplest)
      _ = try? body(&testCase)
      // A generator that does not repeat its choices cannot be enumerated.
      guard testCase.choices.starts(with: path), !testCase.isOverrun else { return nil }
      lists.append(testCase.choices)
      let toCome = testCase.choices.reduce(0.0) { $0 + $1.valuesToCome }
      guard Double(lists.count) + toCome <= Double(most) else { return nil }
      guard let last = testCase.choices.lastIndex(where: { $0.valuesToCome > 0 }),
        let next = testCase.choices[last].next
      else { return lists }
      path = testCase.choices[..<last] + [next]
    }
  }
}

extension Choice {
  /// The number of values after this one, in the order from the simplest on.
  fileprivate var valuesToCome: Double {
    switch self {
    case .integer(let choice):
      let lower = choice.isNegative ? choice.magnitude : max(choice.magnitude, 1) - 1
      return Double(choice.above - min(choice.magnitude, choice.above))
        + Double(choice.below - min(lower, choice.below))
    case .float(let choice):
      // Only a range of one number other than 0 is enumerated: 0 has two bit patterns; wider ranges count as too large.
      return choice.low == choice.high && choice.low != 0 && !choice.allowsNonFinite ? 0 : .infinity
    }
  }

  /// The next value in the order from the simplest on: 0, 1, -1, 2, -2 and so on.
  fileprivate var next: Choice? {
    guard case .integer(let choice) = self else { return nil }
    let distance = choice.distance
    let following =
      distance > 0 ? [-distance, distance + 1] : [1 - distance, distance - 1]
    for candidate in following {
      if let next = choice.at(candidate) { return .integer(next) }
    }
    return nil
  }
}

extension PropertyRun {
  /// Checks the size of the simplest case; returns whether the run may continue.
  private func checkSimplestCase() async -> Bool {
    guard !settings.suppressing.contains(.largeSimplestCase) else { return true }
    // A generator that does not end in time is detected by the cases that follow.
    guard let record = await runner.draw(.replay([], tail: .simplest))?.record else { return true }
    let most = TestCase.mostChoices / 2
    guard record.choices.count > most else { return true }
    find(
      .largeSimplestCase,
      "the simplest case takes \(record.choices.count) choices, of \(TestCase.mostChoices)")
    return false
  }

  /// Checks the rates of discarded, oversized and slow cases against Hypothesis' limits and QuickCheck's ten discards
  /// per valid case.
  private func checkHealth() {
    let (valid, discards, oversized) = (generated.valid, generated.discards, generated.oversized)
    if generated.stuck > 0 {
      find(.tooSlow, "the generator did not end within the time of a case")
    }
    if valid < 10, discards > 50 {
      find(.tooMuchDiscarded, "\(discards) cases were discarded before \(valid + 1) were valid")
    } else if discards > max(10 * valid, 100) {
      find(.tooMuchDiscarded, "\(discards) cases were discarded and \(valid) were valid")
    }
    if valid < 10, oversized > 20 {
      find(.tooLarge, "\(oversized) cases were too large before \(valid + 1) were valid")
    }
    let samples = generated.samples
    if samples > 0, generated.generating * 10 > .seconds(samples) {
      find(.tooSlow, "a case took \(generated.generating / samples) to generate")
    }
    // As in Hypothesis, 459 invalid cases without a valid one show with 99 % certainty that fewer than 1 % are valid
    // (0.99^459 < 0.01). Each valid case allows 100 more.
    isHopeless = generated.executed - valid > 458 + 100 * valid
  }

  private func find(_ check: HealthCheck, _ message: String) {
    guard !settings.suppressing.contains(check) else { return }
    if !report.healthFindings.contains(where: { $0.check == check }) {
      report.healthFindings.append(HealthFinding(check: check, message: message))
    }
  }
}
