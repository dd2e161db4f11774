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
  private var position: Int
  private let end: Int

  init(_ bytes: [UInt8], _ range: Range<Int>) {
    self.bytes = bytes
    position = range.lowerBound
    end = range.upperBound
  }

  init(_ bytes: [UInt8]) { self.init(bytes, bytes.indices) }

  /// The number of bytes before the end.
  var rest: Int { end - position }

  var isAtEnd: Bool { rest == 0 }

  private static var cut: HEIFRefusal { HEIFRefusal("one of its boxes is cut off") }

  mutating func take(_ count: Int) throws(HEIFRefusal) -> ArraySlice<UInt8> {
    guard count <= rest else { throw Self.cut }
    defer { position += count }
    return bytes[position..<position + count]
  }

  /// Reads a number of 0 to 8 bytes below 2^62, so that two of them can be added.
  mutating func number(_ count: Int) throws(HEIFRefusal) -> Int {
    let value = try take(count).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    guard value < 1 << 62 else { throw HEIFRefusal("one of its numbers is beyond any file") }
    return Int(value)
  }

  mutating func type() throws(HEIFRefusal) -> String {
    String(String.UnicodeScalarView(try take(4).map { Unicode.Scalar($0) }))
  }

  /// Reads the version and the flags of a box; throws unless the version is one of these.
  mutating func versionAndFlags(
    _ versions: ClosedRange<Int>, of box: Box
  ) throws(HEIFRefusal) -> (version: Int, flags: Int) {
    let version = try number(1)
    guard versions.contains(version) else {
      throw HEIFRefusal("its \(box.type) box has version \(version), which is not known")
    }
    return (version, try number(3))
  }

  /// Reads a box, which must be inside the range, and moves to its end.
  mutating func box() throws(HEIFRefusal) -> Box {
    let box = try header(at: position, of: rest)
    position = box.whole.upperBound
    return box
  }

  /// Reads all boxes and returns those of some types; throws if there are two of one type.
  mutating func boxes(_ types: Set<String>) throws(HEIFRefusal) -> [String: Box] {
    var boxes: [String: Box] = [:]
    while !isAtEnd {
      let box = try box()
      guard types.contains(box.type) else { continue }
      guard boxes.updateValue(box, forKey: box.type) == nil else {
        throw HEIFRefusal("it has two \(box.type) boxes")
      }
    }
    return boxes
  }

  /// Reads the header of a box that begins at `start` and has at most `most` bytes.
  mutating func header(at start: Int, of most: Int) throws(HEIFRefusal) -> Box {
    let first = position
    let short = try number(4)
    let type = try type()
    let size =
      switch short {
      case 0: most
      case 1: try number(8)
      default: short
      }
    let length = position - first
    guard size >= length, size <= most else { throw Self.cut }
    return Box(type: type, whole: start..<start + size, content: start + length..<start + size)
  }

  /// Throws if a box has bytes after its known content.
  func assertAtEnd(_ what: String) throws(HEIFRefusal) {
    guard isAtEnd else { throw HEIFRefusal("its \(what) box is longer than what is in it") }
  }
}
