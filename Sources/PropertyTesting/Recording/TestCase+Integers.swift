extension TestCase {
  /// Draws a whole number.
  ///
  /// The bounds, 0, 1, -1, powers of two and, in a wide range, small numbers are more frequent than in a uniform
  /// distribution.
  ///
  /// The simplest number is the target, or else 0, clamped to the range. `numbers` of special interest are drawn with
  /// the probability `share`, but not in ranges wider than 64 bits. Their selection is not recorded as a choice, so one
  /// that fails shrinks like any other number.
  public mutating func integer<T: FixedWidthInteger & Sendable>(
    in range: ClosedRange<T>, shrinkingTowards target: T? = nil, often numbers: [T] = [],
    share: Double = 0.5
  ) -> T {
    let simplest = min(max(target ?? 0, range.lowerBound), range.upperBound)
    guard let below = UInt64(exactly: Self.distance(range.lowerBound, simplest)),
      let above = UInt64(exactly: Self.distance(simplest, range.upperBound))
    else { return wideInteger(in: range, simplest) }
    let limits = IntegerChoice(magnitude: 0, below: below, above: above)
    let choice = choose(limits) { testCase in
      guard !numbers.isEmpty,
        let number = testCase.random.picked(from: numbers, share: share), range.contains(number)
      else { return testCase.sampleInteger(limits, zero: Self.signedDistance(from: simplest)) }
      return number < simplest
        ? limits.with(UInt64(Self.distance(number, simplest)), isNegative: true)
        : limits.with(UInt64(Self.distance(simplest, number)), isNegative: false)
    }
    let magnitude = T(truncatingIfNeeded: choice.magnitude)
    return choice.isNegative ? simplest &- magnitude : simplest &+ magnitude
  }

  /// Draws a number from a range too wide for one choice: its upper part, then its lowest 64 bits.
  private mutating func wideInteger<T: FixedWidthInteger & Sendable>(
    in range: ClosedRange<T>, _ simplest: T
  ) -> T {
    let (low, high) = (range.lowerBound, range.upperBound)
    let upper = integer(in: (low >> 64)...(high >> 64), shrinkingTowards: simplest >> 64)
    // The lowest 64 bits of the number that has this upper part and is nearest to the simplest number.
    let nearest: UInt64 =
      upper == simplest >> 64
      ? UInt64(truncatingIfNeeded: simplest) : upper < simplest >> 64 ? .max : 0
    let rest = integer(
      in: (upper == low >> 64 ? UInt64(truncatingIfNeeded: low) : 0)...(upper == high >> 64
        ? UInt64(truncatingIfNeeded: high) : .max), shrinkingTowards: nearest)
    return upper << 64 | T(truncatingIfNeeded: rest)
  }

  /// Draws a number from 0, the simplest, through a bound; the result of `sample` is clamped to the bound.
  package mutating func index(
    through bound: UInt64, sample: (inout SplitMix64) -> UInt64
  ) -> UInt64 {
    let limits = IntegerChoice(magnitude: 0, below: 0, above: bound)
    return choose(limits) { limits.with(min(sample(&$0.random), bound), isNegative: false) }
      .magnitude
  }

  /// Records and returns the next number of the replayed list, the simplest if none fits, or a number that a function
  /// draws.
  @inline(__always)
  private mutating func choose(
    _ limits: IntegerChoice, _ sample: (inout TestCase) -> IntegerChoice
  ) -> IntegerChoice {
    let choice: IntegerChoice
    if isDrawing {
      choice = takesSimple() ? limits.nearSimplest(&random) : sample(&self)
    } else if let word = nextWord() {
      choice = IntegerChoice(word: word, below: limits.below, above: limits.above)
    } else if case .integer(let old) = nextReplayed(),
      case let fitted = limits.with(old.magnitude, isNegative: old.isNegative),
      fitted.isWithinLimits
    {
      choice = fitted
    } else {
      choice = limits
    }
    if choices.count < Self.mostChoices { record.choices.append(.integer(choice)) }
    return choice
  }

  private mutating func sampleInteger(_ limits: IntegerChoice, zero: Int128?) -> IntegerChoice {
    if takesEdge(), let edge = edge(of: limits, zero: zero) { return edge }
    let (below, above) = (limits.below, limits.above)
    let (width, overflow) = below.addingReportingOverflow(above)
    // In a range of more than 2^24 numbers, a uniform draw is hardly ever small. So three of four draws draw the number
    // of bits first, as in Hypothesis.
    let drawsBits = (overflow || width > 1 << 24) && random.next() >> 62 != 0
    guard drawsBits || overflow else {
      let place = random.next(through: width)
      return place < below
        ? limits.with(below - place, isNegative: true)
        : limits.with(place - below, isNegative: false)
    }
    let hasSides = overflow || below > 0 && above > 0
    let isNegative = hasSides ? random.next() >> 63 == 0 : below > 0
    let bound = isNegative ? below : above
    guard drawsBits else { return limits.with(random.next(through: bound), isNegative: isNegative) }
    let bits = random.next(through: UInt64(UInt64.bitWidth - bound.leadingZeroBitCount))
    let magnitude = bits == 0 ? 0 : min(random.next() >> (64 - bits), bound)
    return limits.with(magnitude, isNegative: isNegative)
  }

  /// Returns a bound or its neighbour, the simplest, 0, 1, -1, a power of two or its neighbour; nil outside the limits.
  private mutating func edge(of limits: IntegerChoice, zero: Int128?) -> IntegerChoice? {
    let (below, above, pick) = (limits.below, limits.above, random.next())
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

  /// Returns the distance of 0 from the simplest number; nil if it needs more than 64 bits, so that 0 is out of range.
  @inline(__always)
  private static func signedDistance<T: FixedWidthInteger>(from simplest: T) -> Int128? {
    guard let distance = UInt64(exactly: simplest.magnitude) else { return nil }
    return simplest < 0 ? Int128(distance) : -Int128(distance)
  }
}
