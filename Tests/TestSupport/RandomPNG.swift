internal import CZlib
internal import PropertyTesting

/// A PNG of any kind, determined by its seed and written without the code under test.
package struct RandomPNG: Sendable, CustomStringConvertible {
  /// The colour type and depth of a PNG.
  package struct Kind: Sendable, CustomStringConvertible {
    package let colourType: Int
    package let depth: Int

    package var description: String { "colour type \(colourType) of \(depth) bits" }

    package init(colourType: Int, depth: Int) {
      (self.colourType, self.depth) = (colourType, depth)
    }

    package var pixelBits: Int { depth * ([0: 1, 2: 3, 3: 1, 4: 2, 6: 4][colourType] ?? 1) }

    /// All combinations that the PNG standard allows.
    package static let all: [Kind] = [
      (0, [1, 2, 4, 8, 16]), (2, [8, 16]), (3, [1, 2, 4, 8]), (4, [8, 16]), (6, [8, 16]),
    ].flatMap { colourType, depths in depths.map { Kind(colourType: colourType, depth: $0) } }
  }

  package let kind: Kind
  package let width: Int
  package let height: Int
  /// The filtered rows, each preceded by its filter type.
  package let raster: [UInt8]
  /// The zlib stream of the filtered rows.
  package var stream: [UInt8]
  /// Chunks before the first IDAT.
  package var chunks: [(type: String, data: [UInt8])] = []
  /// The offsets at which the stream is split into IDAT chunks.
  package var cuts: [Int]
  /// The bytes after the stream's chunks.
  package var trailer: [UInt8] = []

  package var description: String { "\(width)x\(height) \(kind)" }

  /// Makes a PNG of at most `side` pixels a side.
  package init(_ kind: Kind, seed: UInt64, side: Int = 90) {
    var numbers = SplitMix64(seed: seed)
    self.init(
      kind, width: .random(in: 1...side, using: &numbers),
      height: .random(in: 1...side, using: &numbers), seed: seed)
  }

  package init(_ kind: Kind, width: Int, height: Int, seed: UInt64) {
    var numbers = SplitMix64(seed: seed &+ 77)
    (self.kind, self.width, self.height) = (kind, width, height)
    let style = Int.random(in: 0...3, using: &numbers)
    let onlyFilter = Int.random(in: 0...9, using: &numbers)
    var raster: [UInt8] = []
    // Any bytes are valid filtered rows, so nothing needs to be filtered.
    var row = [UInt8](repeating: 0, count: (width * kind.pixelBits + 7) / 8)
    for _ in 0..<height {
      for place in row.indices {
        switch style {
        case 0: row[place] = UInt8.random(in: 0...255, using: &numbers)
        case 1: row[place] = UInt8(truncatingIfNeeded: place &* 3) &+ row[place] & 7
        case 2: if Int.random(in: 0...15, using: &numbers) == 0 { row[place] &+= 37 }
        default: row[place] = place % 40 < 20 ? 0 : 200
        }
      }
      let filter = onlyFilter < 5 ? onlyFilter : Int.random(in: 0...4, using: &numbers)
      raster.append(UInt8(filter))
      raster += row
    }
    self.raster = raster
    stream = Self.deflated(raster, &numbers)
    let count = [0, 0, 1, 3, 20].randomElement(using: &numbers) ?? 0
    let length = stream.count
    cuts = (0..<count).map { _ in Int.random(in: 0...length, using: &numbers) }.sorted()
    if kind.colourType == 3 {
      let colours = (0..<3 << kind.depth).map { _ in UInt8.random(in: 0...255, using: &numbers) }
      chunks.append(("PLTE", colours))
    }
    let transparency: [Int: [UInt8]] = [0: [0, 1], 2: [0, 1, 0, 2, 0, 3], 3: [0, 128]]
    if Bool.random(using: &numbers), let data = transparency[kind.colourType] {
      chunks.append(("tRNS", data))
    }
    if Int.random(in: 0...3, using: &numbers) == 0 {
      chunks.insert(("gAMA", [0, 0, 0xB1, 0x8F]), at: 0)
      chunks.append(("tEXt", Array("Comment\0IDAT".utf8)))
    }
  }

  /// Compresses with random zlib settings.
  private static func deflated(_ bytes: [UInt8], _ numbers: inout SplitMix64) -> [UInt8] {
    let strategies = [Z_DEFAULT_STRATEGY, Z_FILTERED, Z_HUFFMAN_ONLY, Z_RLE, Z_FIXED]
    let flushes = [Z_NO_FLUSH, Z_SYNC_FLUSH, Z_FULL_FLUSH, Z_BLOCK]
    return DeflateWriter.zlib(
      bytes, level: Int.random(in: 0...9, using: &numbers),
      strategy: Int(strategies.randomElement(using: &numbers) ?? Z_DEFAULT_STRATEGY),
      windowBits: [15, 15, 15, 12, 9].randomElement(using: &numbers) ?? 15,
      memoryLevel: Int.random(in: 1...9, using: &numbers),
      pieces: Int.random(in: 1...4, using: &numbers),
      flush: flushes.randomElement(using: &numbers) ?? Z_NO_FLUSH)
  }

  package var bytes: [UInt8] {
    var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    bytes += Self.chunk(
      "IHDR",
      bigEndian(width) + bigEndian(height)
        + [UInt8(kind.depth), UInt8(kind.colourType), 0, 0, 0])
    for chunk in chunks { bytes += Self.chunk(chunk.type, chunk.data) }
    for (start, end) in zip([0] + cuts, cuts + [stream.count]) {
      bytes += Self.chunk("IDAT", Array(stream[min(start, stream.count)..<min(end, stream.count)]))
    }
    return bytes + trailer + Self.chunk("IEND", [])
  }

  /// Returns the file with other sides in its header.
  package func bytes(claiming width: Int, _ height: Int) -> [UInt8] {
    var changed = bytes
    // Bit depth, colour type and three methods follow the sides.
    let header = bigEndian(width) + bigEndian(height) + changed[24..<29]
    changed.replaceSubrange(8..<33, with: Self.chunk("IHDR", header))
    return changed
  }

  /// Returns a chunk with its length and checksum.
  package static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
    let body = Array(type.utf8) + data
    return bigEndian(data.count) + body + pngChecksum(of: body[...])
  }
}

/// Returns a PNG chunk's checksum (PNG 5.3, annex D) of its name and data.
package func pngChecksum(of bytes: ArraySlice<UInt8>) -> [UInt8] {
  bigEndian(Int(bytes.withUnsafeBytes { crc32_z(0, $0.baseAddress, $0.count) }))
}

private func bigEndian(_ number: Int) -> [UInt8] {
  [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
}
