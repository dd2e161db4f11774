import CZlib
import PropertyTesting
import TestSupport
import Testing

@testable import ZoomPipeline

/// Tests streams that end exactly at the end of the buffer.
struct RowPassEndTests {
  /// The size of the buffer of `RowPass` for rows shorter than a quarter of a megabyte.
  private static let capacity = Inflater.windowLength + 1 << 18

  @Test func `rows may end where the buffer does, before the code that ends the block`() throws {
    let folder = try TestFolder()
    let plains = (0..<3).map { Self.plain($0, 2 * Self.capacity) }
    var tried = 0
    // The first end of the buffer, and the second, when only the window of the first is left.
    for end in [Self.capacity, 2 * Self.capacity - Inflater.windowLength] {
      for total in end - 280...end + 280 {
        let isNear = abs(total - end) < 4
        guard isNear || total.isMultiple(of: 5),
          let count = (16...700).last(where: { total.isMultiple(of: $0) })
        else { continue }
        for style in isNear ? Array(0..<6) : [total % 6] {
          let plain = Array(plains[style % 3].prefix(total))
          let stream = Self.zlib(plain, level: style < 3 ? 6 : style == 3 ? 0 : 1)
          let path = try folder.write(stream, as: "stream")
          let rows = try #require(
            try DeflatedRows(
              of: .init(offset: 0, count: stream.count), rows: count, rowBytes: total / count,
              in: FileReader(path)))
          let index = RowIndex(try FileReader(path), rows, spacing: 64)
          var last: [UInt8] = []
          let read = try index.read(count - 1..<count, wantedBytes: total / count) { _, bytes in
            last = Array(UnsafeBufferPointer(start: bytes, count: total / count))
          }
          #expect(read != nil, "\(count) rows of \(total / count) bytes, style \(style)")
          #expect(isSame(last, Array(plain.suffix(total / count))))
          tried += 1
        }
      }
    }
    #expect(tried > 150, "\(tried)")
  }

  @Test(arguments: [0, 1, 6])
  func `a wrong checksum is noticed if the rows end where the buffer does`(_ level: Int) throws {
    let folder = try TestFolder()
    let plain = Self.plain(1, Self.capacity)
    var stream = Self.zlib(plain, level: level)
    stream[stream.count - 1] ^= 1
    let file = try FileReader(try folder.write(stream, as: "stream"))
    let rows = try #require(
      try DeflatedRows(
        of: .init(offset: 0, count: stream.count), rows: 72, rowBytes: 4096, in: file))
    let index = RowIndex(file, rows, spacing: 64)
    // The rows above the last one may be shown, as by decoders that stream.
    #expect(try index.read(0..<71, wantedBytes: 4096) { _, _ in } != nil)
    #expect(try index.read(71..<72, wantedBytes: 4096) { _, _ in } == nil)
  }

  /// Returns one value, noise, or both: matches of all lengths, or none.
  private static func plain(_ style: Int, _ count: Int) -> [UInt8] {
    var random = SplitMix64(seed: 5)
    return (0..<count).map { place in
      style == 0 || style == 2 && place / 700 % 2 == 0
        ? 90 : UInt8(truncatingIfNeeded: random.next())
    }
  }

  private static func zlib(_ plain: [UInt8], level: Int) -> [UInt8] {
    var length = compressBound(UInt(plain.count))
    var coded = [UInt8](repeating: 0, count: Int(length))
    let status = compress2(&coded, &length, plain, UInt(plain.count), Int32(level))
    precondition(status == Z_OK, "zlib is out of memory")
    return Array(coded.prefix(Int(length)))
  }
}
