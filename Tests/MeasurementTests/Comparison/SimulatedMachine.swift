import Foundation
import Measurement

/// Simulates the launches of a comparison, with noise of a chosen kind.
struct SimulatedMachine {
  /// The distribution of the logarithm of a pair's ratio, at a robust standard deviation of one.
  enum Noise {
    case normal
    /// Student's t with three degrees of freedom, whose kurtosis is infinite.
    case heavyTailed
  }

  var noise = Noise.normal
  /// The robust standard deviation of the logarithm of one pair's ratio.
  var spread = 0.02
  /// The standard deviation of a launch's effect on all its pairs; as heavy-tailed as the noise.
  var launchSpread = 0.0
  var ratio = 1.0
  var pairsPerLaunch = 20
  var random: SeededRandom

  init(seed: UInt64, ratio: Double = 1, spread: Double = 0.02) {
    random = SeededRandom(seed: seed, label: "simulated machine")
    self.ratio = ratio
    self.spread = spread
  }

  /// Measures and looks until a comparison is done, and returns its last estimate.
  mutating func compared(_ settings: GateSettings = GateSettings()) throws -> ChangeEstimate? {
    var comparison = SequentialComparison(settings: settings)
    var launches: [PairedLaunch] = []
    while let until = try comparison.next(after: launches), until > launches.count {
      launches += self.launches(until - launches.count)
    }
    return comparison.latest
  }

  mutating func launches(_ count: Int) -> [PairedLaunch] {
    (0..<count).map { _ in launch() }
  }

  mutating func launch() -> PairedLaunch {
    // Student's t with four degrees of freedom has the standard deviation √2.
    let offset =
      launchSpread == 0
      ? 0 : launchSpread * (noise == .heavyTailed ? student(4) / 2.0.squareRoot() : normal())
    var (base, candidate): ([UInt64], [UInt64]) = ([], [])
    for _ in 0..<pairsPerLaunch {
      // The machine's speed varies by more than the ratio, and cancels.
      let speed = 7e9 * exp(random.unit() * 0.5)
      base.append(UInt64(speed))
      candidate.append(UInt64(speed * ratio * exp(offset + spread * sample())))
    }
    return PairedLaunch(base: base, candidate: candidate)
  }

  private mutating func sample() -> Double {
    switch noise {
    case .normal: return normal()
    // The upper quartile is 0.7649; a normal number has 0.6745.
    case .heavyTailed: return student(3) * 0.6745 / 0.7649
    }
  }

  private mutating func normal() -> Double {
    (-2 * log(1 - random.unit())).squareRoot() * cos(2 * .pi * random.unit())
  }

  private mutating func student(_ degrees: Int) -> Double {
    let squares = (0..<degrees).reduce(0.0) { sum, _ in
      let number = normal()
      return sum + number * number
    }
    return normal() / (squares / Double(degrees)).squareRoot()
  }
}

extension PairedLaunch {
  init(base: [UInt64], candidate: [UInt64]) {
    func arm(_ nanoseconds: [UInt64]) -> Arm {
      Arm(
        first: Elapsed(wallNanoseconds: 1, cpuNanoseconds: 1), wallNanoseconds: nanoseconds,
        cpuNanoseconds: nanoseconds)
    }
    self.init(
      startNanoseconds: 0, repeats: 1, warmUpPairs: 0, base: arm(base), candidate: arm(candidate),
      candidateRanFirst: base.indices.map { !$0.isMultiple(of: 2) })
  }

  /// Creates a launch of equal pairs, in nanoseconds.
  init(base: UInt64, candidate: UInt64, pairs: Int) {
    self.init(
      base: [UInt64](repeating: base, count: pairs),
      candidate: [UInt64](repeating: candidate, count: pairs))
  }

  /// The same launch with base and candidate exchanged.
  var swapped: PairedLaunch {
    var swapped = self
    (swapped.base, swapped.candidate) = (candidate, base)
    return swapped
  }
}

extension CaseComparison {
  /// Creates a measured case before its judgement, confirmed if launches are given.
  init(
    _ name: String = "case", role: Role = .gated, launches: [PairedLaunch],
    confirmation: [PairedLaunch] = [], settings: GateSettings = GateSettings()
  ) throws(SampleError) {
    var sequential = SequentialComparison(settings: settings)
    self.init(
      name: name, role: role, launches: launches, confirmation: confirmation,
      cpu: try sequential.stop(after: launches),
      wall: try ChangeEstimate(
        of: launches, clock: .wall, settings: settings, errorRate: settings.errorRate),
      confirmed: confirmation.isEmpty
        ? nil
        : try ChangeEstimate(
          of: confirmation, clock: .cpu, settings: settings, errorRate: settings.errorRate),
      verdict: .inconclusive)
  }
}
