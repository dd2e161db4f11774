#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif
import Measurement
import Testing

@Suite struct LineBufferTests {
  /// Writes the pieces one after the other, reads each, and returns the lines found.
  static func lines(of pieces: [[UInt8]], limit: Int) throws -> [LineBuffer.Line] {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    defer { close(ends[0]) }
    var buffer = LineBuffer(limit: limit)
    var found: [LineBuffer.Line] = []
    for piece in pieces where !piece.isEmpty {
      // Pieces are far smaller than a pipe's buffer, so the write does not block.
      try #require(write(ends[1], piece, piece.count) == piece.count)
      #expect(buffer.fill(from: ends[0]) == .bytes)
      while let line = buffer.take() {
        found.append(line)
        if case .overlong = line { break }
      }
    }
    close(ends[1])
    #expect(buffer.fill(from: ends[0]) == .end)
    return found
  }

  @Test func `lines are the same however they come in pieces`() throws {
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

  @Test func `a descriptor that is not open is a failure`() {
    var buffer = LineBuffer(limit: 10)
    #expect(buffer.fill(from: -1) == .failure(code: EBADF))
    #expect(buffer.nextLine(from: -1) == nil)
  }
}

@Suite struct PipeWaitingTests {
  /// The ends of a pipe, which closes with this object.
  private final class Pipe {
    let reading: Int32
    let writing: Int32

    init() throws {
      var ends: [Int32] = [0, 0]
      try #require(pipe(&ends) == 0)
      (reading, writing) = (ends[0], ends[1])
    }

    deinit {
      close(reading)
      close(writing)
    }

    func wait(hasEnded: () -> Bool) -> PipeWaiting.Readiness {
      var entries = [pollfd(fd: reading, events: Int16(POLLIN), revents: 0)]
      return PipeWaiting.wait(for: &entries, milliseconds: 0, hasEnded: hasEnded)
    }
  }

  @Test func `what a writer leaves at its end is read, though the pipe stays open`() throws {
    let pipe = try Pipe()
    #expect(pipe.wait { false } == .nothing)
    // The writer writes after the first poll, and has ended when asked.
    let readiness = pipe.wait {
      #expect(write(pipe.writing, "a", 1) == 1)
      return true
    }
    #expect(readiness == .ready)
    var byte: UInt8 = 0
    #expect(read(pipe.reading, &byte, 1) == 1)
    #expect(pipe.wait { true } == .writerEnded)
  }
}
