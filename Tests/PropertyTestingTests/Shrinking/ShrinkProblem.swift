import PropertyTesting

/// A generator, and a property that fails for some of its values.
struct ShrinkProblem: Sendable {
  let name: String
  let replay: @Sendable (inout TestCase) -> Attempt

  init<Value>(
    _ name: String, _ generator: Gen<Value>,
    judge: @escaping @Sendable (Value) -> Attempt.Outcome
  ) {
    self.name = name
    replay = { testCase in
      let value = try? generator.body(&testCase)
      let outcome: Attempt.Outcome =
        testCase.isOverrun ? .overrun : value.map(judge) ?? .discarded
      return Attempt(choices: testCase.choices, spans: testCase.spans, outcome: outcome)
    }
  }

  static func failing<Value>(
    _ generator: Gen<Value>, when fails: @escaping @Sendable (Value) -> Bool
  ) -> ShrinkProblem {
    ShrinkProblem("", generator) { value in
      fails(value) ? .failed(FailureOrigin(errorType: "broken")) : .passed
    }
  }

  func evaluate(_ list: [Choice]) -> Attempt {
    var testCase = TestCase()
    testCase.begin(replaying: list, tail: .overrun)
    return replay(&testCase)
  }

  /// Returns the first failure among the cases of a seed; nil if all of them pass.
  func firstFailure(seed: UInt64, cases: UInt64 = 300) -> Attempt? {
    var testCase = TestCase()
    for index in 0..<cases {
      testCase.begin(seed: seed, index: index)
      let attempt = replay(&testCase)
      if case .failed = attempt.outcome { return attempt }
    }
    return nil
  }
}

extension Gen {
  /// Returns the value to which the first failure of a seed shrinks; nil if no case fails.
  func shrunk(
    seed: UInt64, cases: UInt64 = 2000, _ fails: @escaping @Sendable (Value) -> Bool
  ) async -> Value? {
    let problem = ShrinkProblem.failing(self, when: fails)
    guard let start = problem.firstFailure(seed: seed, cases: cases) else { return nil }
    let result = await shrink(start) { problem.evaluate($0) }
    var testCase = TestCase()
    testCase.begin(replaying: result.smallest.choices, tail: .overrun)
    return try? body(&testCase)
  }
}

extension ShrinkProblem {
  /// All combinations of the generators and properties below, except unsorted sets, because sets are always sorted.
  static var all: [ShrinkProblem] {
    generators.flatMap { name, generator in
      properties.compactMap { property, judge in
        name == "set" && property == "unsorted"
          ? nil : ShrinkProblem("\(name), \(property)", generator, judge: judge)
      }
    }
  }

  private static let first = Attempt.Outcome.failed(FailureOrigin(errorType: "first"))
  private static let second = Attempt.Outcome.failed(
    FailureOrigin(errorType: "second", place: "here"))

  private static var generators: [(String, Gen<[Double]>)] {
    let small = Gen.int(in: -100...100)
    let list = Gen.array(of: small, count: 0...12)
    let integers: [(String, Gen<[Int]>)] = [
      ("list", list), ("filtered list", list.filter { $0.reduce(0, &+) % 2 == 0 }),
      (
        "list of a drawn length",
        Gen.int(in: 1...9).flatMap { Gen.array(of: small, count: $0...$0) }
      ),
      ("nested lists", Gen.array(of: list, count: 0...5).map { Array($0.joined()) }),
      ("set", Gen.set(of: small, count: 1...6).map { $0.sorted() }),
      (
        "tree",
        .recursive(small.map { [$0] }, depth: 3) { Gens.zip($0, $0).map { $0 + $1 } }
      ),
      ("text", Gen.anyString(count: 0...9).map { $0.unicodeScalars.map { Int($0.value) } }),
      ("permutation", .permutation(of: [1, 2, 3, 4, 5, 6])),
      ("optionals", Gen.array(of: .optional(of: small)).map { $0.map { $0 ?? 0 } }),
    ]
    let random = Gen<[Double]> { testCase throws(Discarded) in
      testCase.withRandom { random in
        // A bound that is not a power of two makes the standard library reject words, including 0.
        (0..<Int.random(in: 1...3, using: &random)).map { _ in
          Double.random(in: 0...9, using: &random)
        }
      }
    }
    return integers.map { name, generator in (name, generator.map { $0.map { Double($0) } }) } + [
      ("any doubles", Gens.zip(.anyDouble, .anyDouble, .double(in: 0.5...7)).map { [$0, $1, $2] }),
      (
        "wide",
        Gens.zip(.anyInteger, .anyInteger).map { (a: Int, b: UInt64) in [Double(a), Double(b)] }
      ),
      ("random generator", random),
    ]
  }

  private static var properties: [(String, @Sendable ([Double]) -> Attempt.Outcome)] {
    let hash = { @Sendable (numbers: [Double]) in
      numbers.reduce(UInt64(7)) { ($0 &* 31) ^ ($1.bitPattern >> 7) }
    }
    return [
      ("always", { _ in first }),
      ("one above 3", { $0.contains { $0 > 3 } ? first : .passed }),
      ("sum above 20", { $0.reduce(0, +) > 20 ? first : .passed }),
      ("two different", { Set($0).count >= 2 ? first : .passed }),
      ("two bugs by length", { $0.count % 2 == 0 ? first : second }),
      ("two bugs by size", { $0.contains { $0 > 50 } ? first : $0.isEmpty ? .passed : second }),
      ("chaos", { hash($0) % 3 == 0 ? first : .passed }),
      ("chaos with discards", { [first, .discarded, .passed, second][Int(hash($0) % 4)] }),
      ("unsorted", { $0 != $0.sorted() ? first : .passed }),
    ]
  }
}
