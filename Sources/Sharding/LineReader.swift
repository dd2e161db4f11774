internal import SystemPackage
internal import ZoomPipeline

/// Reads a file line by line, in little memory, without keeping it open.
///
/// A merge reads more journals at a time than a process may have open files.
final class LineReader {
  private let path: FilePath
  private let separator: UInt8
  private let blockSize: Int
  private var offset: Int64 = 0
  private var block: [UInt8] = []
  private var position = 0
  private var isAtEnd = false
  /// Whether the last line returned lacked its separator.
  private(set) var lastLineIsOpen = false

  /// The longest accepted line: ten times the largest results, including drawings; decoding a line takes
  /// several times its length.
  static let longestLine = 1 << 23

  init(_ path: FilePath, separator: UInt8 = 10, blockSize: Int = 1 << 16) {
    self.path = path
    self.separator = separator
    self.blockSize = blockSize
  }

  /// Returns the first bytes of a file.
  static func start(of path: FilePath) throws(PipelineError) -> [UInt8] {
    let file = try FileReader(path)
    return try file.bytes(at: 0, count: min(file.length, 1 << 16))
  }

  /// Returns the next line without its separator; nil at the end.
  func next() throws -> ArraySlice<UInt8>? {
    var searched = position
    while true {
      if let end = block[searched...].firstIndex(of: separator) {
        defer { position = end + 1 }
        return block[position..<end]
      }
      if isAtEnd {
        guard position < block.count else { return nil }
        lastLineIsOpen = true
        defer { position = block.count }
        return block[position...]
      }
      searched = block.count - position
      try refill()
      guard block.count <= Self.longestLine else {
        throw ShardError.damaged("\(path): a line has more than \(Self.longestLine) bytes")
      }
    }
  }

  /// Drops the lines already returned, and reads more bytes.
  private func refill() throws {
    block.removeFirst(position)
    position = 0
    let descriptor: FileDescriptor
    do {
      descriptor = try FileDescriptor.open(path, .readOnly, options: .closeOnExec)
    } catch {
      throw ShardError.missing("\(path): open: \(error)")
    }
    // Doubles the block, so that a long line is not copied repeatedly.
    let wanted = max(blockSize, block.count)
    do {
      let old = block.count
      let piece = try descriptor.closeAfter {
        try [UInt8](unsafeUninitializedCapacity: wanted) { buffer, count in
          count = try descriptor.read(
            fromAbsoluteOffset: offset, into: UnsafeMutableRawBufferPointer(buffer))
        }
      }
      block += piece
      offset += Int64(block.count - old)
      isAtEnd = piece.isEmpty
    } catch {
      throw ShardError.damaged("\(path): read: \(error)")
    }
  }
}
