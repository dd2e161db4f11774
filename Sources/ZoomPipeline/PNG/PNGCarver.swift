internal import CZlib
internal import ZoomGeometry

/// Carves PNGs: inflates the rows of a region from the nearest entry point on, and makes a small PNG of just the
/// region's columns, not compressed.
final class PNGCarver: Carver {
  private let file: any CodedSource
  private let png: PNGHeaders
  let index: PNGIndex

  /// Takes a picture and its stored index, or why it has none, or nil where none was looked for.
  init(
    _ picture: Picture, _ png: PNGHeaders, _ found: Result<PNGSidecar, SidecarRefusal>?,
    spacing: Int? = nil
  ) throws(PipelineError) {
    guard png.size == picture.storedSize else {
      throw PipelineError(
        .unsupported, operation: "index", file: picture.path,
        reason: "libvips gives it another size than its header")
    }
    self.png = png
    file = picture.file
    index = PNGIndex(file, png, stored: try? found?.get(), spacing: spacing)
  }

  var state: SourceState { index.hasGrown ? .index : .openFile }

  var explanation: String { index.summary }

  func cost(of stored: PixelRegion) -> PeekCost {
    let above = stored.y / index.spacing * index.spacing
    let later = png.size.width * (stored.maxY - above)
    return PeekCost(
      first: index.covers(stored.maxY) ? later : png.size.width * stored.maxY, later: later)
  }

  func completeIndex() throws(PipelineError) { _ = try index.complete() }

  func forget() { index.forget() }

  /// 16 MB of pixels: a small part of any budget, and entering again costs little beside them.
  func bands(of stored: PixelRegion) -> [PixelRegion] {
    let height = max(index.spacing, (1 << 24) / (columns(of: stored).count + 1))
    return stride(from: stored.y, to: stored.maxY, by: height).map {
      stored.rows($0..<min($0 + height, stored.maxY))
    }
  }

  /// The bytes of a row that hold a region.
  private func columns(of stored: PixelRegion) -> Range<Int> {
    stored.x * png.pixelBits / 8..<(stored.maxX * png.pixelBits + 7) / 8
  }

  func carve(_ stored: PixelRegion) throws(PipelineError) -> CarvedFile? {
    let columns = columns(of: stored)
    let rowLength = columns.count + 1
    // Each row begins with its filter, which is none.
    var raster = [UInt8](repeating: 0, count: rowLength * stored.height)
    func take(_ row: Int, _ bytes: UnsafePointer<UInt8>) {
      guard row >= stored.y, row < stored.maxY else { return }
      let start = (row - stored.y) * rowLength + 1
      unsafe raster.withUnsafeMutableBufferPointer { raster in
        _ = unsafe raster[start..<start + columns.count].update(
          fromContentsOf: UnsafeBufferPointer(
            start: bytes + columns.lowerBound, count: columns.count))
      }
    }
    var work = Work.none
    var first = Int.max
    if !index.covers(stored.maxY) {
      let found = try unsafe index.grow(to: stored.maxY) { unsafe take($0, $1) }
      guard let growth = found else { return nil }
      first = growth.firstRow ?? .max
      work = self.work(bytes: growth.bytesRead, rows: growth.rowsDecoded, columns: png.size.width)
    }
    // Rows that the index has just grown over need not be decoded again.
    if first > stored.y {
      guard let more = try unsafe decode(stored, to: min(first, stored.maxY), columns, take)
      else { return nil }
      work = work + more
    }
    let pixelsBefore = columns.lowerBound * 8 / png.pixelBits
    let width = min(columns.count * 8 / png.pixelBits, png.size.width - pixelsBefore)
    do {
      return CarvedFile(
        bytes: png.file(of: raster, width: width, height: stored.height),
        region: try PixelRegion(
          x: stored.x - pixelsBefore, y: 0, width: stored.width, height: stored.height),
        work: work)
    } catch {
      throw PipelineError(.fault, operation: "carve", file: file.path, reason: "\(error)")
    }
  }

  private func work(bytes: Int, rows: Int, columns: Int) -> Work {
    Work(
      bytesRead: bytes, unitsDecoded: rows, unit: .row, pixelsDecoded: rows * columns,
      pixelsDelivered: 0)
  }

  /// Decodes the rows of a region above `end` from the nearest entry point.
  private func decode(
    _ stored: PixelRegion, to end: Int, _ columns: Range<Int>,
    _ take: (_ row: Int, _ bytes: UnsafePointer<UInt8>) -> Void
  ) throws(PipelineError) -> Work? {
    do throws(InflateFault) {
      let point = try index.point(forRow: stored.y)
      let pass = try PNGRowPass(file, png, at: point, wantedBytes: columns.upperBound)
      while pass.row < end {
        let row = pass.row
        try pass.decodeRow(notBehind: end)
        unsafe pass.withRow { unsafe take(row, $0) }
      }
      return work(bytes: pass.bytesRead, rows: end - point.row, columns: stored.maxX)
    } catch {
      if case .unreadable(let error) = error { throw error }
      return nil
    }
  }
}

extension PNGHeaders {
  /// A PNG of rows of this picture, each behind a filter type of none.
  func file(of raster: [UInt8], width: Int, height: Int) -> [UInt8] {
    var bytes = Self.signature
    bytes.reserveCapacity(raster.count + raster.count / 1000 + chunks.count + 128)
    var header: [UInt8] = []
    header.appendBigEndian(width)
    header.appendBigEndian(height)
    bytes.appendChunk("IHDR", header + [UInt8(depth), UInt8(colourType), 0, 0, 0])
    bytes += chunks
    // A zlib stream of stored blocks (RFC 1950, RFC 1951 3.2.4).
    var data: [UInt8] = [0x78, 0x01]
    data.reserveCapacity(raster.count + raster.count / 1000 + 16)
    for start in stride(from: 0, to: raster.count, by: 0xFFFF) {
      let block = raster[start..<min(start + 0xFFFF, raster.count)]
      data.append(block.endIndex == raster.count ? 1 : 0)
      data.append(block.count, byteCount: 2)
      data.append(~block.count, byteCount: 2)
      data += block
    }
    data.appendBigEndian(unsafe Int(adler32_z(1, raster, raster.count)))
    bytes.appendChunk("IDAT", data)
    bytes.appendChunk("IEND", [])
    return bytes
  }
}

extension [UInt8] {
  fileprivate mutating func appendBigEndian(_ number: Int) {
    for shift in [24, 16, 8, 0] { append(UInt8(truncatingIfNeeded: number >> shift)) }
  }

  fileprivate mutating func appendChunk(_ type: String, _ data: [UInt8]) {
    appendBigEndian(data.count)
    let start = count
    self += type.utf8
    self += data
    let sum = unsafe withUnsafeBufferPointer { bytes in
      unsafe crc32_z(
        0, UnsafeBufferPointer(rebasing: bytes[start...]).baseAddress, bytes.count - start)
    }
    appendBigEndian(Int(sum))
  }
}
