import Measurement
import Testing

@Suite struct SaturatingNanosecondsTests {
  static let numbers: [UInt64] = [0, 1, 2, 1 << 63, .max - 1, .max]

  @Test(arguments: numbers, numbers)
  func `sums and differences are exact or at the end of the range`(left: UInt64, right: UInt64) {
    // The exact results, in 128 bits.
    let sum = UInt128(left) + UInt128(right)
    #expect(UInt128(left.addingSaturating(right)) == min(sum, UInt128(UInt64.max)))
    let difference = Int128(left) - Int128(right)
    #expect(Int128(left.subtractingToZero(right)) == max(difference, 0))
  }
}
