package import SystemPackage

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A folder held open: what is done to its files is done there, wherever its path leads meanwhile.
///
/// No name in it is followed if it is a symbolic link.
package final class OpenFolder: Sendable {
  package let path: FilePath
  private let descriptor: FileDescriptor

  /// Opens a folder.
  /// - Parameters:
  ///   - path: the folder; empty: the working one.
  ///   - followsLink: whether it may be a symbolic link to one itself.
  /// - Throws: `PipelineError`: `unwritable` when there is no such folder.
  package init(_ path: FilePath, followsLink: Bool = true) throws(PipelineError) {
    self.path = path
    do {
      descriptor = try FileDescriptor.open(
        path.isEmpty ? "." : path, .readOnly,
        options: followsLink ? [.directory, .closeOnExec] : [.directory, .closeOnExec, .noFollow])
    } catch {
      throw PipelineError(
        .unwritable, operation: "write", file: path, reason: "\(error)",
        advice: "choose a place that can be written and has room")
    }
  }

  deinit {
    // Nothing is written through a folder's descriptor, so nothing can be lost here.
    try? descriptor.close()
  }

  /// Opens a file for reading.
  /// - Returns: the open file.
  /// - Throws: `PipelineError` when there is no such file, or it is not a readable regular file.
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

  /// Makes a file, and opens it for writing.
  /// - Parameter name: nothing must stand there.
  /// - Returns: the open file, which the caller closes.
  /// - Throws: `Errno`.
  func create(_ name: FilePath.Component) throws -> FileDescriptor {
    guard let opened = open(name, O_WRONLY | O_CREAT | O_EXCL, 0o644) else {
      throw Errno(rawValue: errno)
    }
    return opened
  }

  private func open(
    _ name: FilePath.Component, _ flags: CInt, _ mode: mode_t = 0
  ) -> FileDescriptor? {
    while true {
      let opened = unsafe withName(name) { text in
        unsafe openat(descriptor.rawValue, text, flags | O_CLOEXEC | O_NOFOLLOW, mode)
      }
      if opened >= 0 { return FileDescriptor(rawValue: opened) }
      guard errno == EINTR else { return nil }
    }
  }

  /// Gives a file another name, over what has that name.
  /// - Throws: `Errno`.
  func rename(_ name: FilePath.Component, to other: FilePath.Component) throws {
    let result = unsafe withName(name) { from in
      unsafe withName(other) { to in
        unsafe renameat(descriptor.rawValue, from, descriptor.rawValue, to)
      }
    }
    guard result == 0 else { throw Errno(rawValue: errno) }
  }

  /// Removes a file.
  /// - Returns: whether there was one.
  /// - Throws: `Errno`.
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
