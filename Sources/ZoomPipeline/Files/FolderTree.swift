internal import Synchronization
internal import SystemPackage

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Removes folders with their content through open descriptors.
///
/// Symbolic links are not followed, and a path is looked up only once.
enum FolderTree {
  /// The file that identifies a scratch folder.
  static let marker: FilePath.Component = ".zoombench-scratch"

  /// Deeper folders are kept, because each level holds a descriptor.
  private static let deepest = 200

  /// Removes a file, or a folder with its content.
  static func remove(_ path: FilePath) {
    unsafe path.withPlatformString { name in unsafe remove(name, in: AT_FDCWD, depth: 0) }
  }

  private static let inUse = Mutex<Set<FilePath>>([])

  /// Registers a temporary file or folder that is to be removed when a signal ends the process.
  static func beginUsing(_ path: FilePath) { _ = inUse.withLock { $0.insert(path) } }

  static func endUsing(_ path: FilePath) { _ = inUse.withLock { $0.remove(path) } }

  static func removeAllInUse() {
    for path in inUse.withLock({ $0 }) { remove(path) }
  }

  private static func remove(_ name: UnsafePointer<CChar>, in parent: CInt, depth: Int) {
    // A folder cannot be unlinked, but a link to one can.
    if unsafe unlinkat(parent, name, 0) == 0 || errno == ENOENT { return }
    let opened = unsafe openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    // It is a file or a link in a folder that this user may not change.
    guard opened >= 0 else { return }
    if depth < deepest {
      // A program may have made the folder read-only.
      _ = fchmod(opened, 0o700)
      unsafe forEachName(opened) { unsafe remove($0, in: opened, depth: depth + 1) }
    }
    close(opened)
    _ = unsafe unlinkat(parent, name, AT_REMOVEDIR)
  }

  private static func forEachName(_ folder: CInt, _ body: (UnsafePointer<CChar>) -> Void) {
    // Closing the stream closes its descriptor.
    let copy = fcntl(folder, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0 else { return }
    guard let stream = unsafe fdopendir(copy) else {
      close(copy)
      return
    }
    defer { unsafe closedir(stream) }
    while let entry = unsafe readdir(stream) {
      unsafe withUnsafePointer(to: &entry.pointee.d_name) { tuple in
        unsafe tuple.withMemoryRebound(to: CChar.self, capacity: 256) { name in
          let isDots = unsafe strcmp(name, ".") == 0 || strcmp(name, "..") == 0
          if !isDots { unsafe body(name) }
        }
      }
    }
  }

  /// Folders already searched, by device and inode.
  private static let swept = Mutex<Set<[UInt64]>>([])
  private static let mostSwept = 10_000
  /// The seconds without a change after which an entry counts as abandoned.
  static let leastAge = 3600

  /// Removes the temporary entries in a folder whose processes were killed; once per process.
  ///
  /// A folder with content is removed only if it holds the marker. Entries that changed recently
  /// are kept, because their process may be on another host (see `OwnerLock`).
  static func removeAbandoned(in folder: CInt) {
    var status = stat()
    guard unsafe fstat(folder, &status) == 0 else { return }
    let identity = [UInt64(status.st_dev), UInt64(status.st_ino)]
    let isNew = swept.withLock { swept in
      if swept.count >= mostSwept { swept = [] }
      return swept.insert(identity).inserted
    }
    guard isNew else { return }
    unsafe forEachName(folder) { name in
      let text = unsafe String(cString: name)
      guard TemporaryName.isOne(text), let lock = OwnerLock.claim(FilePath(text), in: folder) else {
        return
      }
      defer { try? lock.close() }
      var status = stat()
      guard unsafe fstat(lock.rawValue, &status) == 0,
        FileVersion.Moment(modificationOf: status).seconds
          < FileVersion.Moment.now().seconds - leastAge
      else { return }
      let isFolder = status.st_mode & S_IFMT == S_IFDIR
      let isMarked = unsafe marker.string.withCString { marker in
        unsafe fstatat(lock.rawValue, marker, &status, AT_SYMLINK_NOFOLLOW) == 0
      }
      if isFolder, !isMarked {
        _ = unsafe unlinkat(folder, name, AT_REMOVEDIR)
      } else {
        unsafe remove(name, in: folder, depth: 0)
      }
    }
  }
}
