internal import Synchronization
package import SystemPackage

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Writes files so that a reader sees the old one or the whole new one, never a part.
///
/// Each way to write fills a temporary file beside the target, syncs it and renames it into place.
/// On failure the temporary file is removed and whatever stood at the target is untouched. The folder is
/// not synced: after a crash the old file may stand there as before, and no caller promises more.
package enum AtomicFile {
  /// Temporary files that are being written now.
  private static let unfinished = Mutex<Set<FilePath>>([])

  /// Removes the temporary files of writes that a signal has cut short.
  package static func removeUnfinished() {
    for path in unfinished.withLock({ $0 }) {
      _ = unsafe path.withPlatformString { name in unsafe unlink(name) }
    }
  }

  /// Lets `body` write the file of the given temporary name.
  ///
  /// The name keeps the target's suffix, because encoders choose their format by it.
  package static func write(
    to path: FilePath, _ body: (FilePath) throws(PipelineError) -> Void
  ) throws(PipelineError) {
    let target = try Target(path)
    do {
      try body(target.temporary)
      try target.publish()
    } catch {
      target.giveUp()
      throw error
    }
  }

  package static func write(_ bytes: [UInt8], to path: FilePath) throws(PipelineError) {
    try write(bytes, to: Target(path))
  }

  /// Writes the bytes under a name in an open folder; a symbolic link there is replaced, not followed.
  package static func write(
    _ bytes: [UInt8], as name: FilePath.Component, in folder: OpenFolder
  ) throws(PipelineError) {
    try write(bytes, to: Target(name, in: folder))
  }

  private static func write(_ bytes: [UInt8], to target: Target) throws(PipelineError) {
    do {
      let descriptor = try target.create()
      _ = try descriptor.closeAfter { try descriptor.writeAll(bytes) }
      try target.publish()
    } catch {
      target.giveUp()
      throw target.unwritable(error)
    }
  }

  /// Lets `body` write the file piece by piece.
  package static func stream(
    to path: FilePath, _ body: (@escaping ([UInt8]) throws -> Void) async throws -> Void
  ) async throws {
    let target = try Target(path)
    do {
      let descriptor: FileDescriptor
      do { descriptor = try target.create() } catch { throw target.unwritable(error) }
      do {
        try await body { bytes in
          do { _ = try descriptor.writeAll(bytes) } catch { throw target.unwritable(error) }
        }
      } catch {
        // The file is given up: what closing could still report no longer matters.
        try? descriptor.close()
        throw error
      }
      do { try descriptor.close() } catch { throw target.unwritable(error) }
      try target.publish()
    } catch {
      target.giveUp()
      throw error
    }
  }

  /// A file that is being written: its folder, its name and its name until then.
  private struct Target {
    private let folder: OpenFolder
    private let name: FilePath.Component
    private let temporaryName: FilePath.Component

    /// A file named by its path; the one that a symbolic link names, so that the link stays one.
    init(_ path: FilePath) throws(PipelineError) {
      let path = unsafe path.withPlatformString { name in
        guard let resolved = unsafe realpath(name, nil) else { return path }
        defer { unsafe free(resolved) }
        return unsafe FilePath(String(cString: resolved))
      }
      guard let name = path.lastComponent else {
        throw PipelineError(
          .unwritable, operation: "write", file: path, reason: "it names no file",
          advice: "give a file name")
      }
      let folder: OpenFolder
      do { folder = try OpenFolder(path.removingLastComponent()) } catch {
        throw PipelineError(
          .unwritable, operation: "write", file: path, reason: error.reason, advice: error.advice)
      }
      try self.init(name, in: folder)
    }

    init(_ name: FilePath.Component, in folder: OpenFolder) throws(PipelineError) {
      self.name = name
      self.folder = folder
      // The process number and a random word keep two writers of one file apart.
      let unique = "\(getpid()).\(UInt32.random(in: 0...UInt32.max))"
      let suffix = name.extension.map { ".\($0)" } ?? ""
      guard let temporaryName = FilePath.Component(".\(name.stem).\(unique)\(suffix)") else {
        throw PipelineError(
          .fault, operation: "write", file: folder.path, reason: "\(name) gives no temporary name")
      }
      self.temporaryName = temporaryName
      let temporary = temporary
      _ = unfinished.withLock { $0.insert(temporary) }
    }

    var temporary: FilePath { folder.path.appending(temporaryName) }

    func create() throws -> FileDescriptor { try folder.create(temporaryName) }

    /// Syncs the file and gives it its name.
    func publish() throws(PipelineError) {
      do {
        let failure = try folder.reader(temporaryName).withDescriptor { descriptor in
          fsync(descriptor) == 0 ? 0 : errno
        }
        guard failure == 0 else { throw Errno(rawValue: failure) }
        try folder.rename(temporaryName, to: name)
      } catch {
        throw unwritable(error)
      }
      let temporary = temporary
      _ = unfinished.withLock { $0.remove(temporary) }
    }

    func giveUp() {
      _ = try? folder.remove(temporaryName)
      let temporary = temporary
      _ = unfinished.withLock { $0.remove(temporary) }
    }

    func unwritable(_ cause: any Error) -> PipelineError {
      if let cause = cause as? PipelineError, cause.code == .unwritable { return cause }
      return PipelineError(
        .unwritable, operation: "write", file: folder.path.appending(name), reason: "\(cause)",
        advice: "choose a place that can be written and has room")
    }
  }
}

/// A folder held open: what is done to its files is done there, wherever its path leads meanwhile.
///
/// No name in it is followed if it is a symbolic link.
package final class OpenFolder: Sendable {
  package let path: FilePath
  private let descriptor: FileDescriptor

  /// Opens a folder, which `followsLink` lets be a symbolic link itself; an empty path is the working one.
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

  private init(_ descriptor: FileDescriptor, named path: FilePath) {
    (self.descriptor, self.path) = (descriptor, path)
  }

  deinit {
    try? descriptor.close()
  }

  /// Opens a folder in it, which is made first if that is asked for; nil when it is not there.
  func subfolder(
    _ name: FilePath.Component, makes: Bool
  ) throws(PipelineError) -> OpenFolder? {
    let inner = path.appending(name)
    if makes {
      let result = unsafe withName(name) { text in
        unsafe mkdirat(descriptor.rawValue, text, 0o700) == 0 || errno == EEXIST ? 0 : errno
      }
      guard result == 0 else { throw Self.unwritable(inner, Errno(rawValue: result)) }
    }
    if let opened = open(name, O_RDONLY | O_DIRECTORY) {
      return OpenFolder(opened, named: inner)
    }
    if !makes, errno == ENOENT { return nil }
    throw Self.unwritable(inner, Errno(rawValue: errno))
  }

  private static func unwritable(_ path: FilePath, _ error: Errno) -> PipelineError {
    PipelineError(
      .unwritable, operation: "write", file: path, reason: "\(error)",
      advice: "choose a place that can be written and has room")
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

  /// Makes a file that is not there yet and opens it for writing; the caller closes it.
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
  func rename(_ name: FilePath.Component, to other: FilePath.Component) throws {
    let result = unsafe withName(name) { from in
      unsafe withName(other) { to in
        unsafe renameat(descriptor.rawValue, from, descriptor.rawValue, to)
      }
    }
    guard result == 0 else { throw Errno(rawValue: errno) }
  }

  /// Removes a file; says whether there was one.
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
