package import SystemPackage

/// Writes files so that a reader sees the old file or the complete new one.
///
/// A temporary file beside the target is written, synced and renamed. On failure it is removed and
/// an existing target is unchanged. The folder is not synced: a crash may restore the old file.
package enum AtomicFile {
  /// Calls the body to write the temporary file, which exists and is empty.
  ///
  /// Its name has the target's suffix, because encoders choose their format by it.
  package static func write(
    to path: FilePath, _ body: (FilePath) throws(PipelineError) -> Void
  ) throws(PipelineError) {
    let target = try Target(path)
    try body(target.temporary)
    try target.assertNotEmpty()
    try target.publish()
  }

  package static func write(_ bytes: [UInt8], to path: FilePath) throws(PipelineError) {
    let target = try Target(path)
    try target.append(bytes)
    try target.publish()
  }

  /// Writes the bytes under a name in an open folder; replaces a symbolic link there.
  package static func write(
    _ bytes: [UInt8], as name: FilePath.Component, in folder: OpenFolder
  ) throws(PipelineError) {
    let target = try Target(name, in: folder)
    try target.append(bytes)
    try target.publish()
  }

  /// Writes a file unless the name exists, and returns whether it was written.
  ///
  /// If several processes write one name, one succeeds.
  @discardableResult package static func writeIfFree(
    _ bytes: [UInt8], to path: FilePath, permissions: FilePermissions = usualPermissions,
    hasLinks: Bool = true
  ) throws(PipelineError) -> Bool {
    let target = try Target(path, permissions)
    try target.append(bytes)
    return try target.publish(ifFree: true, hasLinks: hasLinks)
  }

  /// Calls the body to write the file in pieces.
  package static func stream(
    to path: FilePath, _ body: (@escaping ([UInt8]) throws -> Void) async throws -> Void
  ) async throws {
    let target = try Target(path)
    try await body { bytes in try target.append(bytes) }
    try target.publish()
  }

  /// Read permission for all, and write permission for this user.
  package static let usualPermissions: FilePermissions = [
    .ownerReadWrite, .groupRead, .otherRead,
  ]

  /// The temporary file of a write; removed with the object unless it was published.
  private final class Target: Sendable {
    private let folder: OpenFolder
    private let name: FilePath.Component
    private let temporaryName: FilePath.Component
    /// Open and locked until the file has its name or is removed.
    private let file: FileDescriptor

    /// Creates the temporary file for a path; follows a symbolic link, so that the link is kept.
    convenience init(
      _ path: FilePath, _ permissions: FilePermissions = usualPermissions
    ) throws(PipelineError) {
      let path = (try? path.resolved.get()) ?? path
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
        throw .unwritable(folder.path.appending(name), error)
      }
      FolderTree.beginUsing(temporary)
    }

    deinit {
      // Once published, the file has another name.
      _ = try? folder.remove(temporaryName)
      FolderTree.endUsing(temporary)
      // The file is synced or removed, so an error of closing no longer matters.
      try? file.close()
    }

    var temporary: FilePath { folder.path.appending(temporaryName) }

    func append(_ bytes: [UInt8]) throws(PipelineError) {
      do { _ = try file.writeAll(bytes) } catch { throw unwritable(error) }
    }

    /// Throws if the encoder reported success but left the file empty.
    func assertNotEmpty() throws(PipelineError) {
      let length: Int
      do { length = try folder.reader(temporaryName).length } catch { throw unwritable(error) }
      guard length > 0 else {
        throw .unwritable(folder.path.appending(name), "the encoder has written nothing")
      }
    }

    /// Syncs the file, gives it its name and replaces an existing file, unless `ifFree`.
    /// - Returns: Whether the file has its name.
    @discardableResult
    func publish(ifFree: Bool = false, hasLinks: Bool = true) throws(PipelineError) -> Bool {
      do {
        // By its name, because an encoder may have replaced the file.
        try folder.sync(temporaryName)
        if ifFree { return try folder.renameIfFree(temporaryName, to: name, hasLinks: hasLinks) }
        try folder.rename(temporaryName, to: name)
        return true
      } catch {
        throw unwritable(error)
      }
    }

    private func unwritable(_ cause: any Error) -> PipelineError {
      if let cause = cause as? PipelineError, cause.code == .unwritable { return cause }
      return .unwritable(folder.path.appending(name), cause)
    }
  }
}

extension PipelineError {
  /// Returns the error for a file or folder that cannot be written.
  static func unwritable(_ path: FilePath, _ reason: Any) -> PipelineError {
    PipelineError(
      .unwritable, operation: "write", file: path, reason: "\(reason)",
      advice: "choose a place that can be written and has room")
  }
}
