import Testing

@testable import PropertyTesting

/// A generator of every kind of choice: whole numbers on both sides of the simplest, the widest and the narrowest
/// ranges, floats with and without NaN, lists, filters and alternatives.
private let everything = Gens.zip(
  Gen<Int>.integer(in: -7...100), .integer(in: 5...20, shrinkingTowards: 9),
  Gen<Int64>.anyInteger, Gen<UInt64>.anyInteger, Gen<UInt8>.integer(in: 3...3),
  .double(in: -1.5...2), .anyDouble, Gen<[Int]>.array(of: .integer(in: 0...9), count: 0...5),
  Gen<Int>.oneOf(.constant(1), .integer(in: -3...(-2))).filter { $0 != -3 })

extension FuzzOutcome {
  var failure: (value: String, token: ReplayToken)? {
    if case .failed(let value, _, let token) = self { (value, token) } else { nil }
  }
}

private struct Anything: Error {}

@Suite("Bytes of a fuzzer")
struct FuzzTests {
  /// Returns the value that bytes decode to, as text; nil if the case is discarded.
  private func decoded<Value>(_ bytes: [UInt8], _ generator: Gen<Value>) -> String? {
    let outcome = bytes.withUnsafeBytes { bytes in
      fuzz(bytes, generator) { _, _ in throw Anything() }
    }
    return outcome.failure?.value
  }

  @Test func `any bytes are discarded or decode to a case that its token repeats`() {
    var random = SplitMix64(seed: 2)
    var cases = 0
    for _ in 0..<5000 {
      let bytes = (0..<Int(random.next(through: 200))).map { _ in
        // Fuzzers often write the limits of signed and unsigned bytes.
        let byte = random.next()
        return byte & 3 == 0 ? [0, 0xFF, 0x7F, 0x80][Int(byte >> 62)] : UInt8(byte >> 56)
      }
      let outcome = bytes.withUnsafeBytes { fuzz($0, everything) { _, _ in throw Anything() } }
      guard let failure = outcome.failure else { continue }
      cases += 1
      var testCase = TestCase()
      testCase.begin(replaying: failure.token.choices, tail: .overrun)
      // Texts are equal for equal values, including NaN and -0.
      #expect((try? everything.body(&testCase)).map { "\($0)" } == failure.value)
      #expect(!testCase.isOverrun && ReplayToken(testCase.choices) == failure.token)
    }
    #expect(cases > 1000)
  }

  @Test func `each word encodes a number of the range, and each number has a word`() {
    // The first ranges are small enough to try every number; in the second loop, limits add up to 2^64 - 1 or overflow.
    for (below, above) in [(UInt64(0), UInt64(0)), (3, 0), (0, 5), (2, 4), (1, 255)] {
      var met: Set<Int128> = []
      for word in (0...600).map({ UInt64($0) }) + (1...600).map({ 0 &- UInt64($0) }) {
        let choice = IntegerChoice(word: word, below: below, above: above)
        #expect(choice.isWithinLimits)
        met.insert(choice.distance)
      }
      #expect(met.count == Int(below + above + 1))
    }
    for (below, above) in [
      (UInt64(1) << 63, UInt64.max >> 1), (.max, 0), (0, .max), (.max, .max), (1, .max), (.max, 1),
    ] {
      for word in [0, 1, .max >> 1, 1 << 63, .max - 1, UInt64.max] {
        #expect(IntegerChoice(word: word, below: below, above: above).isWithinLimits)
      }
    }
  }

  @Test func `eight bytes encode a choice, and missing bytes are zeros`() {
    #expect(decoded([], .integer(in: 5...9)) == "5")
    #expect(decoded([1, 2], .integer(in: 0...65535)) == "513")
    let pair = Gens.zip(Gen<Bool>.bool, .integer(in: 0...9))
    #expect(decoded([0, 0, 0, 0, 0, 0, 0, 0, 3], pair) == "(false, 3)")
    #expect(decoded(Array(repeating: 0xFF, count: 8), .integer(in: -3...4)) == "-1")
    #expect(decoded([0, 0, 0, 0, 0, 0, 0xF8, 0x3F], .anyDouble) == "1.5")
  }

  @Test func `a passing case returns 0 and a discarded one -1`() {
    let empty = UnsafeRawBufferPointer(start: nil, count: 0)
    #expect(fuzzOne(empty, .bool) { _, _ in } == 0)
    #expect(fuzzOne(empty, .bool) { _, testCase in try testCase.assume(false) } == -1)
    #expect(fuzzOne(empty, Gen<Bool>.bool.filter { $0 }) { _, _ in } == -1)
  }

  @Test func `a case with too many choices is discarded`() {
    let endless = Gen<Bool> { testCase throws(Discarded) in
      for _ in 0...TestCase.mostChoices { _ = testCase.integer(in: 0...9) }
      return true
    }
    let bytes = [UInt8](repeating: 1, count: 8 * (TestCase.mostChoices + 10))
    #expect(decoded(bytes, endless) == nil)
  }

  @Test func `a failure ends the process and names value, error and token`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = fuzzOne(UnsafeRawBufferPointer(start: nil, count: 0), .integer(in: 5...9)) { _, _ in
        throw Anything()
      }
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("counterexample: 5"))
    #expect(text.contains("failed with: Anything()"))
    #expect(text.contains("replay: pt1_"))
  }
}
