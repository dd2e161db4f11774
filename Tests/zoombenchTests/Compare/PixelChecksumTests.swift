import Testing
import ZoomGeometry
import ZoomPipeline

@testable import zoombench

@Suite struct PixelChecksumTests {
  private static func pixels(_ width: Int, _ height: Int, _ bytes: [UInt8]) throws -> Pixels {
    Pixels(
      size: try PixelSize(width: width, height: height), bands: 1, format: .uint8,
      interpretation: .grey, bytes: bytes)
  }

  @Test func `any byte that changes changes the checksum`() throws {
    let bytes = (0..<21).map { UInt8($0 * 11) }
    let plain = PixelChecksum.of(try Self.pixels(7, 3, bytes), rows: 0..<3)
    for index in bytes.indices {
      var other = bytes
      other[index] ^= 1
      #expect(PixelChecksum.of(try Self.pixels(7, 3, other), rows: 0..<3) != plain)
    }
  }

  @Test func `rows in the middle have the checksum of a picture of these rows`() throws {
    let bytes = (0..<40).map { UInt8($0) }
    let whole = try Self.pixels(8, 5, bytes)
    let part = try Self.pixels(8, 2, Array(bytes[16..<32]))
    #expect(PixelChecksum.of(whole, rows: 2..<4) == PixelChecksum.of(part, rows: 0..<2))
  }

  @Test func `the same bytes in another shape have another checksum`() throws {
    let bytes = [UInt8](repeating: 7, count: 16)
    let (flat, square) = (try Self.pixels(8, 2, bytes), try Self.pixels(4, 4, bytes))
    #expect(PixelChecksum.of(flat, rows: 0..<2) != PixelChecksum.of(square, rows: 0..<4))
  }

  @Test func `a checksum is sixteen hexadecimal digits`() throws {
    for value in 0..<64 {
      let text = PixelChecksum.of(try Self.pixels(1, 1, [UInt8(value)]), rows: 0..<1)
      #expect(text.count == 16 && text.allSatisfy(\.isHexDigit))
    }
  }

  @Test func `only the digest of an answer like the reference contains differences`() {
    let reference = String(repeating: "0a", count: 8)
    let alike = PixelChecksum.alike(reference, largest: 12.5, mean: 0.03)
    #expect(alike.count <= 128 && alike.allSatisfy(\.isHexDigit))
    let found = PixelChecksum.differences(in: alike, from: reference)
    #expect(found?.largest == 12.5 && found?.mean == 0.03)
    let other = String(repeating: "0b", count: 8)
    for digest in [reference, other, PixelChecksum.alike(other, largest: 1, mean: 1)] {
      #expect(PixelChecksum.differences(in: digest, from: reference) == nil)
    }
  }
}
