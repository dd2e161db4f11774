internal import Synchronization
internal import ZoomGeometry

/// Reads by libvips' random access: what an engineer gets from opening a picture and cropping.
///
/// libvips reads tiled formats tile by tile. It decodes other pictures whole at the first read and
/// keeps the raster: in memory, or above 100 MB in a temporary file.
package struct RandomPipeline: PicturePipeline {
  package let name = "random"
  package let summary = "libvips random access"
  package let limits: PictureLimits

  package init(limits: PictureLimits = .standard) { self.limits = limits }

  package func open(_ picture: Picture) throws(PipelineError) -> any RegionSource {
    // Check before decoding, and again when the raster is made: other sources may use the budget.
    _ = try picture.reserveRandomAccess(name)
    return RandomSource(picture: picture)
  }
}

final class RandomSource: StoredSource {
  let picture: Picture
  private let kept = Mutex<(image: Image, reservation: MemoryBudget.Reservation?)?>(nil)
  /// The levels in the file; nil until they are looked for.
  private let levels = Mutex<[Reduction: Image]?>(nil)

  init(picture: Picture) { self.picture = picture }

  var state: SourceState {
    guard kept.withLock({ $0 != nil }) else { return .nothing }
    return picture.reach == .regions ? .openFile : .raster
  }

  var explanation: String {
    switch picture.reach {
    case .regions: "the format is stored in parts that libvips reads alone"
    case .fromTheTop:
      "libvips decodes the whole picture at the first peek and keeps it"
        + (picture.keepsRasterOnDisk ? ", \(picture.rasterByteCount.megabytes) on disk" : "")
    }
  }

  func cost(of stored: PixelRegion) -> PeekCost? {
    guard picture.reach == .regions else {
      return PeekCost(first: picture.storedSize.area, later: 0)
    }
    return picture.tiff?.tile.map { PeekCost(each: stored.area(inTilesOf: $0)) }
  }

  func readStored(_ stored: PixelRegion) throws(PipelineError) -> RegionAnswer {
    let (image, isFirst) = try opened()
    // If two reads overlap, each counts the bytes of both, so that none are left out.
    let before = isFirst ? 0 : image.bytesRead
    try picture.tiff?.expectTiles(of: stored, in: picture)
    do {
      let pixels = try image.read(stored, of: picture.path)
      var work = Work.fromMemory(delivering: stored.area)
      work.bytesRead = image.bytesRead.flatMap { after in before.map { after - $0 } }
      // libvips does not report which tiles it decodes for a region or has in its cache.
      work.pixelsDecoded =
        picture.reach == .regions ? nil : isFirst ? picture.storedSize.area : 0
      return RegionAnswer(pixels: pixels, work: work)
    } catch {
      // Drop the image after a failed decode: libvips would return its unwritten rows later.
      forget()
      throw error
    }
  }

  func readLevel(
    _ stored: PixelRegion, reducedBy reduction: Reduction
  ) throws(PipelineError) -> RegionAnswer? {
    guard let level = try openedLevels()[reduction] else { return nil }
    let before = level.bytesRead
    let whole = picture.storedSize.reduced(by: reduction)
    do {
      // A level that was rounded down lacks the pixels of partial blocks: its ends are repeated.
      let extended = try level.size == whole ? level : level.smeared(onto: whole, x: 0, y: 0)
      let pixels = try extended.read(stored.reduced(by: reduction.rawValue), of: picture.path)
      return RegionAnswer(
        pixels: pixels,
        work: Work(
          bytesRead: level.bytesRead.flatMap { after in before.map { after - $0 } },
          pixelsDecoded: nil, pixelsDelivered: pixels.size.area),
        resampling: .stored)
    } catch {
      forget()
      throw error
    }
  }

  func forget() {
    kept.withLock { $0 = nil }
    levels.withLock { $0 = nil }
  }

  func storedReductions() throws(PipelineError) -> [Reduction] {
    try openedLevels().keys.sorted { $0.rawValue > $1.rawValue }
  }

  /// Returns the levels in the file, which are opened the first time.
  private func openedLevels() throws(PipelineError) -> [Reduction: Image] {
    guard picture.reach == .regions else { return [:] }
    if let known = levels.withLock({ $0 }) { return known }
    let opened = try StoredLevel.all(of: picture)
    levels.withLock { $0 = opened }
    return opened
  }

  private func opened() throws(PipelineError) -> (image: Image, isFirst: Bool) {
    if let kept = kept.withLock({ $0 }) { return (kept.image, false) }
    let reservation = try picture.reserveRandomAccess("random")
    let image = try Image.open(picture, inAnyOrder: true)
    // Two threads may both open the file; one of the images is kept, and either is correct.
    kept.withLock { $0 = (image, reservation) }
    return (image, true)
  }
}
