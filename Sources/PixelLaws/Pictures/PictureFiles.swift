internal import Synchronization
package import SystemPackage
internal import ZoomGeometry
package import ZoomPipeline

/// Test pictures as files in a scratch folder, made once each and kept while they are used.
///
/// A run asks for the same picture many times while it shrinks, and a law for a pair of them. Files
/// go when nothing holds them and newer ones have taken their place in the cache, and all of them
/// with the last reference to this.
package final class PictureFiles: Sendable {
  /// A test picture's file; it is removed with the last reference.
  package final class KeptFile: Sendable {
    /// The picture.
    package let picture: TestPicture
    /// Where it stands.
    package let path: FilePath
    /// The picture as it is to be seen; nil where the file does not hold the very samples.
    package let upright: Pixels?
    /// Keeps the folder until the last of its files is gone.
    private let folder: ScratchFolder

    fileprivate init(
      _ picture: TestPicture, number: Int, in folder: ScratchFolder
    ) throws(PipelineError) {
      self.picture = picture
      self.folder = folder
      path = folder.path.appending("\(number).\(picture.container.suffix)")
      let stored = picture.storedPixels()
      upright = picture.container.isLossless ? stored.seen(through: picture.orientation) : nil
      try picture.write(stored, to: path)
    }

    deinit { try? FileSystem.remove(path) }

    /// The picture as it is to be seen, decoded whole where the file holds other samples.
    ///
    /// - Throws: `PipelineError` when it cannot be decoded.
    package func whole() throws(PipelineError) -> Pixels {
      if let upright { return upright }
      // Held here, so that the file is not removed while it is read.
      defer { extendLifetime(self) }
      return try ReferencePicture(path).whole()
    }
  }

  private struct Shelf {
    var folder: ScratchFolder?
    var files: [TestPicture: KeptFile] = [:]
    /// Oldest first.
    var order: [TestPicture] = []
    var bytes = 0
    var made = 0
  }
  private let shelf = Mutex(Shelf())
  private let mostBytes: Int

  /// A cache that keeps files of so many bytes of raster.
  ///
  /// - Parameter mostBytes: 64 MB hold thousands of small pictures, or one of 4000x3000.
  package init(mostBytes: Int = 64 << 20) { self.mostBytes = mostBytes }

  /// One for all that has no reason for its own.
  ///
  /// Nothing ever lets go of it, so its folder is removed when the process ends.
  package static let shared: PictureFiles = {
    FileSystem.atExit { PictureFiles.shared.removeFiles() }
    return PictureFiles()
  }()

  /// How many files were made so far.
  package var made: Int { shelf.withLock { $0.made } }

  /// The folder of the files; nil before the first.
  package var folder: FilePath? { shelf.withLock { $0.folder?.path } }

  /// The file of a picture, made now if it is not there.
  ///
  /// - Throws: `PipelineError` when it cannot be made.
  package func file(of picture: TestPicture) throws(PipelineError) -> KeptFile {
    if let file = shelf.withLock({ $0.files[picture] }) { return file }
    let (folder, number) = try shelf.withLock { shelf throws(PipelineError) in
      shelf.made += 1
      if let folder = shelf.folder { return (folder, shelf.made) }
      let folder = try ScratchFolder()
      shelf.folder = folder
      return (folder, shelf.made)
    }
    // Outside the lock: two threads may make the same picture under two names, which does no harm.
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

  /// Removes all files now; those in use keep working as far as they are open.
  package func removeFiles() {
    shelf.withLock { shelf in
      shelf.files = [:]
      shelf.order = []
      shelf.bytes = 0
      shelf.folder?.remove()
      shelf.folder = nil
    }
  }

  /// Two rasters, the one kept and about as much in the file, and a file system block.
  private static func cost(of picture: TestPicture) -> Int {
    4096 + 2 * picture.storedSize.area * picture.bands * picture.depth.rawValue / 8
  }
}
