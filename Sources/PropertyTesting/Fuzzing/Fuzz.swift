/// Runs a property on the value that a fuzzer's bytes decode to.
///
/// With this function, libFuzzer searches the values of a generator, guided by coverage:
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
/// A failure prints the value and a replay token and ends the process, so that libFuzzer keeps the bytes. To shrink the
/// case, pass the token to `Property.check` in `PropertySettings.reproducing`. The body must throw on failure, because
/// `#expect` works only in a test. The result is 0, or -1 for a case that is discarded or too large.
public func fuzzOne<Value>(
  _ bytes: UnsafeRawBufferPointer, _ generator: Gen<Value>,
  _ body: (Value, inout TestCase) throws -> Void
) -> Int32 {
  switch fuzz(bytes, generator, body) {
  case .passed: return 0
  case .discarded: return -1
  case .failed(let value, let message, let token):
    fatalError(
      "the property does not hold\ncounterexample: \(value)\nfailed with: \(message)\nreplay: \(token)"
    )
  }
}

enum FuzzOutcome {
  case passed, discarded
  case failed(value: String, message: String, token: ReplayToken)
}

/// Runs a property on the value that a fuzzer's bytes decode to, and returns the outcome.
func fuzz<Value>(
  _ bytes: UnsafeRawBufferPointer, _ generator: Gen<Value>,
  _ body: (Value, inout TestCase) throws -> Void
) -> FuzzOutcome {
  var testCase = TestCase()
  testCase.begin(decoding: bytes)
  guard let value = try? generator.body(&testCase), !testCase.isOverrun else { return .discarded }
  do {
    try body(value, &testCase)
    return testCase.isOverrun ? .discarded : .passed
  } catch {
    // Values drawn after an overrun cannot be replayed.
    if error.isDiscard || testCase.isOverrun { return .discarded }
    return .failed(
      value: "\(value)", message: "\(error)", token: ReplayToken(testCase.choices))
  }
}

extension TestCase {
  /// Begins a case that takes its choices from a fuzzer's bytes; after their end, it takes the simplest choices.
  ///
  /// The bytes must stay valid until the case ends. Eight bytes encode a choice, the lowest first,
  /// padded with zeros. With this fixed width, a changed byte changes one choice, and libFuzzer can
  /// replace a choice with a constant that the code compares it with.
  mutating func begin(decoding bytes: UnsafeRawBufferPointer) {
    begin(replaying: [], tail: .simplest)
    words = bytes
    // Each input starts with empty storage; one allocation is faster than three growing ones.
    record.choices.reserveCapacity(16)
    record.spans.reserveCapacity(16)
  }

  /// Returns the next word of a fuzzer's bytes; nil at their end or in a case without them.
  @inline(__always)
  func nextWord() -> UInt64? {
    let start = choices.count * 8
    guard let words, choices.count < Self.mostChoices, start < words.count else { return nil }
    if start + 8 <= words.count {
      return UInt64(littleEndian: words.loadUnaligned(fromByteOffset: start, as: UInt64.self))
    }
    return words[start...].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}

extension IntegerChoice {
  /// Creates the choice within limits that a word of a fuzzer encodes.
  ///
  /// The word is the distance from the simplest number, in two's complement. If `below + above` is less than 2^64, as
  /// in every range of a 64-bit type, the sign is unambiguous; in wider ranges a word reaches only the numbers from the
  /// simplest up. A word outside the limits is wrapped into them, so that its low bits matter.
  init(word: UInt64, below: UInt64, above: UInt64) {
    let (width, isTooWide) = below.addingReportingOverflow(above)
    guard word > above, !isTooWide else {
      self.init(magnitude: min(word, above), below: below, above: above)
      return
    }
    // If the width is `.max`, every word is within the limits, so `width + 1` is not computed.
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
  /// Returns the number within these limits that a word of a fuzzer encodes by its bits.
  ///
  /// If that number is not allowed, its bits select a position between the limits. Every NaN becomes the one NaN that
  /// replay tokens encode.
  func fitting(word: UInt64) -> Double {
    let number = Double(bitPattern: word)
    if allows(number) { return number.isNaN ? .nan : number }
    return place(Double(word >> 11) * 0x1p-53)
  }

  /// Returns the number at a fraction of the distance from the lower to the upper limit.
  @inline(__always)
  func place(_ share: Double) -> Double {
    // Halving both terms keeps ranges wider than the greatest double from overflowing.
    min(max((0.5 * low + share * (0.5 * high - 0.5 * low)) * 2, low), high)
  }
}
