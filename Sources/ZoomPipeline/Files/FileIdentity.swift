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
