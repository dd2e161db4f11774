internal import ZoomGeometry

/// A directory of a TIFF (TIFF 6.0) or BigTIFF: its tags and their entries.
///
/// libvips opens the first page; other pages are used only as levels of it. Values that do not fit
/// into an entry are read when they are needed.
struct TIFFDirectory: Sendable {
  struct Entry: Sendable {
    let tag: Int
    let type: Int
    /// The number of values, at most `Int.max`.
    let count: Int
    /// The four or eight bytes after the count, in the file's order: the values or their offset.
    let field: [UInt8]

    /// The bytes of all values; nil if the type is unknown or the product overflows.
    var byteCount: Int? {
      guard let length = TIFFDirectory.lengths[type] else { return nil }
      let (bytes, overflow) = count.multipliedReportingOverflow(by: length)
      return overflow ? nil : bytes
    }
  }

  let isLittleEndian: Bool
  let isBig: Bool
  /// The first entry of each tag, in the file's order.
  let entries: [Entry]
  /// Why libtiff may read the directory differently; nil if it does not.
  let irregularity: String?

  /// The bytes of a value by type.
  private static let lengths = [
    1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8, 13: 4, 16: 8, 17: 8,
    18: 8,
  ]
  /// The integer types, signed and unsigned.
  private static let wholeTypes: Set<Int> = [1, 6, 3, 8, 4, 9, 16, 17]
  /// libtiff (4.5) treats a BigTIFF's directory of more entries as damaged.
  private static let mostEntries = 4096

  /// The offset of the next directory; 0 for the last.
  let next: Int

  /// Reads the directory at an offset of a TIFF file, or the first one.
  init(_ file: some CodedSource, at offset: Int? = nil) throws(PipelineError) {
    // libtiff reads Microsoft's "EP" like "II".
    let isLittle = try file.bytes(at: 0, count: 2) != Array("MM".utf8)
    isLittleEndian = isLittle
    func number(_ bytes: some BidirectionalCollection<UInt8>) -> Int {
      Self.number(bytes, isLittleEndian: isLittle)
    }
    let isBig = number(try file.bytes(at: 2, count: 2)) == 43
    self.isBig = isBig
    let (word, entrySize) = isBig ? (8, 20) : (4, 12)
    let first = number(try file.bytes(at: word, count: word))
    let start = min(offset ?? first, file.length)
    let count = number(try file.bytes(at: start, count: isBig ? 8 : 2))
    // A directory has at most one entry for each of 2^16 tags; a larger count could overflow.
    let most = min(count, 1 << 16)
    let bytes = try file.bytes(at: start + (isBig ? 8 : 2), count: most * entrySize)
    let isWhole = most == count && bytes.count == most * entrySize
    var entries: [Entry] = []
    var seen: Set<Int> = []
    for at in stride(from: 0, through: bytes.count - entrySize, by: entrySize) {
      let tag = number(bytes[at..<at + 2])
      // libtiff uses the first of several entries with the same tag.
      guard seen.insert(tag).inserted else { continue }
      let field = at + entrySize - word
      entries.append(
        Entry(
          tag: tag, type: number(bytes[at + 2..<at + 4]), count: number(bytes[at + 4..<field]),
          field: Array(bytes[field..<at + entrySize])))
    }
    self.entries = entries
    let end = start + (isBig ? 8 : 2) + bytes.count
    next = isWhole ? number(try file.bytes(at: end, count: word)) : 0
    irregularity =
      if count > Self.mostEntries || !isWhole {
        "its directory is cut off or too long"
      } else if entries.count != count {
        "its directory has a tag twice"
      } else {
        nil
      }
  }

  subscript(tag: Int) -> Entry? { entries.first { $0.tag == tag } }

  /// Returns a tag's first value, assuming that the entry holds it; `Int.max` unless it is an
  /// integer that fits there, because libtiff may read other types by its own rules.
  func looseNumber(_ tag: Int) -> Int? {
    guard let entry = self[tag] else { return nil }
    guard Self.wholeTypes.contains(entry.type), let length = Self.lengths[entry.type],
      length <= entry.field.count
    else { return .max }
    return Self.number(entry.field.prefix(length), isLittleEndian: isLittleEndian)
  }

  /// Returns a number in a byte order, at most `Int.max`.
  private static func number(
    _ bytes: some BidirectionalCollection<UInt8>, isLittleEndian: Bool
  ) -> Int {
    let number =
      isLittleEndian
      ? bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      : bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return Int(clamping: number)
  }

  func bytes(_ number: Int, count: Int) -> [UInt8] {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    return isLittleEndian ? bytes : bytes.reversed()
  }

  func offset(of entry: Entry) -> Int? {
    guard let count = entry.byteCount, count <= entry.field.count else {
      return Self.number(entry.field, isLittleEndian: isLittleEndian)
    }
    return nil
  }

  /// Returns the bytes of some of an entry's values; nil if the file does not hold them.
  func values(
    of entry: Entry, _ range: Range<Int>, in file: some CodedSource
  ) throws(PipelineError) -> [UInt8]? {
    guard let length = Self.lengths[entry.type], entry.byteCount != nil,
      range.upperBound <= entry.count
    else { return nil }
    // `byteCount` is not nil, so these do not overflow.
    let (start, count) = (range.lowerBound * length, range.count * length)
    guard let offset = offset(of: entry) else {
      return Array(entry.field[start..<start + count])
    }
    guard offset <= file.length, start <= file.length - offset,
      count <= file.length - offset - start
    else { return nil }
    let bytes = try file.bytes(at: offset + start, count: count)
    return bytes.count == count ? bytes : nil
  }

  /// Returns some values of an entry; nil if the file lacks them or they are of another type.
  ///
  /// The usual types are the unsigned integers: BYTE, SHORT, LONG and LONG8.
  func numbers(
    of entry: Entry, _ range: Range<Int>, types: Set<Int> = [1, 3, 4, 16], in file: some CodedSource
  ) throws(PipelineError) -> [Int]? {
    guard types.contains(entry.type), let length = Self.lengths[entry.type],
      let bytes = try values(of: entry, range, in: file)
    else { return nil }
    return stride(from: 0, to: bytes.count, by: length).map {
      Self.number(bytes[$0..<$0 + length], isLittleEndian: isLittleEndian)
    }
  }
}

extension TIFFDirectory {
  /// Fetches the tables of strips or tiles of a TIFF on a server.
  ///
  /// libtiff reads them one by one when it opens the file, and peeks need them again.
  static func expectTables(of file: FileReader) throws(PipelineError) {
    // The magic numbers of TIFF and BigTIFF; many other files begin with these letters.
    let magics: [[UInt8]] = ["II*\0", "MM\0*", "II+\0", "MM\0+"].map { Array($0.utf8) }
    guard file.isRemote, magics.contains(try file.bytes(at: 0, count: 4)) else { return }
    let directory = try TIFFDirectory(file)
    let tags = [
      TIFFTag.stripOffsets, TIFFTag.stripBytes, TIFFTag.tileOffsets, TIFFTag.tileBytes,
    ]
    try file.expect(
      tags.compactMap { directory[$0] }.compactMap { table in
        guard let start = directory.offset(of: table), let count = table.byteCount,
          count <= mostTiles * 8, start <= file.length, count <= file.length - start
        else { return nil }
        return start..<start + count
      })
  }

  /// More tiles are not announced, nor are their tables, which may be damaged; 65,536 tiles of
  /// 256 x 256 pixels cover 4 gigapixels.
  private static let mostTiles = 1 << 16

  /// Announces the reads of the tiles of a region.
  ///
  /// libtiff reads a tile only when it needs it, so each would take a round trip.
  func expectTiles(of region: PixelRegion, in picture: Picture) throws(PipelineError) {
    let file = picture.file
    guard file.isRemote, let tile, looseNumber(TIFFTag.planes) ?? 1 == 1,
      let offsets = self[TIFFTag.tileOffsets], let counts = self[TIFFTag.tileBytes],
      offsets.count == counts.count
    else { return }
    let across = (picture.storedSize.width - 1) / tile.width + 1
    let columns = region.x / tile.width..<(region.maxX - 1) / tile.width + 1
    let rows = region.y / tile.height..<(region.maxY - 1) / tile.height + 1
    let needed = rows.map { $0 * across + columns.lowerBound..<$0 * across + columns.upperBound }
    guard let last = needed.last, last.upperBound <= offsets.count,
      rows.count * columns.count <= Self.mostTiles
    else { return }
    var places: [Range<Int>] = []
    for row in needed {
      guard let starts = try numbers(of: offsets, row, in: file),
        let lengths = try numbers(of: counts, row, in: file)
      else { return }
      for (start, length) in zip(starts, lengths)
      where start <= file.length && length <= file.length - start {
        places.append(start..<start + length)
      }
    }
    try file.expect(places)
  }

  /// Returns whether a file holds all strips; false if there are more than a short table of them.
  func hasAllStrips(in file: some CodedSource) throws(PipelineError) -> Bool {
    guard let offsets = self[TIFFTag.stripOffsets], let counts = self[TIFFTag.stripBytes],
      offsets.count == counts.count, offsets.count <= 1 << 16,
      let starts = try numbers(of: offsets, 0..<offsets.count, in: file),
      let lengths = try numbers(of: counts, 0..<counts.count, in: file)
    else { return false }
    return zip(starts, lengths).allSatisfy { $0 <= file.length && $1 <= file.length - $0 }
  }

  /// The size of a tile; nil if the picture has none that can be read.
  var tile: PixelSize? {
    guard let width = looseNumber(TIFFTag.tileWidth), let height = looseNumber(TIFFTag.tileHeight)
    else { return nil }
    return try? PixelSize(width: width, height: height)
  }

  /// Returns the number of pixels that libvips (8.14) holds while it reads the picture.
  ///
  /// Two rows of tiles, or two strips of each band if each holds one band; no other strips.
  func heldPixels(of size: PixelSize) -> Int {
    if let width = looseNumber(TIFFTag.tileWidth), let height = looseNumber(TIFFTag.tileHeight) {
      // The limits prevent an overflow; libvips opens only much smaller tiles.
      let tile = (width: min(max(width, 1), 1 << 16), height: min(max(height, 1), 1 << 16))
      let across = (size.width + tile.width - 1) / tile.width
      return across * tile.width * tile.height * (size.height > tile.height ? 2 : 1)
    }
    guard (looseNumber(TIFFTag.planes) ?? 1) > 1 else { return 0 }
    return 2 * size.width * min(looseNumber(TIFFTag.stripRows) ?? size.height, size.height)
  }
}

/// Tag numbers (TIFF 6.0, its technical note 2, and libtiff's tiff.h).
enum TIFFTag {
  static let subfileType = 254, subDirectories = 330
  static let width = 256, height = 257, bits = 258, compression = 259, photometric = 262
  static let description = 270, orientation = 274
  static let fillOrder = 266, stripOffsets = 273, samples = 277, stripRows = 278, stripBytes = 279
  static let planes = 284, tileWidth = 322, tileHeight = 323, tileOffsets = 324, tileBytes = 325
  static let predictor = 317, extraSamples = 338, matteing = 32995, depth = 32997
}
