/// How long something took: one sample, on the wall and on the CPU.
public struct Elapsed: Sendable, Hashable, Codable {
  /// Nanoseconds that passed on the monotonic clock, waiting included.
  public var wallNanoseconds: UInt64

  /// Nanoseconds of CPU time, all threads of the process added up.
  ///
  /// More than `wallNanoseconds` if threads worked at the same time, less if the process waited.
  public var cpuNanoseconds: UInt64

  /// Creates a sample from two durations in nanoseconds.
  public init(wallNanoseconds: UInt64, cpuNanoseconds: UInt64) {
    self.wallNanoseconds = wallNanoseconds
    self.cpuNanoseconds = cpuNanoseconds
  }
}
