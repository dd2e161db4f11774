import RealModule

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

extension PairedLaunch.Arm {
  /// The samples of one of the clocks.
  package func nanoseconds(_ clock: PairedLaunch.Clock) -> [UInt64] {
    switch clock {
    case .cpu: cpuNanoseconds
    case .wall: wallNanoseconds
    }
  }
}
