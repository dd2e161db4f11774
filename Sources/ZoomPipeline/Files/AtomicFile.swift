internal import Synchronization
package import SystemPackage

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Writes files so that a reader sees the old file or the complete new one.
///
/// A temporary file beside the target is written, synced and renamed. On failure it is removed and
/// an existing target is unchanged. The folder is not synced: a crash may restore the old file.
package enum AtomicFile {
  private static let unfinished = Mutex<Set<FilePath>>([])

  /// Removes the temporary files of writes that a signal interrupted.
  package static func removeUnfinished() {
    for path in unfinished.withLock({ $0 }) {
      _ = unsafe path.withPlatformString { name in unsafe unlink(name) }
    }
  }

  /// Calls the body to write the temporary file, which exists and is empty.
  ///
  /// Its name has the target's suffix, because encoders choose their format by it.
  package static func write(
    to path: FilePath, _ body: (FilePath) throws(PipelineError) -> Void
  ) throws(PipelineError) {
    let target = try Target(path)
    do {
      try body(target.temporary)
      try target.assertNotEmpty()
      try target.publish()
    } catch {
      target.giveUp()
      throw error
    }
  }

  package static func write(_ bytes: [UInt8], to path: FilePath) throws(PipelineError) {
    try write(bytes, to: Target(path))
  }

  /// Writes the bytes under a name in an open folder; replaces a symbolic link there.
  package static func write(
    _ bytes: [UInt8], as name: FilePath.Component, in folder: OpenFolder
  ) throws(PipelineError) {
    try write(bytes, to: Target(name, in: folder))
  }

  /// Writes a file unless the name exists, and returns whether it was written.
  ///
  /// If several processes write one name, one succeeds.
  @discardableResult package static func writeIfFree(
    _ bytes: [UInt8], to path: FilePath, permissions: FilePermissions = usualPermissions,
    hasLinks: Bool = true
  ) throws(PipelineError) -> Bool {
    try write(bytes, to: Target(path, permissions)) { target throws(PipelineError) in
      try target.publishIfFree(hasLinks: hasLinks)
    }
  }

  /// Read permission for all, and write permission for this user.
  package static let usualPermissions: FilePermissions = [
    .ownerReadWrite, .groupRead, .otherRead,
  ]

  private static func write(_ bytes: [UInt8], to target: Target) throws(PipelineError) {
    try write(bytes, to: target) { target throws(PipelineError) in try target.publish() }
  }

  private static func write<Result>(
    _ bytes: [UInt8], to target: Target,
    publish: (Target) throws(PipelineError) -> Result
  ) throws(PipelineError) -> Result {
    do {
      _ = try target.file.writeAll(bytes)
      return try publish(target)
    } catch {
      target.giveUp()
      throw target.unwritable(error)
    }
  }

  /// Calls the body to write the file in pieces.
  package static func stream(
    to path: FilePath, _ body: (@escaping ([UInt8]) throws -> Void) async throws -> Void
  ) async throws {
    let target = try Target(path)
    do {
      try await body { bytes in
        do { _ = try target.file.writeAll(bytes) } catch { throw target.unwritable(error) }
      }
      try target.publish()
    } catch {
      target.giveUp()
      throw error
    }
  }

  private struct Target {
    private let folder: OpenFolder
    private let name: FilePath.Component
    private let temporaryName: FilePath.Component
    /// Open and locked until the file has its name or is removed.
    let file: FileDescriptor

    /// Creates the temporary file for a path; follows a symbolic link, so that the link is kept.
    init(
      _ path: FilePath, _ permissions: FilePermissions = usualPermissions
    ) throws(PipelineError) {
      let path = path.resolved ?? path
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
      try self.init(name, in: folder, permissions)
    }

    init(
      _ name: FilePath.Component, in folder: OpenFolder,
      _ permissions: FilePermissions = usualPermissions
    ) throws(PipelineError) {
      self.name = name
      self.folder = folder
      do {
        (temporaryName, file) = try folder.createTemporary(for: name, permissions)
      } catch {
        throw PipelineError(
          .unwritable, operation: "write", file: folder.path.appending(name), reason: "\(error)",
          advice: "choose a place that can be written and has room")
      }
      let temporary = temporary
      _ = unfinished.withLock { $0.insert(temporary) }
    }

    var temporary: FilePath { folder.path.appending(temporaryName) }

    /// Throws if the encoder reported success but left the file empty.
    func assertNotEmpty() throws(PipelineError) {
      let length: Int
      do { length = try folder.reader(temporaryName).length } catch { throw unwritable(error) }
      guard length > 0 else {
        throw PipelineError(
          .unwritable, operation: "write", file: folder.path.appending(name),
          reason: "the encoder has written nothing",
          advice: "choose a place that can be written and has room")
      }
    }

    /// Syncs the file and gives it its name; replaces an existing file.
    func publish() throws(PipelineError) {
      try publish { try folder.rename(temporaryName, to: name) }
    }

    /// Syncs the file and gives it its name unless a file has it, and returns whether it did.
    func publishIfFree(hasLinks: Bool) throws(PipelineError) -> Bool {
      try publish {
        let isFree = try folder.renameIfFree(temporaryName, to: name, hasLinks: hasLinks)
        if !isFree { _ = try folder.remove(temporaryName) }
        return isFree
      }
    }

    private func publish<Result>(_ rename: () throws -> Result) throws(PipelineError) -> Result {
      let result: Result
      do {
        // By its name, because an encoder may have replaced the file.
        let failure = try folder.reader(temporaryName).withDescriptor { descriptor in
          fsync(descriptor) == 0 ? 0 : errno
        }
        guard failure == 0 else { throw Errno(rawValue: failure) }
        result = try rename()
      } catch {
        throw unwritable(error)
      }
      release()
      return result
    }

    func giveUp() {
      _ = try? folder.remove(temporaryName)
      release()
    }

    private func release() {
      let temporary = temporary
      _ = unfinished.withLock { $0.remove(temporary) }
      // The file is synced or removed, so an error of closing no longer matters.
      try? file.close()
    }

    func unwritable(_ cause: any Error) -> PipelineError {
      if let cause = cause as? PipelineError, cause.code == .unwritable { return cause }
      return PipelineError(
        .unwritable, operation: "write", file: folder.path.appending(name), reason: "\(cause)",
        advice: "choose a place that can be written and has room")
    }
  }
}
