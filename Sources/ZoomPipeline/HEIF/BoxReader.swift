/// The reason why a HEIF file cannot be carved, without a full stop.
struct HEIFRefusal: Error {
  let reason: String

  init(_ reason: String) { self.reason = reason }
}

/// A box of the ISO base media file format (ISO/IEC 14496-12, 4.2).
struct Box {
  /// Four characters.
  let type: String
  /// The range of header and content in the bytes.
  let whole: Range<Int>
  let content: Range<Int>
}

/// Reads big-endian numbers and boxes from a range of bytes; throws at its end.
struct BoxReader {
  let bytes: [UInt8]
  private(set) var position: Int
  private let end: Int

  init(_ bytes: [UInt8], _ range: Range<Int>) {
    self.bytes = bytes
    position = range.lowerBound
    end = range.upperBound
  }

  init(_ bytes: [UInt8]) { self.init(bytes, bytes.indices) }

  var isAtEnd: Bool { position == end }

  private static var cut: HEIFRefusal { HEIFRefusal("one of its boxes is cut off") }

  /// Reads a number of 0 to 8 bytes below 2^62, so that two of them can be added.
  mutating func number(_ count: Int) throws(HEIFRefusal) -> Int {
    guard count <= end - position else { throw Self.cut }
    var value: UInt64 = 0
    for byte in bytes[position..<position + count] { value = value << 8 | UInt64(byte) }
    guard value < 1 << 62 else { throw HEIFRefusal("one of its numbers is beyond any file") }
    position += count
    return Int(value)
  }

  mutating func type() throws(HEIFRefusal) -> String {
    guard 4 <= end - position else { throw Self.cut }
    defer { position += 4 }
    return String(
      String.UnicodeScalarView(bytes[position..<position + 4].map { Unicode.Scalar($0) }))
  }

  mutating func versionAndFlags() throws(HEIFRefusal) -> (version: Int, flags: Int) {
    (try number(1), try number(3))
  }

  /// Reads a box, which must be inside the range, and moves to its end.
  mutating func box() throws(HEIFRefusal) -> Box {
    let start = position
    let short = try number(4)
    let type = try type()
    let size =
      switch short {
      case 0: end - start
      case 1: try number(8)
      default: short
      }
    guard size >= position - start, size <= end - start else { throw Self.cut }
    let content = position..<start + size
    position = start + size
    return Box(type: type, whole: start..<position, content: content)
  }

  /// Throws if a box has bytes after its known content.
  func assertAtEnd(_ what: String) throws(HEIFRefusal) {
    guard isAtEnd else { throw HEIFRefusal("its \(what) box is longer than what is in it") }
  }
}
