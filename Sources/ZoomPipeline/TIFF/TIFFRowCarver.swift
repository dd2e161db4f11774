internal import ZoomGeometry

/// Creates small uncompressed TIFFs from deflate or LZW strips, whose rows are decoded here.
///
/// LZW takes half of libtiff's time, and libvips gets only the region's columns of each row.
struct TIFFRowCarver: Sendable {
  private let strips: TIFFStrips
  private let fields: [SmallTIFF.Field]
  private let predictor: TIFFPredictor
  private let arePixels: Bool

  /// Half the spacing of a PNG's index: this index is not stored, and a peek decodes 32 rows fewer.
  private static let spacing = 64

  /// Reads the tags of a picture; throws if libtiff has to decode its rows, or they are too long.
  init(_ picture: Picture, _ strips: TIFFStrips) throws(PipelineError) {
    let file = picture.file
    func refusal(_ reason: String) -> PipelineError { file.refusal(reason, operation: "index") }
    self.strips = strips
    arePixels = strips.holdPixels(of: picture)
    let directory = strips.directory
    guard strips.isDeflate || strips.compression == .lzw else {
      throw refusal("its strips are coded in a way that is left to libtiff")
    }
    guard strips.hasPlainRows else { throw refusal("its bytes are written in an unusual way") }
    // libtiff ignores a tag of another type or count, or reads it by other rules.
    let isPlain = directory[TIFFTag.predictor].map { $0.type == 3 && $0.count == 1 } ?? true
    let number = directory.looseNumber(TIFFTag.predictor) ?? TIFFPredictor.none.rawValue
    guard isPlain, let predictor = TIFFPredictor(rawValue: number), predictor.takes(strips.samples)
    else { throw refusal("its predictor is left to libtiff") }
    self.predictor = predictor
    try picture.assertRowsFit(strips.rowByteCount, "carve")
    let uncompressed = SmallTIFF.Field(
      tag: TIFFTag.compression, type: 3, count: 1,
      bytes: directory.bytes(TIFFStrips.Compression.none.rawValue, count: 2))
    fields =
      try directory.fieldsOfSamples(in: file)
      .filter { ![TIFFTag.predictor, TIFFTag.compression].contains($0.tag) } + [uncompressed]
  }

  /// Returns a reader of a strip's rows, with a spacing of deflate's entry points or the usual one;
  /// nil if the strip begins with invalid data.
  func reader(
    of place: TIFFStrips.Place, rows count: Int, in file: FileReader, spacing: Int? = nil
  ) throws(PipelineError) -> (any RowReader)? {
    guard TIFFStrips.isInside(place, file), place.count > 2, place.count <= strips.mostCodedBytes
    else { return nil }
    let rowBytes = strips.rowByteCount
    guard strips.isDeflate else {
      return try LZWRows(file, place, rowBytes: rowBytes, count: count)
    }
    return try DeflatedRows(of: place, rows: count, rowBytes: rowBytes, in: file).map {
      RowIndex(
        file, $0,
        spacing: spacing ?? RowIndex.spacing(forRowsOf: rowBytes, least: Self.spacing))
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
    guard cut.byteCount * stored.height <= mostBandBytes,
      var small = SmallTIFF(
        like: strips.directory, fields: fields, width: cut.width, height: stored.height,
        rowBytes: cut.byteCount)
    else { return nil }
    let columns = cut.firstColumn..<cut.firstColumn + cut.width
    let work = try unsafe small.bytes.withUnsafeMutableBufferPointer {
      bytes throws(PipelineError) -> Work? in
      guard let target = bytes.baseAddress else { return nil }
      return try unsafe read(cut.firstByte + cut.byteCount) { row, coded in
        let place = SmallTIFF.dataStart + (row - stored.y) * cut.byteCount
        unsafe predictor.undo(coded, columns, strips.samples, into: target + place)
      }
    }
    guard let work else { return nil }
    return CarvedFile(
      bytes: small.bytes, region: stored.relative(to: (cut.firstColumn, stored.y)), work: work,
      pixelStart: arePixels ? SmallTIFF.dataStart : nil)
  }
}
