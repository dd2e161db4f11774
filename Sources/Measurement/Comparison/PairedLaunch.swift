import RealModule

/// The samples of one case from one launch: a fresh process of each build, sampled in turn.
public struct PairedLaunch: Sendable, Hashable, Codable {
  /// The samples of one build, in the order of the pairs.
  public struct Arm: Sendable, Hashable, Codable {
    /// The first sample of the process, before any warm-up; not one of the pairs.
    public var first: Elapsed
    /// Nanoseconds on the monotonic clock, one per pair.
    public var wallNanoseconds: [UInt64]
    /// Nanoseconds of CPU time of the whole process, one per pair.
    public var cpuNanoseconds: [UInt64]

    package init(first: Elapsed, wallNanoseconds: [UInt64], cpuNanoseconds: [UInt64]) {
      self.first = first
      self.wallNanoseconds = wallNanoseconds
      self.cpuNanoseconds = cpuNanoseconds
    }
  }

  /// The start of the launch, in nanoseconds since the comparison began.
  public var startNanoseconds: UInt64
  /// The number of repeats of the work per sample.
  public var repeats: Int
  /// The number of warm-up pairs dropped before the kept ones.
  public var warmUpPairs: Int
  /// The number of the order in which both builds' functions were linked; nil if both were run as
  /// they were given.
  public var layout: Int?
  /// The samples of the base.
  public var base: Arm
  /// The samples of the candidate.
  public var candidate: Arm
  /// For each pair, whether the candidate was sampled before the base.
  public var candidateRanFirst: [Bool]

  package init(
    startNanoseconds: UInt64, repeats: Int, warmUpPairs: Int, layout: Int? = nil, base: Arm,
    candidate: Arm, candidateRanFirst: [Bool]
  ) {
    (self.startNanoseconds, self.repeats, self.layout) = (startNanoseconds, repeats, layout)
    (self.warmUpPairs, self.base, self.candidate) = (warmUpPairs, base, candidate)
    self.candidateRanFirst = candidateRanFirst
  }

  /// The number of pairs.
  public var pairs: Int { candidateRanFirst.count }
}

extension PairedLaunch {
  package enum Clock: String, Sendable, Hashable, Codable, CaseIterable {
    /// CPU time of the process, which other processes hardly affect.
    case cpu
    /// Wall time, for which a user waits.
    case wall
  }

  /// Returns the logarithm of candidate over base for each pair, in the order of the pairs.
  ///
  /// It is the difference of two logarithms, not the logarithm of a quotient, so that exchanging the builds
  /// exactly negates it.
  ///
  /// - Throws: `SampleError.unpaired`, or `SampleError.zeroDuration` with the index in this launch.
  package func logRatios(_ clock: Clock) throws(SampleError) -> [Double] {
    let (numerators, denominators) = (candidate.nanoseconds(clock), base.nanoseconds(clock))
    guard numerators.count == denominators.count else {
      throw .unpaired(numerators: numerators.count, denominators: denominators.count)
    }
    var logarithms: [Double] = []
    logarithms.reserveCapacity(numerators.count)
    for (index, numerator) in numerators.enumerated() {
      let denominator = denominators[index]
      if numerator == 0 || denominator == 0 { throw .zeroDuration(index: index) }
      logarithms.append(Double.log(Double(numerator)) - Double.log(Double(denominator)))
    }
    return logarithms
  }
}

extension PairedLaunch.Clock {
  /// Returns the clock that decides: wall time if one of the builds waits, else CPU time.
  ///
  /// A build that waits for a disk, a server or another process has less CPU time than half of its wall time.
  static func deciding(_ launches: [PairedLaunch]) -> Self {
    let isWaiting = [\PairedLaunch.base, \.candidate].contains { arm in
      func median(_ clock: Self) -> Double? {
        let nanoseconds = launches.flatMap { $0[keyPath: arm].nanoseconds(clock) }
        return try? SortedSamples(nanoseconds: nanoseconds).median
      }
      guard let cpu = median(.cpu), let wall = median(.wall) else { return false }
      return cpu < wall / 2
    }
    return isWaiting ? .wall : .cpu
  }
}

extension PairedLaunch.Arm {
  package func nanoseconds(_ clock: PairedLaunch.Clock) -> [UInt64] {
    switch clock {
    case .cpu: cpuNanoseconds
    case .wall: wallNanoseconds
    }
  }
}

/// The logarithms of all pairs' ratios of candidate to base.
package struct LaunchRatios: Sendable, Hashable {
  /// The median of each launch that has pairs.
  package let medians: [Double]

  package let pooled: SortedSamples

  /// Computes the ratios of launches; launches without a pair are ignored.
  ///
  /// - Throws: `SampleError.noSamples` without a single pair, `.unpaired`, or `.zeroDuration`.
  package init(
    of launches: [PairedLaunch], clock: PairedLaunch.Clock
  ) throws(SampleError) {
    var (medians, pooled): ([Double], [Double]) = ([], [])
    for launch in launches {
      let ratios = try launch.logRatios(clock)
      if ratios.isEmpty { continue }
      medians.append(try SortedSamples(ratios).median)
      pooled += ratios
    }
    self.medians = medians
    self.pooled = try SortedSamples(pooled)
  }
}
