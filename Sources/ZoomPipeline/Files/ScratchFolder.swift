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
  private let entry: Mutex<TemporaryEntry?>

  /// The file that identifies a scratch folder.
  static let marker: FilePath = ".zoombench-scratch"

  /// Creates a folder that only this user can read.
  /// - Throws: `PipelineError` when the folder cannot be created.
  public convenience init() throws(PipelineError) {
    let parent = TemporaryDisk.folder
    try self.init(in: parent, advice: "set TMPDIR to a folder that can be written") {
      parent.appending(TemporaryName.scratch + TemporaryName.word())
    }
  }

  /// Creates a hidden folder beside a path, to which `publish(as:)` can rename it.
  package convenience init(beside path: FilePath) throws(PipelineError) {
    try self.init(
      in: path.removingLastComponent(), advice: "choose a place that can be written and has room"
    ) {
      TemporaryName.random(beside: path)
    }
  }

  private init(
    in parent: FilePath, advice: String, named name: () -> FilePath
  ) throws(PipelineError) {
    (try? OpenFolder(parent))?.removeAbandoned()
    do {
      let made = try TemporaryEntry(nil, in: .working, named: name)
      try FileDescriptor.open(
        made.path.pushing(Self.marker), .writeOnly, options: [.create, .exclusiveCreate],
        permissions: .ownerReadWrite
      ).close()
      path = made.path
      entry = Mutex(made)
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
    do throws(Errno) {
      guard unsafe path.withPlatformString({ unsafe chmod($0, 0o755) }) == 0 else {
        throw Errno(rawValue: errno)
      }
      try OpenFolder.working.rename(path, to: name)
    } catch {
      throw PipelineError(
        .unwritable, operation: "write", file: name, reason: "\(error)",
        advice: "name a folder that is not there yet, or is empty")
    }
    // Without its marker, the unpublished folder of a killed run would never be removed.
    OpenFolder.working.removeAll(name.pushing(Self.marker))
    remove()
  }

  /// Removes every scratch folder and unfinished file of the process when a signal ends it.
  ///
  /// From then on, creating another one throws.
  public static func removeAll() { TemporaryEntry.removeAllInUse() }

  /// Creates a folder for all temporary files of the process, including those of libvips.
  ///
  /// libvips reads the setting once, so call this before using it. The caller removes the folder.
  package static func forAllTemporaryFiles() throws(PipelineError) -> ScratchFolder {
    let folder = try ScratchFolder()
    unsafe setenv("TMPDIR", folder.path.string, 1)
    return folder
  }

  /// Removes the folder and its content, unless it was published; may be called more than once.
  public func remove() { entry.withLock { $0 = nil } }
}
