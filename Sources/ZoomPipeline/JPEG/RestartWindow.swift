internal import ZoomGeometry

/// A small JPEG made of some whole MCU rows of a larger one, and where a region lies in it.
struct RestartWindow: Sendable, Hashable {
  /// The restart segments it is made of.
  let segments: Range<Int>
  /// Its height in pixels; its width is the picture's.
  let height: Int
  /// Its first row in the picture.
  let top: Int
  /// The MCUs a decoder has to decode for it.
  let mcuCount: Int

  /// The rows needed for a region, with the margin that makes its pixels exact.
  ///
  /// Where chroma is stored at a lower vertical resolution, a decoder's smooth upsampling blends
  /// each chroma row with its neighbour: the first `v` rows of an MCU row need the MCU row above,
  /// the last `v` the one below (libjpeg: "context rows"). Without them the window's own edge would
  /// be taken for the picture's and the outermost rows could differ.
  init(_ jpeg: JPEGStructure, _ index: RestartIndex, region: PixelRegion) {
    let mcuHeight = jpeg.mcuSize.height
    let margin = MCUWindow.margin(jpeg, \.vertical)
    let firstRow = max(0, region.y - margin) / mcuHeight
    let lastRow = min(jpeg.size.height - 1, region.maxY - 1 + margin) / mcuHeight
    segments = firstRow / index.rowsPerSegment..<lastRow / index.rowsPerSegment + 1
    let rows =
      segments.lowerBound
      * index.rowsPerSegment..<min(
        segments.upperBound * index.rowsPerSegment, jpeg.mcuRows)
    top = rows.lowerBound * mcuHeight
    // The last row keeps the picture's own partial height, so its edge rules stay the same.
    height = min(rows.upperBound * mcuHeight, jpeg.size.height) - top
    mcuCount = rows.count * jpeg.mcusPerRow
  }

  /// Cuts a region at restart markers into bands that are worth decoding side by side.
  static func bands(
    of region: PixelRegion, _ jpeg: JPEGStructure, _ index: RestartIndex
  ) -> [PixelRegion] {
    let whole = RestartWindow(jpeg, index, region: region)
    let segment = (whole.segments.lowerBound + whole.segments.upperBound) / 2
    return BandReader.bands(
      of: region, mcus: whole.mcuCount,
      cutAt: segment * index.rowsPerSegment * jpeg.mcuSize.height)
  }

  /// Reads the rows from the file and makes the JPEG: header, coded bytes, end marker.
  func encoded(
    _ jpeg: JPEGStructure, _ index: RestartIndex, from file: FileReader
  ) throws(PipelineError) -> [UInt8] {
    let header = jpeg.header(
      width: jpeg.size.width, height: height, restartInterval: jpeg.restartInterval)
    let range = index.bytes(of: segments)
    var bytes = header
    bytes += try file.bytes(at: range.lowerBound, count: range.count)
    bytes += [0xFF, 0xD9]
    guard bytes.count == header.count + range.count + 2 else {
      throw PipelineError(
        .changed, operation: "read", file: file.path, reason: "the file became shorter",
        advice: "open it again")
    }
    try file.assertUntouched()
    // Markers count from 0 modulo 8 in every JPEG: give them the numbers of this one.
    for (number, segment) in segments.dropFirst().enumerated() {
      bytes[header.count + index.starts[segment] - 1 - range.lowerBound] = 0xD0 + UInt8(number % 8)
    }
    return bytes
  }
}
