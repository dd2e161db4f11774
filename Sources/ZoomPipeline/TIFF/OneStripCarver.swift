internal import ZoomGeometry

/// Carves TIFFs whose rows are all in one strip of deflate or LZW: decodes the rows of a region from the nearest
/// entry point on, and makes a small TIFF of what the region needs of them, without compression.
struct OneStripCarver: Carver {
  private let picture: Picture
  private let strips: TIFFStrips
  private let fields: [SmallTIFF.Field]
  private let rows: any RowReader
  private let predictor: TIFFPredictor
  private let samples: TIFFPredictor.Samples

  private static let compressionNone = TIFFStrips.Compression.none.rawValue
  private static let bandBytes = 16 << 20
  /// Half of what a PNG's index has, for this one is not stored: a peek decodes 32 rows less.
  private static let spacing = 64

  /// Takes a picture whose rows can be entered.
  /// - Throws: `unsupported`.
  init(_ picture: Picture, _ directory: TIFFDirectory) throws(PipelineError) {
    func refusal(_ reason: String) -> PipelineError {
      PipelineError(.unsupported, operation: "index", file: picture.path, reason: reason)
    }
    self.picture = picture
    strips = try TIFFStrips(of: picture, directory)
    guard strips.stripsPerPlane == 1, strips.planes == 1 else {
      throw refusal("its rows are in more than one strip")
    }
    guard (directory.looseNumber(TIFFTag.fillOrder) ?? 1) == 1,
      // Rows of subsampled colours are packed in another way.
      directory.looseNumber(TIFFTag.photometric) != 6
    else { throw refusal("its bytes are written in an unusual way") }
    let file = picture.file
    guard let strip = try strips.places(0..<1, plane: 0, in: file)?.places.first, strip.offset > 0,
      strip.count > 6, strip.offset <= file.length, strip.count <= file.length - strip.offset
    else { throw refusal("its table of strips is wrong") }
    fields = try directory.fieldsOfSamples(in: picture).filter { $0.tag != TIFFTag.predictor }
      .map { field in
        field.tag == TIFFTag.compression
          ? SmallTIFF.Field(
            tag: field.tag, type: 3, count: 1,
            bytes: directory.bytes(Self.compressionNone, count: 2)) : field
      }
    samples = TIFFPredictor.Samples(
      count: strips.samplesPerStripPixel, bits: strips.bitsPerSample,
      isFloating: strips.isFloating,
      isLittleEndian: directory.isLittleEndian)
    // A tag that is written in another way is left out by libtiff, or read in a way of its own.
    let isPlain = directory[TIFFTag.predictor].map { $0.type == 3 && $0.count == 1 } ?? true
    let number = directory.looseNumber(TIFFTag.predictor) ?? TIFFPredictor.none.rawValue
    guard isPlain, let predictor = TIFFPredictor(rawValue: number), predictor.takes(samples)
    else { throw refusal("its predictor is not one for such samples") }
    self.predictor = predictor
    switch strips.compression {
    case .deflate, .oldDeflate:
      let head = try file.bytes(at: strip.offset, count: 2)
      let (method, flags) = (Int(head.first ?? 0), Int(head.last ?? 0))
      // RFC 1950; of a file that has become shorter in between there is nothing.
      guard method & 15 == 8, method >> 4 <= 7, (method << 8 | flags) % 31 == 0, flags & 0x20 == 0
      else { throw refusal("its strip does not begin as deflate data") }
      let place = StreamPlace(offset: strip.offset + 2, rest: strip.count - 2, bit: 0)
      rows = RowIndex(
        file,
        DeflatedRows(
          count: strips.size.height, rowBytes: strips.rowByteCount, filterUnit: nil,
          start: InflateEntry(block: place, symbol: place, stored: 0),
          reach: 1 << (method >> 4 + 8), startChecks: StreamChecks(crc: 0, adler: 1),
          isInChunks: false),
        spacing: RowIndex.spacing(forRowsOf: strips.rowByteCount, least: Self.spacing))
    case .lzw:
      guard
        let found = try LZWRows(
          file, strip, rowBytes: strips.rowByteCount, count: strips.size.height)
      else { throw refusal("its strip does not begin with a Clear code") }
      rows = found
    default: throw refusal("all rows are in one strip of a coding that cannot be entered")
    }
  }

  var explanation: String { rows.summary }
  var state: SourceState { rows.hasGrown ? .index : .openFile }
  func completeIndex() throws(PipelineError) { try rows.completeIndex() }
  func forget() { rows.forget() }

  func cost(of stored: PixelRegion) -> PeekCost {
    let width = strips.size.width
    let later = width * (stored.maxY - stored.y / rows.spacing * rows.spacing)
    return PeekCost(
      first: rows.covers(stored.maxY) ? later : width * stored.maxY, later: later)
  }

  func bands(of stored: PixelRegion) -> [PixelRegion] {
    let height = max(rows.spacing, Self.bandBytes / strips.rowByteCount)
    return stride(from: stored.y, to: stored.maxY, by: height).map {
      stored.rows($0..<min($0 + height, stored.maxY))
    }
  }

  func carve(_ stored: PixelRegion) throws(PipelineError) -> CarvedFile? {
    let cut = strips.cut(of: stored)
    let columns = cut.firstColumn..<cut.firstColumn + cut.width
    let rowsPerStrip = SmallTIFF.rowsPerStrip(of: stored.height, rowBytes: cut.byteCount)
    let stripBytes = stride(from: 0, to: stored.height, by: rowsPerStrip).map { top in
      min(rowsPerStrip, stored.height - top) * cut.byteCount
    }
    guard
      var small = SmallTIFF(
        like: strips.directory,
        fields: fields.sized(cut.width, stored.height, in: strips.directory),
        rowsPerStrip: rowsPerStrip, stripBytes: stripBytes)
    else { return nil }
    let (rowBytes, dataStart) = (strips.rowByteCount, small.dataStart)
    let wanted = predictor.wantedBytes(columns.upperBound, samples, rowBytes: rowBytes)
    var outcome: Result<RowsRead?, PipelineError> = .success(nil)
    unsafe small.bytes.withUnsafeMutableBufferPointer { bytes in
      guard let target = bytes.baseAddress else { return }
      do throws(PipelineError) {
        let read = try unsafe rows.read(stored.y..<stored.maxY, wantedBytes: wanted) {
          row, coded in
          let place = dataStart + (row - stored.y) * cut.byteCount
          unsafe predictor.undo(
            coded, rowBytes: rowBytes, columns, samples, into: target + place)
        }
        outcome = .success(read)
      } catch {
        outcome = .failure(error)
      }
    }
    guard let read = try outcome.get() else { return nil }
    return CarvedFile(
      bytes: small.bytes, region: stored.relative(to: (cut.firstColumn, stored.y)),
      work: read.work(pictureWidth: strips.size.width, width: stored.maxX))
  }
}
