import TestSupport
import Testing

@testable import ZoomPipeline

@Suite struct SidecarKeyTests {
  private func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// Made with `printf 'Hi There' | openssl dgst -sha256 -mac HMAC -macopt hexkey:0b...0b` (32 bytes).
  @Test func `a tag is the HMAC-SHA256 that OpenSSL gives`() throws {
    let key = try #require(SidecarKey([UInt8](repeating: 0x0B, count: 32)))
    #expect(
      hexadecimal(key.tag(of: Array("Hi There".utf8)[...]))
        == "198a607eb44bfbc69903a0f1cf2bbdc5ba0aa3f3d9ae3c1c7a3b1696a0b68cf7")
  }

  @Test func `a tag is of the slice alone, and every bit of key and bytes counts`() throws {
    let key = try SampleSidecar.key(1)
    let bytes = (0..<100).map { UInt8($0) }
    #expect(key.tag(of: bytes[10..<20]) == key.tag(of: Array(bytes[10..<20])[...]))
    var tags: Set<[UInt8]> = [key.tag(of: bytes[...])]
    for place in bytes.indices {
      var changed = bytes
      changed[place] ^= 0x80
      tags.insert(key.tag(of: changed[...]))
    }
    for place in 0..<SidecarKey.byteCount {
      var secret = key.bytes
      secret[place] ^= 1
      tags.insert(try #require(SidecarKey(secret)).tag(of: bytes[...]))
    }
    #expect(tags.count == 1 + bytes.count + SidecarKey.byteCount)
    #expect(tags.allSatisfy { $0.count == SidecarKey.tagByteCount })
  }

  @Test func `a secret has 32 bytes and random ones differ`() throws {
    for count in [0, 1, 31, 33, 64] {
      #expect(SidecarKey([UInt8](repeating: 0, count: count)) == nil)
    }
    let keys = try (0..<20).map { _ in try #require(SidecarKey.random()) }
    #expect(Set(keys.map(\.bytes)).count == 20)
    #expect(Set(keys.map(\.fingerprint)).count == 20)
    #expect(keys.allSatisfy { $0.fingerprint.count == SidecarKey.fingerprintByteCount })
  }
}
