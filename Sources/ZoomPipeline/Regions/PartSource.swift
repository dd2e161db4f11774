internal import Synchronization
internal import ZoomGeometry

/// A source that decodes only the coded parts that a region needs.
protocol PartialSource: StoredSource, IndexCompletingSource {
  /// Returns a function that decodes the carved files of a stored region later.
  ///
  /// The function returns nil if the files are not decoded as the whole file is.
  func carved(
    _ stored: PixelRegion
  ) throws(PipelineError) -> @Sendable () throws(PipelineError) -> Pixels?
}

/// Reads the parts that a format's reader plans and carves.
final class PartSource<Reader: RegionReader>: PartialSource {
  let picture: Picture
  let reader: Reader
  let openingWork: Work
  /// Reads the picture where its coded data turns out to be irregular.
  private let fallback: SequentialSource
  /// The rows kept because parts cost too much; nil if only parts are read.
  private let raster: AdaptiveRaster?
  /// The foot of the highest region with irregular data; a pass may have to read regions below it.
  private let irregularFoot = Mutex(Int.max)

  /// Creates a source; `bytesBefore` and `fetchedBefore` count what was read of the file before the
  /// reader was made.
  init(
    _ picture: Picture, _ reader: Reader, bytesBefore: Int, fetchedBefore: Work.Fetched? = nil,
    isAdaptive: Bool = false
  ) {
    self.picture = picture
    self.reader = reader
    let isKept = isAdaptive && picture.rasterByteCount <= picture.limits.memory.limit
    raster = isKept ? AdaptiveRaster(picture) : nil
    fallback = SequentialSource(picture: picture)
    openingWork =
      picture.openingWork
      + Work(
        opening: picture.file.bytesRead - bytesBefore + reader.storedBytesRead,
        fetched: picture.file.fetched(since: fetchedBefore))
  }

  var state: SourceState {
    raster?.isDecoded == true ? .raster : reader.index?.hasGrown == true ? .index : .openFile
  }

  var explanation: String {
    let parts = "\(reader.method): \(reader.explanation)"
    guard raster != nil else { return parts }
    let kept =
      switch reader.keptUnit(of: PixelRegion(whole: picture.storedSize)) {
      case .rows: "their rows are kept, at most"
      case .parts, .whole: "the picture is decoded once and kept in"
      }
    return parts + "; if peeks cost over 11 % of a full decode, \(kept)"
      + " \(picture.rasterByteCount.megabytes)"
  }

  /// Returns the costs of the first peek and of later ones, 0 if the region is kept by then.
  func cost(of stored: PixelRegion) -> PeekCost? {
    let cost = costWithoutRaster(of: stored)
    guard let raster, !raster.isCheap(price(of: cost)) else { return cost }
    return PeekCost(first: cost.first, later: 0)
  }

  /// Returns the cost that decides what is kept: without growing an index, which is done once.
  private func price(of cost: PeekCost) -> Int { reader.index == nil ? cost.first : cost.later }

  /// Returns the costs of reading parts, or of a pass from the top where it must be expected.
  private func costWithoutRaster(of stored: PixelRegion) -> PeekCost {
    let isPass = irregularFoot.withLock { $0 <= stored.maxY }
    return (isPass ? fallback.cost(of: stored) : nil) ?? reader.cost(of: stored)
  }

  func completeIndex() throws(PipelineError) { try reader.index?.completeIndex() }

  func forget() {
    raster?.forget()
    irregularFoot.withLock { $0 = .max }
    reader.index?.forget()
  }

  /// Checks, also by its time of change, that the file is still the one whose offsets are known.
  func assertUnchanged(since failedReads: Int) throws(PipelineError) {
    try picture.file.assertUntouched(since: failedReads)
  }

  func readStored(_ stored: PixelRegion) throws(PipelineError) -> RegionAnswer {
    guard let raster else { return try readParts(stored) }
    return try raster.answer(
      stored, cost: price(of: costWithoutRaster(of: stored)), reader.keptUnit(of: stored),
      read: readParts, decode: fallback.readStored)
  }

  private func readParts(_ stored: PixelRegion) throws(PipelineError) -> RegionAnswer {
    let plan = try reader.plan(stored)
    if let answer = try read(stored, plan, .none, reader.carve) { return answer.adding(plan.work) }
    let answer = try fallback.readStored(stored)
    irregularFoot.withLock { $0 = min($0, stored.maxY) }
    return answer.adding(plan.work)
  }

  /// Reads by the decoder's reduction, always from parts, so that equal requests get equal pixels.
  func readStored(
    _ stored: PixelRegion, reducedBy reduction: Reduction
  ) throws(PipelineError) -> RegionAnswer? {
    guard let plan = try reader.plan(stored, reducedBy: reduction) else { return nil }
    if let answer = try read(stored, plan, reduction, reader.carve) {
      return answer.adding(plan.work)
    }
    return try fallback.readStored(stored, reducedBy: reduction)?.adding(plan.work)
  }

  func carved(
    _ stored: PixelRegion
  ) throws(PipelineError) -> @Sendable () throws(PipelineError) -> Pixels? {
    let plan = try reader.plan(stored)
    var files: [RegionBand: CarvedFile] = [:]
    for band in plan.bands ?? [] { files[band] = try reader.carve(band) }
    return { [files] () throws(PipelineError) in
      try self.read(stored, plan, .none) { files[$0] }?.pixels
    }
  }

  /// Decodes the bands of a plan, each into its rows of the region.
  /// - Returns: nil if the data is irregular.
  private func read(
    _ stored: PixelRegion, _ plan: RegionPlan, _ reduction: Reduction,
    _ carve: @Sendable (RegionBand) throws(PipelineError) -> CarvedFile?
  ) throws(PipelineError) -> RegionAnswer? {
    guard let bands = plan.bands else { return nil }
    let whole = stored.reduced(by: reduction.rawValue)
    let rowBytes = whole.width * picture.bands * picture.format.byteCount
    let byteCount = rowBytes * whole.height
    var works: [Work] = []
    // A read that waits for a server must not hold up others.
    let isTurned = plan.isParallel && !picture.file.isRemote
    let turn = ReadTurn.begin(pixels: isTurned ? stored.area : 0)
    defer { turn.end() }
    let bytes = try unsafe [UInt8](writing: byteCount) { buffer throws(PipelineError) in
      // Each band writes only its own rows, and no thread reads before all bands are done.
      nonisolated(unsafe) let buffer = unsafe buffer
      @Sendable func decode(_ number: Int) throws(PipelineError) -> Work? {
        guard let file = try carve(bands[number]) else { return nil }
        let rows = bands[number].region.reduced(by: reduction.rawValue)
        let start = (rows.y - whole.y) * rowBytes
        let target = unsafe UnsafeMutableBufferPointer(
          rebasing: buffer[start..<start + rows.height * rowBytes])
        let isDecoded = try unsafe reader.decode(file, bands[number], of: picture, into: target)
        return isDecoded ? file.work : nil
      }
      if plan.isParallel {
        works = try concurrently(bands.count, decode).compactMap(\.self)
      } else {
        for number in bands.indices {
          guard let work = try decode(number) else { break }
          works.append(work)
        }
      }
      return works.count == bands.count ? byteCount : 0
    }
    guard works.count == bands.count else { return nil }
    var work = works.reduce(Work.none, +)
    work.pixelsDelivered = whole.area
    return RegionAnswer(
      pixels: Pixels(
        size: whole.size, bands: picture.bands, format: picture.format,
        interpretation: picture.interpretation, bytes: bytes),
      work: work, resampling: reduction == .none ? .none : .decoder)
  }
}

extension RegionAnswer {
  func adding(_ more: Work) -> RegionAnswer {
    RegionAnswer(pixels: pixels, work: work + more, resampling: resampling)
  }

  /// Returns the answer with what was fetched for it; reads at the same time count each other's.
  func fetching(_ fetched: Work.Fetched?) -> RegionAnswer {
    var work = work
    work.fetched = fetched
    return RegionAnswer(pixels: pixels, work: work, resampling: resampling)
  }
}
