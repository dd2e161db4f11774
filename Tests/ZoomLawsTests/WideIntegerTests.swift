import Testing

@testable import ZoomLaws

/// The products and quotients were worked out in Python, with integers of any size.
@Suite struct WideIntegerTests {
  private static let products: [(String, String, String)] = [
    (
      "5adc67d7",
      "142795307",
      "72744a4174508be1"
    ),
    (
      "ffffffffffffffff",
      "ffffffffffffffff",
      "fffffffffffffffe0000000000000001"
    ),
    (
      "ac4b43e40306f0947bd08f85f7f57a3d732da4f065b5dc45d5",
      "25dc1464412def708d8f0fec1e1fd69a1",
      "197aff37a6f4f6a7c76fbaaffc7f673f0108c104859e2cb4a5c41e9312e7aaa28a72cba3734f0ad47f5"
    ),
    (
      "4",
      "332949a68ae836bf80c644154acde0836d218dc13e4c0954361ca4084666c13ceae590b969b6c818668",
      "cca5269a2ba0dafe031910552b37820db4863704f9302550d8729021199b04f3ab9642e5a6db20619a0"
    ),
  ]

  private static let quotients: [(String, String, UInt128)] = [
    (
      "186e4977f375cde39e110caa8db75a18d2445ba93d",
      "1090b9c3615215e4b793e621c2",
      0x1798d7e9588f990b6
    ),
    (
      "1b57b6802b97c5420",
      "1",
      0x1b57b6802b97c5420
    ),
    (
      "a23c0827d679e68ec537b20ec769eb49728e61948fc9ea3737beaea525f30226cfca6d87ec5",
      "e33485dfb82f7c22a04cf17c239f1d9807350337e8acd062f4a6186341f",
      0xb6cb975adec140fa
    ),
  ]

  private func integer(_ digits: String) throws -> WideInteger {
    var value = WideInteger(0)
    for digit in digits { value = (value << 4) + WideInteger(try #require(digit.hexDigitValue)) }
    return value
  }

  @Test(arguments: products)
  func `products are those of Python, with the sign that follows from the factors' signs`(
    first: String, second: String, product: String
  ) throws {
    let (a, b, wanted) = (try integer(first), try integer(second), try integer(product))
    let (minusA, minusB, minusWanted) = (-a, -b, -wanted)
    #expect(a * b == wanted)
    #expect(b * a == wanted)
    #expect(minusA * b == minusWanted)
    #expect(a * minusB == minusWanted)
    #expect(minusA * minusB == wanted)
    #expect((a * WideInteger(0)).isZero)
    let top = try #require(product.first?.hexDigitValue)
    #expect(wanted.bitWidth == 4 * product.count - (top.leadingZeroBitCount - (Int.bitWidth - 4)))
  }

  @Test(arguments: products)
  func `sums and differences undo each other, and products distribute over them`(
    first: String, second: String, product: String
  ) throws {
    let (a, b, c) = (try integer(first), try integer(second), try integer(product))
    let (minusA, minusB) = (-a, -b)
    let (sum, difference) = (a + b, a + minusB)
    #expect(sum + minusB == a)
    #expect(difference + b == a)
    #expect((a + minusA).isZero)
    #expect(c * sum == c * a + c * b)
    #expect(c * difference == c * a + c * minusB)
    #expect((a < b) == difference.isNegative)
    #expect((minusB < minusA) == (a < b))
    #expect(minusA < a)
  }

  @Test(arguments: quotients)
  func `quotients are those of Python`(
    dividend: String, divisor: String, quotient: UInt128
  ) throws {
    #expect(WideInteger.quotient(try integer(dividend), by: try integer(divisor)) == quotient)
  }
}
