internal import ZoomGeometry

/// The headers of a PNG that reading parts of it depends on.
struct PNGHeaders: Sendable, Hashable {
  let size: PixelSize
  let depth: Int
  let colourType: Int
  let pixelBits: Int
  /// The chunks between IHDR and the first IDAT that decoding needs, copied from the file.
  let chunks: [UInt8]
  /// The first byte of the first IDAT chunk's data.
  let data: StreamPlace
  /// The rows in the deflate data.
  let rows: DeflatedRows

  /// The bytes of a row without its filter type.
  var rowBytes: Int { rows.rowBytes }

  private static let samples = [0: 1, 2: 3, 3: 1, 4: 2, 6: 4]
  private static let depths = [
    0: [1, 2, 4, 8, 16], 2: [8, 16], 3: [1, 2, 4, 8], 4: [8, 16], 6: [8, 16],
  ]
  /// Chunks that do not change samples: texts, times, profiles (libvips does not convert colours
  /// when it loads), and those of animations, whose default image is read.
  private static let dropped: Set<String> = [
    "tEXt", "zTXt", "iTXt", "tIME", "eXIf", "iCCP", "acTL", "fcTL",
  ]
  /// A palette has 768 bytes, and its transparency 256; libvips reads pictures with more.
  private static let mostChunkBytes = 1 << 16

  static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  /// Reads the headers; throws `unsupported` if libvips has to read the picture.
  init(_ file: FileReader) throws(PipelineError) {
    func refusal(_ reason: String) -> PipelineError { file.refusal(reason, operation: "index") }
    let head = try file.bytes(at: 0, count: 33)
    guard head.count == 33, head.starts(with: Self.signature),
      head.bigEndian(at: 8) == 13, head[12..<16].elementsEqual("IHDR".utf8)
    else { throw refusal("it does not begin with an IHDR chunk") }
    (depth, colourType) = (Int(head[24]), Int(head[25]))
    guard let samples = Self.samples[colourType],
      Self.depths[colourType]?.contains(depth) == true, head[26] == 0, head[27] == 0
    else { throw refusal("its header is not one of PNG's") }
    pixelBits = depth * samples
    guard head[28] == 0 else {
      throw refusal("it is interlaced: each of its passes covers the whole picture")
    }
    do {
      size = try PixelSize(width: head.bigEndian(at: 16), height: head.bigEndian(at: 20))
    } catch {
      throw refusal("\(error)")
    }
    // A decoder that stops above the point where a file is truncated does not notice it.
    let end = try file.bytes(at: max(0, file.length - 12), count: 12)
    guard end.count == 12, end.bigEndian(at: 0) == 0, end[4..<8].elementsEqual("IEND".utf8) else {
      throw refusal("it does not end with an IEND chunk")
    }
    var chunks: [UInt8] = []
    var offset = 33
    while true {
      let header = try file.bytes(at: offset, count: 8)
      guard header.count == 8 else { throw refusal("it ends before its pixels") }
      let (length, type) = (header.bigEndian(at: 0), String(decoding: header[4...], as: UTF8.self))
      guard length <= file.length - offset - 8 else { throw refusal("its chunks are cut off") }
      if type == "IDAT" {
        data = StreamPlace(offset: offset + 8, rest: length, bit: 0)
        break
      }
      if !Self.dropped.contains(type) {
        guard chunks.count + length <= Self.mostChunkBytes else {
          throw refusal("its \(type) chunk is larger than any that pixels need")
        }
        chunks += try file.bytes(at: offset, count: length + 12)
      }
      offset += length + 12
    }
    self.chunks = chunks
    // The zlib header (RFC 1950), whose two bytes may be in two chunks.
    let stream = PieceStream(file, at: data, pieceLength: 1 << 10, crc: PieceStream.startOfChunk)
    do throws(InflateFault) {
      try stream.refill(from: 0)
      let header = unsafe (method: Int(stream.bytes[0]), flags: Int(stream.bytes[1]))
      let crc = try stream.crc(at: 2)
      guard stream.count > 2,
        let rows = DeflatedRows(
          size.height, rowBytes: (size.width * pixelBits + 7) / 8,
          // PNG 3rd edition, 9.2.
          filterUnit: max(1, pixelBits / 8), after: header, at: stream.place(ofBit: 16), crc: crc)
      else { throw .invalid }
      self.rows = rows
    } catch {
      if case .unreadable(let error) = error { throw error }
      throw refusal("its pixels do not begin as deflate data")
    }
  }
}
