package import SystemPackage

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// An open folder, whose files can be used even if its path later names another folder.
///
/// Names are relative to the folder. A name that is a symbolic link is not followed.
package final class OpenFolder: Sendable {
  package let path: FilePath
  private let descriptor: FileDescriptor

  /// The working folder; any path can be used as a name in it.
  package static let working = OpenFolder(FileDescriptor(rawValue: AT_FDCWD), named: "")

  /// Opens a folder, through a symbolic link if `followsLink`; an empty path is the working folder.
  package init(_ path: FilePath, followsLink: Bool = true) throws(PipelineError) {
    self.path = path
    do {
      descriptor = try FileDescriptor.open(
        path.isEmpty ? "." : path, .readOnly,
        options: followsLink ? [.directory, .closeOnExec] : [.directory, .closeOnExec, .noFollow])
    } catch {
      throw .unwritable(path, error)
    }
  }

  private init(_ descriptor: FileDescriptor, named path: FilePath) {
    (self.descriptor, self.path) = (descriptor, path)
  }

  deinit {
    try? descriptor.close()
  }

  /// Opens a folder in it, which is created first if `makes` and there is none.
  func subfolder(_ name: FilePath, makes: Bool) throws(PipelineError) -> OpenFolder {
    let inner = path.pushing(name)
    do throws(Errno) {
      if makes { try makeFolder(name) }
      return OpenFolder(try open(name, O_RDONLY | O_DIRECTORY), named: inner)
    } catch {
      throw .unwritable(inner, error)
    }
  }

  func reader(_ name: FilePath) throws(PipelineError) -> FileReader {
    let file = path.pushing(name)
    let opened: FileDescriptor
    do throws(Errno) { opened = try open(name, O_RDONLY | O_NONBLOCK | O_NOCTTY) } catch {
      guard error == .tooManySymbolicLinkLevels else {
        throw PipelineError(errno: error, operation: "open", file: file)
      }
      throw PipelineError(
        .unreadable, operation: "open", file: file, reason: "it is a symbolic link")
    }
    return try FileReader(opened, named: file)
  }

  /// Syncs the file that has a name now.
  func sync(_ name: FilePath) throws {
    let failure = try reader(name).withDescriptor { fsync($0) == 0 ? 0 : errno }
    guard failure == 0 else { throw Errno(rawValue: failure) }
  }

  /// Opens a file or folder, which the caller closes.
  func open(
    _ name: FilePath, _ flags: CInt, _ mode: mode_t = 0
  ) throws(Errno) -> FileDescriptor {
    let opened = try unsafe call(name) { folder, name in
      var result: CInt
      repeat {
        result = unsafe openat(folder, name, flags | O_CLOEXEC | O_NOFOLLOW, mode)
      } while result < 0 && errno == EINTR
      return result
    }
    return FileDescriptor(rawValue: opened)
  }

  func status(of name: FilePath) throws(Errno) -> Stat {
    defer { extendLifetime(self) }
    return try Stat(name, relativeTo: descriptor, flags: .symlinkNoFollow)
  }

  /// Creates a folder for this user only; returns false if the name exists.
  @discardableResult
  func makeFolder(_ name: FilePath) throws(Errno) -> Bool {
    try unsafe call(name) { folder, name in
      unsafe mkdirat(folder, name, 0o700) == 0 ? 1 : errno == EEXIST ? 0 : -1
    } == 1
  }

  func rename(_ name: FilePath, to other: FilePath) throws(Errno) {
    try unsafe call(name) { folder, from in
      unsafe other.withPlatformString { to in unsafe renameat(folder, from, folder, to) }
    }
  }

  /// Renames a file unless the new name exists, and returns whether it did.
  ///
  /// Uses a hard link, which never replaces a file. On file systems without links, such as exFAT,
  /// the folder is locked during check and rename, so that one of two processes comes first. Tests
  /// set `hasLinks` to false to take that branch everywhere.
  func renameIfFree(
    _ name: FilePath, to other: FilePath, hasLinks: Bool = true
  ) throws(Errno) -> Bool {
    var failure = hasLinks ? 0 : EPERM
    if hasLinks {
      do throws(Errno) {
        try unsafe call(name) { folder, from in
          unsafe other.withPlatformString { to in unsafe linkat(folder, from, folder, to, 0) }
        }
      } catch {
        failure = error.rawValue
      }
    }
    switch failure {
    case 0:
      try remove(name)
      return true
    case EEXIST: return false
    case EPERM, ENOTSUP, EOPNOTSUPP, ENOSYS, EMLINK: break
    default: throw Errno(rawValue: failure)
    }
    // Open the folder again, because threads share the lock of one descriptor.
    let lock = try open(".", O_RDONLY | O_DIRECTORY)
    defer { try? lock.close() }
    while flock(lock.rawValue, LOCK_EX) != 0 {
      guard errno == EINTR else { throw Errno(rawValue: errno) }
    }
    guard (try? status(of: other)) == nil else { return false }
    try rename(name, to: other)
    return true
  }

  /// Removes a file or a link, and returns whether there was one.
  @discardableResult
  func remove(_ name: FilePath) throws(Errno) -> Bool {
    try unsafe call(name) { folder, name in
      unsafe unlinkat(folder, name, 0) == 0 ? 1 : errno == ENOENT ? 0 : -1
    } == 1
  }

  /// Deeper folders are kept, because each level holds a descriptor.
  private static let deepest = 200

  /// Removes a file, or a folder with its content, as far as this user may; follows no links.
  ///
  /// A path is looked up only once, so no folder in it can be replaced by a link meanwhile.
  func removeAll(_ name: FilePath) { removeAll(name, depth: 0) }

  private func removeAll(_ name: FilePath, depth: Int) {
    // A folder cannot be unlinked, but a link to one can.
    if (try? remove(name)) != nil { return }
    // Otherwise, it is a file or a link in a folder that this user may not change.
    guard let opened = try? open(name, O_RDONLY | O_DIRECTORY) else { return }
    if depth < Self.deepest {
      // A program may have made the folder read-only.
      _ = fchmod(opened.rawValue, 0o700)
      let inner = OpenFolder(opened, named: path.pushing(name))
      inner.forEachName { inner.removeAll($0, depth: depth + 1) }
    } else {
      try? opened.close()
    }
    removeEmptyFolder(name)
  }

  func removeEmptyFolder(_ name: FilePath) {
    _ = try? unsafe call(name) { unsafe unlinkat($0, $1, AT_REMOVEDIR) }
  }

  func forEachName(_ body: (FilePath) -> Void) {
    // Closing the stream closes its descriptor.
    guard let copy = try? open(".", O_RDONLY | O_DIRECTORY) else { return }
    guard let stream = unsafe fdopendir(copy.rawValue) else {
      try? copy.close()
      return
    }
    defer { unsafe closedir(stream) }
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { tuple in
        unsafe tuple.withMemoryRebound(to: CChar.self, capacity: 256) { name in
          unsafe FilePath(platformString: name)
        }
      }
      if name.lastComponent?.kind == .regular { body(name) }
    }
  }

  /// Calls a C function with the folder and a name; throws its error if it returns less than 0.
  @discardableResult
  private func call(
    _ name: FilePath, _ body: (CInt, UnsafePointer<CChar>) -> CInt
  ) throws(Errno) -> CInt {
    defer { extendLifetime(self) }
    let result: Result<CInt, Errno> = unsafe name.withPlatformString { name in
      let result = unsafe body(descriptor.rawValue, name)
      return result < 0 ? .failure(Errno(rawValue: errno)) : .success(result)
    }
    return try result.get()
  }
}
