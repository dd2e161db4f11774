/// An endless sequence of points in the half-open unit square, evenly spread at any length.
///
/// The first 2^k points are one in each box of every grid of 2^k equal boxes: 1 by 2^k, 2 by
/// 2^(k-1), …, 2^k by 1. So are the following 2^k points, and so on. A run that stops early
/// has covered the whole square, and a longer run adds points in the gaps.
///
///     let points = StratifiedPoints(seed: 7)
///     (0..<64).map(points.point(at:))   // 64 points, one in each cell of an 8 by 8 grid
///
/// It is a (0,2)-sequence in base 2: van der Corput's sequence in x, the second dimension of
/// Sobol's in y (Kollig and Keller, "Efficient multidimensional sampling", 2002). The seed flips
/// the same random bits in every point, a digital shift: it permutes the boxes of each grid, which
/// keeps the spread, and each single point is uniform over seeds.
public struct StratifiedPoints: Sendable, Hashable {
  private let shiftX: UInt64
  private let shiftY: UInt64

  /// Creates the sequence of a seed.
  public init(seed: UInt64) {
    var random = SeededRandom(seed: seed, label: "stratified points")
    self.init(shiftX: random.next(), shiftY: random.next())
  }

  package init(shiftX: UInt64, shiftY: UInt64) {
    self.shiftX = shiftX
    self.shiftY = shiftY
  }

  /// Returns one point of the sequence.
  ///
  /// The even spread is guaranteed for the first 2^53 points, because a coordinate has 53 bits.
  ///
  /// - Parameter index: The index in the sequence, not negative.
  /// - Returns: The same point each time.
  public func point(at index: Int) -> (x: Double, y: Double) {
    precondition(index >= 0, "The sequence of points starts at index 0, not \(index).")
    let index = UInt64(index)
    return (
      // Van der Corput's sequence mirrors the binary digits of the index at the binary point.
      x: Self.unit(Self.combined(index) { $0 >> 1 } ^ shiftX),
      // The direction numbers of Sobol's second dimension are Pascal's triangle modulo 2.
      y: Self.unit(Self.combined(index) { $0 ^ ($0 >> 1) } ^ shiftY)
    )
  }

  /// Returns the exclusive or of the direction numbers for the index's set bits.
  ///
  /// The first direction number is one half; `following` computes the next one.
  private static func combined(_ index: UInt64, following: (UInt64) -> UInt64) -> UInt64 {
    var digits: UInt64 = 0
    var direction: UInt64 = 1 << 63
    var rest = index
    while rest != 0 {
      if rest & 1 == 1 { digits ^= direction }
      direction = following(direction)
      rest >>= 1
    }
    return digits
  }

  /// Returns the first 53 digits as a fraction; rounding all 64 could give one.
  private static func unit(_ digits: UInt64) -> Double {
    Double(digits >> 11) * 0x1p-53
  }
}
