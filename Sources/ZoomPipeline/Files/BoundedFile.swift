internal import SystemPackage

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Reads files whole that must not be larger than what they hold can be.
enum BoundedFile {
  /// Reads a file through one descriptor, so that one that is replaced meanwhile is read whole, too.
  /// - Parameters:
  ///   - path: the file.
  ///   - limit: the most bytes it may have; a larger file is not read.
  /// - Returns: its bytes; nil when there is no such file.
  /// - Throws: `PipelineError`: `unreadable` when it cannot be read or is no regular file, `overBudget`
  ///   when it is larger than the limit, `damaged` when it becomes shorter while it is read.
  static func read(_ path: FilePath, atMost limit: Int) throws(PipelineError) -> [UInt8]? {
    let descriptor: FileDescriptor
    do {
      // Without waiting: opening a named pipe would wait for its writer.
      descriptor = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking])
    } catch {
      if let errno = error as? Errno, [.noSuchFileOrDirectory, .notDirectory].contains(errno) {
        return nil
      }
      throw PipelineError(underlying: error, operation: "read", file: path)
    }
    // A read-only descriptor has nothing left to write, so nothing can be lost in closing.
    defer { try? descriptor.close() }
    var status = stat()
    guard unsafe fstat(descriptor.rawValue, &status) == 0 else {
      throw PipelineError(errno: Errno(rawValue: errno), operation: "read", file: path)
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw PipelineError(
        .unreadable, operation: "read", file: path, reason: "it is not a regular file")
    }
    let length = Int(status.st_size)
    guard length <= limit else {
      throw PipelineError(
        .overBudget, operation: "read", file: path,
        reason: "it has \(length) bytes, which is more than the \(limit) it can need")
    }
    return try read(descriptor, count: length, path)
  }

  private static func read(
    _ descriptor: FileDescriptor, count: Int, _ path: FilePath
  ) throws(PipelineError) -> [UInt8] {
    var failure: (any Error)?
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = 0
      do {
        // One read in practice; a system call gives at most 2 GB.
        while filled < count {
          let target = unsafe UnsafeMutableRawBufferPointer(
            UnsafeMutableBufferPointer(rebasing: buffer[filled..<count]))
          let got = try unsafe descriptor.read(into: target)
          if got == 0 { break }
          filled += got
        }
      } catch {
        failure = error
      }
    }
    if let failure { throw PipelineError(underlying: failure, operation: "read", file: path) }
    guard bytes.count == count else {
      throw PipelineError(
        .damaged, operation: "read", file: path, reason: "it became shorter while it was read")
    }
    return bytes
  }
}
