internal import ZoomGeometry

struct TIFFStrips: Sendable {
  /// A coding of strips, by its number in the tag Compression.
  enum Compression: Int, Sendable {
    case none = 1
    case fax = 2
    case group3 = 3
    case group4 = 4
    case lzw = 5
    case jpeg = 7
    case deflate = 8
    case faxWords = 32771
    case packBits = 32773
    case oldDeflate = 32946
    case lzma = 34925
    case zstd = 50000
  }

  struct Place: Sendable {
    let offset: Int
    let count: Int
  }

  let directory: TIFFDirectory
  let size: PixelSize
  let compression: Compression
  let samples: TIFFPredictor.Samples
  let rowsPerStrip: Int
  /// Whether libvips (8.14) has libtiff decode a strip as a whole; otherwise it reads row by row.
  ///
  /// In the latter case, reading a region does not find an error in the rows below it. Only a full
  /// decode finds a wrong checksum at the strip's end.
  let areReadWhole: Bool
  private let offsets: TIFFDirectory.Entry
  private let counts: TIFFDirectory.Entry

  /// The value of the tag PhotometricInterpretation for luma and chroma (TIFF 6.0).
  private static let yCbCr = 6

  var isDeflate: Bool { [.deflate, .oldDeflate].contains(compression) }

  /// Whether pixels lie one after the other, unlike subsampled colours, with bits in usual order.
  var hasPlainRows: Bool {
    directory.looseNumber(TIFFTag.fillOrder) ?? 1 == 1
      && directory.looseNumber(TIFFTag.photometric) != Self.yCbCr
  }

  var count: Int { (size.height + rowsPerStrip - 1) / rowsPerStrip }

  /// Whether one compressed strip holds all rows, so that the table says nothing about parts.
  var areOneCodedStrip: Bool { count == 1 && compression != .none }

  var bitsPerPixel: Int { samples.bits * samples.count }

  var rowByteCount: Int { (size.width * bitsPerPixel + 7) / 8 }

  var stripByteCount: Int { rowByteCount * rowsPerStrip }

  /// The largest coded size of a strip; libtiff (4.5, TIFFFillStrip) cuts longer ones, too.
  var mostCodedBytes: Int { 10 * stripByteCount + 4096 }

  func rows(of strip: Int) -> Range<Int> {
    strip * rowsPerStrip..<min((strip + 1) * rowsPerStrip, size.height)
  }

  /// Returns the rows of consecutive strips.
  func rows(of strips: Range<Int>) -> Range<Int> {
    rows(of: strips.lowerBound).lowerBound..<rows(of: strips.upperBound - 1).upperBound
  }

  /// Whether libvips (8.14) returns a picture's samples as the bytes of its uncoded rows.
  ///
  /// That is so for grey from black on and RGB. It may change colours that have an alpha, and libtiff
  /// swaps the bytes of samples whose order is not the machine's.
  func holdPixels(of picture: Picture) -> Bool {
    let kind = directory[TIFFTag.photometric]
    let photometric = directory.looseNumber(TIFFTag.photometric)
    return kind?.type == 3 && kind?.count == 1 && hasPlainRows && samples.count == picture.bands
      && (photometric == 1 && samples.count == 1 || photometric == 2 && samples.count == 3)
      && directory[TIFFTag.extraSamples] == nil && directory[TIFFTag.matteing] == nil
      && (samples.bits == 8 && picture.format == .uint8
        || samples.bits == 16 && picture.format == .uint16
          && samples.isLittleEndian == (1.littleEndian == 1))
  }

  /// Returns the bytes of a row that hold a region's columns, and all columns in these bytes.
  func cut(
    of stored: PixelRegion
  ) -> (firstColumn: Int, firstByte: Int, width: Int, byteCount: Int) {
    let bits = bitsPerPixel
    // Every `step`th column begins at a byte: 8 over the greatest common divisor of 8 and the bits.
    let step = 8 >> min(3, bits.trailingZeroBitCount)
    let first = stored.x / step * step
    let width = stored.maxX - first
    return (first, first * bits / 8, width, (width * bits + 7) / 8)
  }

  func strips(of region: PixelRegion) -> Range<Int> {
    region.y / rowsPerStrip..<(region.maxY - 1) / rowsPerStrip + 1
  }

  /// Returns the places of some strips and the bytes read; nil if the tables are short.
  func places(
    _ strips: Range<Int>, in file: FileReader
  ) throws(PipelineError) -> (places: [Place], bytesRead: Int)? {
    guard let starts = try directory.numbers(of: offsets, strips, in: file),
      let lengths = try directory.numbers(of: counts, strips, in: file)
    else { return nil }
    var bytesRead = 0
    // A value inside the entry was read with the directory.
    for table in [offsets, counts] where directory.offset(of: table) != nil {
      bytesRead += strips.count * ((table.byteCount ?? 0) / table.count)
    }
    return (zip(starts, lengths).map { Place(offset: $0, count: $1) }, bytesRead)
  }

  /// Announces the reads of a region, so that a server gets few requests.
  func expect(_ region: PixelRegion, in file: FileReader) throws(PipelineError) {
    guard file.isRemote else { return }
    let needed = strips(of: region)
    let places = try places(needed, in: file)?.places ?? []
    let cut = cut(of: region)
    var ranges: [Range<Int>] = []
    for (strip, place) in zip(needed, places) where Self.isInside(place, file) {
      guard compression == .none else {
        ranges.append(place.offset..<place.offset + min(place.count, mostCodedBytes))
        continue
      }
      let rows = rows(of: strip)
      for row in rows.clamped(to: region.y..<region.maxY) {
        let start = place.offset + (row - rows.lowerBound) * rowByteCount + cut.firstByte
        ranges.append(start..<start + cut.byteCount)
      }
    }
    try file.expect(ranges)
  }

  /// Whether a strip is inside a file; libtiff does not read others.
  static func isInside(_ place: Place, _ file: FileReader) -> Bool {
    place.offset > 0 && place.offset <= file.length && place.count <= file.length - place.offset
  }

  /// Whether an uncompressed strip holds that many rows and is inside the file.
  func holds(_ place: Place, rows: Int, _ file: FileReader) -> Bool {
    Self.isInside(place, file) && place.count >= rows * rowByteCount
  }

  /// Reads the tables of a regular TIFF; throws `unsupported` for others.
  ///
  /// If libtiff repairs or guesses a value, it may read the whole file and a small file made of a
  /// part differently. Such files are refused.
  init(of picture: Picture) throws(PipelineError) {
    let file = picture.file
    guard let directory = picture.tiff else { throw file.refusal("it is not a TIFF") }
    /// Returns a tag's value, once or for each of some samples, or the default of TIFF 6.0.
    func number(
      _ tag: Int, _ name: String, _ missing: Int?, samples: Int = 1
    ) throws(PipelineError) -> Int {
      guard let entry = directory[tag] else {
        if let missing { return missing }
        throw file.refusal("its tag \(name) is missing")
      }
      guard entry.count == 1 || entry.count == samples,
        let values = try directory.numbers(of: entry, 0..<entry.count, in: file),
        values.allSatisfy({ $0 == values[0] })
      else { throw file.refusal("its tag \(name) is written in an unusual way") }
      return values[0]
    }
    if let reason = directory.irregularity { throw file.refusal(reason) }
    let tileTags = [
      TIFFTag.tileWidth, TIFFTag.tileHeight, TIFFTag.tileOffsets, TIFFTag.tileBytes,
    ]
    guard !tileTags.contains(where: { directory[$0] != nil }) else {
      throw file.refusal("it has tiles, which libvips reads alone")
    }
    guard directory[TIFFTag.depth] == nil else { throw file.refusal("it has a depth") }
    let size = picture.storedSize
    guard try number(TIFFTag.width, "ImageWidth", nil) == size.width,
      try number(TIFFTag.height, "ImageLength", nil) == size.height
    else { throw file.refusal("libvips gives it another size than its directory") }
    let coding = try number(TIFFTag.compression, "Compression", 1)
    guard let compression = Compression(rawValue: coding) else {
      throw file.refusal(
        coding == 6
          ? "it holds a JPEG of the old style, whose tables lie outside its strips"
          : "strips of compression \(coding) are left to libvips")
    }
    let count = try number(TIFFTag.samples, "SamplesPerPixel", 1)
    let arrangement = try number(TIFFTag.planes, "PlanarConfiguration", 1)
    // libvips opens pictures of at most 10,000 samples per pixel.
    let bits = try number(TIFFTag.bits, "BitsPerSample", 1, samples: min(max(count, 1), 10_000))
    guard (1...64).contains(bits), (1...10_000).contains(count), (1...2).contains(arrangement)
    else { throw file.refusal("its samples are written in an unusual way") }
    guard arrangement == 1 || count == 1 && bits.isMultiple(of: 8) else {
      throw file.refusal("its samples are stored in separate planes, which are decoded whole")
    }
    let rows = try number(TIFFTag.stripRows, "RowsPerStrip", .max)
    guard rows > 0 else { throw file.refusal("its tag RowsPerStrip is zero") }
    self.directory = directory
    self.size = size
    self.compression = compression
    samples = TIFFPredictor.Samples(
      count: count, bits: bits, isLittleEndian: directory.isLittleEndian)
    rowsPerStrip = min(rows, size.height)
    areReadWhole =
      rows <= SmallTIFF.mostRowsAtOnce || arrangement == 2
      || directory.looseNumber(TIFFTag.photometric) == Self.yCbCr
    guard let offsets = directory[TIFFTag.stripOffsets],
      let counts = directory[TIFFTag.stripBytes]
    else { throw file.refusal("its table of strips is missing") }
    self.offsets = offsets
    self.counts = counts
    // Sides are below 10^7, so the first product fits; files are shorter than 2^45 bytes.
    guard rowByteCount <= (1 << 45) / size.height else {
      throw file.refusal("its strips hold more than a file can")
    }
    let stripCount = self.count
    guard [offsets, counts].allSatisfy({ $0.count >= stripCount && [3, 4, 16].contains($0.type) })
    else { throw file.refusal("its table of strips is too short or written in an unusual way") }
    try assertTrusted(file)
  }

  /// Throws if libtiff does not trust the tables.
  private func assertTrusted(_ file: FileReader) throws(PipelineError) {
    // libtiff (4.5, TIFFReadDirectory) computes byte counts of uncompressed strips if the first two
    // differ, or if the only one is too small.
    guard compression == .none, count != 2 else { return }
    let first = try places(0..<min(2, count), in: file)?.places ?? []
    let isBelieved =
      count == 1
      ? first.first.map { holds($0, rows: size.height, file) } ?? false
      : first.count == 2 && first[0].count == first[1].count
    guard isBelieved else { throw file.refusal("its table of strips has wrong byte counts") }
  }
}
