internal import CZlib
internal import ZoomGeometry
internal import ZoomPipeline

/// A PNG, written without libpng so that its bytes are the same everywhere.
struct PNGFile {
  let pixels: Pixels
  /// The bits of a sample; fewer than 8 are the lowest of a byte of the pixels.
  var bits: Int
  /// The filters of the rows, in turn: none, sub, up, average, Paeth (PNG 9.2).
  var filters = [0, 1, 2, 3, 4]
  var isInterlaced = false
  /// Chunks between the header and the data.
  var chunks: [(type: String, data: [UInt8])] = []
  /// The lengths of the data chunks, in turn; all data are in one chunk if there are none.
  var pieces: [Int] = []

  init(_ pixels: Pixels) { (self.pixels, bits) = (pixels, 8 * pixels.format.byteCount) }

  var bytes: [UInt8] {
    // The colour type (PNG 11.2.2); a palette is recognised by its chunk.
    let isPalette = chunks.contains { $0.type == "PLTE" }
    let colourType = isPalette ? 3 : [1: 0, 2: 4, 3: 2, 4: 6][pixels.bands] ?? 0
    var header = big32(pixels.size.width) + big32(pixels.size.height)
    header += [UInt8(bits), UInt8(colourType), 0, 0, isInterlaced ? 1 : 0]
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
    let (width, samples) = (pixels.size.width, pixels.bigEndian)
    let unit = pixels.bands * pixels.format.byteCount
    var filtered: [UInt8] = []
    for (left, top, across, down) in passes where left < width {
      var above: [UInt8] = []
      for (number, y) in stride(from: top, to: pixels.size.height, by: down).enumerated() {
        var row: [UInt8] = []
        for x in stride(from: left, to: width, by: across) {
          row += samples[(y * width + x) * unit..<(y * width + x + 1) * unit]
        }
        if bits < 8 { row = BitPacker.packed(row, bits) }
        if above.isEmpty { above = [UInt8](repeating: 0, count: row.count) }
        let filter = filters[number % filters.count]
        filtered += [UInt8(filter)] + Self.filter(row, above, filter, unit)
        above = row
      }
    }
    return filtered
  }

  private static func filter(
    _ row: [UInt8], _ above: [UInt8], _ filter: Int, _ unit: Int
  ) -> [UInt8] {
    row.indices.map { place in
      let left = place < unit ? 0 : Int(row[place - unit])
      let up = Int(above[place])
      let corner = place < unit ? 0 : Int(above[place - unit])
      let plane = left + up - corner
      let guess =
        switch filter {
        case 0: 0
        case 1: left
        case 2: up
        case 3: (left + up) / 2
        // The neighbour nearest to their plane; of equals the first (PNG 9.4).
        default: [left, up, corner].min { abs(plane - $0) < abs(plane - $1) } ?? left
        }
      return row[place] &- UInt8(guess)
    }
  }

  private static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
    let body = Array(type.utf8) + data
    let sum = body.withUnsafeBufferPointer { crc32_z(0, $0.baseAddress, $0.count) }
    return big32(data.count) + body + big32(Int(sum))
  }
}
