internal import ZoomGeometry

/// A small file of a picture's own format that holds just the coded parts of a region.
///
/// libvips decodes it as it would the whole file, so that every conversion is libvips' own.
struct CarvedFile: Sendable {
  let bytes: [UInt8]
  /// The region's place in it, in pixels.
  let region: PixelRegion
  /// The work of making it and of decoding it.
  let work: Work
}

/// Makes small files of the same format out of the coded parts that a region needs.
protocol Carver: Sendable {
  /// A description of how a peek gets its pixels: one sentence without a full stop.
  var explanation: String { get }

  /// The data that is kept between two reads.
  var state: SourceState { get }

  /// Cuts a region, in stored pixels, into bands from the top that are carved one after the other, so that
  /// the memory for each is bounded.
  func bands(of stored: PixelRegion) -> [PixelRegion]

  /// Carves a region, in stored pixels.
  /// - Returns: nil where the file is irregular there, or has changed: what it holds is for libvips to say.
  func carve(_ stored: PixelRegion) throws(PipelineError) -> CarvedFile?

  /// Returns the cost of carving a stored region and decoding it.
  func cost(of stored: PixelRegion) -> PeekCost

  /// Makes the whole index, where it has one that grows.
  func completeIndex() throws(PipelineError)

  /// Drops cached data.
  func forget()
}

/// The usual size of a band of rows, in bytes.
///
/// A band's raster, its small file and its pixels are in memory beside the
/// region, and to enter the data once more costs little compared with decoding that many bytes.
let bandBytes = 8 << 20

/// The largest band that is carved, in bytes; longer rows are left to another source.
let mostBandBytes = 4 * bandBytes

extension PixelRegion {
  /// Returns bands of that number of rows, cut at the picture's rows that it divides.
  func bands(ofRows height: Int) -> [PixelRegion] {
    let cuts = [y] + stride(from: (y / height + 1) * height, to: maxY, by: height) + [maxY]
    return zip(cuts, cuts.dropFirst()).map { rows($0..<$1) }
  }

  /// Returns bands of rows that are entered every `spacing` rows; the region needs `rowBytes` bytes of each.
  ///
  /// Bands begin at entry points, so that no row above a band is decoded for it. If the rows between two entry points
  /// exceed `bandBytes`, they are cut too, into eight at most, because the rows above are decoded again for each.
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
