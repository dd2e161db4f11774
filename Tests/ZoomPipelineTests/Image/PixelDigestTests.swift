import Foundation
import TestSupport
import Testing
import ZoomGeometry

@testable import ZoomPipeline

struct PixelDigestTests {
  /// Computed by `(printf '2 1 3 uint8 srgb\n'; printf '\x00\x01\x02\xfd\xfe\xff') | sha256sum`.
  @Test func `it is the SHA-256 that coreutils gives`() throws {
    #expect(
      PixelDigest(of: try Pixels(2, 1, 3, bytes: [0, 1, 2, 0xFD, 0xFE, 0xFF])).rawValue
        == "6a7df5fe8b6895a7548a9d17edb3428499c6082ad7abd5cadf34e6f45e093316")
    // Computed in the same way from "1 2 1 uint16 grey16\n", 34 12 ff 00.
    let grey16 = ColourInterpretation(rawValue: "grey16")
    #expect(
      PixelDigest(of: try Pixels(1, 2, 1, .uint16, grey16, bytes: [0x34, 0x12, 0xFF, 0]))
        .rawValue
        == "0f41e137739517409979ec32bc4a9cdbbf56a15b317665a7ebb2c9ccce776f3f")
  }

  @Test func `it depends on size, bands, format, interpretation and every byte`() throws {
    let zeros = [UInt8](repeating: 0, count: 12)
    var digests: Set<PixelDigest> = []
    let shapes = try [
      Pixels(12, 1, 1, bytes: zeros), Pixels(1, 12, 1, bytes: zeros), Pixels(6, 2, 1, bytes: zeros),
      Pixels(4, 1, 3, bytes: zeros), Pixels(3, 1, 4, bytes: zeros),
      Pixels(12, 1, 1, .int8, bytes: zeros),
      Pixels(6, 1, 1, .uint16, bytes: zeros), Pixels(6, 1, 1, .int16, bytes: zeros),
      Pixels(12, 1, 1, .uint8, .grey, bytes: zeros), Pixels(4, 1, 3, .uint8, .cmyk, bytes: zeros),
    ]
    for shape in shapes { digests.insert(PixelDigest(of: shape)) }
    for place in zeros.indices {
      for bit in 0..<8 {
        var bytes = zeros
        bytes[place] = 1 << bit
        digests.insert(PixelDigest(of: try Pixels(12, 1, 1, bytes: bytes)))
      }
    }
    #expect(digests.count == shapes.count + 12 * 8)
  }

  @Test func `it is written down as its digits alone`() throws {
    let digest = PixelDigest(of: try Pixels(1, 1, 1, bytes: [5]))
    let data = try JSONEncoder().encode([digest])
    #expect(String(decoding: data, as: UTF8.self) == "[\"\(digest)\"]")
    #expect(try JSONDecoder().decode([PixelDigest].self, from: data) == [digest])
  }
}
