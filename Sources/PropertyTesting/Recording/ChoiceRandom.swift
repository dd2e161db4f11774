/// A random number generator whose words are recorded choices, for functions that take a generator.
///
/// Words are uniform: `Int.random(in:using:)`, `Double.random(in:using:)`, `shuffled(using:)` and others have the
/// distribution that they document. Each 64-bit word is one choice, so values made of words shrink: whole numbers and
/// doubles to the lower end of their range, `Bool.random(using:)` to true.
public struct ChoiceRandom: RandomNumberGenerator {
  /// Holds the case only during `withRandom`, so that no copy of the generator can change it later.
  fileprivate final class Loan {
    var testCase: TestCase?
    /// The source of words after an overrun; with constant words, the standard library might redraw forever.
    var spare = SplitMix64(seed: 0)
    var last: UInt64 = 1
    init(_ testCase: consuming TestCase) { self.testCase = consume testCase }
    func end() -> TestCase {
      guard let ended = testCase.take() else { preconditionFailure("a loan ends once") }
      return ended
    }
  }

  fileprivate let loan: Loan

  /// Returns the next word: a recorded choice or, after an overrun or after `withRandom` has returned, an
  /// unrecorded word.
  public mutating func next() -> UInt64 {
    // `integer(in:)` is unsuitable, because it prefers small numbers and edges.
    guard let choice = loan.testCase?.index(through: .max, sample: { $0.next() }),
      loan.testCase?.isOverrun == false
    else { return loan.spare.next() }
    // `Int.random(in:)` rejects the word 0 for most ranges and draws again; it accepts 1. So after a word 0 the next
    // word is its choice plus 1, and the simplest choices give 0, 1, 0, 1. Words stay uniform.
    let word = loan.last == 0 ? choice &+ 1 : choice
    loan.last = word
    return word
  }
}

extension TestCase {
  /// Lends the case to a function that draws from a random number generator.
  public mutating func withRandom<Value, E: Error>(
    _ body: (inout ChoiceRandom) throws(E) -> Value
  ) throws(E) -> Value {
    var lent = TestCase()
    swap(&lent, &self)
    var random = ChoiceRandom(loan: ChoiceRandom.Loan(lent))
    defer { self = random.loan.end() }
    return try body(&random)
  }
}

/// The pseudo-random sequence that cases are drawn from.
///
/// SplitMix64 (Steele, Lea, Flood 2014) has a period of 2^64. Every state is valid, so a case can be drawn without the
/// cases before it.
package struct SplitMix64: RandomNumberGenerator, Sendable {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  /// Creates the sequence of one case of a run.
  package init(seed: UInt64, index: UInt64) {
    var mixer = SplitMix64(seed: seed)
    var second = SplitMix64(seed: mixer.next() ^ index)
    state = second.next()
  }

  @inline(__always)
  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }

  /// Returns a uniformly random number from 0 through a bound, by Lemire's multiplication with rejection.
  @inline(__always)
  package mutating func next(through bound: UInt64) -> UInt64 {
    guard bound < .max else { return next() }
    let width = bound + 1
    var product = next().multipliedFullWidth(by: width)
    // At most one in 2^64 / width words needs the division.
    if product.low < width {
      let surplus = (0 &- width) % width
      while product.low < surplus { product = next().multipliedFullWidth(by: width) }
    }
    return product.high
  }

  /// Returns a multiple of 2^-53 from 0 up to but not including 1.
  @inline(__always)
  package mutating func nextUnit() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// Returns one of some numbers with the probability `share`, else nil.
  mutating func picked<Number>(from numbers: [Number], share: Double) -> Number? {
    nextUnit() < share ? element(of: numbers) : nil
  }

  /// Returns one of some values; there must be at least one.
  package mutating func element<Value>(of values: [Value]) -> Value {
    values[Int(next(through: UInt64(values.count - 1)))]
  }
}
