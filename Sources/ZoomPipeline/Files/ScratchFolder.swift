internal import Synchronization
public import SystemPackage

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A private folder for files that must not outlive the work: removed with all it holds.
public final class ScratchFolder: Sendable {
  /// The folder's path, in `TMPDIR` or the system's folder for temporary files.
  public let path: FilePath
  /// Open and locked while the folder is in use, so that a later run can tell that it is not left over.
  private let owner: Mutex<FileDescriptor?>

  /// Makes a new folder that only this user can read.
  /// - Throws: `PipelineError` when the folder cannot be made.
  public convenience init() throws(PipelineError) {
    let parent = TemporaryDisk.folder
    try self.init(
      template: parent.appending(TemporaryName.scratch + "XXXXXX"), in: parent,
      advice: "set TMPDIR to a folder that can be written")
  }

  /// Makes a hidden folder beside a path, that `publish(as:)` can make the path's own.
  package convenience init(beside path: FilePath) throws(PipelineError) {
    let parent = path.removingLastComponent()
    try self.init(
      template: parent.appending(
        TemporaryName.template(beside: path.lastComponent?.string ?? "folder")), in: parent,
      advice: "choose a place that can be written and has room")
  }

  private init(
    template: FilePath, in parent: FilePath, advice: String
  ) throws(PipelineError) {
    FolderTree.removeAbandoned(in: parent)
    do {
      let (path, lock) = try Self.make(template)
      self.path = path
      owner = Mutex(lock)
      Self.living.withLock { _ = $0.insert(path) }
    } catch {
      throw PipelineError(
        .unwritable, operation: "make a scratch folder", file: parent, reason: "\(error)",
        advice: advice)
    }
  }

  /// Makes and locks a folder.
  private static func make(_ template: FilePath) throws -> (FilePath, FileDescriptor) {
    while true {
      var name = Array(template.string.utf8CString)
      let made = unsafe name.withUnsafeMutableBufferPointer { buffer in
        guard let base = buffer.baseAddress, let name = unsafe mkdtemp(base) else {
          return String?.none
        }
        return unsafe String(cString: name)
      }
      guard let made else { throw Errno(rawValue: errno) }
      let path = FilePath(made)
      let lock: FileDescriptor
      do {
        lock = try FileDescriptor.open(
          path, .readOnly, options: [.directory, .closeOnExec, .noFollow])
      } catch Errno.noSuchFileOrDirectory { continue }
      if OwnerLock.take(lock, at: path) { return (path, lock) }
      try? lock.close()
    }
  }

  /// Gives the folder its final name and to everybody to read: a reader sees all of it or nothing.
  ///
  /// The name is on the same file system, and not taken but by an empty folder; when this throws, the
  /// folder stays a scratch folder.
  package func publish(as name: FilePath) throws(PipelineError) {
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

  /// Folders that are not removed yet.
  private static let living = Mutex<Set<FilePath>>([])

  /// Removes every scratch folder of the process, for when a signal ends it.
  public static func removeAll() {
    for path in living.withLock({ $0 }) { FolderTree.remove(path) }
  }

  /// Makes a folder and has the whole process put its temporary files there, libvips' own too.
  ///
  /// libvips looks once for where temporary files go, so this comes before anything else of it. Whoever
  /// calls removes the folder.
  package static func forAllTemporaryFiles() throws(PipelineError) -> ScratchFolder {
    let folder = try ScratchFolder()
    unsafe setenv("TMPDIR", folder.path.string, 1)
    return folder
  }

  deinit { remove() }

  /// Removes the folder and all that is in it; safe to call more than once.
  public func remove() {
    // Once only: another process may have taken the name since.
    guard owner.withLock({ $0 != nil }) else { return }
    FolderTree.remove(path)
    release()
  }

  private func release() {
    let path = path
    Self.living.withLock { _ = $0.remove(path) }
    owner.withLock { owner in
      try? owner?.close()
      owner = nil
    }
  }
}
