internal import ZoomGeometry

/// Creates small uncompressed TIFFs from deflate or LZW strips, whose rows are decoded here.
///
/// LZW takes half of libtiff's time, and libvips gets only the region's columns of each row.
struct TIFFRowCarver: Sendable {
  private let strips: TIFFStrips
  private let fields: [SmallTIFF.Field]
  private let predictor: TIFFPredictor
  private let samples: TIFFPredictor.Samples

  /// Half the spacing of a PNG's index: this index is not stored, and a peek decodes 32 rows fewer.
  private static let spacing = 64

  /// Reads the tags of a picture; throws `unsupported` if libtiff has to decode its rows.
  init(_ picture: Picture, _ strips: TIFFStrips) throws(PipelineError) {
    func refusal(_ reason: String) -> PipelineError {
      PipelineError(.unsupported, operation: "index", file: picture.path, reason: reason)
    }
    self.strips = strips
    let directory = strips.directory
    guard [.deflate, .oldDeflate, .lzw].contains(strips.compression), strips.planes == 1 else {
      throw refusal("its strips are coded in a way that is left to libtiff")
    }
    guard (directory.looseNumber(TIFFTag.fillOrder) ?? 1) == 1,
      // Rows of subsampled colours are packed in another way.
      directory.looseNumber(TIFFTag.photometric) != Photometric.yCbCr
    else { throw refusal("its bytes are written in an unusual way") }
    samples = TIFFPredictor.Samples(
      count: strips.samplesPerStripPixel, bits: strips.bitsPerSample,
      isFloating: strips.isFloating, isLittleEndian: directory.isLittleEndian)
    // libtiff ignores a tag of another type or count, or reads it by other rules.
    let isPlain = directory[TIFFTag.predictor].map { $0.type == 3 && $0.count == 1 } ?? true
    let number = directory.looseNumber(TIFFTag.predictor) ?? TIFFPredictor.none.rawValue
    guard isPlain, let predictor = TIFFPredictor(rawValue: number), predictor.takes(samples)
    else { throw refusal("its predictor is not one for such samples") }
    self.predictor = predictor
    fields = try directory.fieldsOfSamples(in: picture).filter { $0.tag != TIFFTag.predictor }
      .map { field in
        field.tag == TIFFTag.compression
          ? SmallTIFF.Field(
            tag: field.tag, type: 3, count: 1,
            bytes: directory.bytes(TIFFStrips.Compression.none.rawValue, count: 2)) : field
      }
  }

  /// Returns a reader of a strip's rows; nil if the strip begins with invalid data.
  func reader(
    of place: TIFFStrips.Place, rows count: Int, in file: FileReader
  ) throws(PipelineError) -> (any RowReader)? {
    guard place.offset > 0, place.count > 2, place.count <= strips.mostCodedBytes,
      place.offset <= file.length, place.count <= file.length - place.offset
    else { return nil }
    let rowBytes = strips.rowByteCount
    guard strips.compression != .lzw else {
      return try LZWRows(file, place, rowBytes: rowBytes, count: count)
    }
    return try DeflatedRows(of: place, rows: count, rowBytes: rowBytes, in: file).map {
      RowIndex(
        file, $0, spacing: RowIndex.spacing(forRowsOf: rowBytes, least: Self.spacing))
    }
  }

  /// Creates the file of a region from the rows that `read` passes to `take`.
  ///
  /// `read` receives the number of bytes to decode of each row, from the left. Returns nil if
  /// `read` does, or if the file would exceed `mostBandBytes`.
  func carve(
    _ stored: PixelRegion,
    _ read: (
      _ wantedBytes: Int, _ take: (_ row: Int, _ bytes: UnsafePointer<UInt8>) -> Void
    ) throws(PipelineError) -> Work?
  ) throws(PipelineError) -> CarvedFile? {
    let cut = strips.cut(of: stored)
    guard cut.byteCount * stored.height <= mostBandBytes else { return nil }
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
    var outcome: Result<Work?, PipelineError> = .success(nil)
    unsafe small.bytes.withUnsafeMutableBufferPointer { bytes in
      guard let target = bytes.baseAddress else { return }
      do throws(PipelineError) {
        let work = try unsafe read(wanted) { row, coded in
          let place = dataStart + (row - stored.y) * cut.byteCount
          unsafe predictor.undo(
            coded, rowBytes: rowBytes, columns, samples, into: target + place)
        }
        outcome = .success(work)
      } catch {
        outcome = .failure(error)
      }
    }
    guard let work = try outcome.get() else { return nil }
    return CarvedFile(
      bytes: small.bytes, region: stored.relative(to: (cut.firstColumn, stored.y)), work: work)
  }
}
