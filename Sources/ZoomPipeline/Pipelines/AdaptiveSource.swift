internal import Synchronization
internal import ZoomGeometry

/// Reads parts of a picture while that is cheap, and otherwise decodes all of it once.
///
/// The first read decodes its parts. A later one decodes the picture into memory, by its parts, if
/// ten reads of the average cost so far would cost more than 1.1 such decodes. If each read costs
/// the share `p` of a decode, then in all:
///
/// - One read costs `p`, the least possible.
/// - Ten reads cost `10 p` if `p` is at most 0.11, and `1 + p` otherwise. That is at most 1.1 times
///   the cost of parts alone, as `1 + p <= 11 p` from 0.1 on. It is at most 1.1 times the cost of
///   one decode by libvips if the decode by parts takes at most `1.1 / (1 + p)` of its time: of a
///   WebP, libwebp takes between a third and two thirds.
/// - Two reads cost at most 5.1 times the cost of their parts; more reads, less.
///
/// A picture whose peeks are cheap is never kept, so its peeks take little memory. While one thread
/// decodes the picture, others read parts and do not wait.
final class AdaptiveSource<Parts: PartialSource>: StoredSource, IndexCompletingSource {
  private typealias Raster = (pixels: Pixels, reservation: MemoryBudget.Reservation)

  private struct Known {
    /// The parts read so far, and their cost in pixels.
    var reads = 0
    var spent = 0
    var raster: Raster?
    /// Whether a thread decodes the picture, or one has found that it cannot be decoded.
    var isTried = false
    /// The number of calls of `forget`.
    var generation = 0
  }

  private let parts: Parts
  private let known = Mutex(Known())

  init(_ parts: Parts) { self.parts = parts }

  var picture: Picture { parts.picture }
  var openingWork: Work { parts.openingWork }

  var state: SourceState {
    let hasRaster = known.withLock { $0.raster != nil }
    return hasRaster ? .raster : parts.state
  }

  var explanation: String {
    parts.explanation + "; if peeks cost over 11 % of a full decode, the picture is decoded once"
      + " and kept in \(picture.rasterByteCount.megabytes)"
  }

  /// Returns the cost of the first peek, and of later ones once the picture is decoded.
  func cost(of stored: PixelRegion) -> PeekCost? {
    parts.cost(of: stored).map { cost in
      isCheap(cost.later, reads: 1) ? cost : PeekCost(first: cost.first, later: 0)
    }
  }

  func readStored(_ stored: PixelRegion) throws(PipelineError) -> RegionAnswer {
    var (raster, work) = (known.withLock { $0.raster }, Work.none)
    if raster == nil,
      let generation = generationToDecode(for: parts.cost(of: stored)?.later ?? 0)
    {
      (raster, work) = decode(generation)
    }
    guard let raster else { return try parts.readStored(stored) }
    work.pixelsDelivered = stored.area
    let pixels = unsafe raster.pixels.bytes.withUnsafeBytes { bytes in
      unsafe picture.pixels(of: stored, in: bytes)
    }
    return RegionAnswer(pixels: pixels, work: work)
  }

  /// Reads by the decoder's reduction, always from parts, so that equal requests get equal pixels.
  func readStored(
    _ stored: PixelRegion, reducedBy reduction: Reduction
  ) throws(PipelineError) -> RegionAnswer? {
    try parts.readStored(stored, reducedBy: reduction)
  }

  func completeIndex() throws(PipelineError) { try parts.completeIndex() }

  func assertUnchanged() throws(PipelineError) {
    do throws(PipelineError) {
      try parts.assertUnchanged()
    } catch {
      forget()
      throw error
    }
  }

  func forget() {
    known.withLock { $0 = Known(generation: $0.generation + 1) }
    parts.forget()
  }

  /// Whether ten reads of the average cost are worth less than 1.1 full decodes.
  private func isCheap(_ pixels: Int, reads: Int) -> Bool {
    100 * pixels <= 11 * reads * picture.storedSize.area
  }

  /// Returns the generation of the raster that this read must decode; nil if it reads parts.
  private func generationToDecode(for cost: Int) -> Int? {
    known.withLock { known in
      let decodes =
        known.reads > 0 && !known.isTried && !isCheap(known.spent + cost, reads: known.reads + 1)
      known.reads += 1
      known.spent += cost
      if decodes { known.isTried = true }
      return decodes ? known.generation : nil
    }
  }

  /// Decodes the picture; nil if memory is short, or it cannot be decoded and parts may do.
  private func decode(_ generation: Int) -> (raster: Raster?, work: Work) {
    guard let reservation = picture.limits.memory.reserve(picture.rasterByteCount) else {
      // Memory may be free later.
      known.withLock { if $0.generation == generation { $0.isTried = false } }
      return (nil, .none)
    }
    let whole = PixelRegion(whole: picture.storedSize)
    guard let answer = try? parts.readStored(whole) else { return (nil, .none) }
    let raster = (pixels: answer.pixels, reservation: reservation)
    known.withLock { if $0.generation == generation { $0.raster = raster } }
    return (raster, answer.work)
  }
}

extension AdaptiveSource: JPEGWindowSource where Parts: JPEGWindowSource {
  func window(for region: PixelRegion) throws(PipelineError) -> JPEGWindow {
    try parts.window(for: region)
  }
}
