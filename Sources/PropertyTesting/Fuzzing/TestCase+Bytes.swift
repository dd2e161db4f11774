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
