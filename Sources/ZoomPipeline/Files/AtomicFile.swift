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
/// On failure the temporary file is removed and whatever stood at the target is untouched.
package enum AtomicFile {
  /// Temporary files that are being written now.
  private static let unfinished = Mutex<Set<FilePath>>([])

  /// Removes the temporary files of writes that a signal has cut short.
  package static func removeUnfinished() {
    for path in unfinished.withLock({ $0 }) { remove(path) }
  }

  /// Lets `body` write the file of the given temporary name.
  ///
  /// The name keeps the target's suffix, because encoders choose their format by it.
  package static func write(
    to path: FilePath, _ body: (FilePath) throws(PipelineError) -> Void
  ) throws(PipelineError) {
    let path = target(of: path)
    let temporary = try temporaryName(beside: path)
    do {
      try body(temporary)
      try finish(temporary, as: path)
    } catch {
      remove(temporary)
      throw error
    }
  }

  /// Writes the bytes.
  package static func write(_ bytes: [UInt8], to path: FilePath) throws(PipelineError) {
    try write(to: path) { temporary throws(PipelineError) in
      do {
        let descriptor = try open(temporary)
        _ = try descriptor.closeAfter { try descriptor.writeAll(bytes) }
      } catch {
        throw unwritable(path, error)
      }
    }
  }

  /// Lets `body` write the file piece by piece.
  package static func stream(
    to path: FilePath, _ body: (([UInt8]) throws -> Void) async throws -> Void
  ) async throws {
    let path = target(of: path)
    let temporary = try temporaryName(beside: path)
    do {
      let descriptor: FileDescriptor
      do { descriptor = try open(temporary) } catch { throw unwritable(path, error) }
      do {
        try await body { bytes in
          do { _ = try descriptor.writeAll(bytes) } catch { throw unwritable(path, error) }
        }
      } catch {
        // The file is given up: what closing could still report no longer matters.
        try? descriptor.close()
        throw error
      }
      do { try descriptor.close() } catch { throw unwritable(path, error) }
      try finish(temporary, as: path)
    } catch {
      remove(temporary)
      throw error
    }
  }

  /// The file that a symbolic link names, so that the link stays one; other paths as they are.
  private static func target(of path: FilePath) -> FilePath {
    unsafe path.withPlatformString { name in
      guard let resolved = unsafe realpath(name, nil) else { return path }
      defer { unsafe free(resolved) }
      return unsafe FilePath(String(cString: resolved))
    }
  }

  private static func temporaryName(beside path: FilePath) throws(PipelineError) -> FilePath {
    guard let name = path.lastComponent else {
      throw PipelineError(
        .unwritable, operation: "write", file: path, reason: "it names no file",
        advice: "give a file name")
    }
    // The process number and a random word keep two writers of one file apart.
    let unique = "\(getpid()).\(UInt32.random(in: 0...UInt32.max))"
    let suffix = name.extension.map { ".\($0)" } ?? ""
    let temporary = path.removingLastComponent().appending(".\(name.stem).\(unique)\(suffix)")
    _ = unfinished.withLock { $0.insert(temporary) }
    return temporary
  }

  private static func open(_ temporary: FilePath) throws -> FileDescriptor {
    try FileDescriptor.open(
      temporary, .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec],
      permissions: [.ownerReadWrite, .groupRead, .otherRead])
  }

  private static func finish(_ temporary: FilePath, as path: FilePath) throws(PipelineError) {
    do {
      let descriptor = try FileDescriptor.open(temporary, .readOnly, options: .closeOnExec)
      let synced = try descriptor.closeAfter { fsync(descriptor.rawValue) }
      guard synced == 0 else { throw Errno(rawValue: errno) }
      let renamed = unsafe temporary.withPlatformString { from in
        unsafe path.withPlatformString { to in unsafe rename(from, to) }
      }
      guard renamed == 0 else { throw Errno(rawValue: errno) }
      _ = unfinished.withLock { $0.remove(temporary) }
    } catch {
      throw unwritable(path, error)
    }
  }

  private static func unwritable(_ path: FilePath, _ cause: any Error) -> PipelineError {
    PipelineError(
      .unwritable, operation: "write", file: path, reason: "\(cause)",
      advice: "choose a place that can be written and has room")
  }

  private static func remove(_ path: FilePath) {
    _ = unfinished.withLock { $0.remove(path) }
    _ = unsafe path.withPlatformString { name in unsafe unlink(name) }
  }
}
