import ZoomGeometry

/// A picture whose pixels are numbers, turned by moving them one by one.
struct Raster: Equatable {
  let rows: [[Int]]

  init(rows: [[Int]]) {
    self.rows = rows
  }

  /// A picture in which every pixel differs from all others.
  init(numbered size: PixelSize) {
    rows = (0..<size.height).map { y in
      (0..<size.width).map { x in y * size.width + x }
    }
  }

  /// A quarter turn clockwise: the left column, read upwards, becomes the top row.
  var rotated: Raster {
    Raster(rows: rows[0].indices.map { column in rows.reversed().map { $0[column] } })
  }

  /// Left and right exchanged.
  var mirrored: Raster {
    Raster(rows: rows.map { $0.reversed() })
  }

  func turned(_ orientation: Orientation) -> Raster {
    let rotated = (0..<orientation.quarterTurnsClockwise).reduce(self) { raster, _ in
      raster.rotated
    }
    return orientation.mirrorsHorizontally ? rotated.mirrored : rotated
  }

  func cropped(_ region: PixelRegion) -> Raster {
    Raster(rows: rows[region.y..<region.maxY].map { Array($0[region.x..<region.maxX]) })
  }
}
