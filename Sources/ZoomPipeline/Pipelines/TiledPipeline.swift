internal import Synchronization
internal import SystemPackage
package import ZoomGeometry

/// Reads tiles of a TIFF made from the picture beforehand, as image servers usually do.
///
/// The TIFF is compressed losslessly (deflate) and deleted with the pipeline. It lacks a pyramid:
/// libvips averages each level from the rounded one above it, so from the second level on the
/// pixels are not the mean of the picture's own blocks, which a reduction promises. A picture that
/// libvips can read in parts, such as a tiled TIFF, is read directly.
package final class TiledPipeline: PicturePipeline {
  package let name = "tiled"
  package let summary = "libvips on a tiled deflate TIFF made from the picture"
  /// The side of a tile in pixels; image servers mostly use 256.
  package static var tileSide: Int { 256 }
  package let limits: PictureLimits

  private struct Made {
    let version: FileVersion
    let tiff: FilePath
    let preparation: Preparation
  }

  private struct State: ~Copyable {
    /// The TIFFs that are kept, least recently used first.
    var made: [Made] = []
    /// The number of TIFFs made so far, which is the name of the last.
    var count = 0
    var scratch: ScratchFolder?
  }

  private let state = Mutex(State())
  /// The largest number of TIFFs kept, beside those that sources have open.
  ///
  /// A TIFF may be as large as its picture's raster.
  package static var mostKept: Int { 4 }

  package init(limits: PictureLimits = .standard) { self.limits = limits }

  package func removeFiles() {
    state.withLock { state in
      state.made = []
      state.scratch?.remove()
      state.scratch = nil
    }
  }

  package func prepare(_ picture: Picture) throws(PipelineError) -> Preparation? {
    picture.reach == .regions ? nil : try withTIFF(of: picture) { $0.preparation }
  }

  func preparedFile(for path: FilePath) -> FilePath? {
    guard let version = try? FileVersion(of: path) else { return nil }
    return state.withLock { state in state.made.first { $0.version == version }?.tiff }
  }

  package func open(_ picture: Picture) throws(PipelineError) -> any RegionSource {
    guard picture.reach == .fromTheTop else { return RandomSource(picture: picture) }
    return try withTIFF(of: picture) { made throws(PipelineError) in
      try TiledSource(picture: picture, tiff: try Picture(made.tiff, limits: picture.limits))
    }
  }

  package func assess(_ picture: Picture) throws(PipelineError) -> String {
    if picture.reach == .regions { return "libvips reads parts of it as it is" }
    try assertTIFFCanHold(picture)
    try assertRoom(for: picture, in: TemporaryDisk.folder)
    return "once a tiled TIFF of it is made; its raster is \(picture.rasterByteCount.megabytes)"
  }

  package func cost(
    of region: PixelRegion, in picture: Picture
  ) throws(PipelineError) -> PeekCost? {
    if picture.reach == .regions {
      return try RandomPipeline(limits: limits).cost(of: region, in: picture)
    }
    guard let tile = try? PixelSize(width: Self.tileSide, height: Self.tileSide) else { return nil }
    let stored = try picture.storedRegion(for: region)
    return PeekCost(each: stored.area(inTilesOf: tile))
  }

  /// Calls the body with a picture's TIFF, which is made first if needed.
  ///
  /// The lock is held meanwhile, so that a second thread does not remove the TIFF or make another.
  private func withTIFF<Result>(
    of picture: Picture, _ body: (Made) throws(PipelineError) -> Result
  ) throws(PipelineError) -> Result {
    try assertTIFFCanHold(picture)
    return try state.withLock { state throws(PipelineError) in
      if let index = state.made.firstIndex(where: { $0.version == picture.version }) {
        let ready = state.made.remove(at: index)
        state.made.append(ready)
        return try body(ready)
      }
      let folder: FilePath
      if let scratch = state.scratch {
        folder = scratch.path
      } else {
        let scratch = try ScratchFolder()
        folder = scratch.path
        state.scratch = scratch
      }
      state.count += 1
      let entry = try convert(picture, to: folder.appending("\(state.count).tif"))
      state.made.append(entry)
      while state.made.count > Self.mostKept {
        OpenFolder.working.removeAll(state.made.removeFirst().tiff)
      }
      return try body(entry)
    }
  }

  private func assertTIFFCanHold(_ picture: Picture) throws(PipelineError) {
    // A TIFF's lightness is unsigned, so libvips (8.14, vips2tiff.c) writes 0 for a negative one,
    // which libvips itself makes from associated alpha: it divides the 16 bits as a signed number.
    guard picture.interpretation == .labs else { return }
    throw .refusal(
      name, picture.path, "a TIFF cannot hold its lightness, which may be negative")
  }

  private func assertRoom(for picture: Picture, in folder: FilePath) throws(PipelineError) {
    try picture.assertPassFits(name)
    // Deflate may not make the raster smaller.
    try TemporaryDisk.assertHolds(
      picture.rasterByteCount, in: folder, operation: name, picture.path)
  }

  private func convert(
    _ picture: Picture, to tiff: FilePath
  ) throws(PipelineError) -> Made {
    try assertRoom(for: picture, in: tiff.removingLastComponent())
    let start = ContinuousClock.now
    // If several threads of libvips write (8.14), the error of a truncated file is sometimes lost,
    // so the picture is decoded once before to find the damage.
    try Image.open(picture).decodeThrough(picture.path)
    try Image.open(picture)
      .write(to: tiff, as: .tiledTIFF(tile: Self.tileSide, pyramid: false))
    try picture.assertUnchanged()
    let elapsed = start.duration(to: .now)
    return Made(
      version: picture.version, tiff: tiff,
      preparation: Preparation(
        byteCount: try FileVersion(of: tiff).length,
        nanoseconds: UInt64(elapsed / .nanoseconds(1))))
  }
}

private final class TiledSource: StoredSource {
  let picture: Picture
  private let source: RandomSource

  init(picture: Picture, tiff made: Picture) throws(PipelineError) {
    guard made.storedSize == picture.storedSize, made.bands == picture.bands,
      made.format == picture.format, made.interpretation == picture.interpretation
    else {
      throw .refusal(
        "tiled", picture.path,
        "a TIFF cannot hold its pixels as they are"
          + " (\(picture.bands) bands of \(picture.format.rawValue),"
          + " \(picture.interpretation.rawValue))")
    }
    self.picture = picture
    source = RandomSource(picture: made)
  }

  var state: SourceState { source.state }
  var openingWork: Work { picture.openingWork + source.openingWork }
  var explanation: String { "reads the tiles that the region touches" }

  func readStored(_ stored: PixelRegion) throws(PipelineError) -> RegionAnswer {
    let answer = try source.readStored(stored)
    // Checks the open file, because its name may have been removed.
    try source.picture.file.assertUnwritten()
    return answer
  }

  func forget() { source.forget() }
}
