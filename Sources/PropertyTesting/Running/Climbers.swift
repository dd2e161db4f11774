/// A hill climb towards higher scores, which mostly changes one choice of the best case at a time.
///
/// A round tries steps within a reach on both sides of the choice, and each round shortens the reach. After several
/// rounds without gain, or when the reach is too short to change the choice, the climb turns to the next choice. When
/// a choice has another turn, its first reach is random, to find nearby maxima.
struct Climbers: Sendable {
  /// The number of variations per round; a round with a gain divides the reach by 4, a round without by 8.
  private static let variationsARound = 16
  /// The number of rounds without gain before the next choice has its turn; three rounds divide the reach by 512.
  private static let patience = 3

  private struct Climb {
    var place = 0
    /// The greatest step; nil at the beginning of a turn.
    var reach: Double?
    var roundsWithoutGain = 0
    var score = -Double.infinity
    var turns = 0
  }

  /// The seed of random tails.
  let seed: UInt64
  private(set) var evaluations = 0
  private var climbs: [String: Climb] = [:]
  private var rounds = 0
  private var random: SplitMix64

  init(seed: UInt64) {
    // The complement makes this sequence differ from the sequence of the cases.
    self.seed = ~seed
    random = SplitMix64(seed: ~seed)
  }

  /// Returns lists of choices to try next, at most `most`, to replay with random tails; the best cases take turns.
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
      let other = Int(random.next(through: UInt64(list.count - 1)))
      switch number % 8 {
      // Changing two choices at a time follows ridges; a new tail changes the structure of the value.
      case 6: list[other] = list[other].moved(by: (2 * random.nextUnit() - 1) * list[other].reach)
      case 7: list.removeSubrange(other...)
      default: break
      }
      if climb.place < list.count {
        // Each variation draws its step from its own interval, so that the steps cover the reach.
        let share = 2 * (Double(number) + random.nextUnit()) / Double(count) - 1
        list[climb.place] = choice.moved(by: share * reach)
      }
      return list
    }
  }

  mutating func learn(from best: [ScoredCase], evaluations: Int) {
    self.evaluations += evaluations
    let climbed = best[rounds % best.count]
    rounds += 1
    guard var climb = climbs[climbed.name], let reach = climb.reach else { return }
    let hasGained = climbed.score > climb.score
    climb.roundsWithoutGain = hasGained ? 0 : climb.roundsWithoutGain + 1
    // Steps are about an eighth of the reach apart, so the next reach still contains the maximum.
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
    return choice.reach / Double(1 << random.next(through: 40))
  }
}

extension Choice {
  /// The greatest first step: for a whole number the longer side of its range, for a double half of its range, but at
  /// most ten times the chosen number, or 1000 if that is greater.
  fileprivate var reach: Double {
    switch self {
    case .integer(let choice):
      min(
        max(Double(choice.below), Double(choice.above)), max(10 * Double(choice.magnitude), 1000))
    case .float(let choice):
      // Halves are subtracted, because the difference of the widest range overflows.
      min(choice.high / 2 - choice.low / 2, max(10 * choice.held.magnitude, 1000))
    }
  }

  /// Whether steps within a reach leave the choice unchanged.
  fileprivate func ignores(_ reach: Double) -> Bool {
    switch self {
    case .integer: reach < 1
    case .float(let choice): reach < max(choice.held.ulp, reach.ulp) || reach < 1e-300
    }
  }

  /// Returns the choice after a step, clamped to its limits; a whole number moves by at least 1.
  fileprivate func moved(by step: Double) -> Choice {
    switch self {
    case .integer(let choice):
      // A whole number needs no step beyond 2^64. But the reach may be larger if an earlier round chose it for a double
      // at this index.
      let whole = Int128(min(max(step, -0x1p65), 0x1p65).rounded(.awayFromZero))
      let distance = min(
        max(choice.distance + whole, -Int128(choice.below)), Int128(choice.above))
      return .integer(choice.at(distance) ?? choice)
    case .float(let choice):
      return .float(choice.with(min(max(choice.held + step, choice.low), choice.high)))
    }
  }
}

extension FloatChoice {
  /// The number from which steps start: the chosen number if it is finite, else the simplest.
  fileprivate var held: Double { value.isFinite ? value : simplest.value }
}

extension PropertyRun {
  func target(_ climbers: inout Climbers, atMost most: Int) async {
    let lists = climbers.variations(of: total.best, atMost: most)
    let (seed, first) = (climbers.seed, climbers.evaluations)
    _ = await round(0..<lists.count, .target) {
      .replay(lists[$0], tail: .random, seed: seed &+ UInt64(first + $0))
    }
    climbers.learn(from: total.best, evaluations: lists.count)
  }
}
