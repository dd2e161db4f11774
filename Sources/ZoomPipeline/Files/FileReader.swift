internal import Synchronization
package import SystemPackage

/// A file kept open for reads at any offset; safe to use from several threads at once.
package final class FileReader: Sendable {
  package let path: FilePath
  package let length: Int
  /// What the file was when it was opened.
  let stamp: FileStamp
  private let descriptor: FileDescriptor
  private let readCount = Atomic<Int>(0)

  package init(_ path: FilePath) throws(PipelineError) {
    self.path = path
    stamp = try FileStamp(of: path)
    length = stamp.identity.length
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

  /// How many bytes were read so far, those read again included, without what C code read.
  var bytesRead: Int { readCount.load(ordering: .relaxed) }

  /// Lends the open file to C code, which must name the offset of each of its reads.
  func withDescriptor<Result>(_ body: (CInt) -> Result) -> Result {
    defer { extendLifetime(self) }
    return body(descriptor.rawValue)
  }

  /// Throws when anything was done to the file since it was opened, be it only a link to it.
  ///
  /// Asked after reading with places that were found earlier, which other bytes would make wrong
  /// pixels of: a write that leaves length and modification time as they were shows here alone.
  func assertUntouched() throws(PipelineError) {
    guard try FileStamp(of: path) == stamp else {
      throw PipelineError(
        .changed, operation: "read", file: path, reason: "the file changed after it was opened",
        advice: "open it again")
    }
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
    readCount.add(result.count - prefix.count - suffix.count, ordering: .relaxed)
    return result
  }
}
