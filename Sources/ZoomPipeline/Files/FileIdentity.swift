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
  /// When its content was last written, as far as nobody has set it to something else.
  let modified: FileTime

  /// Asks the file system for a regular file's identity.
  /// - Parameter path: the file.
  /// - Throws: `PipelineError` when there is no such file, or it is not a readable regular file.
  public init(of path: FilePath) throws(PipelineError) {
    self.init(try Self.status(of: path))
  }

  /// Takes an identity that was written down earlier.
  init(device: UInt64, inode: UInt64, length: Int, modified: FileTime) {
    self.device = device
    self.inode = inode
    self.length = length
    self.modified = modified
  }

  /// What the file system says of a regular file.
  static func status(of path: FilePath) throws(PipelineError) -> stat {
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
    return status
  }

  init(_ status: stat) {
    device = UInt64(truncatingIfNeeded: status.st_dev)
    inode = UInt64(truncatingIfNeeded: status.st_ino)
    length = Int(status.st_size)
    #if canImport(Darwin)
      modified = FileTime(status.st_mtimespec)
    #else
      modified = FileTime(status.st_mtim)
    #endif
  }
}
