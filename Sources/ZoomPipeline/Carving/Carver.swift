internal import ZoomGeometry

/// A small file of a picture's own format that holds just the coded parts of a region.
///
/// libvips decodes it as it would the whole file, so that every conversion is libvips' own.
struct CarvedFile: Sendable {
  let bytes: [UInt8]
  /// Where the region is in it, in pixels.
  let region: PixelRegion
  /// What was read and decoded to make it, and what its decoding will take.
  let work: Work
}

/// Makes small files of the same format out of the coded parts that a region needs.
protocol Carver: Sendable {
  /// How a peek gets its pixels, in one sentence without a full stop.
  var explanation: String { get }

  /// What is kept of the picture between two reads.
  var state: SourceState { get }

  /// Cuts a region, in stored pixels, into bands from the top that are carved one after the other, so that
  /// the memory for each is bounded.
  func bands(of stored: PixelRegion) -> [PixelRegion]

  /// Carves a region, in stored pixels.
  /// - Returns: nil where the file is irregular there, or has changed: what it holds is for libvips to say.
  func carve(_ stored: PixelRegion) throws(PipelineError) -> CarvedFile?

  /// What carving a stored region and decoding it will cost.
  func cost(of stored: PixelRegion) -> PeekCost

  /// Makes the whole index, where it has one that grows.
  func completeIndex() throws(PipelineError)

  /// Drops what can be had again.
  func forget()
}

/// What a band of rows may take: a band's raster, its small file and its pixels are in memory beside the region, and
/// entering the data once more costs little beside decoding so much.
let bandBytes = 8 << 20

extension PixelRegion {
  /// Bands of so many rows, cut at the picture's rows that this number divides.
  ///
  /// Where entry points stand there, no row above a band is decoded for it.
  func bands(ofRows height: Int) -> [PixelRegion] {
    let cuts = [y] + stride(from: (y / height + 1) * height, to: maxY, by: height) + [maxY]
    return zip(cuts, cuts.dropFirst()).map { rows($0..<$1) }
  }
}

extension Carver {
  var state: SourceState { .openFile }

  func completeIndex() throws(PipelineError) {}

  func forget() {}
}
