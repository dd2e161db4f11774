internal import CZlib
internal import ZoomGeometry

/// Reads PNGs: makes a small uncompressed PNG of rows inflated from the nearest entry point.
struct PNGReader: RegionReader {
  private let png: PNGHeaders
  private let rows: RowIndex
  let storedBytesRead: Int
  /// Whether libvips returns the samples of the rows as they are: no palette, packed or swapped
  /// samples, and no alpha from a colour.
  private let arePixels: Bool

  init(_ picture: Picture, _ stores: [SidecarStore]) throws(PipelineError) {
    let png = try PNGHeaders(picture.file)
    try self.init(picture, png, try stores.first(for: picture, .png(png)))
  }

  /// Creates a reader from a picture and its stored index, or the reason that it has none.
  init(
    _ picture: Picture, _ png: PNGHeaders, _ found: Result<Sidecar, SidecarRefusal>?,
    spacing: Int? = nil
  ) throws(PipelineError) {
    guard png.size == picture.storedSize else {
      throw picture.file.refusal(
        "libvips gives it another size than its header", operation: "index")
    }
    try picture.assertRowsFit(png.rowBytes, "carve")
    self.png = png
    arePixels =
      png.depth == 8 && png.colourType != 3 && png.pixelBits == 8 * picture.bands
      && picture.format == .uint8
    let stored = try? found?.get()
    storedBytesRead = stored?.bytesRead ?? 0
    rows = RowIndex(picture.file, png.rows, stored: stored, spacing: spacing)
  }

  var index: (any EntryIndex)? { rows }

  func cost(of stored: PixelRegion) -> PeekCost {
    rows.cost(of: stored, in: png.size)
  }

  func keptUnit(of stored: PixelRegion) -> KeptUnit { rows.keptUnit(of: stored) }

  func plan(_ stored: PixelRegion) throws(PipelineError) -> RegionPlan {
    let bands = stored.bands(
      ofRowBytes: columns(of: stored).count + 1, enteredEvery: rows.spacing)
    try rows.expect(bands)
    return RegionPlan(bands)
  }

  private func columns(of stored: PixelRegion) -> Range<Int> {
    stored.x * png.pixelBits / 8..<(stored.maxX * png.pixelBits + 7) / 8
  }

  func carve(_ band: RegionBand) throws(PipelineError) -> CarvedFile? {
    let stored = band.region
    let columns = columns(of: stored)
    // Each row of a small PNG begins with filter type 0, "none".
    let excess = arePixels ? 0 : 1
    let rowLength = columns.count + excess
    guard rowLength * stored.height <= mostBandBytes else { return nil }
    var raster = [UInt8](repeating: 0, count: rowLength * stored.height)
    let found = try unsafe rows.read(stored.y..<stored.maxY, wantedBytes: columns.upperBound) {
      row, bytes in
      let start = (row - stored.y) * rowLength + excess
      unsafe raster.withUnsafeMutableBufferPointer { raster in
        _ = unsafe raster[start..<start + columns.count].update(
          fromContentsOf: UnsafeBufferPointer(
            start: bytes + columns.lowerBound, count: columns.count))
      }
    }
    guard let found else { return nil }
    let pixelsBefore = columns.lowerBound * 8 / png.pixelBits
    let width = min(columns.count * 8 / png.pixelBits, png.size.width - pixelsBefore)
    return CarvedFile(
      bytes: arePixels ? raster : png.file(of: raster, width: width, height: stored.height),
      region: stored.relative(to: (pixelsBefore, stored.y)),
      work: found.work(pictureWidth: png.size.width, width: stored.maxX),
      pixelStart: arePixels ? 0 : nil)
  }
}

extension PNGHeaders {
  /// Returns a PNG of rows of this picture, each after the filter type "none".
  func file(of raster: [UInt8], width: Int, height: Int) -> [UInt8] {
    var bytes = Self.signature
    bytes.reserveCapacity(raster.count + raster.count / 1000 + chunks.count + 128)
    bytes.appendChunk("IHDR") { header in
      for side in [width, height] { header.append(bigEndian: side, 4) }
      header += [UInt8(depth), UInt8(colourType), 0, 0, 0]
    }
    bytes += chunks
    bytes.appendChunk("IDAT") { $0 += raster.deflated(level: 0) }
    bytes.appendChunk("IEND") { _ in }
    return bytes
  }
}

extension [UInt8] {
  /// Appends a chunk of a PNG, whose data `appendData` appends.
  package mutating func appendChunk(_ type: String, _ appendData: (inout [UInt8]) -> Void) {
    append(bigEndian: 0, 4)
    let start = count
    self += type.utf8
    appendData(&self)
    var length: [UInt8] = []
    length.append(bigEndian: count - start - 4, 4)
    replaceSubrange(start - 4..<start, with: length)
    let sum = unsafe withUnsafeBufferPointer { bytes in
      unsafe crc32_z(
        0, UnsafeBufferPointer(rebasing: bytes[start...]).baseAddress, bytes.count - start)
    }
    append(bigEndian: Int(sum), 4)
  }
}
