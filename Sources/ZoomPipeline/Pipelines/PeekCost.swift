internal import ZoomGeometry

/// How much of a picture a source goes through to show a region, known without decoding any of it.
///
/// Coded data that is only parsed counts like what is decoded: it takes about half the time in a JPEG, nearly
/// all of it in a PNG. So the figures compare sources in size, not to the percent.
package struct PeekCost: Sendable, Hashable {
  /// Pixels of the first peek.
  package let first: Int
  /// Pixels of a peek that finds what earlier ones kept.
  package let later: Int

  init(first: Int, later: Int) { (self.first, self.later) = (first, later) }

  /// Each peek costs the same.
  init(each pixels: Int) { self.init(first: pixels, later: pixels) }
}

extension PixelRegion {
  /// The pixels of whole tiles that a region touches; those at the picture's edges count whole.
  func area(inTilesOf tile: PixelSize) -> Int {
    func reach(_ range: Range<Int>, _ side: Int) -> Int {
      ((range.upperBound - 1) / side - range.lowerBound / side + 1) * side
    }
    return reach(x..<maxX, tile.width) * reach(y..<maxY, tile.height)
  }
}
