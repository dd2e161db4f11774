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
/// Symbolic links in it are not followed.
package final class OpenFolder: Sendable {
  package let path: FilePath
  private let descriptor: FileDescriptor

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

  /// Opens a folder in it; if there is none, `makes` decides whether to create it or to return nil.
  func subfolder(
    _ name: FilePath.Component, makes: Bool
  ) throws(PipelineError) -> OpenFolder? {
    let inner = path.appending(name)
    if makes {
      let result = unsafe withName(name) { text in
        unsafe mkdirat(descriptor.rawValue, text, 0o700) == 0 || errno == EEXIST ? 0 : errno
      }
      guard result == 0 else { throw .unwritable(inner, Errno(rawValue: result)) }
    }
    if let opened = open(name, O_RDONLY | O_DIRECTORY) {
      return OpenFolder(opened, named: inner)
    }
    if !makes, errno == ENOENT { return nil }
    throw .unwritable(inner, Errno(rawValue: errno))
  }

  func reader(_ name: FilePath.Component) throws(PipelineError) -> FileReader {
    let file = path.appending(name)
    guard let opened = open(name, O_RDONLY | O_NONBLOCK | O_NOCTTY) else {
      guard errno == ELOOP else {
        throw PipelineError(errno: Errno(rawValue: errno), operation: "open", file: file)
      }
      throw PipelineError(
        .unreadable, operation: "open", file: file, reason: "it is a symbolic link")
    }
    return try FileReader(opened, named: file)
  }

  /// Creates a temporary file for a target and opens it for writing; the caller closes it.
  ///
  /// It is locked while it is open, so that a later run can see that it is not abandoned.
  func createTemporary(
    for target: FilePath.Component, _ permissions: FilePermissions
  ) throws -> (name: FilePath.Component, entry: FileDescriptor) {
    defer { extendLifetime(self) }
    removeAbandoned()
    return try OwnerLock.create(permissions, in: descriptor.rawValue, "") {
      TemporaryName.random(beside: target)
    }
  }

  /// Syncs the file that has a name now.
  func sync(_ name: FilePath.Component) throws {
    let failure = try reader(name).withDescriptor { fsync($0) == 0 ? 0 : errno }
    guard failure == 0 else { throw Errno(rawValue: failure) }
  }

  /// Removes the temporary entries of killed processes.
  func removeAbandoned() {
    defer { extendLifetime(self) }
    FolderTree.removeAbandoned(in: descriptor.rawValue)
  }

  private func open(_ name: FilePath.Component, _ flags: CInt) -> FileDescriptor? {
    defer { extendLifetime(self) }
    return OwnerLock.open(FilePath(root: nil, [name]), flags, in: descriptor.rawValue)
  }

  func rename(_ name: FilePath.Component, to other: FilePath.Component) throws {
    let result = unsafe withName(name) { from in
      unsafe withName(other) { to in
        unsafe renameat(descriptor.rawValue, from, descriptor.rawValue, to)
      }
    }
    guard result == 0 else { throw Errno(rawValue: errno) }
  }

  /// Renames a file unless the new name exists, and returns whether it did.
  ///
  /// Uses a hard link, which never replaces a file. On file systems without links, such as exFAT,
  /// the folder is locked during check and rename, so that one of two processes comes first. Tests
  /// set `hasLinks` to false to take that branch everywhere.
  func renameIfFree(
    _ name: FilePath.Component, to other: FilePath.Component, hasLinks: Bool = true
  ) throws -> Bool {
    let failure = unsafe withName(name) { from in
      unsafe withName(other) { to in
        let folder = descriptor.rawValue
        return hasLinks ? unsafe linkat(folder, from, folder, to, 0) == 0 ? 0 : errno : EPERM
      }
    }
    switch failure {
    case 0:
      _ = try remove(name)
      return true
    case EEXIST: return false
    case EPERM, ENOTSUP, EOPNOTSUPP, ENOSYS, EMLINK: break
    default: throw Errno(rawValue: failure)
    }
    // Open the folder again, because threads share the lock of one descriptor.
    guard let lock = open(FilePath.Component("."), O_RDONLY | O_DIRECTORY) else {
      throw Errno(rawValue: errno)
    }
    defer { try? lock.close() }
    while flock(lock.rawValue, LOCK_EX) != 0 {
      guard errno == EINTR else { throw Errno(rawValue: errno) }
    }
    var status = stat()
    let isTaken = unsafe withName(other) { text in
      unsafe fstatat(descriptor.rawValue, text, &status, AT_SYMLINK_NOFOLLOW) == 0
    }
    if !isTaken { try rename(name, to: other) }
    return !isTaken
  }

  func remove(_ name: FilePath.Component) throws -> Bool {
    let result = unsafe withName(name) { text in unsafe unlinkat(descriptor.rawValue, text, 0) }
    guard result != 0 else { return true }
    guard errno == ENOENT else { throw Errno(rawValue: errno) }
    return false
  }

  private func withName<Result>(
    _ name: FilePath.Component, _ body: (UnsafePointer<CChar>) -> Result
  ) -> Result {
    defer { extendLifetime(self) }
    return unsafe FilePath(root: nil, [name]).withPlatformString(body)
  }
}
