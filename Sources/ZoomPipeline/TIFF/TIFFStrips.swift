internal import ZoomGeometry

/// The places of a TIFF's strips, and the kind of their content.
struct TIFFStrips: Sendable {
  /// A coding of strips, by the number of the tag Compression.
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
    case webp = 50001
  }

  /// A strip's place in the file.
  struct Place: Sendable {
    let offset: Int
    let count: Int
  }

  let directory: TIFFDirectory
  let size: PixelSize
  let compression: Compression
  let bitsPerSample: Int
  /// Whether all samples are floating numbers.
  let isFloating: Bool
  /// The samples of a pixel that a strip holds: all of them, or one if each plane has separate strips.
  let samplesPerStripPixel: Int
  /// 1 where pixels are stored with all samples together.
  let planes: Int
  let rowsPerStrip: Int
  /// Whether libvips (8.14) has libtiff decode a strip at once; otherwise it asks for one row after the other.
  ///
  /// If it asks for rows, a region read does not find an error in the rows below the region: only a full decode
  /// meets the wrong checksum at the strip's end, and refuses the picture.
  let areReadWhole: Bool
  private let offsets: TIFFDirectory.Entry
  private let counts: TIFFDirectory.Entry

  var isDeflate: Bool { [.deflate, .oldDeflate].contains(compression) }

  /// Strips of a plane.
  var stripsPerPlane: Int { (size.height + rowsPerStrip - 1) / rowsPerStrip }

  var bitsPerStripPixel: Int { bitsPerSample * samplesPerStripPixel }

  /// The decoded bytes of a row of a strip.
  var rowByteCount: Int { (size.width * bitsPerStripPixel + 7) / 8 }

  /// The decoded bytes of a whole strip.
  var stripByteCount: Int { rowByteCount * rowsPerStrip }

  /// The most coded bytes that a strip can need; libtiff (4.5, TIFFFillStrip) cuts longer ones, too.
  var mostCodedBytes: Int { 10 * stripByteCount + 4096 }

  /// The rows of a strip of each plane, from the picture's top.
  func rows(of strip: Int) -> Range<Int> {
    strip * rowsPerStrip..<min((strip + 1) * rowsPerStrip, size.height)
  }

  /// Returns the bytes of a row that hold a region's columns, and these columns: a byte may hold several.
  func cut(
    of stored: PixelRegion
  ) -> (firstColumn: Int, firstByte: Int, width: Int, byteCount: Int) {
    let bits = bitsPerStripPixel
    // The columns between two that begin with a byte: 8 over the greatest common divisor of it and the bits.
    let step = 8 >> min(3, bits.trailingZeroBitCount)
    let first = stored.x / step * step
    let width = stored.maxX - first
    return (first, first * bits / 8, width, (width * bits + 7) / 8)
  }

  /// Returns the strips of each plane that hold rows of a region.
  func strips(of region: PixelRegion) -> Range<Int> {
    region.y / rowsPerStrip..<(region.maxY - 1) / rowsPerStrip + 1
  }

  /// The places of some strips of one plane, and the bytes that were read to know them; nil where the
  /// tables do not hold them.
  func places(
    _ strips: Range<Int>, plane: Int, in file: FileReader
  ) throws(PipelineError) -> (places: [Place], bytesRead: Int)? {
    let first = plane * stripsPerPlane
    let range = first + strips.lowerBound..<first + strips.upperBound
    guard let starts = try directory.numbers(of: offsets, range, in: file),
      let lengths = try directory.numbers(of: counts, range, in: file)
    else { return nil }
    let read = [offsets, counts].reduce(0) { sum, table in
      // A value inside the entry was read with the directory.
      guard directory.offset(of: table) != nil, let bytes = table.byteCount else { return sum }
      return sum + range.count * (bytes / table.count)
    }
    return (zip(starts, lengths).map { Place(offset: $0, count: $1) }, read)
  }

  /// Takes a TIFF as it is plainly written.
  ///
  /// If libtiff mends or guesses something, it can read the whole file and a small file made of a part in
  /// different ways: these are refused.
  /// - Throws: `unsupported`.
  init(of picture: Picture, _ directory: TIFFDirectory) throws(PipelineError) {
    func refusal(_ reason: String) -> PipelineError {
      PipelineError(.unsupported, operation: "carve", file: picture.path, reason: reason)
    }
    /// A tag's only value; the one that TIFF 6.0 says where it is missing.
    func number(_ tag: Int, _ name: String, _ missing: Int?) throws(PipelineError) -> Int {
      guard let entry = directory[tag] else {
        if let missing { return missing }
        throw refusal("it has no tag \(name)")
      }
      guard entry.count == 1,
        let values = try directory.numbers(of: entry, 0..<1, in: picture.file)
      else { throw refusal("its tag \(name) is written in an unusual way") }
      return values[0]
    }
    if let reason = directory.irregularity { throw refusal(reason) }
    let tileTags = [
      TIFFTag.tileWidth, TIFFTag.tileHeight, TIFFTag.tileOffsets, TIFFTag.tileBytes,
    ]
    guard !tileTags.contains(where: { directory[$0] != nil }) else {
      throw refusal("it has tiles, which libvips reads alone")
    }
    guard directory[TIFFTag.depth] == nil else { throw refusal("it has a depth") }
    let size = picture.storedSize
    guard try number(TIFFTag.width, "ImageWidth", nil) == size.width,
      try number(TIFFTag.height, "ImageLength", nil) == size.height
    else { throw refusal("libvips gives it another size than its directory") }
    let coding = try number(TIFFTag.compression, "Compression", 1)
    guard let compression = Compression(rawValue: coding) else {
      throw refusal(
        coding == 6
          ? "it holds a JPEG of the old style, whose tables lie outside its strips"
          : "strips of compression \(coding) are left to libvips")
    }
    let samples = try number(TIFFTag.samples, "SamplesPerPixel", 1)
    let arrangement = try number(TIFFTag.planes, "PlanarConfiguration", 1)
    let bits = try Self.number(of: TIFFTag.bits, picture, directory, samples: samples)
    // libvips opens a picture of at most 10,000 samples of 32 bits.
    guard let bits, (1...64).contains(bits), (1...10_000).contains(samples),
      (1...2).contains(arrangement)
    else { throw refusal("its samples are written in an unusual way") }
    let rows = try number(TIFFTag.stripRows, "RowsPerStrip", .max)
    guard rows > 0 else { throw refusal("its strips have no rows") }
    self.directory = directory
    self.size = size
    self.compression = compression
    bitsPerSample = bits
    isFloating =
      try Self.number(of: TIFFTag.sampleFormat, picture, directory, samples: samples) == 3
    samplesPerStripPixel = arrangement == 1 ? samples : 1
    planes = arrangement == 1 ? 1 : samples
    rowsPerStrip = min(rows, size.height)
    areReadWhole =
      rows <= SmallTIFF.mostRowsAtOnce || arrangement == 2
      || directory.looseNumber(TIFFTag.photometric) == Photometric.yCbCr
    guard let offsets = directory[TIFFTag.stripOffsets],
      let counts = directory[TIFFTag.stripBytes]
    else { throw refusal("it has no table of strips") }
    self.offsets = offsets
    self.counts = counts
    // Sides are below 10^7, so the first product fits; files are shorter than 2^45 bytes.
    guard rowByteCount <= (1 << 45) / size.height else {
      throw refusal("its strips hold more than a file can")
    }
    let stripCount = stripsPerPlane * planes
    guard [offsets, counts].allSatisfy({ $0.count >= stripCount && [3, 4, 16].contains($0.type) })
    else { throw refusal("its table of strips is too short or written in an unusual way") }
    try assertRegular(picture, isPlanar: arrangement == 2)
  }

  /// The value of a tag of samples, 1 where it is missing; nil where it is not the same for all.
  private static func number(
    of tag: Int, _ picture: Picture, _ directory: TIFFDirectory, samples: Int
  ) throws(PipelineError) -> Int? {
    guard let entry = directory[tag] else { return 1 }
    guard entry.count == 1 || entry.count == samples, entry.count <= 10_000,
      let values = try directory.numbers(of: entry, 0..<entry.count, in: picture.file)
    else { return nil }
    return values.allSatisfy { $0 == values[0] } ? values[0] : nil
  }

  /// Throws for kinds that libvips reads by other rules, and for tables that libtiff would not believe.
  private func assertRegular(_ picture: Picture, isPlanar: Bool) throws(PipelineError) {
    func refusal(_ reason: String) -> PipelineError {
      PipelineError(.unsupported, operation: "carve", file: picture.path, reason: reason)
    }
    // libvips (8.14, rtiff_stripwise_generate) puts planes together byte by byte, which samples smaller than
    // a byte do not survive. Then it converts the pixels with the row length of one plane, unless it copies
    // them: the result depends on how the rows are cut into strips.
    let copied = [Photometric.rgb, Photometric.separated]
    guard
      !isPlanar
        || bitsPerSample % 8 == 0
          && (planes == 1 || copied.contains(directory.looseNumber(TIFFTag.photometric) ?? 0))
    else {
      throw refusal("libvips mixes up its planes, so a part of it is not what the whole gives")
    }
    guard compression == .none else {
      guard compression != .jpeg || planes == 1 else {
        throw refusal("JPEG strips of single planes are left to libvips")
      }
      return
    }
    // libtiff (4.5, TIFFReadDirectory) calculates byte counts itself where the first two differ, or where
    // the only one is too small.
    guard planes == 1, stripsPerPlane != 2 else { return }
    let first = try places(0..<min(2, stripsPerPlane), plane: 0, in: picture.file)?.places ?? []
    let isBelieved =
      stripsPerPlane == 1
      ? first.first.map { holds($0, rows: size.height, picture.file.length) } ?? false
      : first.count == 2 && first[0].count == first[1].count
    guard isBelieved else { throw refusal("its table of strips has wrong byte counts") }
  }

  /// Throws where strips are so tall that to take them whole gains nothing.
  func assertSeveral(_ picture: Picture) throws(PipelineError) {
    guard compression != .none, stripsPerPlane < Self.fewestStrips else { return }
    throw PipelineError(
      .unsupported, operation: "carve", file: picture.path,
      reason: stripsPerPlane == 1
        ? "all rows are in one compressed strip"
        : "its \(stripsPerPlane) compressed strips are too tall to be worth it")
  }

  /// Whether an uncompressed strip has so many rows and lies in the file.
  func holds(_ place: Place, rows: Int, _ length: Int) -> Bool {
    place.offset > 0 && place.offset <= length && place.count >= rows * rowByteCount
      && rows * rowByteCount <= length - place.offset
      // libtiff does not read a strip of a wrong length that reaches beyond the file.
      && place.count <= length - place.offset
  }

  /// With fewer strips a peek decodes a good part of the picture: to decode it once and keep it is better.
  static let fewestStrips = 4
}
