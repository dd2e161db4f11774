extension TestCase {
  /// Draws a double from a finite range.
  ///
  /// The ends of the range, their neighbours one ulp inside, 0, and the smallest, whole and short numbers are more
  /// frequent than in a uniform distribution.
  ///
  /// - Parameters:
  ///   - range: both ends are included and finite.
  ///   - numbers: numbers of special interest in the range. Their selection is not recorded as a choice, so one that
  ///     fails shrinks like any other number.
  ///   - share: the probability of such a number, from 0 to 1.
  /// - Returns: A number in the range.
  public mutating func double(
    in range: ClosedRange<Double>, often numbers: [Double] = [], share: Double = 0.5
  ) -> Double {
    guard !numbers.isEmpty else { return double(in: range) { _ in nil } }
    return double(in: range) { $0.picked(from: numbers, share: share) }
  }

  /// Draws a double from a finite range with a distribution that the caller chooses.
  ///
  /// - Parameters:
  ///   - range: both ends are included and finite.
  ///   - sample: draws a number, which is clamped to the range; nil selects the default distribution.
  /// - Returns: A number in the range.
  package mutating func double(
    in range: ClosedRange<Double>, sample: (inout SplitMix64) -> Double?
  ) -> Double {
    precondition(
      range.lowerBound.isFinite && range.upperBound.isFinite,
      "double(in:) needs finite bounds; use anyDouble() for all doubles")
    return float(
      low: range.lowerBound, high: range.upperBound, allowsNonFinite: false, sample: sample)
  }

  /// Draws any double: of any magnitude, sign and precision, infinite or NaN.
  public mutating func anyDouble() -> Double {
    float(
      low: -.greatestFiniteMagnitude, high: .greatestFiniteMagnitude, allowsNonFinite: true
    ) { _ in nil }
  }

  @inline(__always)
  private mutating func float(
    low: Double, high: Double, allowsNonFinite: Bool, sample: (inout SplitMix64) -> Double?
  ) -> Double {
    let limits = FloatChoice(
      value: low, low: low, high: high, allowsNonFinite: allowsNonFinite)
    let value: Double
    if !isDrawing {
      value = replayedFloat(limits)
    } else if takesSimple() {
      value = limits.nearSimplest(&random)
    } else if let picked = sample(&random) {
      value = min(max(picked, low), high)
    } else {
      value = sampleFloat(limits)
    }
    if choices.count < Self.mostChoices { choices.append(.float(limits.with(value))) }
    return value
  }

  private mutating func replayedFloat(_ limits: FloatChoice) -> Double {
    if let word = nextWord() { return limits.fitting(word: word) }
    guard let next = nextReplayed() else { return limits.simplest.value }
    guard case .float(let old) = next, limits.allows(old.value) else {
      isMisaligned = true
      return limits.simplest.value
    }
    return old.value
  }

  private mutating func sampleFloat(_ limits: FloatChoice) -> Double {
    if takesEdge() {
      let edge = random.edge(of: limits)
      if limits.allows(edge) { return edge }
    }
    return random.number(in: limits)
  }
}

extension SplitMix64 {
  /// Returns a double from a finite range as `TestCase` draws it: sometimes an edge, often a short number.
  package mutating func double(in range: ClosedRange<Double>) -> Double {
    let limits = FloatChoice(
      value: range.lowerBound, low: range.lowerBound, high: range.upperBound)
    if next() >> 60 == 0 {
      let edge = edge(of: limits)
      if limits.allows(edge) { return edge }
    }
    return number(in: limits)
  }

  @inline(__always)
  fileprivate mutating func number(in limits: FloatChoice) -> Double {
    let (low, high) = (limits.low, limits.high)
    let pick = next()
    let unit = Double(pick >> 11) * 0x1p-53
    // Halving both terms keeps ranges wider than the greatest double from overflowing.
    let even = min(max((0.5 * low + unit * (0.5 * high - 0.5 * low)) * 2, low), high)
    // The three lowest bits are not part of `unit`.
    switch pick & 7 {
    case 0: return limits.allowing(even.rounded()) ?? even
    case 1: return limits.allowing((even * 10).rounded() / 10) ?? even
    case 2:
      // All exponents are equally likely, which gives numbers of every magnitude.
      let bits = Double(bitPattern: next())
      return limits.allowing(bits) ?? even
    default: return even
    }
  }

  fileprivate mutating func edge(of limits: FloatChoice) -> Double {
    let pick = next()
    let sign: Double = pick >> 63 == 0 ? 1 : -1
    let numbers = limits.allowsNonFinite ? pick % 16 : pick % 12
    return switch numbers {
    case 0, 1: limits.low
    case 2, 3: limits.high
    case 4: limits.low.nextUp
    case 5: limits.high.nextDown
    case 6: sign * 0
    case 7: sign
    case 8: sign * 0.5
    case 9: sign * .leastNonzeroMagnitude
    case 10: sign * .leastNormalMagnitude
    case 11: limits.low + (limits.high - limits.low) / 2
    case 12, 13: sign * .infinity
    default: .nan
    }
  }
}

extension FloatChoice {
  /// Returns the number if the limits allow it, else nil.
  @inline(__always)
  fileprivate func allowing(_ number: Double) -> Double? { allows(number) ? number : nil }
}
