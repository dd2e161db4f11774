internal import Synchronization
package import SystemPackage
internal import ZoomGeometry

/// Reads tiles of a TIFF made from the picture beforehand: the usual way of image servers.
///
/// The TIFF is tiled, pyramidal and losslessly compressed (deflate), so its pixels are the
/// picture's. It lives in a scratch folder and goes with the pipeline. A picture that is a tiled
/// TIFF already is read as it is.
package final class TiledPipeline: Pipeline {
  package let name = "tiled"
  package let summary = "libvips on a tiled, pyramidal deflate TIFF made from the picture"
  /// The sides of a tile in pixels: what image servers use most.
  package static var tileSide: Int { 256 }

  private struct Made {
    let tiff: FilePath
    let preparation: Preparation
  }
  private let made = Mutex<[FileVersion: Made]>([:])
  private let scratch = Mutex<ScratchFolder?>(nil)

  /// Makes the pipeline; its scratch folder comes with the first picture.
  package init() {}

  /// Removes the TIFFs made so far.
  package func removeFiles() {
    made.withLock { $0 = [:] }
    scratch.withLock { folder in
      folder?.remove()
      folder = nil
    }
  }

  package func prepare(_ path: FilePath) throws(PipelineError) -> Preparation? {
    let picture = try Picture(path)
    return try isTiled(picture) ? nil : tiff(of: picture).preparation
  }

  /// The TIFF made of a picture; nil when there is none.
  func preparedFile(for path: FilePath) -> FilePath? {
    guard let version = try? FileVersion(of: path) else { return nil }
    return made.withLock { $0[version]?.tiff }
  }

  package func open(_ path: FilePath) throws(PipelineError) -> any RegionSource {
    let picture = try Picture(path)
    let tiff = try isTiled(picture) ? path : tiff(of: picture).tiff
    return try TiledSource(picture: picture, tiff: tiff)
  }

  package func assess(_ path: FilePath) throws(PipelineError) -> String {
    let picture = try Picture(path)
    return isTiled(picture)
      ? "it is a tiled TIFF already"
      : "once a tiled TIFF of it is made; its raster is \(picture.rasterByteCount.megabytes)"
  }

  private func isTiled(_ picture: Picture) -> Bool {
    picture.loader == "tiffload" && picture.reach == .regions
  }

  private func tiff(of picture: Picture) throws(PipelineError) -> Made {
    // The lock is held while converting: a second thread must wait, not convert again.
    try made.withLock { made throws(PipelineError) in
      if let ready = made[picture.version] { return ready }
      let entry = try convert(picture, number: made.count)
      made[picture.version] = entry
      return entry
    }
  }

  private func convert(_ picture: Picture, number: Int) throws(PipelineError) -> Made {
    let folder = try scratch.withLock { folder throws(PipelineError) in
      if let folder { return folder.path }
      let made = try ScratchFolder()
      folder = made
      return made.path
    }
    let tiff = folder.appending("\(number).tif")
    let clock = ContinuousClock()
    let start = clock.now
    // libvips 8.14 crashes when the source of a pyramid fails in the middle, so it is decoded once
    // before: damage shows here, as an error.
    try Image.open(picture.path, access: .sequential).decodeThrough(picture.path)
    try Image.open(picture.path, access: .sequential)
      .write(to: tiff, as: .tiledTIFF(tile: Self.tileSide, pyramid: true))
    let elapsed = start.duration(to: clock.now).components
    return Made(
      tiff: tiff,
      preparation: Preparation(
        byteCount: try FileVersion(of: tiff).length,
        nanoseconds: UInt64(elapsed.seconds) * 1_000_000_000
          + UInt64(elapsed.attoseconds / 1_000_000_000)))
  }
}

private final class TiledSource: StoredSource {
  let picture: Picture
  private let source: RandomSource

  init(picture: Picture, tiff: FilePath) throws(PipelineError) {
    let made = try Picture(tiff)
    guard made.storedSize == picture.storedSize, made.bands == picture.bands,
      made.format == picture.format, made.interpretation == picture.interpretation
    else {
      throw PipelineError(
        .unsupported, operation: "tiled", file: picture.path,
        reason: "a TIFF cannot hold its pixels as they are"
          + " (\(picture.bands) bands of \(picture.format.rawValue),"
          + " \(picture.interpretation.rawValue))")
    }
    self.picture = picture
    source = RandomSource(picture: made)
  }

  var state: SourceState { source.state }
  var openingWork: Work { source.openingWork }
  var explanation: String { "reads the tiles that the region touches" }

  func readStored(_ stored: PixelRegion) throws(PipelineError) -> RegionAnswer {
    try source.picture.assertUnchanged()
    return try source.readStored(stored)
  }

  func forget() { source.forget() }
}
