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

  /// The header, zeros for the strips, one after the other, and the directory with its values.
  var bytes: [UInt8]
  /// The offset of the first strip.
  static let dataStart = 8

  /// Creates a file with space for uncompressed rows of `rowBytes` bytes.
  ///
  /// libvips reads each of its strips of some 64 KB as a whole.
  init?(
    like directory: TIFFDirectory, fields: [Field], width: Int, height: Int, rowBytes: Int
  ) {
    let rowsPerStrip = min(height, Self.mostRowsAtOnce, max(1, (64 << 10) / rowBytes))
    self.init(
      like: directory, fields: fields, width: width, height: height, rowsPerStrip: rowsPerStrip,
      stripBytes: stride(from: 0, to: height, by: rowsPerStrip).map { top in
        min(rowsPerStrip, height - top) * rowBytes
      })
  }

  /// Creates a file with space for the strips.
  ///
  /// `fields` are all tags except those of sizes and strips, in any order; `stripBytes` is the
  /// number of bytes of each strip. Returns nil if 32-bit offsets are too small. The directory and
  /// its values begin at even offsets; libtiff accepts 64-bit values in a classic file, too.
  init?(
    like directory: TIFFDirectory, fields: [Field], width: Int, height: Int, rowsPerStrip: Int,
    stripBytes: [Int]
  ) {
    let total = stripBytes.reduce(0, +)
    guard total < 1 << 31 else { return nil }
    var next = Self.dataStart
    let offsets = stripBytes.map { count in
      defer { next += count }
      return next
    }
    let own = [
      (TIFFTag.width, [width]), (TIFFTag.height, [height]), (TIFFTag.stripRows, [rowsPerStrip]),
      (TIFFTag.stripOffsets, offsets), (TIFFTag.stripBytes, stripBytes),
    ].map { tag, values in
      Field(
        tag: tag, type: 4, count: values.count,
        bytes: values.flatMap { directory.bytes($0, count: 4) })
    }
    let all = (fields + own).sorted { $0.tag < $1.tag }
    let directoryStart = next + next % 2
    let valuesStart = directoryStart + 2 + 12 * all.count + 4
    var entries = directory.bytes(all.count, count: 2)
    var values: [UInt8] = []
    for field in all {
      entries += directory.bytes(field.tag, count: 2) + directory.bytes(field.type, count: 2)
      entries += directory.bytes(field.count, count: 4)
      if field.bytes.count <= 4 {
        entries += field.bytes + [UInt8](repeating: 0, count: 4 - field.bytes.count)
      } else {
        entries += directory.bytes(valuesStart + values.count, count: 4)
        values += field.bytes
        if !values.count.isMultiple(of: 2) { values.append(0) }
      }
    }
    bytes = []
    bytes.reserveCapacity(valuesStart + values.count)
    bytes += (directory.isLittleEndian ? "II" : "MM").utf8
    bytes += directory.bytes(42, count: 2) + directory.bytes(directoryStart, count: 4)
    bytes.append(contentsOf: repeatElement(0, count: directoryStart - Self.dataStart))
    bytes += entries + [0, 0, 0, 0] + values
  }
}

extension TIFFDirectory {
  /// The tags that decide how libtiff and libvips decode the strips' bytes, except for the size.
  ///
  /// Pointers to other directories would be invalid. Profiles and texts do not change pixels; the
  /// picture has them, and a profile may be larger than all strips.
  private static let copiedTags: Set<Int> = [
    TIFFTag.bits, TIFFTag.compression, TIFFTag.photometric, TIFFTag.fillOrder, TIFFTag.samples,
    TIFFTag.planes,
    // T4Options, T6Options, Predictor, ColorMap, InkSet, ExtraSamples, SampleFormat, JPEGTables.
    292, 293, 317, 320, 332, 338, 339, 347,
    // YCbCrCoefficients, YCbCrSubSampling, YCbCrPositioning, ReferenceBlackWhite.
    529, 530, 531, 532,
    // Matteing and DataType, which libtiff reads as ExtraSamples and SampleFormat.
    32995, 32996,
  ]
  /// More than twice a colour map of 16 bits; a JPEG's tables are smaller.
  private static let mostValueBytes = 1 << 20

  /// Returns the tags of every small file of a picture; throws `unsupported` if one cannot be read.
  func fieldsOfSamples(in file: FileReader) throws(PipelineError) -> [SmallTIFF.Field] {
    var fields: [SmallTIFF.Field] = []
    for entry in entries where Self.copiedTags.contains(entry.tag) {
      guard let count = entry.byteCount, count <= Self.mostValueBytes, entry.count > 0,
        let bytes = try values(of: entry, 0..<entry.count, in: file)
      else { throw file.refusal("the values of its tag \(entry.tag) cannot be read") }
      fields.append(
        SmallTIFF.Field(tag: entry.tag, type: entry.type, count: entry.count, bytes: bytes))
    }
    return fields
  }
}
