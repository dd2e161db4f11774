/// The pixels that a rectangle of screen pixels samples, in blocks from the picture's corner.
///
/// Unlike a `PixelRegion` it may lie anywhere: a published formula may put a picture a billion pixels away.
package struct SampleBox: Sendable, Hashable {
  /// The columns, at least one.
  package let columns: Range<Int>
  /// The rows, at least one.
  package let rows: Range<Int>

  init(columns: Range<Int>, rows: Range<Int>) {
    self.columns = columns
    self.rows = rows
  }

  /// Creates the box that bilinear sampling at the centres of the target's screen pixels needs.
  ///
  /// `inverse` maps to picture pixels, of which those outside `content` are not sampled.
  init(of target: PixelRegion, _ inverse: Affine, content: PictureRect, block: Int) {
    let centres = inverse.boundingBox(
      of: ViewRect(
        x: Double(target.x) + 0.5, y: Double(target.y) + 0.5, width: Double(target.width - 1),
        height: Double(target.height - 1)))
    // The centre of a screen pixel that shows some content is outside the content by at most half
    // of that pixel's diagonal. The margin used here, a whole screen pixel, is larger.
    let across = ViewPoint(x: inverse.a, y: inverse.c).length
    let down = ViewPoint(x: inverse.b, y: inverse.d).length
    columns = Self.taps(
      max(centres.x, content.x - across), min(centres.maxX, content.maxX + across), block)
    rows = Self.taps(
      max(centres.y, content.y - down), min(centres.maxY, content.maxY + down), block)
  }

  /// Returns the blocks that are sampled from one coordinate to another.
  ///
  /// Block i has its centre at i + 1/2. A coordinate between two centres samples both, and one more
  /// block at either end allows for rounding.
  private static func taps(_ first: Double, _ last: Double, _ block: Int) -> Range<Int> {
    let low = Int(bounded((first / Double(block) - 0.5).rounded(.down))) - 1
    let high = Int(bounded((last / Double(block) - 0.5).rounded(.down))) + 3
    return low..<max(low + 1, high)
  }

  /// Returns a coordinate limited to 2^40, so that it converts to `Int`.
  ///
  /// 2^40 is 512 times the longest side of a picture: so far away everything is one smeared pixel.
  /// NaN, the difference of two infinities, becomes 0.
  static func bounded(_ value: Double) -> Double {
    value.isNaN ? 0 : min(max(value, -0x1p40), 0x1p40)
  }

  /// Returns the box's pixels inside the picture; if there are none, the nearest edge.
  func region(of picture: PixelSize, block: Int) -> PixelRegion {
    let (x, maxX) = Self.inside(columns, picture.width, block)
    let (y, maxY) = Self.inside(rows, picture.height, block)
    return PixelRegion(uncheckedX: x, y: y, width: maxX - x, height: maxY - y)
  }

  private static func inside(_ range: Range<Int>, _ side: Int, _ block: Int) -> (Int, Int) {
    let count = (side + block - 1) / block
    let low = min(max(range.lowerBound, 0), count - 1)
    let high = min(max(range.upperBound, low + 1), count)
    return (low * block, min(high * block, side))
  }
}
