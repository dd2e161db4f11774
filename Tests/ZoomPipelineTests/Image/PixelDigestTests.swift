import Foundation
import TestSupport
import Testing
import ZoomGeometry

@testable import ZoomPipeline

struct PixelDigestTests {
  private func pixels(
    _ width: Int, _ height: Int, _ bands: Int, _ format: SampleFormat,
    _ interpretation: ColourInterpretation, _ bytes: [UInt8]
  ) throws -> Pixels {
    Pixels(
      size: try PixelSize(width: width, height: height), bands: bands, format: format,
      interpretation: interpretation, bytes: bytes)
  }

  /// Made with `(printf '2 1 3 uint8 srgb\n'; printf '\x00\x01\x02\xfd\xfe\xff') | sha256sum`.
  @Test func `it is the SHA-256 that coreutils gives`() throws {
    #expect(
      PixelDigest(of: try pixels(2, 1, 3, [0, 1, 2, 0xFD, 0xFE, 0xFF])).hexadecimal
        == "6a7df5fe8b6895a7548a9d17edb3428499c6082ad7abd5cadf34e6f45e093316")
    // The same way: "1 2 1 uint16 grey16\n", 34 12 ff 00.
    let grey16 = ColourInterpretation(rawValue: "grey16")
    #expect(
      PixelDigest(of: try pixels(1, 2, 1, .uint16, grey16, [0x34, 0x12, 0xFF, 0])).hexadecimal
        == "0f41e137739517409979ec32bc4a9cdbbf56a15b317665a7ebb2c9ccce776f3f")
  }

  @Test func `it depends on size, bands, format, interpretation and every byte`() throws {
    let zeros = [UInt8](repeating: 0, count: 12)
    var digests: Set<PixelDigest> = []
    let shapes = try [
      pixels(12, 1, 1, zeros), pixels(1, 12, 1, zeros), pixels(6, 2, 1, zeros),
      pixels(4, 1, 3, zeros), pixels(3, 1, 4, zeros), pixels(12, 1, 1, .int8, zeros),
      pixels(6, 1, 1, .uint16, zeros), pixels(6, 1, 1, .int16, zeros),
      pixels(12, 1, 1, .uint8, .grey, zeros), pixels(4, 1, 3, .uint8, .cmyk, zeros),
    ]
    for shape in shapes { digests.insert(PixelDigest(of: shape)) }
    for place in zeros.indices {
      for bit in 0..<8 {
        var bytes = zeros
        bytes[place] = 1 << bit
        digests.insert(PixelDigest(of: try pixels(12, 1, 1, bytes)))
      }
    }
    #expect(digests.count == shapes.count + 12 * 8)
  }

  @Test func `equal pixels have equal digests, in pieces or at once`() throws {
    let bytes = (0..<3000).map { UInt8(truncatingIfNeeded: $0 * 7) }
    let whole = PixelDigest(of: try pixels(50, 20, 3, bytes))
    #expect(PixelDigest(of: try pixels(50, 20, 3, bytes)) == whole)
    for step in [1, 7, 64, 2999, 3000] {
      var digest = IncrementalDigest(
        size: try PixelSize(width: 50, height: 20), bands: 3, format: .uint8, interpretation: .srgb)
      for start in stride(from: 0, to: 3000, by: step) {
        digest.append(Array(bytes[start..<min(3000, start + step)]))
      }
      digest.append([])
      #expect(digest.finish() == whole)
    }
  }

  @Test func `it is written down as its digits alone`() throws {
    let digest = PixelDigest(of: try pixels(1, 1, 1, [5]))
    let data = try JSONEncoder().encode([digest])
    #expect(String(decoding: data, as: UTF8.self) == "[\"\(digest)\"]")
    #expect(try JSONDecoder().decode([PixelDigest].self, from: data) == [digest])
    #expect(PixelDigest(hexadecimal: digest.hexadecimal) == digest)
    #expect(digest.hexadecimal.count == 64)
  }
}

extension PixelDigestTests {
  private func pixels(_ width: Int, _ height: Int, _ bands: Int, _ bytes: [UInt8]) throws -> Pixels
  {
    try pixels(width, height, bands, .uint8, .srgb, bytes)
  }

  private func pixels(
    _ width: Int, _ height: Int, _ bands: Int, _ format: SampleFormat, _ bytes: [UInt8]
  ) throws -> Pixels {
    try pixels(width, height, bands, format, .srgb, bytes)
  }
}
