internal import CZlib
internal import ZoomGeometry

/// Reads PNGs: makes a small uncompressed PNG of rows inflated from the nearest entry point.
struct PNGReader: RegionReader {
  private let file: any CodedSource
  private let png: PNGHeaders
  private let rows: RowIndex
  let storedBytesRead: Int

  init(_ picture: Picture, _ stores: [SidecarStore]) throws(PipelineError) {
    let png = try PNGHeaders(picture.file)
    try self.init(picture, png, try stores.first(for: picture.file, .png(png)))
  }

  /// Creates a reader from a picture and its stored index, or the reason that it has none.
  init(
    _ picture: Picture, _ png: PNGHeaders, _ found: Result<Sidecar, SidecarRefusal>?,
    spacing: Int? = nil
  ) throws(PipelineError) {
    guard png.size == picture.storedSize else {
      throw PipelineError(
        .unsupported, operation: "index", file: picture.path,
        reason: "libvips gives it another size than its header")
    }
    self.png = png
    file = picture.file
    let stored = try? found?.get()
    storedBytesRead = stored?.bytesRead ?? 0
    rows = RowIndex(file, png.rows, stored: stored, spacing: spacing)
  }

  var index: (any EntryIndex)? { rows }

  var explanation: String { rows.summary }

  func cost(of stored: PixelRegion) -> PeekCost {
    let above = stored.y / rows.spacing * rows.spacing
    let later = png.size.width * (stored.maxY - above)
    return PeekCost(
      first: rows.covers(stored.maxY) ? later : png.size.width * stored.maxY, later: later)
  }

  func plan(_ stored: PixelRegion) -> RegionPlan {
    RegionPlan(
      stored.bands(ofRowBytes: columns(of: stored).count + 1, enteredEvery: rows.spacing))
  }

  private func columns(of stored: PixelRegion) -> Range<Int> {
    stored.x * png.pixelBits / 8..<(stored.maxX * png.pixelBits + 7) / 8
  }

  func carve(_ band: RegionBand) throws(PipelineError) -> CarvedFile? {
    let stored = band.region
    let columns = columns(of: stored)
    let rowLength = columns.count + 1
    guard rowLength * stored.height <= mostBandBytes else { return nil }
    // Each row begins with filter type 0, "none".
    var raster = [UInt8](repeating: 0, count: rowLength * stored.height)
    let found = try unsafe rows.read(stored.y..<stored.maxY, wantedBytes: columns.upperBound) {
      row, bytes in
      let start = (row - stored.y) * rowLength + 1
      unsafe raster.withUnsafeMutableBufferPointer { raster in
        _ = unsafe raster[start..<start + columns.count].update(
          fromContentsOf: UnsafeBufferPointer(
            start: bytes + columns.lowerBound, count: columns.count))
      }
    }
    guard let found else { return nil }
    let pixelsBefore = columns.lowerBound * 8 / png.pixelBits
    let width = min(columns.count * 8 / png.pixelBits, png.size.width - pixelsBefore)
    do {
      return CarvedFile(
        bytes: png.file(of: raster, width: width, height: stored.height),
        region: try PixelRegion(
          x: stored.x - pixelsBefore, y: 0, width: stored.width, height: stored.height),
        work: found.work(pictureWidth: png.size.width, width: stored.maxX))
    } catch {
      throw PipelineError(.fault, operation: "carve", file: file.path, reason: "\(error)")
    }
  }
}

extension PNGHeaders {
  /// Returns a PNG of rows of this picture, each after the filter type "none".
  func file(of raster: [UInt8], width: Int, height: Int) -> [UInt8] {
    var bytes = Self.signature
    bytes.reserveCapacity(raster.count + raster.count / 1000 + chunks.count + 128)
    var header: [UInt8] = []
    header.appendBigEndian(width)
    header.appendBigEndian(height)
    bytes.appendChunk("IHDR") { $0 += header + [UInt8(depth), UInt8(colourType), 0, 0, 0] }
    bytes += chunks
    bytes.appendChunk("IDAT") { $0.appendStoredZlib(of: raster) }
    bytes.appendChunk("IEND") { _ in }
    return bytes
  }
}

extension [UInt8] {
  fileprivate mutating func appendBigEndian(_ number: Int) {
    for shift in [24, 16, 8, 0] { append(UInt8(truncatingIfNeeded: number >> shift)) }
  }

  /// Appends a chunk; `appendData` writes its data in place, so that large data is not copied.
  fileprivate mutating func appendChunk(_ type: String, _ appendData: (inout [UInt8]) -> Void) {
    appendBigEndian(0)
    let start = count
    self += type.utf8
    appendData(&self)
    var length: [UInt8] = []
    length.appendBigEndian(count - start - 4)
    replaceSubrange(start - 4..<start, with: length)
    let sum = unsafe withUnsafeBufferPointer { bytes in
      unsafe crc32_z(
        0, UnsafeBufferPointer(rebasing: bytes[start...]).baseAddress, bytes.count - start)
    }
    appendBigEndian(Int(sum))
  }
}
