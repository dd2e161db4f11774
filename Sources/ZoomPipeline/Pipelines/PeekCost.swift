package import ZoomGeometry

/// The number of pixels that a source processes to show a region, known without decoding.
///
/// Data that is only parsed counts like decoded data, although parsing takes half the time in a
/// JPEG and nearly all of it in a PNG. So the figures compare orders of magnitude, not percents.
package struct PeekCost: Sendable, Hashable {
  package let first: Int
  /// Pixels of a peek after the first, which uses what earlier peeks kept.
  package let later: Int

  init(first: Int, later: Int) { (self.first, self.later) = (first, later) }

  init(each pixels: Int) { self.init(first: pixels, later: pixels) }
}

extension PixelRegion {
  /// Returns the number of pixels in the tiles that a region touches, counting edge tiles as whole.
  package func area(inTilesOf tile: PixelSize) -> Int {
    func reach(_ range: Range<Int>, _ side: Int) -> Int {
      ((range.upperBound - 1) / side - range.lowerBound / side + 1) * side
    }
    return reach(x..<maxX, tile.width) * reach(y..<maxY, tile.height)
  }
}
