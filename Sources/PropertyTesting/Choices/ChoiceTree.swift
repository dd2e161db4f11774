/// What has been learnt of a generator: which decision it asks for after which others, and where
/// a case ended and how.
///
/// Most lists that a shrinker thinks of have been run before under another form, because what
/// does not fit is replaced and what is left over is not read. The tree says so without a run.
package struct ChoiceTree: Sendable {
  /// What the tree knows of a list.
  package enum Prediction: Sendable {
    /// It ends as this attempt did.
    case known(Attempt)
    /// The generator wants more than the list holds.
    case overrun
    case unknown
  }

  /// About 100 MB of nodes; a tree that is full learns no more inner nodes.
  private static let mostNodes = 1 << 20

  /// The simplest form of the decision asked for, by the hash of the decisions before it.
  ///
  /// Hashes stand for lists: were two of them equal by chance (some 1e-7 for a full tree), one
  /// try would be left out, never a wrong one kept.
  private var questions: [UInt64: Choice] = [:]
  private var ends: [UInt64: Attempt] = [:]
  private var asked: Set<UInt64> = []
  private var keptChoices = 0

  /// A tree that knows nothing.
  package init() {}

  /// What is known of a list before it is run.
  package func predict(_ list: [Choice]) -> Prediction {
    var place = Self.root
    for choice in list {
      guard let question = questions[place] else { break }
      place = Self.step(place, choice.fitted(to: question))
    }
    if let end = ends[place] { return .known(end) }
    if questions[place] != nil || asked.contains(Self.hash(list)) { return .overrun }
    return .unknown
  }

  /// Remembers what came of a list.
  package mutating func learn(_ list: [Choice], _ attempt: Attempt) {
    asked.insert(Self.hash(list))
    var place = Self.root
    for choice in attempt.choices {
      if questions.count < Self.mostNodes { questions[place] = choice.simplest }
      place = Self.step(place, choice)
    }
    guard attempt.outcome != .overrun, keptChoices < Self.mostNodes else { return }
    keptChoices += attempt.choices.count + attempt.spans.count
    ends[place] = attempt
  }

  private static let root: UInt64 = 0x9E37_79B9_7F4A_7C15

  private static func hash(_ list: [Choice]) -> UInt64 {
    list.reduce(root) { step($0, $1) }
  }

  private static func step(_ place: UInt64, _ choice: Choice) -> UInt64 {
    let word: UInt64 =
      switch choice {
      case .integer(let choice): choice.magnitude ^ (choice.isNegative ? 0xA5A5_5A5A << 17 : 0)
      case .float(let choice): choice.value.bitPattern ^ 0x0F0F_F0F0_1234
      }
    var mixer = SplitMix64(seed: place ^ word)
    return mixer.next() &+ (place &* 3)
  }
}

extension Choice {
  /// What a replay makes of a decision where another is asked for.
  ///
  /// - Parameter question: the simplest form of what is asked for.
  /// - Returns: The decision within the limits of the question, or the question where it does
  ///   not fit.
  fileprivate func fitted(to question: Choice) -> Choice {
    switch (self, question) {
    case (.integer(let old), .integer(let limits)):
      let fitted = IntegerChoice(
        magnitude: old.magnitude, isNegative: old.isNegative, below: limits.below,
        above: limits.above)
      return fitted.isWithinLimits ? .integer(fitted) : question
    case (.float(let old), .float(let limits)):
      return limits.allows(old.value) ? .float(limits.with(old.value)) : question
    default: return question
    }
  }
}
