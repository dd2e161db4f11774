internal import Synchronization
internal import ZoomGeometry

/// The rows of a picture that are kept in memory because reads of its parts cost too much.
///
/// A read is cheap if ten of its cost would cost at most 1.1 decodes of the picture. A costly one
/// decodes whole units of rows, from which later reads are answered.
///
/// For strips as wide as the picture, the units are the strips. A read decodes its strips anyway,
/// so one read costs the least possible. Once a strip is kept, no strip is decoded twice, so that
/// any number of costly reads cost at most one decode.
///
/// Otherwise, and for a read of all strips, the unit is the picture. The first read decodes its
/// parts, at the least possible cost. A later one decodes the picture, by its parts, if ten reads
/// of its cost, and ten of the average cost so far, would cost more than 1.1 decodes. So ten reads
/// of the share `p` of a decode cost `10 p` if `p` is at most 0.11, and `1 + p` otherwise:
///
/// - At most 1.1 times the cost of parts alone, as `1 + p <= 11 p` from 0.1 on.
/// - At most 1.1 times the cost of one decode by libvips, if the decode by parts takes at most
///   `1.1 / (1 + p)` of its time. libwebp takes a third to two thirds of libvips' time.
///
/// Before any rows are kept, a cheap read and the first read of the whole picture keep none: peeks
/// into a picture that was shown as a whole take little memory. While one thread decodes units,
/// others read parts and do not wait.
final class AdaptiveRaster: Sendable {
  private struct Known {
    /// The number of reads that were not answered from memory, and their cost in pixels.
    var reads = 0
    var spent = 0
    var kept = KeptRows()
    var reservations: [MemoryBudget.Reservation] = []
    /// The rows that could not be decoded, with those that were decoded together with them.
    var failed = RangeSet<Int>()
    /// The number of calls of `forget`.
    var generation = 0
  }

  private let picture: Picture
  /// The number of rows of a unit; the last unit may have fewer.
  private let unitRows: Int
  private let known = Mutex(Known())
  /// The lock of the thread that decodes units.
  private let filling = Mutex(())

  private var height: Int { picture.storedSize.height }

  /// Creates an empty raster with units of some rows, or of all rows if `unitRows` is nil.
  init(_ picture: Picture, unitRows: Int?) {
    self.picture = picture
    self.unitRows = unitRows ?? picture.storedSize.height
  }

  var isDecoded: Bool { known.withLock { $0.kept.decoded == RangeSet(0..<height) } }

  func forget() { known.withLock { $0 = Known(generation: $0.generation + 1) } }

  /// Returns a region from memory, or by `read`, which reads its parts at a cost in pixels.
  ///
  /// If it is time to keep the region's units, `read` decodes those that are missing.
  func answer(
    _ stored: PixelRegion, cost: Int,
    read: (PixelRegion) throws(PipelineError) -> RegionAnswer
  ) throws(PipelineError) -> RegionAnswer {
    var (pixels, work) = (known.withLock { $0.kept }.pixels(of: stored), Work.none)
    if pixels == nil, let rows = rowsToDecode(for: stored, cost) {
      work = filling.withLockIfAvailable { _ in decode(rows, by: read) } ?? Work.none
      pixels = known.withLock { $0.kept }.pixels(of: stored)
    }
    work.pixelsDelivered = pixels == nil ? 0 : stored.area
    guard let pixels else { return try read(stored).adding(work) }
    return RegionAnswer(pixels: pixels, work: work)
  }

  /// Returns the cost that decides: of whole strips, or of parts after the first read.
  func price(of cost: PeekCost) -> Int { unitRows < height ? cost.first : cost.later }

  /// Whether ten reads of the average cost are worth less than 1.1 full decodes.
  func isCheap(_ pixels: Int, reads: Int = 1) -> Bool {
    100 * pixels <= 11 * reads * picture.storedSize.area
  }

  /// Returns the rows of the units that this read must decode; nil if it reads parts.
  private func rowsToDecode(for stored: PixelRegion, _ cost: Int) -> Range<Int>? {
    let foot = min(height, (stored.maxY - 1) / unitRows * unitRows + unitRows)
    let units = stored.y / unitRows * unitRows..<foot
    // Where data is irregular, units cost a pass from the top; one pass may decode all of them.
    let rows = cost > picture.storedSize.width * units.count ? 0..<height : units
    return known.withLock { known -> Range<Int>? in
      known.reads += 1
      known.spent += cost
      guard known.failed.isDisjoint(RangeSet(rows)) else { return nil }
      if !known.kept.decoded.isEmpty, rows == units { return rows }
      guard !isCheap(cost) else { return nil }
      let isDue = known.reads > 1 && !isCheap(known.spent, reads: known.reads)
      return isDue || rows.count < height ? rows : nil
    }
  }

  /// Decodes those rows that are missing, as far as memory suffices; later, it may be free.
  private func decode(
    _ rows: Range<Int>, by read: (PixelRegion) throws(PipelineError) -> RegionAnswer
  ) -> Work {
    let (missing, generation) = known.withLock { known in
      (RangeSet(rows).subtracting(known.kept.decoded).ranges, known.generation)
    }
    var work = Work.none
    for run in missing {
      let part = PixelRegion(whole: picture.storedSize).rows(run)
      let byteCount = part.area * picture.bands * picture.format.byteCount
      guard let reservation = picture.limits.memory.reserve(byteCount) else { break }
      let answer = try? read(part)
      // It is not known how far the decoder came before an error.
      work = work + (answer?.work ?? Work(bytesRead: nil, pixelsDecoded: nil, pixelsDelivered: 0))
      known.withLock { known -> Void in
        guard known.generation == generation else { return }
        if let pixels = answer?.pixels, pixels.bytes.count == byteCount {
          known.kept.insert(pixels, at: run.lowerBound)
          known.reservations.append(reservation)
        } else {
          known.failed.insert(contentsOf: run)
        }
      }
    }
    return work
  }
}
