public import SystemPackage

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A private folder for files that must not outlive the work: removed with all it holds.
public final class ScratchFolder: Sendable {
  /// The folder's path, in `TMPDIR` or the system's folder for temporary files.
  public let path: FilePath

  /// Makes a new folder that only this user can read.
  /// - Throws: `PipelineError` when the folder cannot be made.
  public init() throws(PipelineError) {
    let parent = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
    var template = Array("\(parent)/zoombench.XXXXXX".utf8CString)
    let made = unsafe template.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress, let name = unsafe mkdtemp(base) else {
        return String?.none
      }
      return unsafe String(cString: name)
    }
    guard let made else {
      throw PipelineError(
        .unwritable, operation: "make a scratch folder", file: FilePath(parent),
        reason: "\(Errno(rawValue: errno))", advice: "set TMPDIR to a folder that can be written")
    }
    path = FilePath(made)
  }

  deinit { remove() }

  /// Removes the folder and the files in it; safe to call more than once.
  public func remove() {
    guard let folder = unsafe path.withPlatformString({ name in unsafe opendir(name) }) else {
      return
    }
    while let entry = unsafe readdir(folder) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { tuple in
        unsafe tuple.withMemoryRebound(to: CChar.self, capacity: 256) { characters in
          unsafe String(cString: characters)
        }
      }
      if name == "." || name == ".." { continue }
      _ = unsafe path.appending(name).withPlatformString { file in unsafe unlink(file) }
    }
    unsafe closedir(folder)
    _ = unsafe path.withPlatformString { name in unsafe rmdir(name) }
  }
}
