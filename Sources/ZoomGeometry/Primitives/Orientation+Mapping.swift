// Regions and pixels between the stored picture and the upright one. There is one formula, from
// stored to upright; the way back is the same formula with the inverse orientation.

extension Orientation {
  /// Returns the stored region that holds the pixels of an upright one.
  ///
  /// Crop this from the stored picture, turn it `quarterTurnsClockwise`, mirror it if
  /// `mirrorsHorizontally`: the result is the upright region, pixel for pixel.
  ///
  /// - Parameters:
  ///   - region: A region of the upright picture.
  ///   - storedSize: The size of the picture as stored.
  /// - Returns: A region inside the stored picture, with as many pixels.
  /// - Throws: `GeometryError` if the region is not inside the upright picture.
  public func storedRegion(
    forUpright region: PixelRegion, storedSize: PixelSize
  ) throws(GeometryError) -> PixelRegion {
    try inverse.turned(region, of: uprightSize(ofStored: storedSize))
  }

  /// Returns the upright region that holds the pixels of a stored one.
  ///
  /// - Parameters:
  ///   - region: A region of the picture as stored.
  ///   - storedSize: The size of the picture as stored.
  /// - Returns: A region inside the upright picture, with as many pixels.
  /// - Throws: `GeometryError` if the region is not inside the stored picture.
  public func uprightRegion(
    forStored region: PixelRegion, storedSize: PixelSize
  ) throws(GeometryError) -> PixelRegion {
    try turned(region, of: storedSize)
  }

  /// Returns the stored place of a pixel of the upright picture.
  ///
  /// - Parameters:
  ///   - point: A pixel of the upright picture.
  ///   - storedSize: The size of the picture as stored.
  /// - Returns: A pixel of the stored picture.
  /// - Throws: `GeometryError` if the pixel is not inside the upright picture.
  public func storedPoint(
    forUpright point: PixelPoint, storedSize: PixelSize
  ) throws(GeometryError) -> PixelPoint {
    try inverse.turned(point, of: uprightSize(ofStored: storedSize))
  }

  /// Returns the upright place of a pixel of the stored picture.
  ///
  /// - Parameters:
  ///   - point: A pixel of the picture as stored.
  ///   - storedSize: The size of the picture as stored.
  /// - Returns: A pixel of the upright picture.
  /// - Throws: `GeometryError` if the pixel is not inside the stored picture.
  public func uprightPoint(
    forStored point: PixelPoint, storedSize: PixelSize
  ) throws(GeometryError) -> PixelPoint {
    try turned(point, of: storedSize)
  }

  private func turned(_ point: PixelPoint, of size: PixelSize) throws(GeometryError) -> PixelPoint {
    guard PixelRegion(whole: size).contains(x: point.x, y: point.y) else {
      throw GeometryError(argument: "point", value: point, reason: .outside(size))
    }
    let region = try turned(
      PixelRegion(uncheckedX: point.x, y: point.y, width: 1, height: 1), of: size)
    return PixelPoint(x: region.x, y: region.y)
  }

  /// Carries a region of a picture of this size through the transform: rotate, then mirror.
  private func turned(
    _ region: PixelRegion, of size: PixelSize
  ) throws(GeometryError) -> PixelRegion {
    guard region.isInside(size) else {
      throw GeometryError(argument: "region", value: region, reason: .outside(size))
    }
    // What was at the left ends up at the top after one quarter turn clockwise, at the right
    // after two, at the bottom after three.
    let (x, y) =
      switch quarterTurnsClockwise {
      case 1: (size.height - region.maxY, region.x)
      case 2: (size.width - region.maxX, size.height - region.maxY)
      case 3: (region.y, size.width - region.maxX)
      default: (region.x, region.y)
      }
    let turned = swapsAxes ? region.size.transposed : region.size
    let mirroredX = uprightSize(ofStored: size).width - (x + turned.width)
    return PixelRegion(
      uncheckedX: mirrorsHorizontally ? mirroredX : x, y: y,
      width: turned.width, height: turned.height)
  }
}
