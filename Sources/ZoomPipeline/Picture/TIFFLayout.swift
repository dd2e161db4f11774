internal import ZoomGeometry

/// How the pixels of a TIFF are stored (TIFF 6.0 and BigTIFF), as far as memory depends on it.
enum TIFFLayout {
  private static let planes = 284, stripRows = 278, tileWidth = 322, tileHeight = 323

  /// The pixels that libvips (8.14) holds while it reads any of them: two rows of tiles; of strips none,
  /// as it decodes them row by row, unless each holds one band alone: then a strip of each, twice.
  static func heldPixels(_ file: FileReader, size: PixelSize) throws(PipelineError) -> Int {
    let tags = try tags(file)
    if let width = tags[tileWidth], let height = tags[tileHeight] {
      // So that no product overflows; libvips opens no tile that is nearly as large.
      let tile = (width: min(max(width, 1), 1 << 16), height: min(max(height, 1), 1 << 16))
      let across = (size.width + tile.width - 1) / tile.width
      return across * tile.width * tile.height * (size.height > tile.height ? 2 : 1)
    }
    guard (tags[planes] ?? 1) > 1 else { return 0 }
    return 2 * size.width * min(tags[stripRows] ?? size.height, size.height)
  }

  /// The values of the first directory's tags that are one whole number.
  ///
  /// Of a tag that is written in another way it is the largest number, as what libtiff makes of it is
  /// not known.
  private static func tags(_ file: FileReader) throws(PipelineError) -> [Int: Int] {
    let isLittle = try file.bytes(at: 0, count: 2) == Array("II".utf8)
    func number(_ bytes: some BidirectionalCollection<UInt8>) -> Int {
      let bytes = isLittle ? Array(bytes.reversed()) : Array(bytes)
      return Int(clamping: bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }
    let isBig = number(try file.bytes(at: 2, count: 2)) == 43
    let (word, entrySize) = isBig ? (8, 20) : (4, 12)
    let start = min(number(try file.bytes(at: word, count: word)), file.length)
    let count = number(try file.bytes(at: start, count: isBig ? 8 : 2))
    // A directory has at most one entry for each of 2^16 tags.
    let entries = try file.bytes(
      at: start + (isBig ? 8 : 2), count: min(count, 1 << 16) * entrySize)
    var tags: [Int: Int] = [:]
    // Whole numbers with and without a sign, by the numbers of their types.
    let lengths = [1: 1, 6: 1, 3: 2, 8: 2, 4: 4, 9: 4, 16: 8, 17: 8]
    for at in stride(from: 0, through: entries.count - entrySize, by: entrySize) {
      let tag = number(entries[at..<at + 2])
      // Of a tag that stands there twice libtiff takes the first.
      guard tags[tag] == nil else { continue }
      let length = lengths[number(entries[at + 2..<at + 4])] ?? .max
      let value = at + entrySize - word
      tags[tag] = length <= word ? number(entries[value..<value + length]) : .max
    }
    return tags
  }
}
