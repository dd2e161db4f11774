internal import ZoomPipeline

/// A PNG, written without libpng so that its bytes are the same everywhere.
struct PNGFile {
  let raster: Raster
  /// The filters of the rows, in turn: none, sub, up, average, Paeth (PNG 9.2).
  var filters = [0, 1, 2, 3, 4]
  var isInterlaced = false
  /// Chunks between the header and the data.
  var chunks: [(type: String, data: [UInt8])] = []
  /// The lengths of the data chunks, in turn; all data are in one chunk if there are none.
  var pieces: [Int] = []

  /// The colour type (PNG 11.2.2); a palette is recognised by its chunk.
  private var colourType: Int {
    if chunks.contains(where: { $0.type == "PLTE" }) { return 3 }
    return [1: 0, 2: 4, 3: 2, 4: 6][raster.bands] ?? 0
  }

  var bytes: [UInt8] {
    let header =
      Self.bigEndian(raster.width) + Self.bigEndian(raster.height)
      + [UInt8(raster.bits), UInt8(colourType), 0, 0, isInterlaced ? 1 : 0]
    var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    bytes += Self.chunk("IHDR", header)
    for chunk in chunks { bytes += Self.chunk(chunk.type, chunk.data) }
    var rest = DeflateCoder.stream(filtered, isMixed: !pieces.isEmpty)[...]
    var number = 0
    while !rest.isEmpty {
      let length = pieces.isEmpty ? rest.count : pieces[number % pieces.count]
      bytes += Self.chunk("IDAT", Array(rest.prefix(length)))
      rest = rest.dropFirst(length)
      number += 1
    }
    return bytes + Self.chunk("IEND", [])
  }

  /// The filtered rows of all passes, each preceded by its filter.
  private var filtered: [UInt8] {
    // Adam7 (PNG 8.2): the first column and row of each pass, and its steps.
    let passes =
      isInterlaced
      ? [
        (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2),
        (0, 1, 1, 2),
      ] : [(0, 0, 1, 1)]
    var filtered: [UInt8] = []
    for (left, top, across, down) in passes where left < raster.width {
      var above: [UInt8] = []
      for (number, y) in stride(from: top, to: raster.height, by: down).enumerated() {
        let row = packed(y, stride(from: left, to: raster.width, by: across))
        if above.isEmpty { above = [UInt8](repeating: 0, count: row.count) }
        let filter = filters[number % filters.count]
        filtered += [UInt8(filter)] + Self.filter(row, above, filter, max(1, pixelBits / 8))
        above = row
      }
    }
    return filtered
  }

  private var pixelBits: Int { raster.bands * raster.bits }

  private func packed(_ y: Int, _ columns: StrideTo<Int>) -> [UInt8] {
    var bits = BitPacker()
    for x in columns {
      for band in 0..<raster.bands { bits.append(Int(raster.value(x, y, band)), raster.bits) }
    }
    return bits.bytes
  }

  private static func filter(
    _ row: [UInt8], _ above: [UInt8], _ filter: Int, _ unit: Int
  ) -> [UInt8] {
    row.indices.map { place in
      let left = place < unit ? 0 : Int(row[place - unit])
      let up = Int(above[place])
      let corner = place < unit ? 0 : Int(above[place - unit])
      let guess =
        switch filter {
        case 0: 0
        case 1: left
        case 2: up
        case 3: (left + up) / 2
        default: paeth(left, up, corner)
        }
      return row[place] &- UInt8(guess)
    }
  }

  /// Returns the neighbour nearest to their plane; of equals left, then up (PNG 9.4).
  private static func paeth(_ left: Int, _ up: Int, _ corner: Int) -> Int {
    let plane = left + up - corner
    let (toLeft, toUp, toCorner) = (abs(plane - left), abs(plane - up), abs(plane - corner))
    if toLeft <= toUp, toLeft <= toCorner { return left }
    return toUp <= toCorner ? up : corner
  }

  private static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
    let body = Array(type.utf8) + data
    return bigEndian(data.count) + body + bigEndian(Int(checksum(body)))
  }

  static func bigEndian(_ number: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }

  /// The CRC-32 of PNG annex D, a byte at a time.
  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(UInt32.max) { table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] ^ $0 >> 8 }
  }

  private static let table: [UInt32] = (0..<256).map { number in
    (0..<8).reduce(UInt32(number)) { sum, _ in sum & 1 == 1 ? 0xEDB8_8320 ^ sum >> 1 : sum >> 1 }
  }
}
