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

  /// Makes a new folder that only this user can read.
  /// - Throws: `PipelineError` when the folder cannot be made.
  public convenience init() throws(PipelineError) {
    let parent = FilePath(unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp")
    try self.init(
      template: parent.appending("zoombench.XXXXXX"), in: parent,
      advice: "set TMPDIR to a folder that can be written")
  }

  /// Makes a hidden folder beside a path, that `publish(as:)` can make the path's own.
  package convenience init(beside path: FilePath) throws(PipelineError) {
    let parent = path.removingLastComponent()
    try self.init(
      template: parent.appending(".\(path.lastComponent?.string ?? "folder").XXXXXX"), in: parent,
      advice: "choose a place that can be written and has room")
  }

  private init(
    template: FilePath, in parent: FilePath, advice: String
  ) throws(PipelineError) {
    var template = Array(template.string.utf8CString)
    let made = unsafe template.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress, let name = unsafe mkdtemp(base) else {
        return String?.none
      }
      return unsafe String(cString: name)
    }
    guard let made else {
      throw PipelineError(
        .unwritable, operation: "make a scratch folder", file: parent,
        reason: "\(Errno(rawValue: errno))", advice: advice)
    }
    let path = FilePath(made)
    self.path = path
    Self.living.withLock { _ = $0.insert(path) }
  }

  /// Gives the folder its final name and to everybody to read: a reader sees all of it or nothing.
  /// - Parameter name: on the same file system; nothing may stand there but an empty folder.
  /// - Throws: `PipelineError` when the name is taken; the folder stays a scratch folder.
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
    let path = path
    Self.living.withLock { _ = $0.remove(path) }
  }

  /// Folders that are not removed yet.
  private static let living = Mutex<Set<FilePath>>([])

  /// Removes every scratch folder of the process, for when a signal ends it.
  public static func removeAll() {
    for path in living.withLock({ $0 }) { removeTree(path) }
  }

  /// Makes a folder and has the whole process put its temporary files there, libvips' own too.
  ///
  /// libvips looks once for where temporary files go, so this comes before anything else of it.
  /// - Returns: the folder; whoever called removes it.
  /// - Throws: `PipelineError` when the folder cannot be made.
  package static func forAllTemporaryFiles() throws(PipelineError) -> ScratchFolder {
    let folder = try ScratchFolder()
    unsafe setenv("TMPDIR", folder.path.string, 1)
    return folder
  }

  deinit { remove() }

  /// Removes the folder and all that is in it; safe to call more than once.
  public func remove() {
    Self.removeTree(path)
    let path = path
    Self.living.withLock { _ = $0.remove(path) }
  }

  private static func removeTree(_ path: FilePath) {
    guard let folder = unsafe path.withPlatformString({ name in unsafe opendir(name) }) else {
      return
    }
    while let entry = unsafe readdir(folder) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { tuple in
        unsafe tuple.withMemoryRebound(to: CChar.self, capacity: 256) { characters in
          unsafe String(cString: characters)
        }
      }
      if name == "." || name == ".." { continue }
      let child = path.appending(name)
      // A folder cannot be unlinked; a link to one can, and is not followed.
      let unlinked = unsafe child.withPlatformString { file in unsafe unlink(file) }
      if unlinked != 0 { removeTree(child) }
    }
    unsafe closedir(folder)
    _ = unsafe path.withPlatformString { name in unsafe rmdir(name) }
  }
}
