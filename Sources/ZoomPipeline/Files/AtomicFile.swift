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
    try body(target.entry.path)
    try target.assertNotEmpty()
    try target.publish()
  }

  /// Writes the bytes under a name in an open folder; replaces a symbolic link there.
  package static func write(
    _ bytes: [UInt8], as name: FilePath, in folder: OpenFolder
  ) throws(PipelineError) {
    let target = try Target(name, in: folder)
    try target.append(bytes)
    try target.publish()
  }

  /// Writes a file, with `ifFree` only if no file has the name; returns whether it was written.
  ///
  /// If several processes write one name that must be free, one succeeds.
  @discardableResult package static func write(
    _ bytes: [UInt8], to path: FilePath, permissions: FilePermissions = usualPermissions,
    ifFree: Bool = false, hasLinks: Bool = true
  ) throws(PipelineError) -> Bool {
    let target = try Target(path, permissions)
    try target.append(bytes)
    return try target.publish(ifFree: ifFree, hasLinks: hasLinks)
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

  /// A file to be written, with its temporary file.
  private struct Target: Sendable {
    private let name: FilePath
    let entry: TemporaryEntry

    /// Creates the temporary file for a path; follows a symbolic link, so that the link is kept.
    init(
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
        throw .unwritable(path, error.reason)
      }
      try self.init(FilePath(root: nil, [name]), in: folder, permissions)
    }

    init(
      _ name: FilePath, in folder: OpenFolder, _ permissions: FilePermissions = usualPermissions
    ) throws(PipelineError) {
      self.name = name
      folder.removeAbandoned()
      do throws(Errno) {
        entry = try TemporaryEntry(permissions, in: folder) { TemporaryName.random(beside: name) }
      } catch {
        throw .unwritable(folder.path.pushing(name), error)
      }
    }

    func append(_ bytes: [UInt8]) throws(PipelineError) {
      do { _ = try entry.descriptor.writeAll(bytes) } catch { throw unwritable(error) }
    }

    /// Throws if the encoder reported success but left the file empty.
    func assertNotEmpty() throws(PipelineError) {
      let length: Int
      do { length = try entry.folder.reader(entry.name).length } catch { throw unwritable(error) }
      guard length > 0 else { throw unwritable("the encoder has written nothing") }
    }

    /// Syncs the file, gives it its name and replaces an existing file, unless `ifFree`.
    /// - Returns: Whether the file has its name.
    @discardableResult
    func publish(ifFree: Bool = false, hasLinks: Bool = true) throws(PipelineError) -> Bool {
      do {
        // By its name, because an encoder may have replaced the file.
        try entry.folder.sync(entry.name)
        if ifFree {
          return try entry.folder.renameIfFree(entry.name, to: name, hasLinks: hasLinks)
        }
        try entry.folder.rename(entry.name, to: name)
        return true
      } catch {
        throw unwritable(error)
      }
    }

    private func unwritable(_ cause: Any) -> PipelineError {
      if let cause = cause as? PipelineError, cause.code == .unwritable { return cause }
      return .unwritable(entry.folder.path.pushing(name), cause)
    }
  }
}

extension PipelineError {
  /// Returns the error for a file or folder that cannot be written.
  package static func unwritable(_ path: FilePath, _ reason: Any) -> PipelineError {
    PipelineError(
      .unwritable, operation: "write", file: path, reason: "\(reason)",
      advice: "choose a place that can be written and has room")
  }
}
