/// A record of the runs of a generator: the decision that follows each list of decisions, and the attempts.
///
/// Most edited lists repeat an earlier run, because a replay replaces choices that do not fit and ignores surplus ones.
/// The tree recognises such lists without a run.
package struct ChoiceTree: Sendable {
  /// The predicted result of a list, which may repeat a known attempt or be too short for the generator.
  package enum Prediction: Sendable {
    case known(Attempt), overrun, unknown
  }

  /// The greatest number of nodes, about 100 MB; a full tree adds no inner nodes.
  private static let mostNodes = 1 << 20

  /// The simplest form of the next decision, keyed by the hash of the decisions before it.
  ///
  /// A hash collision (probability about 1e-7 for a full tree) skips one attempt; it never keeps a wrong one.
  private var questions: [UInt64: Choice] = [:]
  private var ends: [UInt64: Attempt] = [:]
  /// The hashes of all lists tried; if a list is here but its attempt is not in `ends`, the run overran or the tree
  /// was full, and a repetition would give nothing new.
  private var triedLists: Set<UInt64> = []
  private var keptChoices = 0

  package func predict(_ list: [Choice]) -> Prediction {
    var place = Self.root
    for choice in list {
      guard let question = questions[place] else { break }
      place = Self.step(place, choice.fitted(to: question))
    }
    if let end = ends[place] { return .known(end) }
    return questions[place] != nil || triedLists.contains(Self.hash(list)) ? .overrun : .unknown
  }

  package mutating func learn(_ list: [Choice], _ attempt: Attempt) {
    triedLists.insert(Self.hash(list))
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

  private static func hash(_ list: [Choice]) -> UInt64 { list.reduce(root) { step($0, $1) } }

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
  /// Returns the choice that a replay makes when the generator asks for a decision whose simplest form is `question`:
  /// the same value, or the question itself if its limits do not allow that value.
  func fitted(to question: Choice) -> Choice {
    switch (self, question) {
    case (.integer(let old), .integer(let limits)):
      let fitted = limits.with(old.magnitude, isNegative: old.isNegative)
      return fitted.isWithinLimits ? .integer(fitted) : question
    case (.float(let old), .float(let limits)):
      return limits.allows(old.value) ? .float(limits.with(old.value)) : question
    default: return question
    }
  }
}
