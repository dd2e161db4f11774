package import SystemPackage

/// Coded bytes that can be read at any offset, from several threads at once.
package protocol CodedSource: Sendable {
  /// The file that errors name.
  var path: FilePath { get }
  /// How many bytes there are.
  var length: Int { get }
  /// Reads bytes at `offset`; gives how many, which are fewer than `target` holds only at the end.
  func read(
    at offset: Int, into target: UnsafeMutableRawBufferPointer
  ) throws(PipelineError) -> Int
  /// Throws when the bytes may not be those any more that they were at first.
  func assertUntouched() throws(PipelineError)
}

extension CodedSource {
  /// Reads at most `count` bytes at `offset`; fewer only at the end.
  package func bytes(at offset: Int, count: Int) throws(PipelineError) -> [UInt8] {
    precondition(offset >= 0 && count >= 0)
    let capacity = min(count, max(0, length - offset))
    var failure: PipelineError?
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { buffer, filled in
      do throws(PipelineError) {
        let target = unsafe UnsafeMutableRawBufferPointer(
          start: buffer.baseAddress, count: capacity)
        filled = try unsafe read(at: offset, into: target)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return bytes
  }
}

extension FileReader: CodedSource {}

/// Bytes in memory, read as if they stood in a file.
struct MemoryFile: CodedSource {
  /// The file that they were made from.
  let path: FilePath
  private let all: [UInt8]
  /// The file that must stay as it is, for the bytes to be its own.
  private let original: FileReader?

  /// Takes all of the bytes.
  /// - Parameters:
  ///   - all: what is to be read.
  ///   - path: the file that errors name.
  ///   - original: that file, if it must stay as it is.
  init(_ all: [UInt8], madeFrom path: FilePath, guarding original: FileReader? = nil) {
    self.all = all
    self.path = path
    self.original = original
  }

  var length: Int { all.count }

  func assertUntouched() throws(PipelineError) { try original?.assertUntouched() }

  func read(at offset: Int, into target: UnsafeMutableRawBufferPointer) -> Int {
    precondition(offset >= 0)
    // Offsets may lie far behind the end, as they may in a file: no sum that could overflow.
    let start = min(offset, all.count)
    let range = start..<start + min(target.count, all.count - start)
    unsafe all.withUnsafeBytes { bytes in
      unsafe target.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[range]))
    }
    return range.count
  }
}
