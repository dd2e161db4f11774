internal import ZoomGeometry

/// A small JPEG made of just the MCUs that a region needs, cut out of some restart segments.
///
/// Its coded bits are the picture's own. Each row begins with a restart, so the first MCU of a row
/// has its DC values written anew, against zero; everything after it is copied bit by bit.
struct RestartCutout: Sendable, Hashable {
  private let rows: RestartWindow
  /// The columns of MCUs in it.
  let columns: Range<Int>
  /// The rows of MCUs in it.
  let mcuRows: Range<Int>

  /// The columns and rows for a region; nil when whole rows cost no more.
  ///
  /// The margins follow the same rule across as down: smooth upsampling blends a chroma column with
  /// its neighbours. An MCU more keeps the chroma columns from being so few that a decoder takes its
  /// other upsampler (libjpeg: widths up to 2): at the picture's right edge, and anywhere in a
  /// picture that is reduced, where an MCU holds no more than two (reduced by 8, one, but then
  /// libjpeg does not smooth).
  init?(
    _ jpeg: JPEGStructure, _ index: RestartIndex, region: PixelRegion,
    reduction: Reduction = .none
  ) {
    rows = RestartWindow(jpeg, index, region: region)
    let mcu = jpeg.mcuSize
    let across = RestartWindow.margin(jpeg, \.horizontal)
    let down = RestartWindow.margin(jpeg, \.vertical)
    var first = max(0, region.x - across) / mcu.width
    var last = min(jpeg.size.width - 1, region.maxX - 1 + across) / mcu.width
    if across > 0 {
      if reduction != .none { last = min(jpeg.mcusPerRow - 1, max(last, first + 1)) }
      if last == jpeg.mcusPerRow - 1 { first = max(0, min(first, last - 1)) }
    }
    columns = first..<last + 1
    mcuRows =
      max(0, region.y - down) / mcu.height..<min(jpeg.size.height - 1, region.maxY - 1 + down)
      / mcu.height + 1
    // Walking an MCU costs about a third of decoding it: past three quarters nothing is saved.
    guard columns.count * 4 <= jpeg.mcusPerRow * 3 else { return nil }
  }

  /// The picture's pixel that is its first.
  func origin(_ jpeg: JPEGStructure) -> (x: Int, y: Int) {
    (columns.lowerBound * jpeg.mcuSize.width, mcuRows.lowerBound * jpeg.mcuSize.height)
  }

  /// Its size: partial MCUs at the picture's edges stay partial.
  func size(_ jpeg: JPEGStructure) -> (width: Int, height: Int) {
    let origin = origin(jpeg)
    return (
      min(columns.upperBound * jpeg.mcuSize.width, jpeg.size.width) - origin.x,
      min(mcuRows.upperBound * jpeg.mcuSize.height, jpeg.size.height) - origin.y
    )
  }

  /// The bytes of the file it is made from.
  func bytes(_ index: RestartIndex) -> Range<Int> { index.bytes(of: rows.segments) }

  /// The MCUs walked through, its own included.
  func mcusWalked(_ jpeg: JPEGStructure, _ index: RestartIndex) -> Int {
    rows.segments.reduce(0) { sum, segment in
      let last = min((segment + 1) * index.rowsPerSegment, mcuRows.upperBound) - 1
      return sum + (last - segment * index.rowsPerSegment) * jpeg.mcusPerRow + columns.upperBound
    }
  }

  /// Makes the JPEG from coded bytes of the file.
  /// - Parameters:
  ///   - jpeg: the picture's headers.
  ///   - index: its restart markers.
  ///   - layout: its Huffman tables.
  ///   - coded: the bytes that `bytes` names.
  /// - Returns: nil when the data is irregular or the tables lack a code that is needed: then whole
  ///   rows, which need neither, are the way.
  func encoded(
    _ jpeg: JPEGStructure, _ index: RestartIndex, _ layout: EntropyLayout, coded: [UInt8]
  ) -> [UInt8]? {
    let size = size(jpeg)
    var jpegBytes = jpeg.header(
      width: size.width, height: size.height, restartInterval: columns.count)
    jpegBytes.reserveCapacity(jpegBytes.count + coded.count)
    let base = bytes(index).lowerBound
    var rowNumber = 0
    do {
      for segment in rows.segments {
        let range = index.bytes(of: segment..<segment + 1)
        var walker = EntropyWalker(
          layout, coded: coded[range.lowerBound - base..<range.upperBound - base])
        let first = segment * index.rowsPerSegment
        for row in first..<min(first + index.rowsPerSegment, mcuRows.upperBound) {
          guard mcuRows.contains(row) else {
            try walker.skip(jpeg.mcusPerRow)
            continue
          }
          if rowNumber > 0 { jpegBytes += [0xFF, 0xD0 + UInt8((rowNumber - 1) % 8)] }
          rowNumber += 1
          ByteStuffing.append(try cut(&walker, layout), to: &jpegBytes)
          // What is left of the row matters only if another row of the segment follows.
          if row + 1 < min(first + index.rowsPerSegment, mcuRows.upperBound) {
            try walker.skip(jpeg.mcusPerRow - columns.upperBound)
          }
        }
      }
    } catch {
      return nil
    }
    return jpegBytes + [0xFF, 0xD9]
  }

  /// The columns of one row, from where the walker stands at its first MCU.
  private func cut(
    _ walker: inout EntropyWalker, _ layout: EntropyLayout
  ) throws(EntropyWalker.Irregular) -> [UInt8] {
    try walker.skip(columns.lowerBound)
    var splice = BitSplice()
    let source = walker.bytes
    try walker.visit { block, value, dc, ac throws(EntropyWalker.Irregular) in
      if block.isFirst {
        try Self.append(value, coded: layout.dcTables[block.dc], to: &splice)
      } else {
        splice.append(dc, of: source)
      }
      splice.append(ac, of: source)
    }
    let start = walker.position
    try walker.skip(columns.count - 1)
    splice.append(start..<walker.position, of: source)
    splice.padToByte()
    return splice.bytes
  }

  /// Writes a DC value as a difference from zero (T.81, F.1.2.1).
  private static func append(
    _ value: Int32, coded table: EntropyTable, to splice: inout BitSplice
  ) throws(EntropyWalker.Irregular) {
    let size = Int32.bitWidth - value.magnitude.leadingZeroBitCount
    guard size <= 11, let code = table.code(of: UInt8(size)) else {
      throw EntropyWalker.Irregular()
    }
    splice.append(code.bits, count: code.length)
    let magnitude = UInt32(bitPattern: value < 0 ? value - 1 : value) & ((1 << UInt32(size)) - 1)
    splice.append(magnitude, count: size)
  }
}
