internal import ZoomGeometry
internal import ZoomPipeline

/// A TIFF, written without libtiff: the same bytes everywhere, and kinds that few encoders write.
struct TIFFFile {
  enum Coding: Int {
    case none = 1
    case jpeg = 7
    case deflate = 8
  }

  let pixels: Pixels
  /// The meaning of the samples: 0 white is zero, 1 black is zero, 2 RGB, 3 palette, 5 inks, 6 YCbCr.
  let photometric: Int
  var coding = Coding.none
  /// The bits of a sample, if fewer than 8; they are the lowest of a byte of the pixels.
  var bits: Int?
  /// 1 none, 2 differences of samples, 3 of the bytes of floats.
  var predictor = 1
  var isLittleEndian = true
  /// Whether offsets have 64 bits.
  var isBig = false
  var isPlanar = false
  /// The width of tiles; nil for strips.
  var tileWidth: Int?
  var blockHeight: Int
  /// Whether the blocks are in the file in the reverse order.
  var isReversed = false
  /// Further tags with SHORT values, such as extra samples and the orientation.
  var more: [(tag: Int, values: [Int])] = []
  /// The smaller copies, each with a separate directory.
  var levels: [Pixels] = []

  private var samplesPerBlock: Int { isPlanar ? 1 : pixels.bands }
  private var sampleBytes: Int { pixels.format.byteCount }

  func bytes() throws(PipelineError) -> [UInt8] {
    var file = Array((isLittleEndian ? "II" : "MM").utf8) + number(isBig ? 43 : 42, 2)
    if isBig { file += number(8, 2) + number(0, 2) }
    // The offset of the next directory is written when it is known.
    var link = file.count
    file += number(0, isBig ? 8 : 4)
    for (place, level) in ([pixels] + levels).enumerated() {
      let blocks = try blocks(of: level)
      var offsets = blocks.map { _ in 0 }
      for block in isReversed ? blocks.indices.reversed() : Array(blocks.indices) {
        offsets[block] = file.count
        file += blocks[block]
      }
      if !file.count.isMultiple(of: 2) { file.append(0) }
      file.replaceSubrange(link..<link + (isBig ? 8 : 4), with: number(file.count, isBig ? 8 : 4))
      let fields = fields(level, offsets, blocks.map(\.count), isReduced: place > 0)
      let (entries, values) = directory(fields, at: file.count)
      file += entries
      link = file.count - (isBig ? 8 : 4)
      file += values
    }
    return file
  }

  // MARK: Directories

  private typealias Field = (tag: Int, type: Int, values: [Int])

  private func fields(
    _ level: Pixels, _ offsets: [Int], _ counts: [Int], isReduced: Bool
  ) -> [Field] {
    let bits = [Int](repeating: self.bits ?? 8 * sampleBytes, count: pixels.bands)
    // SHORT is 3, LONG 4, LONG8 16.
    let long = isBig ? 16 : 4
    var fields: [Field] = [
      (254, 4, [isReduced ? 1 : 0]), (256, 4, [level.size.width]),
      (257, 4, [level.size.height]), (258, 3, bits), (259, 3, [coding.rawValue]),
      (262, 3, [photometric]), (277, 3, [pixels.bands]), (284, 3, [isPlanar ? 2 : 1]),
      (339, 3, bits.map { $0 == 32 ? 3 : 1 }),
    ]
    if let tileWidth {
      fields += [
        (322, 4, [tileWidth]), (323, 4, [blockHeight]), (324, long, offsets), (325, long, counts),
      ]
    } else {
      fields += [(273, long, offsets), (278, 4, [blockHeight]), (279, long, counts)]
    }
    if predictor != 1 { fields.append((tag: 317, type: 3, values: [predictor])) }
    fields += more.map { (tag: $0.tag, type: 3, values: $0.values) }
    return fields.sorted { $0.tag < $1.tag }
  }

  /// Returns the directory, whose last bytes link to the next one, and the values that follow it.
  private func directory(
    _ fields: [Field], at start: Int
  ) -> (entries: [UInt8], values: [UInt8]) {
    let word = isBig ? 8 : 4
    let end = start + (isBig ? 8 : 2) + fields.count * (4 + 2 * word) + word
    var entries = number(fields.count, isBig ? 8 : 2)
    var values: [UInt8] = []
    for field in fields {
      let length = [3: 2, 4: 4][field.type] ?? 8
      let bytes = field.values.flatMap { number($0, length) }
      entries += number(field.tag, 2) + number(field.type, 2) + number(field.values.count, word)
      if bytes.count <= word {
        entries += bytes + [UInt8](repeating: 0, count: word - bytes.count)
      } else {
        entries += number(end + values.count, word)
        values += bytes
      }
    }
    return (entries + number(0, word), values)
  }

  private func number(_ value: Int, _ count: Int) -> [UInt8] {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    return isLittleEndian ? bytes : bytes.reversed()
  }

  // MARK: Blocks

  /// Returns the coded strips or tiles, from the top and the left, plane by plane.
  private func blocks(of level: Pixels) throws(PipelineError) -> [[UInt8]] {
    let (width, height) = (level.size.width, level.size.height)
    var blocks: [[UInt8]] = []
    for plane in 0..<(isPlanar ? level.bands : 1) {
      for top in stride(from: 0, to: height, by: blockHeight) {
        // A tile is whole even at the edge, but the last strip is as high as what is left.
        let bottom = tileWidth == nil ? min(top + blockHeight, height) : top + blockHeight
        for left in stride(from: 0, to: width, by: tileWidth ?? width) {
          let region = PixelRegion(
            uncheckedX: left, y: top, width: tileWidth ?? width, height: bottom - top)
          blocks.append(try coded(rows(of: region, in: level, plane), region.size))
        }
      }
    }
    return blocks
  }

  /// Returns the samples of a block, and in the padding of a tile some that no reader may show.
  private func rows(of region: PixelRegion, in level: Pixels, _ plane: Int) -> [[Int]] {
    let (right, bottom) = (level.size.width - 1, level.size.height - 1)
    return (region.y..<region.maxY).map { y in
      (region.x..<region.maxX).flatMap { x in
        (plane..<plane + samplesPerBlock).map { band -> Int in
          // In a JPEG, noise would change what is beside it.
          guard x <= right && y <= bottom || coding == .jpeg else { return x * 77 + y * 13 }
          let pixel = min(y, bottom) * level.size.width + min(x, right)
          let start = (pixel * level.bands + band) * sampleBytes
          return (0..<sampleBytes).reduce(0) { $0 | Int(level.bytes[start + $1]) << (8 * $1) }
        }
      }
    }
  }

  private func coded(_ rows: [[Int]], _ size: PixelSize) throws(PipelineError) -> [UInt8] {
    let plain = rows.flatMap { packed($0) }
    switch coding {
    case .none: return plain
    case .deflate: return DeflateCoder.stream(plain)
    // Each tile is a complete JPEG, so chroma ends at its borders.
    case .jpeg: return try JPEGEncoder.encode(plain, size: size, JPEGEncoding(quality: 90))
    }
  }

  private func packed(_ row: [Int]) -> [UInt8] {
    if let bits { return BitPacker.packed(row.map { UInt8($0) }, bits) }
    switch predictor {
    case 2: return differences(row).flatMap { number($0, sampleBytes) }
    // Adobe's TIFF technical note 3: all first bytes of the row, all second bytes and so on, the
    // most significant first in any byte order, then differences of bytes.
    case 3:
      let planes = [24, 16, 8, 0].flatMap { shift in row.map { $0 >> shift } }
      return differences(planes).map { UInt8(truncatingIfNeeded: $0) }
    default: return row.flatMap { number($0, sampleBytes) }
    }
  }

  /// Returns the differences from the left neighbours, of which only the low bits are written.
  private func differences(_ row: [Int]) -> [Int] {
    row.indices.map { $0 < samplesPerBlock ? row[$0] : row[$0] - row[$0 - samplesPerBlock] }
  }
}
