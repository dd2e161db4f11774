#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif
import Measurement
import Testing

@Suite struct LineBufferTests {
  /// Writes the pieces one after the other, reads each, and returns the lines found.
  static func lines(
    of pieces: [[UInt8]], limit: Int, separator: UInt8 = UInt8(ascii: "\n")
  ) throws -> [LineBuffer.Line] {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    defer { close(ends[0]) }
    var buffer = LineBuffer(limit: limit, separator: separator)
    var found: [LineBuffer.Line] = []
    for piece in pieces where !piece.isEmpty {
      // Pieces are far smaller than a pipe's buffer, so the write does not block.
      try #require(write(ends[1], piece, piece.count) == piece.count)
      let isFilled = buffer.fill(from: ends[0])
      #expect(isFilled)
      while let line = buffer.take() {
        found.append(line)
        if case .overlong = line { break }
      }
    }
    close(ends[1])
    let atEnd = [buffer.fill(from: ends[0]), buffer.fill(from: -1)]
    #expect(atEnd == [false, false])
    return found
  }

  @Test func `lines do not depend on how their bytes are split`() throws {
    let text = Array("hello 1\n\nzwölf 😀\r\nlast\nnever ended".utf8)
    let expected = ["hello 1", "", "zwölf 😀\r", "last"].map { LineBuffer.Line.line(Array($0.utf8)) }
    for cut in 0...text.count {
      #expect(
        try Self.lines(of: [Array(text[..<cut]), Array(text[cut...])], limit: 100) == expected)
    }
    #expect(try Self.lines(of: text.map { [$0] }, limit: 100) == expected)
  }

  @Test(arguments: [1, 2, 16, 1000]) func `the limit counts the line feed`(limit: Int) throws {
    let fits = [UInt8](repeating: 0x61, count: limit - 1) + [0x0A]
    let line = LineBuffer.Line.line([UInt8](repeating: 0x61, count: limit - 1))
    #expect(try Self.lines(of: [fits + fits], limit: limit) == [line, line])
    #expect(try Self.lines(of: [[0x61] + fits], limit: limit) == [.overlong])
    #expect(
      try Self.lines(of: [[UInt8](repeating: 0x61, count: limit)], limit: limit) == [.overlong])
  }

  @Test func `another separator ends lines in place of the line feed`() throws {
    let bytes: [UInt8] = Array("{\"a\":\n1}".utf8) + [0, 0] + Array("{}".utf8) + [0, 0x61]
    let expected = ["{\"a\":\n1}", "", "{}"].map { LineBuffer.Line.line(Array($0.utf8)) }
    for cut in 0...bytes.count {
      let pieces = [Array(bytes[..<cut]), Array(bytes[cut...])]
      #expect(try Self.lines(of: pieces, limit: 100, separator: 0) == expected)
    }
    #expect(try Self.lines(of: [bytes], limit: 8, separator: 0) == [.overlong])
  }
}
