internal import ZoomGeometry
internal import ZoomPipeline

/// A TIFF, written without libtiff: the same bytes everywhere, and kinds that few encoders write.
struct TIFFFile {
  enum Coding: Int {
    case none = 1
    case lzw = 5
    case jpeg = 7
    case deflate = 8
  }

  let raster: Raster
  /// The meaning of the samples: 0 white is zero, 1 black is zero, 2 RGB, 3 palette, 5 inks, 6 YCbCr.
  let photometric: Int
  var coding = Coding.none
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
  var levels: [Raster] = []

  private var samplesPerBlock: Int { isPlanar ? 1 : raster.bands }

  func bytes() throws(PipelineError) -> [UInt8] {
    var file = Array((isLittleEndian ? "II" : "MM").utf8) + number(isBig ? 43 : 42, 2)
    if isBig { file += number(8, 2) + number(0, 2) }
    // The offset of the next directory is written when it is known.
    var link = file.count
    file += number(0, isBig ? 8 : 4)
    for (place, level) in ([raster] + levels).enumerated() {
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
    _ level: Raster, _ offsets: [Int], _ counts: [Int], isReduced: Bool
  ) -> [Field] {
    let bits = [Int](repeating: level.bits, count: level.bands)
    // SHORT is 3, LONG 4, LONG8 16.
    let long = isBig ? 16 : 4
    var fields: [Field] = [
      (254, 4, [isReduced ? 1 : 0]), (256, 4, [level.width]), (257, 4, [level.height]),
      (258, 3, bits), (259, 3, [coding.rawValue]), (262, 3, [photometric]), (277, 3, [level.bands]),
      (284, 3, [isPlanar ? 2 : 1]), (317, 3, [predictor]),
      (339, 3, bits.map { $0 == 32 ? 3 : 1 }),
    ]
    if let tileWidth {
      fields += [
        (322, 4, [tileWidth]), (323, 4, [blockHeight]), (324, long, offsets), (325, long, counts),
      ]
    } else {
      fields += [(273, long, offsets), (278, 4, [blockHeight]), (279, long, counts)]
    }
    if predictor == 1 { fields.removeAll { $0.tag == 317 } }
    return (fields + more.map { ($0.tag, 3, $0.values) }).sorted { $0.tag < $1.tag }
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
  private func blocks(of level: Raster) throws(PipelineError) -> [[UInt8]] {
    var blocks: [[UInt8]] = []
    for plane in 0..<(isPlanar ? level.bands : 1) {
      for top in stride(from: 0, to: level.height, by: blockHeight) {
        // A tile is whole even at the edge, but the last strip is as high as what is left.
        let bottom = tileWidth == nil ? min(top + blockHeight, level.height) : top + blockHeight
        for left in stride(from: 0, to: level.width, by: tileWidth ?? level.width) {
          let right = left + (tileWidth ?? level.width)
          let rows = (top..<bottom).map { y in
            (left..<right).flatMap { x in
              (0..<samplesPerBlock).map { band in sample(level, x, y, isPlanar ? plane : band) }
            }
          }
          blocks.append(try coded(rows, width: right - left))
        }
      }
    }
    return blocks
  }

  /// Returns a sample; in the padding of a tile, one that no reader may show.
  private func sample(_ level: Raster, _ x: Int, _ y: Int, _ band: Int) -> UInt32 {
    guard x < level.width, y < level.height else {
      return coding == .jpeg
        ? level.value(min(x, level.width - 1), min(y, level.height - 1), band)
        : UInt32(truncatingIfNeeded: x &* 77 &+ y &* 13) & (level.bits == 1 ? 1 : 0xFF)
    }
    return level.value(x, y, band)
  }

  private func coded(_ rows: [[UInt32]], width: Int) throws(PipelineError) -> [UInt8] {
    let packed = rows.map { predictor == 3 ? floatDifferences($0) : self.packed($0) }
    switch coding {
    case .none: return Array(packed.joined())
    case .deflate: return DeflateCoder.stream(Array(packed.joined()))
    case .lzw: return LZWCoder.coded(Array(packed.joined()))
    case .jpeg:
      return try JPEGEncoder.encode(
        Array(packed.joined()),
        size: PixelRegion(uncheckedX: 0, y: 0, width: width, height: rows.count).size,
        Self.jpegEncoding)
    }
  }

  /// The coding of a tile; each is a complete JPEG, so chroma ends at its borders.
  private static let jpegEncoding = JPEGEncoding(quality: 90)

  private func packed(_ row: [UInt32]) -> [UInt8] {
    var row = row
    if predictor == 2 {
      for place in row.indices.dropFirst(samplesPerBlock).reversed() {
        row[place] = row[place] &- row[place - samplesPerBlock]
      }
    }
    if raster.bits >= 16 {
      return row.flatMap { number(Int($0) & (1 << raster.bits - 1), raster.bits / 8) }
    }
    var bits = BitPacker()
    for value in row { bits.append(Int(value), raster.bits) }
    return bits.bytes
  }

  /// Predictor 3 (Adobe's TIFF technical note 3): all first bytes of the row, all second bytes and
  /// so on, the most significant first in any byte order, then differences of bytes.
  private func floatDifferences(_ row: [UInt32]) -> [UInt8] {
    var bytes = [24, 16, 8, 0].flatMap { shift in
      row.map { UInt8(truncatingIfNeeded: $0 >> UInt32(shift)) }
    }
    for place in bytes.indices.dropFirst(samplesPerBlock).reversed() {
      bytes[place] = bytes[place] &- bytes[place - samplesPerBlock]
    }
    return bytes
  }
}
