/// A sample whose mean over a block of at most 64 can be taken without overflow.
protocol BlockSample: BitwiseCopyable {
  /// What holds the sum of 64 samples.
  associatedtype Sum: BitwiseCopyable

  static var emptySum: Sum { get }
  static func term(_ sample: Self) -> Sum
  static func add(_ one: Sum, _ other: Sum) -> Sum
  static func mean(of sum: Sum, over block: BlockCount) -> Self
}

/// How many samples are in a block, 1...64.
struct BlockCount {
  let count: Int
  /// The power of two that the count is; nil when it is none.
  let power: Int?

  init(_ count: Int) {
    self.count = count
    power = count.nonzeroBitCount == 1 ? count.trailingZeroBitCount : nil
  }
}

/// Whole numbers: the mean is rounded to the nearest, halves upwards.
protocol WholeBlockSample: BlockSample, FixedWidthInteger where Sum: FixedWidthInteger {}

extension WholeBlockSample {
  @inline(__always) static var emptySum: Sum { 0 }
  @inline(__always) static func term(_ sample: Self) -> Sum { Sum(truncatingIfNeeded: sample) }
  @inline(__always) static func add(_ one: Sum, _ other: Sum) -> Sum { one &+ other }

  @inline(__always) static func mean(of sum: Sum, over block: BlockCount) -> Self {
    let raised = sum &+ Sum(truncatingIfNeeded: block.count / 2)
    if let power = block.power {
      // Of a signed number this shift rounds down, too.
      return Self(truncatingIfNeeded: raised &>> Sum(truncatingIfNeeded: power))
    }
    let (quotient, remainder) = raised.quotientAndRemainder(
      dividingBy: Sum(truncatingIfNeeded: block.count))
    return Self(truncatingIfNeeded: remainder < 0 ? quotient - 1 : quotient)
  }
}

extension UInt8: WholeBlockSample { typealias Sum = UInt32 }
extension Int8: WholeBlockSample { typealias Sum = Int32 }
extension UInt16: WholeBlockSample { typealias Sum = UInt32 }
extension Int16: WholeBlockSample { typealias Sum = Int32 }
extension UInt32: WholeBlockSample { typealias Sum = UInt64 }
extension Int32: WholeBlockSample { typealias Sum = Int64 }

extension Float: BlockSample {
  @inline(__always) static var emptySum: Double { 0 }
  @inline(__always) static func term(_ sample: Float) -> Double { Double(sample) }
  @inline(__always) static func add(_ one: Double, _ other: Double) -> Double { one + other }
  @inline(__always) static func mean(of sum: Double, over block: BlockCount) -> Float {
    Float(sum / Double(block.count))
  }
}

extension Double: BlockSample {
  @inline(__always) static var emptySum: Double { 0 }
  /// A sixty-fourth, which is exact for all but the smallest numbers: 64 of the largest then add up.
  @inline(__always) static func term(_ sample: Double) -> Double { sample / 64 }
  @inline(__always) static func add(_ one: Double, _ other: Double) -> Double { one + other }
  @inline(__always) static func mean(of sum: Double, over block: BlockCount) -> Double {
    // No rounding carries the mean of the largest numbers to infinity. With the last place of the
    // largest as the unit, a sum of n is n or more below n times the next power of two: the last
    // place of such a sum is below 2 n units, so that rounding goes to n below or further.
    sum / (Double(block.count) / 64)
  }
}
