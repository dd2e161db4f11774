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
