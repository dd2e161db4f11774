internal import Measurement
internal import RealModule

/// A distribution of launches with mean 0 and deviation 1.
enum LaunchShape: String, Codable, Sendable, CaseIterable {
  case normal
  /// Student's t of 4 degrees of freedom.
  case heavyTailed = "heavy tails"
  /// An exponential distribution: some launches are slow, none is fast.
  case skewed
  /// One launch in ten is slow by five deviations of the others.
  case twoLevels = "one in ten slow"

  /// Draws one launch.
  func drawn(using random: inout SeededRandom) -> Double {
    switch self {
    case .normal: return Self.normal(&random)
    case .heavyTailed:
      let squares = (0..<4).reduce(0.0) { sum, _ in
        let number = Self.normal(&random)
        return sum + number * number
      }
      return Self.normal(&random) / (squares / 4).squareRoot() / 2.0.squareRoot()
    case .skewed: return -Double.log(1 - random.unit()) - 1
    case .twoLevels:
      let level = random.unit() < 0.1 ? 5.0 : 0
      return (Self.normal(&random) + level - 0.5) / 3.25.squareRoot()
    }
  }

  /// The standard normal distribution, by Box and Muller.
  static func normal(_ random: inout SeededRandom) -> Double {
    (-2 * Double.log(1 - random.unit())).squareRoot() * Double.cos(2 * .pi * random.unit())
  }
}

/// The share of intervals that miss the true centre.
struct CoverageRow: Codable, Sendable {
  var shape: LaunchShape
  var launches: Int
  /// The chance, on each side, that an interval may miss.
  var tail: Double
  var trials: Int
  /// Intervals that lie wholly above it, which makes a false "slower", and wholly below it.
  var above = 0
  var below = 0

  /// Draws launches, so many at a time, and estimates their middle.
  ///
  /// The middle is the mean of the distribution if none of so many launches is left out, and
  /// otherwise its mean without an eighth at either end, here of a million launches.
  init(_ shape: LaunchShape, launches: Int, tail: Double, trials: Int, seed: UInt64) throws {
    (self.shape, self.launches, self.tail, self.trials) = (shape, launches, tail, trials)
    var random = SeededRandom(seed: seed, label: "\(shape.rawValue) \(launches)")
    let middle =
      LocationEstimate.kept(of: launches) == launches
      ? 0
      : LocationEstimate(
        try SortedSamples((0..<1_000_000).map { _ in shape.drawn(using: &random) })
      ).center
    for _ in 0..<trials {
      let drawn = (0..<launches).map { _ in shape.drawn(using: &random) }
      guard let interval = LocationEstimate(try SortedSamples(drawn)).interval(tail: tail)
      else { continue }
      if interval.lower > middle { above += 1 }
      if interval.upper < middle { below += 1 }
    }
  }

  /// Looks of a first measurement with their shares of the error rate, and second measurements.
  static func all(trials: Int, seed: UInt64) throws -> [CoverageRow] {
    let settings = GateSettings()
    let last = Double(settings.looks.last ?? 0)
    let looks = zip(settings.looks, [0] + settings.looks).map { look, before in
      (look, settings.errorRate * Double(look - before) / last)
    }
    let second = [settings.confirmingLaunches, settings.looks.last ?? 0].map {
      ($0, settings.errorRate)
    }
    return try LaunchShape.allCases.flatMap { shape in
      try (looks + second).map {
        try CoverageRow(shape, launches: $0, tail: $1, trials: trials, seed: seed)
      }
    }
  }

  static let heading =
    "| launches scatter | launches | may miss | above | below |\n|---|---|---|---|---|"

  /// A line of Markdown.
  var line: String {
    let shares = [Int((tail * Double(trials)).rounded()), above, below].map {
      "\(per100($0, trials)) %"
    }
    return "| \(shape.rawValue) | \(launches) | " + shares.joined(separator: " | ") + " |"
  }
}
