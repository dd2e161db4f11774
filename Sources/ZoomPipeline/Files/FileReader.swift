internal import Synchronization
package import SystemPackage

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A regular file kept open for reads at any offset; safe to use from several threads at once.
///
/// What is checked is the open file itself, so that nothing can be put in its place in between.
package final class FileReader: Sendable {
  package let path: FilePath
  /// What the file was when it was opened.
  package let version: FileVersion
  private let descriptor: FileDescriptor
  private let readCount = Atomic<Int>(0)

  /// Opens a file.
  /// - Throws: `PipelineError` when there is no such file, or it is not a readable regular file.
  package convenience init(_ path: FilePath) throws(PipelineError) {
    let descriptor: FileDescriptor
    do {
      // Without waiting: opening a named pipe would wait for its writer. No terminal becomes ours.
      descriptor = try FileDescriptor.open(
        path, .readOnly,
        options: [.closeOnExec, .nonBlocking, FileDescriptor.OpenOptions(rawValue: O_NOCTTY)])
    } catch {
      throw PipelineError(underlying: error, operation: "open", file: path)
    }
    try self.init(descriptor, named: path)
  }

  /// Takes an open file, and closes it in the end.
  /// - Throws: `PipelineError` when it is not a regular file.
  init(_ descriptor: FileDescriptor, named path: FilePath) throws(PipelineError) {
    self.path = path
    self.descriptor = descriptor
    do { version = try FileVersion(of: descriptor, named: path) } catch {
      try? descriptor.close()
      throw error
    }
  }

  deinit {
    // A read-only descriptor has nothing left to write, so nothing can be lost here.
    try? descriptor.close()
  }

  /// The file's length in bytes when it was opened; nothing behind it is read.
  package var length: Int { version.length }

  /// How many bytes were read so far, those read again included, without what C code read.
  package var bytesRead: Int { readCount.load(ordering: .relaxed) }

  /// Lends the open file to C code, which must name the offset of each of its reads.
  func withDescriptor<Result>(_ body: (CInt) -> Result) -> Result {
    defer { extendLifetime(self) }
    return body(descriptor.rawValue)
  }

  /// Throws when anything was done to the file since it was opened, be it only a link to it.
  ///
  /// Asked after reading with places that were found earlier, which other bytes would make wrong
  /// pixels of: a write that leaves length and modification time as they were shows here alone.
  package func assertUntouched() throws(PipelineError) {
    guard try FileVersion(of: path) == version else {
      throw PipelineError(
        .changed, operation: "read", file: path, reason: "the file changed after it was opened",
        advice: "open it again")
    }
  }

  /// Reads bytes at `offset` into memory of the caller's.
  /// - Returns: how many were read; fewer than the memory holds only at the end of the file.
  /// - Throws: `PipelineError` when they cannot be read.
  package func read(
    at offset: Int, into target: UnsafeMutableRawBufferPointer
  ) throws(PipelineError) -> Int {
    precondition(offset >= 0)
    let count = min(target.count, max(0, length - offset))
    var filled = 0
    do {
      // One read in practice; a system call gives at most 2 GB.
      while filled < count {
        let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: target[filled..<count])
        let got = try unsafe descriptor.read(
          fromAbsoluteOffset: Int64(offset + filled), into: rest)
        // The file became shorter.
        if got == 0 { break }
        filled += got
      }
    } catch {
      throw PipelineError(underlying: error, operation: "read", file: path)
    }
    readCount.add(filled, ordering: .relaxed)
    return filled
  }

  /// Reads the whole of a file that must not be larger than what it holds can be.
  /// - Parameter limit: the most bytes it may have; a larger file is not read.
  /// - Returns: its bytes.
  /// - Throws: `PipelineError`: `unreadable` when it cannot be read, `overBudget` when it is larger than
  ///   the limit, `damaged` when it has become shorter.
  func contents(atMost limit: Int) throws(PipelineError) -> [UInt8] {
    guard length <= limit else {
      throw PipelineError(
        .overBudget, operation: "read", file: path,
        reason: "it has \(length) bytes, which is more than the \(limit) it can need")
    }
    let bytes = try bytes(at: 0, count: length)
    guard bytes.count == length else {
      throw PipelineError(
        .damaged, operation: "read", file: path, reason: "it became shorter while it was read")
    }
    return bytes
  }
}
