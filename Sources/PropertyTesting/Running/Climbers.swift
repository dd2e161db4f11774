/// Climbs towards higher scores, one choice of the best case at a time.
///
/// A round tries steps spread over a reach on both sides of the choice. The next round reaches
/// less far, so that a single top is closed in on by two or three bits a round. After some rounds
/// without gain, or when the reach is spent, it is the turn of the next choice; on later turns the
/// first reach is of any size, for tops that lie close by.
struct Climbers: Sendable {
  /// Enough to close in by a factor of four on average, few enough to learn often.
  private static let variationsARound = 16
  /// A choice is left after this many rounds without gain; three bring the reach down by 512.
  private static let patience = 3

  /// Where the climb of one score stands.
  private struct Climb {
    var place = 0
    /// How far steps go; nil at the beginning of a turn.
    var reach: Double?
    var roundsWithoutGain = 0
    var score = -Double.infinity
    var turns = 0
  }

  /// What random tails are drawn from.
  let seed: UInt64
  private(set) var evaluations = 0
  private var climbs: [String: Climb] = [:]
  private var rounds = 0
  private var random: SplitMix64

  init(seed: UInt64) {
    // Another sequence than that of the cases.
    self.seed = ~seed
    random = SplitMix64(seed: ~seed)
  }

  /// Choices to try next; their tails are drawn at random.
  ///
  /// - Parameters:
  ///   - best: the best case of each score; at least one. They take turns.
  ///   - most: how many to make; at least 1.
  /// - Returns: At least one list.
  mutating func variations(of best: [ScoredCase], atMost most: Int) -> [[Choice]] {
    let climbed = best[rounds % best.count]
    let count = min(most, Self.variationsARound)
    guard !climbed.choices.isEmpty else { return Array(repeating: [], count: count) }
    var climb = climbs[climbed.name] ?? Climb()
    climb.place %= climbed.choices.count
    let choice = climbed.choices[climb.place]
    let reach = climb.reach ?? firstReach(choice, turn: climb.turns / climbed.choices.count)
    climb.reach = reach
    climb.score = climbed.score
    climbs[climbed.name] = climb
    return (0..<count).map { number in
      var list = climbed.choices
      let other = Int(random.next(upTo: UInt64(list.count - 1)))
      switch number % 8 {
      // Two choices at a time get along ridges, and a new end changes what is built.
      case 6: list[other] = list[other].moved(by: (2 * random.nextUnit() - 1) * list[other].reach)
      case 7: list.removeSubrange(other...)
      default: break
      }
      if climb.place < list.count {
        // One step from each stretch of the reach, so that none is left out.
        let share = 2 * (Double(number) + random.nextUnit()) / Double(count) - 1
        list[climb.place] = choice.moved(by: share * reach)
      }
      return list
    }
  }

  /// Sees what the variations came to.
  mutating func learn(from best: [ScoredCase], evaluations: Int) {
    self.evaluations += evaluations
    let climbed = best[rounds % best.count]
    rounds += 1
    guard var climb = climbs[climbed.name], let reach = climb.reach else { return }
    let hasGained = climbed.score > climb.score
    climb.roundsWithoutGain = hasGained ? 0 : climb.roundsWithoutGain + 1
    // The steps stand about an eighth of the reach apart, so that the top of a hill is within.
    let next = reach / (hasGained ? 4 : 8)
    climb.reach = next
    let spent = climb.place < climbed.choices.count && climbed.choices[climb.place].ignores(next)
    if climb.roundsWithoutGain >= Self.patience || spent {
      climb.place += 1
      climb.turns += 1
      climb.reach = nil
      climb.roundsWithoutGain = 0
    }
    climbs[climbed.name] = climb
  }

  private mutating func firstReach(_ choice: Choice, turn: Int) -> Double {
    guard turn > 0 else { return choice.reach }
    return choice.reach * Double(sign: .plus, exponent: -Int(random.next(upTo: 40)), significand: 1)
  }
}

extension Choice {
  /// How far a first step may go: over the range, or ten times what is chosen where the range is
  /// much wider.
  fileprivate var reach: Double {
    switch self {
    case .integer(let choice):
      min(
        max(Double(choice.below), Double(choice.above)), max(10 * Double(choice.magnitude), 1000))
    case .float(let choice):
      // Halves are subtracted, so that the widest range has a width too.
      min(choice.high / 2 - choice.low / 2, max(10 * choice.held.magnitude, 1000))
    }
  }

  /// Whether steps of a reach change nothing.
  fileprivate func ignores(_ reach: Double) -> Bool {
    switch self {
    case .integer: reach < 1
    case .float(let choice): reach < max(choice.held.ulp, reach.ulp) || reach < 1e-300
    }
  }

  /// The choice one step away, held within its limits; at least 1 away for a whole number.
  fileprivate func moved(by step: Double) -> Choice {
    switch self {
    case .integer(let choice):
      // Within 2^68, for a reach is at most ten times 2^64.
      let whole = Int128(step.rounded(.awayFromZero))
      let distance = min(
        max(choice.distance + whole, -Int128(choice.below)), Int128(choice.above))
      return .integer(choice.at(distance) ?? choice)
    case .float(let choice):
      return .float(choice.with(min(max(choice.held + step, choice.low), choice.high)))
    }
  }
}

extension FloatChoice {
  /// The number to start a step from: the simplest one where it is none.
  fileprivate var held: Double { value.isFinite ? value : simplest.value }
}

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
