internal import Synchronization
internal import ZoomGeometry

/// The rows of a picture that are kept in memory because reads of its parts cost too much.
///
/// A read is cheap if ten of its cost would cost at most 1.1 decodes of the picture. The first read
/// takes its parts. A later costly one keeps the rows that it decodes, or decodes the picture, as
/// its reader says; the picture only if ten reads of the average cost so far are worth it, too. So
/// ten reads of the same share `p` of a decode, the first included, cost `10 p` if `p` is at most
/// 0.11, and at most `1 + p` otherwise: at most 1.1 times the cost of parts, as `1 + p <= 11 p` from
/// 0.1 on. Two costly reads may cost five times their parts.
///
/// The first read of the whole picture keeps nothing, so that peeks into a picture that was shown as
/// a whole take little memory. While one thread decodes rows to keep, others read parts.
final class AdaptiveRaster: Sendable {
  private struct Known {
    /// The number of reads that were not answered from memory, and their cost in pixels.
    var reads = 0
    var spent = 0
    var kept = KeptRows()
    /// The rows of runs that could not be decoded; one damaged row fails its run.
    var failed = RangeSet<Int>()
    /// The number of calls of `forget`.
    var generation = 0
  }

  private let picture: Picture
  private let known = Mutex(Known())
  /// The lock of the thread that decodes rows to be kept.
  private let filling = Mutex(())

  private var height: Int { picture.storedSize.height }

  init(_ picture: Picture) { self.picture = picture }

  var isDecoded: Bool { known.withLock { $0.kept.decoded == RangeSet(0..<height) } }

  func forget() {
    // The old rows are released after the lock.
    _ = known.withLock { known in
      let old = known
      known = Known(generation: old.generation + 1)
      return old
    }
  }

  /// Returns a region from memory, or by `read`, which reads its parts at a cost in pixels.
  ///
  /// If it is time to keep rows, `read` decodes those that are missing, or `decode` all of them.
  func answer(
    _ stored: PixelRegion, cost: Int, _ unit: KeptUnit,
    read: (PixelRegion) throws(PipelineError) -> RegionAnswer,
    decode: (PixelRegion) throws(PipelineError) -> RegionAnswer
  ) throws(PipelineError) -> RegionAnswer {
    var (pixels, work) = (known.withLock { $0.kept }.pixels(of: stored), Work.none)
    if pixels == nil, let rows = rowsToKeep(for: cost, unit) {
      let filled = try filling.withLockIfAvailable { _ throws(PipelineError) in
        try keep(rows, by: unit == .whole ? decode : read)
      }
      work = filled ?? .none
      pixels = known.withLock { $0.kept }.pixels(of: stored)
    }
    work.pixelsDelivered = pixels == nil ? 0 : stored.area
    guard let pixels else { return try read(stored).adding(work) }
    return RegionAnswer(pixels: pixels, work: work)
  }

  /// Whether ten reads of the average cost are worth less than 1.1 full decodes.
  func isCheap(_ pixels: Int, reads: Int = 1) -> Bool {
    100 * pixels <= 11 * reads * picture.storedSize.area
  }

  /// Returns the rows that this read must keep; nil if it reads parts.
  private func rowsToKeep(for cost: Int, _ unit: KeptUnit) -> Range<Int>? {
    let width = picture.storedSize.width
    return known.withLock { known -> Range<Int>? in
      known.reads += 1
      known.spent += cost
      guard known.reads > 1 else { return nil }
      if case .rows(let rows) = unit, cost <= width * rows.count {
        // A read that decodes these rows anyway keeps them once others are kept.
        let isWorth =
          !isCheap(cost) || cost == width * rows.count && !known.kept.decoded.isEmpty
        return isWorth && known.failed.isDisjoint(RangeSet(rows)) ? rows : nil
      }
      let isWorth = !isCheap(cost) && !isCheap(known.spent, reads: known.reads)
      return isWorth && known.failed.isEmpty ? 0..<height : nil
    }
  }

  /// Decodes those rows that are missing and keeps them, if memory suffices for all of them.
  private func keep(
    _ rows: Range<Int>, by decode: (PixelRegion) throws(PipelineError) -> RegionAnswer
  ) throws(PipelineError) -> Work {
    let (missing, generation) = known.withLock { known in
      (RangeSet(rows).subtracting(known.kept.decoded).ranges, known.generation)
    }
    var runs: [(part: PixelRegion, reservation: MemoryBudget.Reservation)] = []
    for run in missing {
      let part = PixelRegion(whole: picture.storedSize).rows(run)
      let byteCount = part.area * picture.bands * picture.format.byteCount
      guard let reservation = picture.limits.memory.reserve(byteCount) else { return .none }
      runs.append((part, reservation))
    }
    var work = Work.none
    for (part, reservation) in runs {
      var pixels: Pixels?
      do throws(PipelineError) {
        let answer = try decode(part)
        // A pass from the top opens the file again, and another picture may be in it.
        guard answer.pixels.size == part.size, answer.pixels.bands == picture.bands,
          answer.pixels.format == picture.format
        else { throw picture.file.changed }
        (pixels, work) = (answer.pixels, work + answer.work)
      } catch {
        // It is not known how far the decoder came.
        work = work + Work(bytesRead: nil, pixelsDecoded: nil, pixelsDelivered: 0)
        switch error.code {
        case .damaged, .fault: break
        case .unsupported, .overBudget: return work
        default: throw error
        }
      }
      let isKept = known.withLock { known in
        guard known.generation == generation else { return false }
        if let pixels {
          known.kept.insert(pixels, at: part.y, reservation)
        } else {
          known.failed.insert(contentsOf: part.y..<part.maxY)
        }
        return pixels != nil
      }
      guard isKept else { break }
    }
    return work
  }
}
