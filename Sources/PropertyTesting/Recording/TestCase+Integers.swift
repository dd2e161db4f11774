extension TestCase {
  /// Draws a whole number.
  ///
  /// The bounds, 0, 1, -1 and powers of two come up more often than chance has it, and of a wide
  /// range small numbers do.
  ///
  /// - Parameters:
  ///   - range: both ends are included.
  ///   - target: what is simplest; the number of the range nearest to 0 when nil, and the nearest
  ///     to the target when that is outside.
  ///   - numbers: those of special interest, in the range. They are no choice of their own, so
  ///     one that fails shrinks like any other number. Of ranges wider than 64 bits they come up
  ///     by chance only.
  ///   - share: how often one of them is taken, from 0 to 1.
  /// - Returns: A number of the range.
  public mutating func integer<T: FixedWidthInteger & Sendable>(
    in range: ClosedRange<T>, shrinkingTowards target: T? = nil, often numbers: [T] = [],
    share: Double = 0.5
  ) -> T {
    let simplest = min(max(target ?? 0, range.lowerBound), range.upperBound)
    if T.bitWidth > 64, !isWithin64Bits(range, simplest) { return wideInteger(in: range, simplest) }
    let choice = integer(
      below: UInt64(Self.distance(range.lowerBound, simplest)),
      above: UInt64(Self.distance(simplest, range.upperBound)),
      zero: Self.signedDistance(from: simplest)
    ) { random in
      guard !numbers.isEmpty, let number = random.picked(from: numbers, share: share) else {
        return nil
      }
      return number < simplest
        ? -Int128(UInt64(Self.distance(number, simplest)))
        : Int128(UInt64(Self.distance(simplest, number)))
    }
    let magnitude = T(truncatingIfNeeded: choice.magnitude)
    return choice.isNegative ? simplest &- magnitude : simplest &+ magnitude
  }

  private func isWithin64Bits<T: FixedWidthInteger>(
    _ range: ClosedRange<T>, _ simplest: T
  ) -> Bool {
    UInt64(exactly: Self.distance(range.lowerBound, simplest)) != nil
      && UInt64(exactly: Self.distance(simplest, range.upperBound)) != nil
  }

  /// Draws a number of a range wider than one choice holds: its upper part, then its lowest 64 bits.
  private mutating func wideInteger<T: FixedWidthInteger & Sendable>(
    in range: ClosedRange<T>, _ simplest: T
  ) -> T {
    let (low, high) = (range.lowerBound, range.upperBound)
    let upper = integer(in: (low >> 64)...(high >> 64), shrinkingTowards: simplest >> 64)
    // Of the numbers with this upper part the one next to the simplest.
    let nearest: UInt64 =
      upper == simplest >> 64
      ? UInt64(truncatingIfNeeded: simplest) : upper < simplest >> 64 ? .max : 0
    let rest = integer(
      in: (upper == low >> 64 ? UInt64(truncatingIfNeeded: low) : 0)...(upper == high >> 64
        ? UInt64(truncatingIfNeeded: high) : .max), shrinkingTowards: nearest)
    return upper << 64 | T(truncatingIfNeeded: rest)
  }

  /// Draws a number from 0 to a bound, in a way of the caller's own, and records it.
  ///
  /// - Parameters:
  ///   - bound: the greatest number allowed; 0 is the simplest.
  ///   - sample: how to pick at random; what lies above the bound is taken for the bound.
  /// - Returns: A number from 0 to the bound.
  package mutating func index(
    upTo bound: UInt64, sample: (inout SplitMix64) -> UInt64
  ) -> UInt64 {
    let limits = IntegerChoice(magnitude: 0, below: 0, above: bound)
    if let given = replayedInteger(below: 0, above: bound) { return record(given).magnitude }
    if takesSimple() { return record(limits.nearSimplest(&random)).magnitude }
    let picked = min(sample(&random), bound)
    return record(IntegerChoice(magnitude: picked, below: 0, above: bound)).magnitude
  }

  @inline(__always)
  private mutating func integer(
    below: UInt64, above: UInt64, zero: Int128?, sample: (inout SplitMix64) -> Int128?
  ) -> IntegerChoice {
    if let given = replayedInteger(below: below, above: above) { return record(given) }
    let limits = IntegerChoice(magnitude: 0, below: below, above: above)
    if takesSimple() { return record(limits.nearSimplest(&random)) }
    if let picked = sample(&random), let choice = limits.at(picked) { return record(choice) }
    return record(sampleInteger(below: below, above: above, zero: zero))
  }

  /// What the replayed list says, or nil when the number is to be drawn at random.
  @inline(__always)
  private mutating func replayedInteger(below: UInt64, above: UInt64) -> IntegerChoice? {
    if isDrawing { return nil }
    if let word = nextWord() { return IntegerChoice(word: word, below: below, above: above) }
    let simplest = IntegerChoice(magnitude: 0, below: below, above: above)
    guard let next = nextReplayed() else { return simplest }
    guard case .integer(let old) = next else {
      isMisaligned = true
      return simplest
    }
    let fitted = IntegerChoice(
      magnitude: old.magnitude, isNegative: old.isNegative, below: below, above: above)
    guard fitted.isWithinLimits else {
      isMisaligned = true
      return simplest
    }
    return fitted
  }

  @inline(__always)
  private mutating func record(_ choice: IntegerChoice) -> IntegerChoice {
    if choices.count < Self.mostChoices { choices.append(.integer(choice)) }
    return choice
  }

  private mutating func sampleInteger(
    below: UInt64, above: UInt64, zero: Int128?
  ) -> IntegerChoice {
    if takesEdge(), let edge = edge(below: below, above: above, zero: zero) { return edge }
    let (width, overflow) = below.addingReportingOverflow(above)
    // Above 2^24 numbers an even draw would hardly ever be small: three of four times the number
    // of bits is drawn first, as Hypothesis does.
    if overflow || width > 1 << 24, random.next() >> 62 != 0 {
      let isNegative = below > 0 && (above == 0 || random.next() >> 63 == 0)
      let bound = isNegative ? below : above
      let bits = random.next(upTo: UInt64(UInt64.bitWidth - bound.leadingZeroBitCount))
      let magnitude = bits == 0 ? 0 : random.next() >> (64 - bits)
      return IntegerChoice(
        magnitude: min(magnitude, bound), isNegative: isNegative, below: below, above: above)
    }
    if overflow {
      let isNegative = random.next() >> 63 == 0
      return IntegerChoice(
        magnitude: random.next(upTo: isNegative ? below : above), isNegative: isNegative,
        below: below, above: above)
    }
    let place = random.next(upTo: width)
    return place < below
      ? IntegerChoice(magnitude: below - place, isNegative: true, below: below, above: above)
      : IntegerChoice(magnitude: place - below, below: below, above: above)
  }

  /// A bound, its neighbour, the simplest, 0, 1 or -1, or a power of two and its neighbours.
  private mutating func edge(below: UInt64, above: UInt64, zero: Int128?) -> IntegerChoice? {
    let limits = IntegerChoice(magnitude: 0, below: below, above: above)
    let pick = random.next()
    switch pick & 7 {
    case 0: return limits.at(-Int128(below))
    case 1: return limits.at(Int128(above))
    case 2: return limits.at(1 - Int128(below))
    case 3: return limits.at(Int128(above) - 1)
    case 4: return limits
    case 5: return limits.at((zero ?? 0) + Int128((pick >> 3) % 3) - 1)
    default:
      let power = Int128(1) << Int128((pick >> 3) & 63)
      let number = power + Int128((pick >> 9) % 3) - 1
      return limits.at((zero ?? 0) + (pick >> 63 == 0 ? number : -number))
    }
  }

  @inline(__always)
  private static func distance<T: FixedWidthInteger>(_ low: T, _ high: T) -> T.Magnitude {
    T.Magnitude(truncatingIfNeeded: high &- low)
  }

  /// The distance of 0 from the simplest number; nil if it takes more than 64 bits, which no distance
  /// within a range does.
  @inline(__always)
  private static func signedDistance<T: FixedWidthInteger>(from simplest: T) -> Int128? {
    guard let distance = UInt64(exactly: simplest.magnitude) else { return nil }
    return simplest < 0 ? Int128(distance) : -Int128(distance)
  }
}
