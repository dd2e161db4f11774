internal import ZoomGeometry

/// A small file of a picture's format with only the coded parts of a region.
///
/// libvips decodes it as it does the whole file, with the same conversions.
struct CarvedFile: Sendable {
  let bytes: [UInt8]
  /// The region's position in the small file, in pixels.
  let region: PixelRegion
  let work: Work
}

/// Creates small files of the coded parts that a region needs.
protocol Carver: Sendable {
  /// A description of the method in one sentence without a full stop.
  var explanation: String { get }

  /// The data that is kept between two reads.
  var state: SourceState { get }

  /// Divides a region, in stored pixels, into bands from the top, to bound the memory.
  func bands(of stored: PixelRegion) -> [PixelRegion]

  /// Carves a region, in stored pixels.
  /// - Returns: nil if the file is irregular there, or has changed; libvips must read it then.
  func carve(_ stored: PixelRegion) throws(PipelineError) -> CarvedFile?

  func cost(of stored: PixelRegion) -> PeekCost

  func completeIndex() throws(PipelineError)

  func forget()
}

/// The usual size of a band of rows in bytes.
///
/// A band's raster, its small file and its pixels are in memory beside the region. Entering the
/// data once more costs little compared with decoding that many bytes.
let bandBytes = 8 << 20

/// The largest band in bytes; other sources read pictures with longer rows.
let mostBandBytes = 4 * bandBytes

extension PixelRegion {
  /// Returns bands that end at the picture's rows whose number is a multiple of `height`.
  func bands(ofRows height: Int) -> [PixelRegion] {
    let cuts = [y] + stride(from: (y / height + 1) * height, to: maxY, by: height) + [maxY]
    return zip(cuts, cuts.dropFirst()).map { rows($0..<$1) }
  }

  /// Returns bands for entry points every `spacing` rows, with `rowBytes` wanted bytes per row.
  ///
  /// Bands begin at entry points, so that no row above a band is decoded for it. If the rows
  /// between two entry points exceed `bandBytes`, they are divided too, into at most eight bands,
  /// because each band decodes the rows above it again.
  func bands(ofRowBytes rowBytes: Int, enteredEvery spacing: Int) -> [PixelRegion] {
    let rows = bandBytes / rowBytes
    return bands(ofRows: rows >= spacing ? rows / spacing * spacing : max(rows, spacing / 8, 1))
  }
}

extension Carver {
  var state: SourceState { .openFile }

  func completeIndex() throws(PipelineError) {}

  func forget() {}
}
