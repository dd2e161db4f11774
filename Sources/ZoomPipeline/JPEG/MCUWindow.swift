internal import ZoomGeometry

/// The rectangle of MCUs that a region's pixels depend on.
struct MCUWindow: Sendable, Hashable {
  let columns: Range<Int>
  let rows: Range<Int>
  /// The window's pixels in the stored picture.
  ///
  /// Partial MCUs stay partial, so that a decoder treats edges as in the picture.
  let part: PixelRegion
  private let mcusPerRow: Int

  /// Creates the window for a region and a reduction.
  ///
  /// Smooth upsampling blends a chroma sample with its neighbours. So where chroma is stored at a
  /// lower resolution, the pixels next to an MCU's border also need the next MCU. Another MCU is
  /// added where the window could be so narrow that a decoder chooses a different upsampler
  /// (libjpeg: chroma widths up to 2): at the picture's right edge, and in a reduced picture, where
  /// an MCU may hold only two chroma columns or one.
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
    let top = max(0, region.y - down) / mcu.height
    let bottom = min(jpeg.size.height - 1, region.maxY - 1 + down) / mcu.height
    columns = first..<last + 1
    rows = top..<bottom + 1
    mcusPerRow = jpeg.mcusPerRow
    let (x, y) = (first * mcu.width, top * mcu.height)
    part = PixelRegion(
      uncheckedX: x, y: y, width: min(columns.upperBound * mcu.width, jpeg.size.width) - x,
      height: min(rows.upperBound * mcu.height, jpeg.size.height) - y)
  }

  /// Returns the number of pixels beyond a region whose chroma affects the region, along one axis.
  ///
  /// It is the number of pixels per chroma sample if a component is stored at a lower resolution,
  /// else 0. That is enough for a reduction too: a region of whole blocks needs the next MCU only
  /// if it contains the blocks that touch that MCU, and then one pixel beyond the region is in it.
  static func margin(
    _ jpeg: JPEGStructure, _ factor: KeyPath<JPEGStructure.Component, Int>
  ) -> Int {
    // With a single component, nothing is stored at a lower resolution either.
    let factors = jpeg.components.map { $0[keyPath: factor] }
    guard let largest = factors.max(), factors.min() != largest else { return 0 }
    return largest
  }

  var count: Int { columns.count * rows.count }

  /// Returns the numbers, in scan order, of the MCUs in a row.
  func mcus(ofRow row: Int) -> Range<Int> {
    row * mcusPerRow + columns.lowerBound..<row * mcusPerRow + columns.upperBound
  }

  /// The numbers, in scan order, from the first MCU to the last, including those beside the window.
  var span: Range<Int> {
    mcus(ofRow: rows.lowerBound).lowerBound..<mcus(ofRow: rows.upperBound - 1).upperBound
  }
}
