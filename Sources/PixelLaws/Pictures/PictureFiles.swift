internal import Synchronization
internal import SystemPackage
internal import ZoomGeometry
internal import ZoomPipeline

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A cache of test pictures as files in a scratch folder.
///
/// A run asks for the same picture many times while it shrinks, and some laws ask for pairs of
/// pictures. A file is removed when neither the cache nor a caller refers to it.
final class PictureFiles: Sendable {
  /// A test picture's file; it is removed with the last reference.
  final class KeptFile: Sendable {
    let path: FilePath
    /// The upright pixels; nil if the file is lossy.
    let upright: Pixels?
    /// Keeps the folder while any of its files is in use.
    private let folder: ScratchFolder

    fileprivate init(
      _ picture: TestPicture, number: Int, in folder: ScratchFolder
    ) throws(PipelineError) {
      self.folder = folder
      path = folder.path.appending("\(number).\(picture.container.suffix)")
      let stored = picture.storedPixels()
      upright = picture.container.isLossless ? stored.seen(through: picture.orientation) : nil
      try picture.write(stored, to: path)
    }

    deinit { _ = path.withPlatformString { unlink($0) } }

    /// Returns the upright pixels; a lossy file is decoded for them.
    func whole() throws(PipelineError) -> Pixels {
      if let upright { return upright }
      // Keeps the file from being removed while it is read.
      defer { extendLifetime(self) }
      return try ReferencePicture(path).whole()
    }
  }

  private struct Shelf {
    var folder: ScratchFolder?
    var files: [TestPicture: KeptFile] = [:]
    /// The pictures, oldest first.
    var order: [TestPicture] = []
    var bytes = 0
    var made = 0
  }
  private let shelf = Mutex(Shelf())
  private let mostBytes: Int

  /// Creates a cache that keeps files up to an estimated total size.
  ///
  /// - Parameter mostBytes: 64 MB hold thousands of small pictures; the newest file is always kept.
  init(mostBytes: Int = 64 << 20) { self.mostBytes = mostBytes }

  /// The process-wide cache, for callers that need no separate one.
  ///
  /// It is never released, so its folder is removed when the process exits.
  static let shared: PictureFiles = {
    atexit { PictureFiles.shared.removeFiles() }
    return PictureFiles()
  }()

  /// Returns the file of a picture; makes it if the cache has none.
  func file(of picture: TestPicture) throws(PipelineError) -> KeptFile {
    if let file = shelf.withLock({ $0.files[picture] }) { return file }
    let (folder, number) = try shelf.withLock { shelf throws(PipelineError) in
      shelf.made += 1
      if let folder = shelf.folder { return (folder, shelf.made) }
      let folder = try ScratchFolder()
      shelf.folder = folder
      return (folder, shelf.made)
    }
    // Outside the lock: two threads may make the same picture under two names, which is harmless.
    let file = try KeptFile(picture, number: number, in: folder)
    shelf.withLock { shelf in
      guard shelf.files.updateValue(file, forKey: picture) == nil else { return }
      shelf.order.append(picture)
      shelf.bytes += Self.cost(of: picture)
      while shelf.bytes > mostBytes, shelf.order.count > 1 {
        let oldest = shelf.order.removeFirst()
        shelf.files[oldest] = nil
        shelf.bytes -= Self.cost(of: oldest)
      }
    }
    return file
  }

  /// Removes all files at once; readers that have a file open can finish.
  func removeFiles() {
    shelf.withLock { shelf in
      shelf.files = [:]
      shelf.order = []
      shelf.bytes = 0
      shelf.folder?.remove()
      shelf.folder = nil
    }
  }

  /// Returns the cost: the raster in memory, about as much on disk, and a file system block.
  private static func cost(of picture: TestPicture) -> Int {
    4096 + 2 * picture.storedSize.area * picture.bands * picture.depth.rawValue / 8
  }
}
