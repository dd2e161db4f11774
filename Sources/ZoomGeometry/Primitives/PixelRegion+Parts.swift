extension PixelRegion {
  /// Returns the part of the region in some of its rows.
  ///
  /// - Parameter rows: Rows of the picture, at least one, all of them rows of the region.
  /// - Returns: A region of the same columns.
  package func rows(_ rows: Range<Int>) -> PixelRegion {
    precondition(
      !rows.isEmpty && rows.lowerBound >= y && rows.upperBound <= maxY,
      "rows \(rows) are not rows of \(self)")
    return PixelRegion(uncheckedX: x, y: rows.lowerBound, width: width, height: rows.count)
  }

  /// Returns the same region as a part of the picture sees it that begins at a pixel.
  ///
  /// - Parameter origin: A pixel of the picture, not right of the region nor below its first row.
  /// - Returns: A region of the same size, moved up and left.
  package func relative(to origin: (x: Int, y: Int)) -> PixelRegion {
    precondition(
      (0...x).contains(origin.x) && (0...y).contains(origin.y),
      "\(origin) is not above and left of \(self)")
    return PixelRegion(uncheckedX: x - origin.x, y: y - origin.y, width: width, height: height)
  }

  /// Returns the region in blocks of so many pixels a side, counted from the picture's corner.
  ///
  /// - Parameter factor: At least 1.
  /// - Returns: The smallest region of blocks that holds all of this region's pixels.
  package func reduced(by factor: Int) -> PixelRegion {
    precondition(factor >= 1 && x >= 0 && y >= 0, "\(self) cannot be reduced by \(factor)")
    let (left, top) = (x / factor, y / factor)
    return PixelRegion(
      uncheckedX: left, y: top, width: (maxX + factor - 1) / factor - left,
      height: (maxY + factor - 1) / factor - top)
  }
}
