import Testing

@testable import ZoomPipeline

@Suite struct SHA256Tests {
  private func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// The examples of FIPS 180-2, appendix B, and the digest of no bytes.
  @Test func `it is the standard's`() {
    #expect(
      hexadecimal(SHA256.digest(of: Array("abc".utf8)))
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(
      hexadecimal(
        SHA256.digest(of: Array("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq".utf8)))
        == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
    #expect(
      hexadecimal(SHA256.digest(of: []))
        == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
  }

  @Test func `pieces give what the whole gives`() {
    let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0 * 7) }
    for step in [1, 63, 64, 65, 999, 1000] {
      var hash = SHA256()
      for start in stride(from: 0, to: bytes.count, by: step) {
        hash.append(Array(bytes[start..<min(bytes.count, start + step)]))
        hash.append([])
      }
      #expect(hash.finish() == SHA256.digest(of: bytes))
    }
  }
}
