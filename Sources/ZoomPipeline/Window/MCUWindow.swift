internal import ZoomGeometry

/// The MCUs that a region's pixels depend on: a rectangle of them.
struct MCUWindow: Sendable, Hashable {
  let columns: Range<Int>
  let rows: Range<Int>

  /// Finds the MCUs for a region and a reduction.
  ///
  /// Smooth upsampling blends a chroma sample with its neighbours, so where chroma is stored at a
  /// lower resolution the pixels next to an MCU's border need the MCU behind it, too. An MCU more
  /// keeps the chroma columns from being so few that a decoder takes its other upsampler (libjpeg:
  /// widths up to 2): at the picture's right edge, and anywhere in a picture that is reduced, where
  /// an MCU holds no more than two (reduced by 8, one, but then libjpeg does not smooth).
  init(_ jpeg: JPEGStructure, region: PixelRegion, reduction: Reduction = .none) {
    let mcu = jpeg.mcuSize
    let across = Self.margin(jpeg, \.horizontal)
    let down = Self.margin(jpeg, \.vertical)
    var first = max(0, region.x - across) / mcu.width
    var last = min(jpeg.size.width - 1, region.maxX - 1 + across) / mcu.width
    if across > 0 {
      if reduction != .none { last = min(jpeg.mcusPerRow - 1, max(last, first + 1)) }
      if last == jpeg.mcusPerRow - 1 { first = max(0, min(first, last - 1)) }
    }
    columns = first..<last + 1
    rows =
      max(0, region.y - down) / mcu.height..<min(jpeg.size.height - 1, region.maxY - 1 + down)
      / mcu.height + 1
  }

  /// The pixels beyond a region whose chroma its own can depend on, along one axis: as many as one
  /// chroma sample covers where some component is stored at a lower resolution, else none.
  ///
  /// It does for a reduction too: a region of whole blocks depends on the next MCU only where it
  /// reaches its border, as the outermost blocks alone do, and from there one pixel is enough.
  static func margin(
    _ jpeg: JPEGStructure, _ factor: KeyPath<JPEGStructure.Component, Int>
  ) -> Int {
    let factors = jpeg.components.map { $0[keyPath: factor] }
    guard jpeg.components.count > 1, let largest = factors.max(), let least = factors.min(),
      least < largest
    else { return 0 }
    return largest
  }

  var count: Int { columns.count * rows.count }

  /// The picture's pixel that is its first.
  func origin(_ jpeg: JPEGStructure) -> (x: Int, y: Int) {
    (columns.lowerBound * jpeg.mcuSize.width, rows.lowerBound * jpeg.mcuSize.height)
  }

  /// Its size in pixels: partial MCUs at the picture's edges stay partial, so that a decoder's rules
  /// for edges apply where they did.
  func size(_ jpeg: JPEGStructure) -> (width: Int, height: Int) {
    let origin = origin(jpeg)
    return (
      min(columns.upperBound * jpeg.mcuSize.width, jpeg.size.width) - origin.x,
      min(rows.upperBound * jpeg.mcuSize.height, jpeg.size.height) - origin.y
    )
  }

  /// The MCUs of one of its rows, in scan order.
  func mcus(ofRow row: Int, _ jpeg: JPEGStructure) -> Range<Int> {
    let start = row * jpeg.mcusPerRow
    return start + columns.lowerBound..<start + columns.upperBound
  }

  /// One past the last MCU in scan order.
  func end(_ jpeg: JPEGStructure) -> Int {
    (rows.upperBound - 1) * jpeg.mcusPerRow + columns.upperBound
  }
}
