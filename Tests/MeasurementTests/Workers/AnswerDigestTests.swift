import Measurement
import Testing

@Suite struct AnswerDigestTests {
  @Test(arguments: [
    // The test vectors that come with the reference implementation of FNV (Fowler, Noll, Vo).
    ("", "cbf29ce484222325"), ("a", "af63dc4c8601ec8c"), ("foobar", "85944171f73967e8"),
  ])
  func `it is the 64-bit FNV-1a hash`(text: String, expected: String) {
    var digest = AnswerDigest()
    digest.add(text.utf8)
    #expect(digest.hexadecimal == expected)
  }

  @Test func `a number is its eight bytes, the least significant first`() {
    var (number, bytes) = (AnswerDigest(), AnswerDigest())
    number.add(0x0102_0304_0506_0708 as UInt64)
    bytes.add([8, 7, 6, 5, 4, 3, 2, 1])
    #expect(number == bytes)
  }

  @Test func `sixteen digits, whatever was added`() {
    var digest = AnswerDigest()
    for number in 0..<2000 as Range<UInt64> {
      digest.add(number)
      #expect(digest.hexadecimal.count == 16)
      #expect(UInt64(digest.hexadecimal, radix: 16) != nil)
    }
  }
}
