internal import SystemPackage
internal import ZoomGeometry

/// Where the tiles of a tiled TIFF's first image stand, so that a read's work can be counted.
///
/// Read from the file itself (TIFF 6.0 section 15, and BigTIFF); sizes and offsets are checked
/// before use, as the file may be anybody's.
struct TIFFTileLayout: Sendable, Hashable {
  /// Of the whole image, in pixels.
  let size: PixelSize
  let tileWidth: Int
  let tileHeight: Int
  let tilesPerRow: Int
  let tileRows: Int
  /// Encoded bytes of each tile, row by row; of each plane in turn where planes are separate.
  let byteCounts: [Int]
  let planes: Int

  /// The work of reading a region: every tile it touches, whole.
  func work(for region: PixelRegion) -> Work {
    let columns = region.x / tileWidth...(region.maxX - 1) / tileWidth
    let rows = region.y / tileHeight...(region.maxY - 1) / tileHeight
    var bytes = 0
    for plane in 0..<planes {
      for row in rows {
        for column in columns {
          bytes += byteCounts[(plane * tileRows + row) * tilesPerRow + column]
        }
      }
    }
    let tiles = columns.count * rows.count
    return Work(
      bytesRead: bytes, unitsDecoded: tiles * planes, unit: .tile,
      pixelsDecoded: tiles * tileWidth * tileHeight, pixelsDelivered: region.area)
  }

  /// Reads the layout of a TIFF's first directory; nil when it is no tiled TIFF.
  static func read(_ path: FilePath) throws(PipelineError) -> TIFFTileLayout? {
    var reader = try TIFFReader(path)
    guard let fields = try reader.firstDirectory() else { return nil }
    func single(_ tag: UInt16) throws(PipelineError) -> Int? {
      guard let field = fields[tag] else { return nil }
      return try reader.values(of: field, limit: 1).first
    }
    guard let width = try single(256), let height = try single(257),
      let tileWidth = try single(322), let tileHeight = try single(323),
      let counts = fields[325], (1...65_536).contains(tileWidth),
      (1...65_536).contains(tileHeight)
    else { return nil }
    let size: PixelSize
    do { size = try PixelSize(width: width, height: height) } catch { return nil }
    let tilesPerRow = (width - 1) / tileWidth + 1
    let tileRows = (height - 1) / tileHeight + 1
    let planes = try single(284) == 2 ? try single(277) ?? 1 : 1
    // Sides are at most Int32.max and planes few, so this product fits.
    guard (1...64).contains(planes), counts.count == tilesPerRow * tileRows * planes else {
      return nil
    }
    return TIFFTileLayout(
      size: size,
      tileWidth: tileWidth, tileHeight: tileHeight, tilesPerRow: tilesPerRow, tileRows: tileRows,
      // No tile is longer than the file, whatever it says.
      byteCounts: try reader.values(of: counts, limit: counts.count)
        .map { min($0, reader.length) },
      planes: planes)
  }
}

/// Just enough of a TIFF reader to look up integers in the first directory.
private struct TIFFReader {
  struct Field {
    let type: UInt16
    let count: Int
    /// Where the values stand: in the entry itself when they fit, else where the entry points.
    let offset: Int
  }

  private let file: FileReader
  var length: Int { file.length }
  private var isLittleEndian = true
  private var isBig = false

  init(_ path: FilePath) throws(PipelineError) { file = try FileReader(path) }

  mutating func firstDirectory() throws(PipelineError) -> [UInt16: Field]? {
    let header = try file.bytes(at: 0, count: 16)
    guard header.count == 16 else { return nil }
    switch (header[0], header[1]) {
    case (0x49, 0x49): isLittleEndian = true
    case (0x4D, 0x4D): isLittleEndian = false
    default: return nil
    }
    switch number(header[2..<4]) {
    case 42: isBig = false
    case 43: isBig = true
    default: return nil
    }
    let start = isBig ? number(header[8..<16]) : number(header[4..<8])
    let countLength = isBig ? 8 : 2
    let entryLength = isBig ? 20 : 12
    guard let start, start >= 8, start < file.length else { return nil }
    let countBytes = try file.bytes(at: start, count: countLength)
    guard countBytes.count == countLength, let count = number(countBytes[...]),
      (1...4096).contains(count)
    else { return nil }
    let entries = try file.bytes(at: start + countLength, count: count * entryLength)
    guard entries.count == count * entryLength else { return nil }
    var fields: [UInt16: Field] = [:]
    for index in 0..<count {
      let entry = entries[index * entryLength..<(index + 1) * entryLength]
      let base = entry.startIndex
      guard let tag = number(entry[base..<base + 2]), let type = number(entry[base + 2..<base + 4]),
        let length = number(entry[base + 4..<base + (isBig ? 12 : 8)]),
        let size = Self.sizes[UInt16(type)], (1...file.length).contains(length)
      else { continue }
      let inline = isBig ? 8 : 4
      let position = start + countLength + index * entryLength + entryLength - inline
      let offset = length * size <= inline ? position : number(entry.suffix(inline))
      guard let offset, offset <= file.length - length * size else { continue }
      // The first of two entries with one tag counts, as for libtiff.
      if fields[UInt16(tag)] == nil {
        fields[UInt16(tag)] = Field(type: UInt16(type), count: length, offset: offset)
      }
    }
    return fields
  }

  func values(of field: Field, limit: Int) throws(PipelineError) -> [Int] {
    guard let size = Self.sizes[field.type] else { return [] }
    let count = min(field.count, limit)
    let bytes = try file.bytes(at: field.offset, count: count * size)
    return stride(from: 0, to: bytes.count - bytes.count % size, by: size).map { start in
      number(bytes[start..<start + size]) ?? 0
    }
  }

  /// An unsigned number; nil when it does not fit an `Int`.
  private func number(_ bytes: ArraySlice<UInt8>) -> Int? {
    let ordered = isLittleEndian ? Array(bytes.reversed()) : Array(bytes)
    return Int(exactly: ordered.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
  }

  /// Bytes a value for SHORT, LONG, LONG8: all that the tags above may use.
  private static let sizes: [UInt16: Int] = [3: 2, 4: 4, 16: 8]
}
