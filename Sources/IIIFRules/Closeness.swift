internal import PixelLaws
internal import ZoomGeometry
internal import ZoomPipeline

/// Compares pixels with several right answers and reports a difference in level or place.
///
/// No kernel is prescribed, and lossy formats change every sample, so single pixels are not conclusive. The
/// comparison uses what all right answers share: the means of the whole, of blocks and of edges, and the
/// place of the content.
struct Closeness: Sendable {
  struct Difference: Sendable, Hashable {
    /// The difference after "it": "is 3.50 levels darker".
    let words: String
    /// The cause that the difference alone suggests.
    let cause: String?
  }

  private static func short(_ number: Double) -> String {
    let hundredths = Int((number * 100).rounded())
    let digits = "\(abs(hundredths) % 100)"
    return (hundredths < 0 ? "-" : "") + "\(abs(hundredths) / 100)."
      + (digits.count == 1 ? "0" : "") + digits
  }

  /// Right answers by different kernels; at least one, all with the same size and bands.
  let right: [Pixels]
  let isLossy: Bool

  /// The tolerance of the mean of a block or an edge, in levels.
  ///
  /// Rounding in two passes, and 8-bit weights, move a mean by one level. A lossy code of quality 75 moves it
  /// by up to 9 in one band, because colours have half the resolution.
  private var tolerance: Double { isLossy ? 14 : 2.5 }
  /// Kernels treat the outermost pixels differently.
  private static let edgeTolerance = 4.0
  private static let blockSide = 8
  /// Less than the half pixel that a wrong grid causes, more than the error of registration on lossy answers.
  private static let mostShift = 0.15
  /// The shortest side for which registration is that exact.
  private static let leastSide = 32
  /// The share of the squared difference that a shift must explain; long shifts may fit by chance.
  private static func leastExplained(_ shift: PixelShift) -> Double {
    shift.length > 1 ? 0.75 : 0.5
  }

  /// Returns how an answer differs from all right ones; nil if it equals one of them closely enough.
  ///
  /// The answer must have the size and bands of the right ones.
  func difference(of got: Pixels) -> Difference? {
    if right.contains(got) { return nil }
    let (width, height, bands) = (got.width, got.height, got.bands)
    let sums = Sums(got)
    let rightSums = right.map(Sums.init)
    func deviation(_ x: Range<Int>, _ y: Range<Int>) -> Double {
      var most = 0.0
      for band in 0..<bands {
        let mean = sums.mean(x, y, band)
        let means = rightSums.map { $0.mean(x, y, band) }
        let (least, greatest) = (means.min() ?? 0, means.max() ?? 0)
        // The tolerance grows by the spread of the kernels.
        let room = greatest - least
        let off = mean > greatest ? mean - greatest - room : least - mean - room
        if off > abs(most) { most = mean > greatest ? off : -off }
      }
      return most
    }
    let whole = deviation(0..<width, 0..<height)
    // Edge weights decide the mean of tiny pictures; in larger ones the outermost pixels count only
    // by their number.
    let outermost = Double(2 * (width + height)) / Double(width * height)
    let room =
      width * height < 100 ? 12 : (isLossy ? 4 : 1.5) + outermost * Self.edgeTolerance
    if abs(whole) > room {
      return Difference(
        words: "is \(Self.short(abs(whole))) levels \(whole < 0 ? "darker" : "lighter")",
        cause: whole < 0 ? "too dark" : "too light")
    }
    let edges: [(String, Range<Int>, Range<Int>)] = [
      ("last column", width - 1..<width, 0..<height), ("last row", 0..<width, height - 1..<height),
      ("first column", 0..<1, 0..<height), ("first row", 0..<width, 0..<1),
    ]
    for (name, x, y) in edges where width > 1 && height > 1 {
      let by = deviation(x, y)
      if abs(by) > tolerance + Self.edgeTolerance {
        return Difference(
          words: "differs by \(Self.short(abs(by))) levels in its \(name)", cause: "wrong \(name)")
      }
    }
    if let shift = shift(of: got) { return shift }
    let side = Self.blockSide
    var worst = (x: 0, y: 0, by: 0.0)
    for top in stride(from: 0, to: max(1, height - side + 1), by: side) {
      for left in stride(from: 0, to: max(1, width - side + 1), by: side) {
        let x = left..<min(width, left + side)
        let y = top..<min(height, top + side)
        let isInside =
          left > 0 && top > 0 && left + 2 * side <= width && top + 2 * side <= height
        let by = abs(deviation(x, y)) - (isInside ? 0 : Self.edgeTolerance)
        if by > worst.by { worst = (left + side / 2, top + side / 2, by) }
      }
    }
    guard worst.by > tolerance else { return nil }
    let place = "column \(worst.x), row \(worst.y)"
    return Difference(
      words: "differs by \(Self.short(worst.by)) levels around \(place)", cause: nil)
  }

  /// Returns a shift of the whole picture, or a stretch if its halves are shifted differently.
  private func shift(of got: Pixels) -> Difference? {
    guard min(got.width, got.height) >= Self.leastSide,
      let expected = right.min(by: { $0.meanDifference(from: got) < $1.meanDifference(from: got) })
    else { return nil }
    func shift(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> PixelShift? {
      let part = PixelRegion.checked(x, y, width, height)
      guard let shift = PixelShift(got.cut(part), expected: expected.cut(part), within: 8),
        shift.explained > Self.leastExplained(shift)
      else { return nil }
      return shift
    }
    func stretch(_ by: Double) -> Difference {
      Difference(words: "is stretched by \(Self.short(by)) pixels", cause: "stretched")
    }
    let (width, height) = (got.width, got.height)
    if width >= 2 * Self.leastSide, let left = shift(0, 0, width / 2, height),
      let right = shift(width - width / 2, 0, width / 2, height),
      abs(left.x - right.x) > 2 * Self.mostShift
    {
      return stretch(right.x - left.x)
    }
    if height >= 2 * Self.leastSide, let top = shift(0, 0, width, height / 2),
      let bottom = shift(0, height - height / 2, width, height / 2),
      abs(top.y - bottom.y) > 2 * Self.mostShift
    {
      return stretch(bottom.y - top.y)
    }
    guard let all = shift(0, 0, width, height), all.length > Self.mostShift else { return nil }
    return Difference(
      words: "is shifted by (\(Self.short(all.x)), \(Self.short(all.y))) pixels",
      cause: abs(all.length - 0.5) < 0.15 ? "half a pixel shifted" : "shifted")
  }
}

/// Means of samples over any rectangle, in constant time.
private struct Sums {
  private let sums: [Int]
  private let width: Int
  private let bands: Int

  init(_ raster: Pixels) {
    width = raster.width + 1
    bands = raster.bands
    var sums = [Int](repeating: 0, count: width * (raster.height + 1) * raster.bands)
    let step = raster.width * bands
    for y in 0..<raster.height {
      for x in 0..<raster.width {
        for band in 0..<bands {
          let at = ((y + 1) * width + x + 1) * bands + band
          sums[at] =
            Int(raster.bytes[y * step + x * bands + band]) + sums[at - bands]
            + sums[at - width * bands] - sums[at - width * bands - bands]
        }
      }
    }
    self.sums = sums
  }

  func mean(_ x: Range<Int>, _ y: Range<Int>, _ band: Int) -> Double {
    func sum(_ x: Int, _ y: Int) -> Int { sums[(y * width + x) * bands + band] }
    let total =
      sum(x.upperBound, y.upperBound) - sum(x.lowerBound, y.upperBound)
      - sum(x.upperBound, y.lowerBound) + sum(x.lowerBound, y.lowerBound)
    return Double(total) / Double(max(1, x.count * y.count))
  }
}
