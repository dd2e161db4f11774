internal import Synchronization
internal import ZoomGeometry

/// Decodes the picture once and answers from the raster in memory, within a byte budget.
package struct ResidentPipeline: PicturePipeline {
  package let name = "resident"
  package let summary = "decode once, keep the raster in memory"
  package let limits: PictureLimits

  package init(limits: PictureLimits = .standard) { self.limits = limits }

  package func open(_ picture: Picture) throws(PipelineError) -> any RegionSource {
    try ResidentSource(picture, isGrowing: false)
  }
}

/// Decodes rows of a picture once, from the top, and keeps them in memory.
///
/// A growing source decodes as far down as reads reach, and a later read goes on where the last one
/// stopped. So no row is decoded twice: one read costs what a pass down to its foot costs, and any
/// number of reads cost at most one full decode together. Otherwise the first read decodes all.
final class ResidentSource: StoredSource {
  /// A decoder, and its memory while it waits for the next read; nil if it decodes all at once.
  private typealias Pass = (image: Image, waiting: MemoryBudget.Reservation?)

  let picture: Picture
  private let isGrowing: Bool
  /// The decoded rows, from the top, and the memory reserved for all.
  ///
  /// The lock is held only briefly, so that reads of decoded rows never wait.
  private let rows = Mutex<(kept: KeptRows, reservation: MemoryBudget.Reservation)?>(nil)
  /// The decoder, until the last row; its lock is held by the thread that decodes.
  private let pass = Mutex<Pass?>(nil)

  /// The rows decoded at a time.
  private static let step = Image.stripRows

  /// Creates a source; throws `overBudget` if the raster and its decoder do not fit the budget.
  ///
  /// It grows only if that saves work: other decoders make all rows before they return the first.
  init(_ picture: Picture, isGrowing: Bool) throws(PipelineError) {
    self.picture = picture
    self.isGrowing =
      isGrowing && (picture.isDecodedByRows || picture.loader == Loader.jpeg.name)
    // Check before decoding, and again when the raster is made: other sources may use the budget.
    _ = try reserve()
  }

  private func reserve() throws(PipelineError) -> MemoryBudget.Reservation {
    try picture.assertPassFits("resident", keepsRaster: true)
    return try picture.limits.memory.reserve(
      picture.rasterByteCount, operation: "resident", picture.path)
  }

  var state: SourceState {
    let count = rows.withLock { $0?.kept.foot }
    return count == nil ? .nothing : count == picture.storedSize.height ? .raster : .openFile
  }

  var explanation: String {
    (!isGrowing
      ? ""
      : picture.isDecodedByRows
        ? "each row is decoded once, when a peek reaches it; "
        : "the first peek reads all of its scans; ")
      + "its raster of \(picture.rasterByteCount.megabytes) fits the budget of"
      + " \(picture.limits.memory.limit.megabytes)"
  }

  func cost(of stored: PixelRegion) -> PeekCost? {
    let height = picture.storedSize.height
    let isPart = isGrowing && picture.isDecodedByRows
    let end = isPart ? min(height, (stored.maxY - 1) / Self.step * Self.step + Self.step) : height
    return PeekCost(first: picture.storedSize.width * end, later: 0)
  }

  func readStored(_ stored: PixelRegion) throws(PipelineError) -> RegionAnswer {
    var work = Work.fromMemory(delivering: stored.area)
    while true {
      if let pixels = rows.withLock({ $0?.kept })?.pixels(of: stored) {
        return RegionAnswer(pixels: pixels, work: work)
      }
      // A few rows at a time, so that a read near the top does not wait for one near the foot.
      work = work + (try decodeStep(toward: stored.maxY))
    }
  }

  /// Decodes the next rows, or all if the decoder cannot wait; none if row `end` is reached.
  private func decodeStep(toward end: Int) throws(PipelineError) -> Work {
    try pass.withLock { pass throws(PipelineError) in
      var work = Work.none
      var isDone = rows.withLock { $0?.kept.foot ?? 0 } >= end
      do throws(PipelineError) {
        while !isDone {
          let current: Pass
          if let pass { current = pass } else { current = try begin() }
          pass = current
          work = work + (try decodeRows(of: current.image))
          let isComplete = state == .raster
          if isComplete { pass = nil }
          isDone = isComplete || current.waiting != nil
        }
      } catch {
        // libvips would return unwritten rows later.
        pass = nil
        rows.withLock { $0 = nil }
        throw error
      }
      return work
    }
  }

  private func begin() throws(PipelineError) -> Pass {
    let reservation = try reserve()
    let image = try Image.open(picture)
    // Another picture may have been written over the file.
    guard try image.size == picture.storedSize, image.bands == picture.bands,
      try image.format == picture.format
    else { throw picture.file.changed }
    rows.withLock { $0 = (kept: KeptRows(), reservation: reservation) }
    return (image, isGrowing ? picture.limits.memory.reserve(picture.decoderByteCount) : nil)
  }

  /// Decodes the next rows; only one thread calls it at a time.
  private func decodeRows(of image: Image) throws(PipelineError) -> Work {
    guard let (first, reservation) = rows.withLock({ $0.map { ($0.kept.foot, $0.reservation) } })
    else { return .none }
    let size = picture.storedSize
    let part = PixelRegion(whole: size).rows(first..<min(first + Self.step, size.height))
    let before = first == 0 ? 0 : image.bytesRead
    let pixels = try image.read(part, of: picture.path, decodedRows: first)
    rows.withLock { rows -> Void in rows?.kept.insert(pixels, at: first, reservation) }
    return Work(
      bytesRead: image.bytesRead.flatMap { after in before.map { after - $0 } },
      pixelsDecoded: picture.isDecodedByRows ? part.area : first == 0 ? size.area : 0,
      pixelsDelivered: 0)
  }

  func forget() {
    pass.withLock { pass in
      pass = nil
      rows.withLock { $0 = nil }
    }
  }
}
