import RealModule

/// The samples of one case from one launch: a fresh process of each build, sampled in turn.
public struct PairedLaunch: Sendable, Hashable, Codable {
  /// The samples of one build, in the order of the pairs.
  public struct Arm: Sendable, Hashable, Codable {
    /// The first sample of the process, before any warm-up; not one of the pairs.
    public var first: Elapsed
    /// Nanoseconds on the monotonic clock, one a pair.
    public var wallNanoseconds: [UInt64]
    /// Nanoseconds of CPU time of the whole process, one a pair.
    public var cpuNanoseconds: [UInt64]

    package init(first: Elapsed, wallNanoseconds: [UInt64], cpuNanoseconds: [UInt64]) {
      self.first = first
      self.wallNanoseconds = wallNanoseconds
      self.cpuNanoseconds = cpuNanoseconds
    }
  }

  /// When the launch began, in nanoseconds since the comparison began.
  public var startNanoseconds: UInt64
  /// How many times the work was done for each sample.
  public var repeats: Int
  /// How many pairs were dropped as warm-up before those that are kept.
  public var warmUpPairs: Int
  /// The number of the order in which both builds' functions were linked for it; nil where both were
  /// run as they were given, and in results that earlier versions wrote.
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

  /// How many pairs there are.
  public var pairs: Int { candidateRanFirst.count }
}

extension PairedLaunch {
  /// Which of the two clocks a statistic is about.
  package enum Clock: String, Sendable, Hashable, Codable, CaseIterable {
    /// CPU time of the process, which a busy neighbour hardly moves.
    case cpu
    /// Time on the wall, which is what a user waits.
    case wall
  }

  /// Returns the logarithm of candidate over base for each pair, in the order of the pairs.
  ///
  /// The difference of two logarithms rather than the logarithm of a quotient: seen from the other
  /// build it is exactly the negative.
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
  /// Whether a program waits for a disk, a server or another process: CPU time accounts for less than half
  /// of its wall time.
  package static func isWaiting(cpuNanoseconds: [UInt64], wallNanoseconds: [UInt64]) -> Bool {
    guard let cpu = try? Summary(nanoseconds: cpuNanoseconds),
      let wall = try? Summary(nanoseconds: wallNanoseconds)
    else { return false }
    return cpu.median < wall.median / 2
  }

  /// Returns the clock to decide by: wall time if one of the builds waits, else CPU time.
  static func deciding(_ launches: [PairedLaunch]) -> Self {
    let isWaiting = [\PairedLaunch.base, \.candidate].contains { arm in
      Self.isWaiting(
        cpuNanoseconds: launches.flatMap { $0[keyPath: arm].cpuNanoseconds },
        wallNanoseconds: launches.flatMap { $0[keyPath: arm].wallNanoseconds })
    }
    return isWaiting ? .wall : .cpu
  }
}

extension PairedLaunch.Arm {
  /// The samples of one of the clocks.
  package func nanoseconds(_ clock: PairedLaunch.Clock) -> [UInt64] {
    switch clock {
    case .cpu: cpuNanoseconds
    case .wall: wallNanoseconds
    }
  }
}

/// The logarithms of all pairs' ratios, kept apart by launch.
package struct LaunchRatios: Sendable, Hashable {
  /// For each launch that has pairs, the logarithm of candidate over base of each.
  package let byLaunch: [[Double]]

  /// All of them together.
  package let pooled: SortedSamples

  /// Takes the ratios of launches; one without a pair counts for nothing.
  ///
  /// - Throws: `SampleError.noSamples` without a single pair, `.unpaired`, or `.zeroDuration`.
  package init(
    of launches: [PairedLaunch], clock: PairedLaunch.Clock
  ) throws(SampleError) {
    var byLaunch: [[Double]] = []
    for launch in launches {
      let ratios = try launch.logRatios(clock)
      if !ratios.isEmpty { byLaunch.append(ratios) }
    }
    self.byLaunch = byLaunch
    pooled = try SortedSamples(byLaunch.flatMap(\.self))
  }

  /// The median of each launch.
  ///
  /// - Throws: Nothing in fact: no launch is empty and logarithms of nanoseconds are finite.
  package func medians() throws(SampleError) -> [Double] {
    var medians: [Double] = []
    for ratios in byLaunch { medians.append(try SortedSamples(ratios).median) }
    return medians
  }
}
