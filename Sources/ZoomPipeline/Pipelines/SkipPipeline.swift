internal import CJPEG
internal import ZoomGeometry

/// Decodes a JPEG from the top as `sequential` does, but transforms only the region.
///
/// The Huffman codes above and beside the region must be read to find where its own begin;
/// functions of libjpeg-turbo skip the inverse DCT, the upsampling and the colour conversion there.
package struct SkipPipeline: PicturePipeline {
  package let name = "skip"
  package let summary =
    "skip the rows above the region and crop columns, without an inverse DCT"

  package let limits: PictureLimits

  package init(limits: PictureLimits = .standard) { self.limits = limits }

  package func open(_ picture: Picture) throws(PipelineError) -> any RegionSource {
    try SkipSource(picture: picture)
  }
}

final class SkipSource: StoredSource {
  let picture: Picture
  private let decoder: JPEGDecoder
  private let jpeg: JPEGStructure
  /// Answers if libjpeg warns, with the pixels or the error of libvips.
  private let fallback: SequentialSource
  let state = SourceState.openFile

  init(picture: Picture) throws(PipelineError) {
    self.picture = picture
    jpeg = try picture.sequentialJPEG(for: "skip")
    guard let decoder = JPEGDecoder(picture) else {
      throw .refusal(
        "skip", picture.path, "its colours are neither grey, RGB nor CMYK of 8 bits")
    }
    self.decoder = decoder
    fallback = SequentialSource(picture: picture)
  }

  var explanation: String {
    "skips the rows above the region and crops columns, without an inverse DCT"
  }

  func cost(of stored: PixelRegion) -> PeekCost? {
    let rows = MCUWindow(jpeg, region: stored).part.maxY
    return PeekCost(each: jpeg.mcusPerRow * jpeg.mcuSize.width * rows)
  }

  func readStored(_ stored: PixelRegion) throws(PipelineError) -> RegionAnswer {
    if let answer = try answer(stored, .none) { return answer }
    return try fallback.readStored(stored)
  }

  func readStored(
    _ stored: PixelRegion, reducedBy reduction: Reduction
  ) throws(PipelineError) -> RegionAnswer? {
    // If libvips cannot reduce to whole blocks, a reference to compare with is missing.
    guard jpeg.size.ofWholeJPEGBlocks(reduction) != nil else { return nil }
    if let answer = try answer(stored.reduced(by: reduction.rawValue), reduction) { return answer }
    return try fallback.readStored(stored, reducedBy: reduction)
  }

  func forget() {}

  /// Reads a region in pixels of the reduced picture; nil if libjpeg warns.
  private func answer(
    _ part: PixelRegion, _ reduction: Reduction
  ) throws(PipelineError) -> RegionAnswer? {
    guard let (pixels, reach) = try decoder.read(picture.file, part, reduction) else { return nil }
    let mcuWidth = jpeg.mcuSize.width / reduction.rawValue
    let mcuHeight = jpeg.mcuSize.height / reduction.rawValue
    let height = picture.storedSize.reduced(by: reduction).height
    let rows = (Int(reach.first_row)..<Int(reach.end_row)).clamped(to: 0..<jpeg.mcuRows)
    let columns = Int(reach.end_column) - Int(reach.first_column)
    let decoded = (columns + mcuWidth - 1) / mcuWidth * rows.count
    let work = Work(
      bytesRead: Int(reach.bytes_read), unitsDecoded: decoded, unit: .mcu,
      unitsWalked: rows.upperBound * jpeg.mcusPerRow - decoded,
      pixelsDecoded: columns
        * (min(rows.upperBound * mcuHeight, height) - rows.lowerBound * mcuHeight),
      pixelsDelivered: part.area)
    return RegionAnswer(
      pixels: pixels, work: work, resampling: reduction == .none ? .none : .decoder)
  }
}
