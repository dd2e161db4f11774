/// A random number generator whose words are recorded choices, for functions that take a generator.
///
/// Words are uniform: `Int.random(in:using:)`, `Double.random(in:using:)`, `shuffled(using:)` and others
/// have the distribution that they document. Each 64-bit word is one choice, so values made of words
/// shrink: whole numbers and doubles to the lower end of their range, `Bool.random(using:)` to true.
public struct ChoiceRandom: RandomNumberGenerator {
  /// Owns the case during `withRandom`; it is empty afterwards, so that a copy of the generator that outlives the call
  /// cannot draw from a finished case.
  fileprivate final class Loan {
    var testCase: TestCase?
    /// The source of words after an overrun.
    ///
    /// The standard library redraws until it accepts a word, so equal words could make it loop forever.
    var spare = SplitMix64(seed: 0)
    /// The last word that was returned.
    var last: UInt64 = 1
    init(_ testCase: consuming TestCase) { self.testCase = consume testCase }
    func end() -> TestCase {
      guard let ended = testCase.take() else { preconditionFailure("a loan ends once") }
      return ended
    }
  }

  fileprivate let loan: Loan

  /// Returns the next word: a recorded choice, or an unrecorded word after an overrun or after the call of
  /// `withRandom`.
  public mutating func next() -> UInt64 {
    // Not `integer(in:)`, which prefers small numbers and edges.
    guard let choice = loan.testCase?.index(upTo: .max, sample: { $0.next() }),
      loan.testCase?.isOverrun == false
    else { return loan.spare.next() }
    // The simplest word is 0, which `Int.random(in:)` rejects for most ranges; it accepts 1. So the choice after a word
    // 0 is incremented, which keeps words uniform.
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
