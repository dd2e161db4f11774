/// Runs a property on what a fuzzer's bytes stand for.
///
/// Called from `LLVMFuzzerTestOneInput`, this lets libFuzzer search by coverage among the values
/// of a generator:
///
/// ```swift
/// @_cdecl("LLVMFuzzerTestOneInput")
/// public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
///   fuzzOne(UnsafeRawBufferPointer(start: start, count: count), .anyInteger) { number, _ in
///     try Property.require(clamp(number) >= 0)
///   }
/// }
/// ```
///
/// A failure ends the process, so that libFuzzer keeps the bytes. The text before names the value
/// and a replay token; `Property.check` with the same generator and the token in
/// `PropertySettings.reproducing` runs the case again and makes it simple. A `#expect` has no
/// meaning here, as there is no test: the body throws.
///
/// - Parameters:
///   - bytes: any; they are read as `ReplayToken.fuzzerInput` writes them.
///   - generator: makes the value.
///   - body: throws when the property does not hold. `Discarded` stands for a value that is no
///     test of it.
/// - Returns: What libFuzzer is to be told: 0, or -1 for bytes not worth keeping because their
///   case is discarded or too large.
public func fuzzOne<Value>(
  _ bytes: UnsafeRawBufferPointer, _ generator: Gen<Value>,
  _ body: (Value, inout TestCase) throws -> Void
) -> Int32 {
  switch fuzz(bytes, generator, body) {
  case .passed: return 0
  case .discarded: return -1
  case .failed(let failure): fatalError(failure.description)
  }
}

/// What came of one input of a fuzzer.
enum FuzzOutcome {
  case passed
  case discarded
  case failed(FuzzFailure)
}

/// A value that a fuzzer found.
struct FuzzFailure: CustomStringConvertible {
  let value: String
  let message: String
  let token: ReplayToken

  var description: String {
    "the property does not hold\ncounterexample: \(value)\nfailed with: \(message)\nreplay: \(token)"
  }
}

/// Runs a property on what a fuzzer's bytes stand for, and returns whatever comes of it.
func fuzz<Value>(
  _ bytes: UnsafeRawBufferPointer, _ generator: Gen<Value>,
  _ body: (Value, inout TestCase) throws -> Void
) -> FuzzOutcome {
  var testCase = TestCase()
  testCase.begin(decoding: bytes)
  let value: Value
  do { value = try generator.body(&testCase) } catch { return .discarded }
  if testCase.isOverrun { return .discarded }
  do {
    try body(value, &testCase)
    return testCase.isOverrun ? .discarded : .passed
  } catch {
    // What was drawn after the last choice there is room for would not be drawn again.
    if error.isDiscard || testCase.isOverrun { return .discarded }
    return .failed(
      FuzzFailure(
        value: "\(value)", message: "\(error)", token: ReplayToken(testCase.choices)))
  }
}

extension TestCase {
  /// Begins a case that a fuzzer's bytes say.
  ///
  /// Eight bytes are one choice, the lowest first, and what follows the last is the simplest.
  /// Every list of bytes is a case. With a fixed width a fuzzer that changes a byte changes one
  /// choice and leaves the meaning of all others, and one that copies or removes eight bytes
  /// moves a whole choice; with groups of 7 bits, one changed bit would shift all that follows.
  /// Numbers stand in it as the program compares them, so that libFuzzer can paste operands of
  /// comparisons. An incomplete last choice is filled up with zeros.
  ///
  /// - Parameter bytes: read while the case draws, so they must stay until it ends.
  mutating func begin(decoding bytes: UnsafeRawBufferPointer) {
    begin(replaying: [], tail: .simplest)
    words = bytes
    // Every input begins with nothing allocated: room for a small case at once is quicker than
    // growing three times, and costs a larger one nothing.
    choices.reserveCapacity(16)
    spans.reserveCapacity(16)
  }

  /// The next word of a fuzzer's bytes; nil at their end, or when the case replays none.
  @inline(__always)
  func nextWord() -> UInt64? {
    guard let words else { return nil }
    let place = choices.count
    guard place < Self.mostChoices, place * 8 < words.count else { return nil }
    return words.word(at: place * 8)
  }
}

extension UnsafeRawBufferPointer {
  /// The word at a place, the lowest byte first; zeros follow the end.
  @inline(__always)
  fileprivate func word(at start: Int) -> UInt64 {
    if start + 8 <= count {
      return UInt64(littleEndian: loadUnaligned(fromByteOffset: start, as: UInt64.self))
    }
    return self[start...].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}

extension ReplayToken {
  /// The case as bytes for `fuzzOne`, to begin a corpus with a case that is known.
  public var fuzzerInput: [UInt8] {
    choices.flatMap { choice in
      (0..<8).map { UInt8(truncatingIfNeeded: choice.word >> (8 * $0)) }
    }
  }
}

extension Choice {
  /// The choice as one 64-bit word, which needs the choice's limits to be read again.
  var word: UInt64 {
    switch self {
    case .integer(let choice): choice.isNegative ? 0 &- choice.magnitude : choice.magnitude
    case .float(let choice): choice.value.bitPattern
    }
  }
}

extension IntegerChoice {
  /// What a word stands for where a number within these limits is wanted.
  ///
  /// The word is the distance in two's complement. Which sign is meant is never in doubt, as a
  /// range of 64-bit numbers is narrower than 2^64. A word outside the limits is wrapped into
  /// them, so that low bits go on mattering and no word is wasted.
  init(word: UInt64, below: UInt64, above: UInt64) {
    let (width, isTooWide) = below.addingReportingOverflow(above)
    // Of numbers wider than 64 bits a word reaches those above the simplest only.
    guard word > above, !isTooWide else {
      self.init(magnitude: min(word, above), below: below, above: above)
      return
    }
    // A width of `.max` has a place for each word, so there is nothing to be wrapped.
    let isWithin = 0 &- word <= below
    let place = isWithin ? word : word % (width + 1)
    if !isWithin, place <= above {
      self.init(magnitude: place, below: below, above: above)
    } else {
      let magnitude = isWithin ? 0 &- word : width + 1 - place
      self.init(magnitude: magnitude, isNegative: true, below: below, above: above)
    }
  }
}

extension FloatChoice {
  /// What a word stands for where a number within these limits is wanted.
  ///
  /// The word is the number's bits. Bits of a number that is not allowed are taken for a place
  /// between the limits instead, and any NaN for the one that replay tokens know.
  func fitting(word: UInt64) -> Double {
    let number = Double(bitPattern: word)
    if allows(number) { return number.isNaN ? .nan : number }
    let unit = Double(word >> 11) * 0x1p-53
    // Halves, so that a range wider than the greatest number does not overflow.
    let place = (0.5 * low + unit * (0.5 * high - 0.5 * low)) * 2
    return min(max(place, low), high)
  }
}
