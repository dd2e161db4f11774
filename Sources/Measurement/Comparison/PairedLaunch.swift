/// The samples of one case from one launch: a fresh process of each build, sampled in turn.
package struct PairedLaunch: Sendable, Hashable, Codable {
  /// The samples of one build, in the order of the pairs.
  package struct Arm: Sendable, Hashable, Codable {
    /// The first sample of the process, before any warm-up; not one of the pairs.
    package var first: Elapsed
    /// Nanoseconds on the monotonic clock, one a pair.
    package var wallNanoseconds: [UInt64]
    /// Nanoseconds of CPU time of the whole process, one a pair.
    package var cpuNanoseconds: [UInt64]

    /// Puts the samples of one build together.
    package init(first: Elapsed, wallNanoseconds: [UInt64], cpuNanoseconds: [UInt64]) {
      self.first = first
      self.wallNanoseconds = wallNanoseconds
      self.cpuNanoseconds = cpuNanoseconds
    }
  }

  /// When the launch began, in nanoseconds since the comparison began.
  package var startNanoseconds: UInt64
  /// How many times the work was done for each sample.
  package var repeats: Int
  /// How many pairs were dropped as warm-up before those that are kept.
  package var warmUpPairs: Int
  package var base: Arm
  package var candidate: Arm
  /// For each pair, whether the candidate was sampled before the base.
  package var candidateRanFirst: [Bool]

  /// Puts a launch together; all four columns and the order have one entry a pair.
  package init(
    startNanoseconds: UInt64, repeats: Int, warmUpPairs: Int, base: Arm, candidate: Arm,
    candidateRanFirst: [Bool]
  ) {
    self.startNanoseconds = startNanoseconds
    self.repeats = repeats
    self.warmUpPairs = warmUpPairs
    self.base = base
    self.candidate = candidate
    self.candidateRanFirst = candidateRanFirst
  }

  /// How many pairs there are.
  package var pairs: Int { candidateRanFirst.count }
}
