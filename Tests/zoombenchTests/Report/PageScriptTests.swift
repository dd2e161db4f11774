import Foundation
import Testing

@testable import zoombench

@Suite struct PageScriptTests {
  @Test func `the page's policy names the script it has`() {
    #expect(
      Data(SHA256.digest(Array(PageScript.text.utf8))).base64EncodedString() == PageScript.digest)
  }

  @Test func `the digest is that of FIPS 180-4's example`() {
    let digest = SHA256.digest(Array("abc".utf8)).map { String(format: "%02x", $0) }.joined()
    #expect(digest == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
  }
}

/// SHA-256 according to FIPS 180-4, with the constants computed as in section 4.2.2.
enum SHA256 {
  static func digest(_ message: [UInt8]) -> [UInt8] {
    let primes = (2...311).filter { n in !(2..<n).contains { n.isMultiple(of: $0) } }
    func fraction(_ root: Double) -> UInt32 { UInt32((root - root.rounded(.down)) * 0x1p32) }
    let constants = primes.map { fraction(cbrt(Double($0))) }
    var state = primes.prefix(8).map { fraction(Double($0).squareRoot()) }
    var bytes = message + [0x80]
    while bytes.count % 64 != 56 { bytes.append(0) }
    bytes += (0..<8).map { UInt8(truncatingIfNeeded: (message.count * 8) >> (56 - 8 * $0)) }
    for block in stride(from: 0, to: bytes.count, by: 64) {
      var words = (0..<16).map { word in
        (0..<4).reduce(0 as UInt32) { $0 << 8 | UInt32(bytes[block + 4 * word + $1]) }
      }
      func turned(_ value: UInt32, _ count: UInt32) -> UInt32 {
        value >> count | value << (32 - count)
      }
      for index in 16..<64 {
        let (a, b) = (words[index - 15], words[index - 2])
        let first = turned(a, 7) ^ turned(a, 18) ^ (a >> 3)
        let second = turned(b, 17) ^ turned(b, 19) ^ (b >> 10)
        words.append(words[index - 16] &+ first &+ words[index - 7] &+ second)
      }
      var s = state
      for index in 0..<64 {
        let first = turned(s[4], 6) ^ turned(s[4], 11) ^ turned(s[4], 25)
        let choice = (s[4] & s[5]) ^ (~s[4] & s[6])
        let one = s[7] &+ first &+ choice &+ constants[index] &+ words[index]
        let second = turned(s[0], 2) ^ turned(s[0], 13) ^ turned(s[0], 22)
        let majority = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2])
        s = [one &+ second &+ majority, s[0], s[1], s[2], s[3] &+ one, s[4], s[5], s[6]]
      }
      state = zip(state, s).map { $0 &+ $1 }
    }
    return state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * $0)) }
    }
  }
}
