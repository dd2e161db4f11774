extension EntropyLayout {
  /// The tables as plain memory, for the loop that steps over codes.
  ///
  /// Valid inside `withTables` only.
  @unsafe struct Tables {
    let blocks: UnsafeBufferPointer<Block>
    fileprivate let differences: UnsafeBufferPointer<UInt16>
    fileprivate let steps: UnsafeBufferPointer<EntropyStep>
    fileprivate let dc: [EntropyTable]
    fileprivate let ac: [EntropyTable]
  }

  /// Lends the tables.
  @inline(__always)
  func withTables<Result>(_ body: (borrowing Tables) -> Result) -> Result {
    unsafe blocks.withUnsafeBufferPointer { blocks in
      unsafe differences.withUnsafeBufferPointer { differences in
        unsafe steps.withUnsafeBufferPointer { steps in
          unsafe body(
            Tables(
              blocks: blocks, differences: differences, steps: steps, dc: dcTables, ac: acTables))
        }
      }
    }
  }
}

extension EntropyLayout.Tables {
  /// The 64 bits from a position on, of which at least 57 are the data's.
  ///
  /// The caller sees to it that eight bytes from the position's byte on can be read.
  @inline(__always)
  private static func word(_ data: UnsafeRawBufferPointer, _ position: Int) -> UInt64 {
    let raw = unsafe data.loadUnaligned(fromByteOffset: position >> 3, as: UInt64.self)
    return UInt64(bigEndian: raw) << UInt64(position & 7)
  }

  @inline(__always)
  private static func prefix(_ bits: UInt64) -> Int {
    Int(bits >> UInt64(64 - EntropyTable.fastBits))
  }

  /// Steps over a DC code and gives the difference it stands for; nil when it is none.
  @inline(__always)
  func difference(_ table: Int, _ data: UnsafeRawBufferPointer, _ position: inout Int) -> Int32? {
    let bits = unsafe Self.word(data, position)
    let entry = unsafe Int(differences[table << EntropyTable.fastBits + Self.prefix(bits)])
    var length = entry >> 8
    var size = entry & 0xFF
    if entry == 0 {
      let symbol = unsafe dc[table].symbol(atTopOf: bits)
      length = symbol.codeLength
      size = Int(symbol.value)
      guard length > 0, size <= EntropyTable.mostDifferenceBits else { return nil }
    }
    position += length + size
    // Two shifts, for one of 64 would be undefined where there is no magnitude.
    let magnitude = Int32(
      truncatingIfNeeded: ((bits << UInt64(length)) >> 1) >> UInt64(63 - size))
    // A leading 0 marks a negative number (T.81, F.2.2.1, EXTEND).
    let isNegative = size > 0 && magnitude >> Int32(max(size - 1, 0)) == 0
    return isNegative ? magnitude - (1 << Int32(size)) + 1 : magnitude
  }

  /// Steps over the AC codes of a block; false when they are not regular.
  @inline(__always)
  func passCoefficients(
    _ table: Int, _ data: UnsafeRawBufferPointer, _ position: inout Int
  ) -> Bool {
    let base = table << EntropyTable.fastBits
    var index = 1
    while index < 64 {
      // Two looks at a word: the first takes at most 31 of its 57 bits, the second needs 16.
      var bits = unsafe Self.word(data, position)
      for _ in 0..<2 {
        let step = unsafe steps[base + Self.prefix(bits)]
        let next = index + step.coefficients
        let taken: Int
        if step != .none, next <= step.mostCoefficients {
          taken = step.bits
          index = step.endsBlock ? 64 : next
        } else {
          guard let one = unsafe singleStep(table, bits) else { return false }
          taken = one.bits
          index += one.coefficients
          if one.endsBlock { index = 64 }
          // A run went past the last coefficient, which in no valid block it does.
          guard index <= 64 else { return false }
        }
        position += taken
        if index == 64 { return true }
        bits <<= UInt64(taken)
      }
    }
    return true
  }

  /// Steps over just the next code.
  @inline(never)
  private func singleStep(_ table: Int, _ bits: UInt64) -> EntropyStep? {
    let symbol = unsafe ac[table].symbol(atTopOf: bits)
    guard symbol.codeLength > 0 else { return nil }
    return EntropyStep.none.followed(byCode: symbol.codeLength, value: symbol.value)
  }
}
