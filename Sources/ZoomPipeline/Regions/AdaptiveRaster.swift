internal import Synchronization
internal import ZoomGeometry

/// The pixels of a picture, decoded once as soon as reads of its parts have cost too much.
///
/// The first read decodes its parts. A later one decodes the picture into memory, by its parts, if
/// ten reads of its cost, and ten of the average cost so far, would cost more than 1.1 such decodes.
/// If each read costs the share `p` of a decode, then in all:
///
/// - One read costs `p`, the least possible.
/// - Ten reads cost `10 p` if `p` is at most 0.11, and `1 + p` otherwise. That is at most 1.1 times
///   the cost of parts alone, as `1 + p <= 11 p` from 0.1 on. It is at most 1.1 times the cost of
///   one decode by libvips if the decode by parts takes at most `1.1 / (1 + p)` of its time. For
///   a WebP, libwebp takes between a third and two thirds of libvips' time.
///
/// A cheap read never decodes the picture, so that peeks into a picture that was shown as a whole
/// take little memory. While one thread decodes the picture, others read parts and do not wait.
final class AdaptiveRaster: Sendable {
  private typealias Raster = (pixels: Pixels, reservation: MemoryBudget.Reservation)

  private struct Known {
    /// The number of reads of parts so far, and their cost in pixels.
    var reads = 0
    var spent = 0
    var raster: Raster?
    /// Whether a thread decodes the picture, or one has found that it cannot be decoded.
    var isTried = false
    /// The number of calls of `forget`.
    var generation = 0
  }

  private let picture: Picture
  private let known = Mutex(Known())

  init(_ picture: Picture) { self.picture = picture }

  var isDecoded: Bool { known.withLock { $0.raster != nil } }

  func forget() { known.withLock { $0 = Known(generation: $0.generation + 1) } }

  /// Returns a region from the raster, or by `read`, which reads its parts at a cost in pixels.
  ///
  /// If it is time to decode the picture, `read` does that, too.
  func answer(
    _ stored: PixelRegion, cost: Int,
    read: (PixelRegion) throws(PipelineError) -> RegionAnswer
  ) throws(PipelineError) -> RegionAnswer {
    var (raster, work) = (known.withLock { $0.raster }, Work.none)
    if raster == nil, let generation = generationToDecode(for: cost) {
      (raster, work) = decoded(generation, read)
    }
    guard let raster else { return try read(stored).adding(work) }
    work.pixelsDelivered = stored.area
    let pixels = unsafe raster.pixels.bytes.withUnsafeBytes { bytes in
      unsafe picture.pixels(of: stored, in: bytes)
    }
    return RegionAnswer(pixels: pixels, work: work)
  }

  /// Whether ten reads of the average cost are worth less than 1.1 full decodes.
  func isCheap(_ pixels: Int, reads: Int = 1) -> Bool {
    100 * pixels <= 11 * reads * picture.storedSize.area
  }

  /// Returns the generation of the raster that this read must decode; nil if it reads parts.
  private func generationToDecode(for cost: Int) -> Int? {
    known.withLock { known in
      let decodes =
        known.reads > 0 && !known.isTried && !isCheap(cost)
        && !isCheap(known.spent + cost, reads: known.reads + 1)
      known.reads += 1
      known.spent += cost
      if decodes { known.isTried = true }
      return decodes ? known.generation : nil
    }
  }

  /// Decodes the picture; nil if memory is short, or it cannot be decoded and parts may do.
  private func decoded(
    _ generation: Int, _ decode: (PixelRegion) throws(PipelineError) -> RegionAnswer
  ) -> (raster: Raster?, work: Work) {
    guard let reservation = picture.limits.memory.reserve(picture.rasterByteCount) else {
      // Memory may be free later.
      known.withLock { if $0.generation == generation { $0.isTried = false } }
      return (nil, .none)
    }
    guard let answer = try? decode(PixelRegion(whole: picture.storedSize)) else {
      // It is not known how far the decoder came before the error.
      return (nil, Work(bytesRead: nil, pixelsDecoded: nil, pixelsDelivered: 0))
    }
    let raster = (pixels: answer.pixels, reservation: reservation)
    known.withLock { if $0.generation == generation { $0.raster = raster } }
    return (raster, answer.work)
  }
}
