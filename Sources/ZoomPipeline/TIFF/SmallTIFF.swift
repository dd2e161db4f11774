/// A classic TIFF of strips: its directory, and space for the strips.
struct SmallTIFF {
  /// A tag with the bytes of its values, in the file's byte order.
  struct Field: Sendable {
    let tag: Int
    let type: Int
    let count: Int
    let bytes: [UInt8]
  }

  /// libvips (8.14) decodes strips of more rows row by row, others as a whole.
  static let mostRowsAtOnce = 128

  /// Returns the rows of an uncompressed strip of some 64 KB, which libvips reads as a whole.
  static func rowsPerStrip(of rows: Int, rowBytes: Int) -> Int {
    min(rows, mostRowsAtOnce, max(1, (64 << 10) / rowBytes))
  }

  /// Header, directory and values, followed by zeros for the strips.
  var bytes: [UInt8]
  let dataStart: Int

  /// Creates a file with header, directory, values and space for the strips, in this order.
  ///
  /// `fields` are all tags except those of strips, in any order; `stripBytes` is the number of
  /// bytes of each strip. Returns nil if 32-bit offsets are too small. Values begin at even
  /// offsets; libtiff accepts 64-bit values in a classic file, too.
  init?(
    like directory: TIFFDirectory, fields: [Field], rowsPerStrip: Int, stripBytes: [Int]
  ) {
    func long(_ tag: Int, _ values: [Int]) -> Field {
      Field(
        tag: tag, type: 4, count: values.count,
        bytes: values.flatMap { directory.bytes($0, count: 4) })
    }
    func layout(_ offsets: [Int]) -> (head: [UInt8], values: [UInt8]) {
      let all =
        (fields + [
          long(TIFFTag.stripRows, [rowsPerStrip]), long(TIFFTag.stripOffsets, offsets),
          long(TIFFTag.stripBytes, stripBytes),
        ]).sorted { $0.tag < $1.tag }
      var head = Array((directory.isLittleEndian ? "II" : "MM").utf8)
      head += directory.bytes(42, count: 2) + directory.bytes(8, count: 4)
      head += directory.bytes(all.count, count: 2)
      let valuesStart = head.count + 12 * all.count + 4
      var values: [UInt8] = []
      for field in all {
        head += directory.bytes(field.tag, count: 2) + directory.bytes(field.type, count: 2)
        head += directory.bytes(field.count, count: 4)
        if field.bytes.count <= 4 {
          head += field.bytes + [UInt8](repeating: 0, count: 4 - field.bytes.count)
        } else {
          head += directory.bytes(valuesStart + values.count, count: 4)
          values += field.bytes
          if !values.count.isMultiple(of: 2) { values.append(0) }
        }
      }
      head += [0, 0, 0, 0]
      return (head, values)
    }
    let total = stripBytes.reduce(0, +)
    guard total < 1 << 31 else { return nil }
    let empty = layout([Int](repeating: 0, count: stripBytes.count))
    dataStart = empty.head.count + empty.values.count
    var next = dataStart
    let full = layout(
      stripBytes.map { count in
        defer { next += count }
        return next
      })
    bytes = []
    bytes.reserveCapacity(dataStart + total)
    bytes += full.head
    bytes += full.values
    bytes.append(contentsOf: repeatElement(0, count: total))
  }
}
