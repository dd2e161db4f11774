/// Hands out recorded choices as a random number generator, for code that wants one.
///
/// Each 64-bit word is one choice, so that what is made of it shrinks too.
public struct ChoiceRandom: RandomNumberGenerator {
  /// Holds the case while the generator is lent; emptied afterwards, so that a copy which was
  /// kept cannot draw from a case that has ended.
  fileprivate final class Loan {
    var testCase: TestCase?
    /// What follows when there are no more choices.
    ///
    /// The standard library draws again until a
    /// word suits it, and 0 for ever would never suit it, so a word must change now and then.
    var spare = SplitMix64(seed: 0)
    init(_ testCase: consuming TestCase) { self.testCase = consume testCase }
    func end() -> TestCase {
      guard let ended = testCase.take() else { preconditionFailure("a loan ends once") }
      return ended
    }
  }

  fileprivate let loan: Loan

  /// The next word, a recorded choice; one that is not recorded when there are no more choices.
  public mutating func next() -> UInt64 {
    guard let word = loan.testCase?.integer(in: 0...UInt64.max),
      loan.testCase?.isOverrun == false
    else { return loan.spare.next() }
    return word
  }
}

extension TestCase {
  /// Lends the case to code that draws from a random number generator.
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
