public import SystemPackage

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// What tells one version of a file from another: replaced, appended to or rewritten files differ.
public struct FileIdentity: Sendable, Hashable {
  let device: UInt64
  let inode: UInt64
  /// The file's length in bytes.
  public let length: Int
  let modifiedSeconds: Int
  let modifiedNanoseconds: Int

  /// Asks the file system for a regular file's identity.
  /// - Parameter path: the file.
  /// - Throws: `PipelineError` when there is no such file, or it is not a readable regular file.
  public init(of path: FilePath) throws(PipelineError) {
    var status = stat()
    let result = unsafe path.withPlatformString { name in unsafe stat(name, &status) }
    guard result == 0 else {
      throw PipelineError(errno: Errno(rawValue: errno), operation: "open", file: path)
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw PipelineError(
        .unreadable, operation: "open", file: path, reason: "it is not a regular file",
        advice: "name a picture file")
    }
    self.init(status)
  }

  private init(_ status: stat) {
    device = UInt64(truncatingIfNeeded: status.st_dev)
    inode = UInt64(truncatingIfNeeded: status.st_ino)
    length = Int(status.st_size)
    #if canImport(Darwin)
      modifiedSeconds = status.st_mtimespec.tv_sec
      modifiedNanoseconds = status.st_mtimespec.tv_nsec
    #else
      modifiedSeconds = Int(status.st_mtim.tv_sec)
      modifiedNanoseconds = Int(status.st_mtim.tv_nsec)
    #endif
  }
}

/// A file kept open for reads at any offset; safe to use from several threads at once.
package final class FileReader: Sendable {
  package let path: FilePath
  package let length: Int
  private let descriptor: FileDescriptor

  package init(_ path: FilePath) throws(PipelineError) {
    self.path = path
    length = try FileIdentity(of: path).length
    do {
      descriptor = try FileDescriptor.open(path, .readOnly, options: .closeOnExec)
    } catch {
      throw PipelineError(underlying: error, operation: "open", file: path)
    }
  }

  deinit {
    // A read-only descriptor has nothing left to write, so nothing can be lost here.
    try? descriptor.close()
  }

  /// Reads at most `count` bytes at `offset`; fewer only at the end of the file.
  package func bytes(at offset: Int, count: Int) throws(PipelineError) -> [UInt8] {
    try bytes(prefix: [], at: offset, count: count, suffix: [])
  }

  /// Reads as `bytes(at:count:)` does, placing the bytes between a prefix and a suffix: one copy.
  package func bytes(
    prefix: [UInt8], at offset: Int, count: Int, suffix: [UInt8]
  ) throws(PipelineError) -> [UInt8] {
    precondition(offset >= 0 && count >= 0)
    var failure: (any Error)?
    let capacity = prefix.count + count + suffix.count
    let result = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { buffer, initialized in
      _ = unsafe buffer.update(fromContentsOf: prefix)
      var filled = prefix.count
      do {
        let end = prefix.count + count
        while filled < end {
          let target = unsafe UnsafeMutableRawBufferPointer(
            UnsafeMutableBufferPointer(rebasing: buffer[filled..<end]))
          let got = try unsafe descriptor.read(
            fromAbsoluteOffset: Int64(offset + filled - prefix.count), into: target)
          if got == 0 { break }
          filled += got
        }
      } catch {
        failure = error
      }
      _ = unsafe UnsafeMutableBufferPointer(rebasing: buffer[filled...]).update(
        fromContentsOf: suffix)
      initialized = filled + suffix.count
    }
    if let failure {
      throw PipelineError(underlying: failure, operation: "read", file: path)
    }
    return result
  }
}
