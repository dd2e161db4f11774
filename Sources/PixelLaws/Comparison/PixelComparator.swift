public import ZoomPipeline

/// What the laws compare pixels with: ours, or one that is to be tried.
public struct PixelComparator: Sendable {
  /// Compares an answer with what it should be.
  public let compare: @Sendable (_ got: Pixels, _ expected: Pixels) -> PixelComparison
  /// Measures by how far an answer is shifted, trying so many whole pixels each way.
  public let shift: @Sendable (_ got: Pixels, _ expected: Pixels, _ range: Int) -> PixelShift?

  /// A comparator of these two functions.
  public init(
    compare: @escaping @Sendable (_ got: Pixels, _ expected: Pixels) -> PixelComparison,
    shift: @escaping @Sendable (_ got: Pixels, _ expected: Pixels, _ range: Int) -> PixelShift?
  ) {
    self.compare = compare
    self.shift = shift
  }

  /// Ours.
  public static let standard = PixelComparator(
    compare: { PixelComparison($0, expected: $1) },
    shift: { PixelShift($0, expected: $1, within: $2) })
}
