internal import Dispatch
internal import Synchronization
internal import ZoomGeometry

/// Decodes a region of a JPEG from smaller JPEGs, one for each of its bands, on several cores where
/// there are several.
struct BandReader {
  /// A JPEG that holds a band, and what making it took.
  typealias Part = (jpeg: PartialJPEG, work: Work)

  private let picture: Picture
  private let jpeg: JPEGStructure

  init(_ picture: Picture, _ jpeg: JPEGStructure) {
    self.picture = picture
    self.jpeg = jpeg
  }

  /// Cuts a region into the bands that are worth decoding side by side.
  ///
  /// Two at most, whatever the machine: each cut costs up to two margin rows, and a read's work
  /// must be the same everywhere. Below 2,048 MCUs (about half a millisecond of walking, or one of
  /// decoding) a second thread costs more than it saves.
  /// - Parameters:
  ///   - region: what to cut, in stored pixels.
  ///   - mcus: how many MCUs have to be gone through for it.
  ///   - row: the row of pixels at which it can be cut; it need not lie inside.
  /// - Returns: one band or two that cover the region, from the top.
  static func bands(of region: PixelRegion, mcus: Int, cutAt row: Int) -> [PixelRegion] {
    guard mcus >= 2048, region.y < row, row < region.maxY else { return [region] }
    return [region.rows(region.y..<row), region.rows(row..<region.maxY)]
  }

  /// Decodes each band to its place among the region's pixels.
  /// - Parameters:
  ///   - bands: one or more, from the top down, cut at borders of the reduction's blocks.
  ///   - stored: what they are bands of.
  ///   - reduction: by how much the inverse DCT reduces.
  ///   - part: makes the JPEG of a band; called on several threads at once for several bands.
  /// - Returns: the region's pixels, and what all bands took.
  /// - Throws: `PipelineError` of the first band that has one.
  func read(
    _ bands: [PixelRegion], of stored: PixelRegion, _ reduction: Reduction,
    _ part: @Sendable (_ number: Int, _ band: PixelRegion) throws(PipelineError) -> Part
  ) throws(PipelineError) -> RegionAnswer {
    let size = stored.reduced(by: reduction.rawValue).size
    let rowBytes = size.width * picture.bands * picture.format.byteCount
    let works = Mutex([Result<Work, PipelineError>?](repeating: nil, count: bands.count))
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: rowBytes * size.height) {
      buffer, initialized in
      // Each band writes rows of its own, and nobody reads before all are done.
      nonisolated(unsafe) let buffer = unsafe buffer
      let top = stored.y / reduction.rawValue
      forEach(bands.count) { number in
        let rows = bands[number].reduced(by: reduction.rawValue)
        let start = (rows.y - top) * rowBytes
        let work = Result { () throws(PipelineError) in
          let part = try part(number, bands[number])
          let target = unsafe UnsafeMutableBufferPointer(
            rebasing: buffer[start..<start + rows.height * rowBytes])
          let cost = try unsafe part.jpeg.decode(
            bands[number], reduction, jpeg, picture, into: target)
          return part.work + cost
        }
        works.withLock { $0[number] = work }
      }
      let isWhole = works.withLock { $0.allSatisfy { (try? $0?.get()) != nil } }
      initialized = isWhole ? rowBytes * size.height : 0
    }
    var work = Work.none
    for case .some(let one) in works.withLock({ $0 }) { work = work + (try one.get()) }
    return RegionAnswer(
      pixels: Pixels(
        size: size, bands: picture.bands, format: picture.format,
        interpretation: picture.interpretation, bytes: bytes),
      work: work, resampling: reduction == .none ? .none : .decoder)
  }

  /// A thread of its own for each but one; none for one.
  private func forEach(_ count: Int, _ body: @Sendable (Int) -> Void) {
    if count == 1 {
      body(0)
    } else {
      DispatchQueue.concurrentPerform(iterations: count, execute: body)
    }
  }
}
