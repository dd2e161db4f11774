extension PropertyRun {
  /// Tries cases from the generator until there are enough, or it makes no sense to go on.
  func generate() async {
    guard await checkSimplestCase() else { return }
    if await tryAll() { return }
    var climbers = Climbers(seed: seed)
    var next = settings.firstCase
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

  /// Longer lists of cases are not made beforehand: ten thousand take some milliseconds and
  /// megabytes.
  private static var mostListed: Int { 10_000 }

  /// Tries every case there is, each once, if they are no more than are asked for.
  ///
  /// - Returns: Whether it did, or was stopped at it. Where it did not, what was tried is counted
  ///   as cases, but not in classes, for it is no fair sample.
  func tryAll() async -> Bool {
    let (generator, most) = (runner.generator, min(settings.cases, Self.mostListed))
    let lists: [[Choice]]?
    if let limiter = runner.limiter {
      lists = await limiter.run { generator.allCases(atMost: most) } ?? nil
    } else {
      lists = generator.allCases(atMost: most)
    }
    guard let lists else { return false }
    // A property that draws by itself runs over the end of a list, most likely at the first.
    for numbers in [0..<1, 1..<lists.count] where !numbers.isEmpty {
      let summary = await round(numbers, .generate) { .replay(lists[$0], tail: .overrun) }
      if summary.isCutShort { return true }
      if summary.oversized > 0 {
        total.oversized -= summary.oversized
        generated = RoundSummary()
        return false
      }
      generated.add(summary)
      generated.lines = []
    }
    isExhaustive = true
    return true
  }
}

extension Gen {
  /// The choices of every case that the generator can make, or nil when there are more than some.
  ///
  /// The tree of choices is walked from the simplest case on. At any time each choice on the way
  /// has some values still to come, each of which leads to a case at least, so that a tree too
  /// large is found out early.
  func allCases(atMost most: Int) -> [[Choice]]? {
    var testCase = TestCase()
    var lists: [[Choice]] = []
    var path: [Choice] = []
    while true {
      testCase.begin(replaying: path, tail: .simplest)
      _ = try? body(&testCase)
      // A generator that does not do the same again cannot be walked.
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
  /// How many values come after this one, from the simplest on.
  fileprivate var valuesToCome: Double {
    switch self {
    case .integer(let choice):
      let lower = choice.isNegative ? choice.magnitude : max(choice.magnitude, 1) - 1
      return Double(choice.above - min(choice.magnitude, choice.above))
        + Double(choice.below - min(lower, choice.below))
    case .float(let choice):
      // Zeros are two; the doubles of any other range are taken for too many to be tried.
      return choice.low == choice.high && choice.low != 0 && !choice.allowsNonFinite ? 0 : .infinity
    }
  }

  /// The next value, from the simplest on: 0, 1, -1, 2, -2 and so on.
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
  /// Looks at the size of the simplest case; tells whether to go on.
  func checkSimplestCase() async -> Bool {
    guard !settings.suppressing.contains(.largeSimplestCase) else { return true }
    // What does not end in time is found by the cases that follow.
    guard let record = await runner.draw(.replay([], tail: .simplest))?.record else { return true }
    let most = TestCase.mostChoices / 2
    guard record.choices.count > most else { return true }
    find(
      .largeSimplestCase,
      "the simplest case takes \(record.choices.count) choices, of \(TestCase.mostChoices)")
    return false
  }

  /// Looks at how the cases come; Hypothesis' limits, and QuickCheck's ten discards a case.
  func checkHealth() {
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
    // With this many, fewer than one of 100 is valid almost surely; 458 without any valid case
    // mean so with 99 % certainty (0.99^458 < 0.01), as Hypothesis has it.
    isHopeless = generated.executed - valid > 458 + 100 * valid
  }

  private func find(_ check: HealthCheck, _ message: String) {
    guard !settings.suppressing.contains(check) else { return }
    if !health.contains(where: { $0.check == check }) {
      health.append(HealthFinding(check: check, message: message))
    }
  }
}
