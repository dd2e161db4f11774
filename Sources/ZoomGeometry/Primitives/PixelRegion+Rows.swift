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

  /// Returns the same region where row `top` of the picture is row 0.
  ///
  /// - Parameter top: A row of the picture, at or above the region's first.
  /// - Returns: A region of the same columns, `top` rows higher.
  package func relative(toRow top: Int) -> PixelRegion {
    precondition((0...y).contains(top), "row \(top) is not between the picture's top and \(self)")
    return PixelRegion(uncheckedX: x, y: y - top, width: width, height: height)
  }
}
