internal import Synchronization
public import SystemPackage

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A private folder for temporary files, which is removed with its content.
///
/// A marker file identifies it: a later run does not remove other folders, whatever their names.
public final class ScratchFolder: Sendable {
  /// The folder's path, in `TMPDIR` or the system's folder for temporary files.
  public let path: FilePath
  /// Open and locked while the folder is in use, which shows that it is not abandoned.
  private let owner: Mutex<FileDescriptor?>

  /// Creates a folder that only this user can read.
  /// - Throws: `PipelineError` when the folder cannot be created.
  public convenience init() throws(PipelineError) {
    try self.init(in: TemporaryDisk.folder, advice: "set TMPDIR to a folder that can be written") {
      FilePath.Component(TemporaryName.scratch + TemporaryName.word())
    }
  }

  /// Creates a hidden folder beside a path, to which `publish(as:)` can rename it.
  package convenience init(beside path: FilePath) throws(PipelineError) {
    let name = path.lastComponent ?? FilePath.Component("folder")
    try self.init(
      in: path.removingLastComponent(), advice: "choose a place that can be written and has room"
    ) {
      TemporaryName.random(beside: name)
    }
  }

  private init(
    in parent: FilePath, advice: String, named name: () -> FilePath.Component?
  ) throws(PipelineError) {
    (try? OpenFolder(parent))?.removeAbandoned()
    do {
      let made = try OwnerLock.create(nil, parent, named: name)
      let path = parent.appending(made.name)
      do {
        try FileDescriptor.open(
          path.appending(FolderTree.marker), .writeOnly, options: [.create, .exclusiveCreate],
          permissions: .ownerReadWrite
        ).close()
      } catch {
        FolderTree.remove(path)
        try? made.entry.close()
        throw error
      }
      self.path = path
      owner = Mutex(made.entry)
      FolderTree.beginUsing(path)
    } catch {
      throw PipelineError(
        .unwritable, operation: "make a scratch folder", file: parent, reason: "\(error)",
        advice: advice)
    }
  }

  /// Makes the folder readable for everyone and renames it: a reader sees all of it or nothing.
  ///
  /// The name must be on the same file system, and free or an empty folder. On an error, the folder
  /// stays a scratch folder of this process.
  package func publish(as name: FilePath) throws(PipelineError) {
    FolderTree.remove(path.appending(FolderTree.marker))
    let renamed = unsafe path.withPlatformString { from in
      unsafe name.withPlatformString { to in
        unsafe chmod(from, 0o755) == 0 && rename(from, to) == 0
      }
    }
    guard renamed else {
      throw PipelineError(
        .unwritable, operation: "write", file: name, reason: "\(Errno(rawValue: errno))",
        advice: "name a folder that is not there yet, or is empty")
    }
    release()
  }

  /// Removes every scratch folder and unfinished file of the process when a signal ends it.
  public static func removeAll() { FolderTree.removeAllInUse() }

  /// Creates a folder for all temporary files of the process, including those of libvips.
  ///
  /// libvips reads the setting once, so call this before using it. The caller removes the folder.
  package static func forAllTemporaryFiles() throws(PipelineError) -> ScratchFolder {
    let folder = try ScratchFolder()
    unsafe setenv("TMPDIR", folder.path.string, 1)
    return folder
  }

  deinit { remove() }

  /// Removes the folder and its content; may be called more than once.
  public func remove() {
    // Only once: another process may have created the name again.
    guard owner.withLock({ $0 != nil }) else { return }
    FolderTree.remove(path)
    release()
  }

  private func release() {
    FolderTree.endUsing(path)
    owner.withLock { owner in
      try? owner?.close()
      owner = nil
    }
  }
}
