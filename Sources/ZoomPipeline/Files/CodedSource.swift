package import SystemPackage

/// Coded bytes that can be read at any offset, from several threads at once.
package protocol CodedSource: Sendable {
  /// The file that errors name.
  var path: FilePath { get }
  var length: Int { get }
  /// Reads bytes at `offset` and returns their number; fewer than requested only at the end.
  func read(
    at offset: Int, into target: UnsafeMutableRawBufferPointer
  ) throws(PipelineError) -> Int
  /// Whether reads are requests to a server, so that it pays to announce them.
  var isRemote: Bool { get }
  /// Announces reads that will follow, so that a server is asked for all of them at once.
  func expect(_ ranges: [Range<Int>]) throws(PipelineError)
}

extension CodedSource {
  package var isRemote: Bool { false }
  package func expect(_ ranges: [Range<Int>]) throws(PipelineError) {}

  /// Reads at most `count` bytes at `offset`; fewer only at the end.
  package func bytes(at offset: Int, count: Int) throws(PipelineError) -> [UInt8] {
    precondition(offset >= 0 && count >= 0)
    let available = min(count, max(0, length - offset))
    return try unsafe [UInt8](writing: available) { buffer throws(PipelineError) in
      try unsafe read(at: offset, into: UnsafeMutableRawBufferPointer(buffer))
    }
  }

  /// Returns the error for a file that cannot be read in parts; another source may read it.
  func refusal(_ reason: String, operation: String = "carve") -> PipelineError {
    PipelineError(.unsupported, operation: operation, file: path, reason: reason)
  }

  /// Returns the error for a file that is truncated or breaks the rules of its format.
  func damage(_ reason: String, operation: String = "open") -> PipelineError {
    PipelineError(
      .damaged, operation: operation, file: path, reason: reason,
      advice: "get a whole copy of the file")
  }
}

extension FileReader: CodedSource {}

struct MemoryFile: CodedSource {
  let path: FilePath
  private let all: [UInt8]

  init(_ all: [UInt8], madeFrom path: FilePath) {
    self.all = all
    self.path = path
  }

  var length: Int { all.count }

  func read(at offset: Int, into target: UnsafeMutableRawBufferPointer) -> Int {
    precondition(offset >= 0)
    // An offset may be far after the end, so no sum may overflow.
    let start = min(offset, all.count)
    let range = start..<start + min(target.count, all.count - start)
    unsafe all.withUnsafeBytes { bytes in
      unsafe target.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[range]))
    }
    return range.count
  }
}
