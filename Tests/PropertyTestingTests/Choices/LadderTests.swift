import PropertyTesting
import Testing

@Suite struct LadderTests {
  private static let choices: [Choice] = {
    var testCase = TestCase()
    return (0..<UInt64(300)).flatMap { index in
      testCase.begin(seed: 6, index: index)
      _ = testCase.integer(in: Int.min...Int.max)
      _ = testCase.integer(in: 0...UInt64.max)
      _ = testCase.integer(in: -5...20, shrinkingTowards: 3)
      _ = testCase.double(in: 0.25...7.5)
      _ = testCase.double(in: -9 ... -0.07)
      _ = testCase.anyDouble()
      return testCase.choices
    }
  }()

  @Test func `at its own height stands the decision itself`() {
    var tried = 0
    for choice in Self.choices {
      guard let ladder = Ladder(choice) else { continue }
      tried += 1
      #expect(ladder.at(ladder.height) == choice)
    }
    #expect(tried * 2 > Self.choices.count)
  }

  @Test func `lower steps are allowed and never less simple`() {
    var tried = 0
    for choice in Self.choices {
      guard let ladder = Ladder(choice) else { continue }
      tried += 1
      for height in [0, ladder.height / 3, ladder.height / 2] where height < ladder.height {
        guard let lower = ladder.at(height) else {
          Issue.record("\(choice) at \(height)")
          continue
        }
        // Two decimals of 17 digits may denote the same double.
        #expect(!choice.isSimpler(than: lower))
        if case .float(let float) = lower { #expect(float.allows(float.value)) }
      }
    }
    #expect(tried * 2 > Self.choices.count)
  }

  @Test func `no ladder leads to what is not finite`() {
    let choice = FloatChoice(value: .nan, low: 0, high: 1, allowsNonFinite: true)
    #expect((Ladder(.float(choice)) == nil) as Bool)
    #expect((Ladder(.float(choice.with(.infinity))) == nil) as Bool)
  }

  @Test func `a move stays within the limits`() throws {
    let choice = IntegerChoice(magnitude: 3, below: 4, above: 5)
    let ladder = try #require(Ladder(.integer(choice)))
    #expect(ladder.room(downwards: true) == 7)
    #expect(ladder.room(downwards: false) == 2)
    #expect(ladder.moved(by: 7, downwards: true) == choice.at(-4).map { .integer($0) })
    #expect(ladder.moved(by: 3, downwards: false) == nil)
  }
}
