/// Why samples cannot be summarised or compared.
public enum SampleError: Error, Sendable, Hashable {
  /// There is not a single sample.
  case noSamples

  /// The sample at this index is NaN, infinite, or so large that differences would overflow.
  case notFinite(index: Int)

  /// One of the durations of the pair at this index is zero: it was too short for the clock.
  case zeroDuration(index: Int)

  /// The two arms do not have the same number of samples, so these are not pairs.
  case unpaired(numerators: Int, denominators: Int)

  /// A confidence has to lie between zero and one, both excluded.
  case invalidConfidence(Double)
}

extension SampleError: CustomStringConvertible {
  /// One sentence for people, without a full stop.
  public var description: String {
    switch self {
    case .noSamples:
      "there are no samples"
    case .notFinite(let index):
      "sample \(index) is not a finite number of usable size"
    case .zeroDuration(let index):
      "pair \(index) has a duration of zero, too short for the clock"
    case .unpaired(let numerators, let denominators):
      "\(numerators) and \(denominators) samples do not make pairs"
    case .invalidConfidence(let confidence):
      "a confidence of \(confidence) is not between 0 and 1"
    }
  }
}
