import Testing

@testable import ZoomPipeline

@Suite struct SHA256Tests {
  /// The examples of FIPS 180-2, appendix B, and the digest of no bytes.
  @Test(arguments: [
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
  ])
  func `digests of the standard's examples are the standard's`(_ text: String, _ digits: String) {
    #expect(SHA256.hexadecimal(SHA256.digest(of: Array(text.utf8))) == digits)
  }

  @Test func `a digest in pieces is that of the whole`() {
    let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0 * 7) }
    for step in [1, 63, 64, 65, 999, 1000] {
      var hash = SHA256()
      for start in stride(from: 0, to: bytes.count, by: step) {
        hash.append(Array(bytes[start..<min(bytes.count, start + step)]))
        hash.append([])
      }
      #expect(hash.digest == SHA256.digest(of: bytes))
    }
  }
}
