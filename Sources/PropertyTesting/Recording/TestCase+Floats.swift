extension TestCase {
  /// Draws a double from a finite range.
  ///
  /// The ends of the range, their neighbours one ulp inside, 0, and the smallest, whole and short numbers are more
  /// frequent than in a uniform distribution.
  ///
  /// `numbers` of special interest are drawn with the probability `share`. Their selection is not recorded as a choice,
  /// so one that fails shrinks like any other number.
  public mutating func double(
    in range: ClosedRange<Double>, often numbers: [Double] = [], share: Double = 0.5
  ) -> Double {
    guard !numbers.isEmpty else { return double(in: range) { _ in nil } }
    return double(in: range) { $0.picked(from: numbers, share: share) }
  }

  /// Draws a double from a finite range with a distribution that the caller chooses.
  ///
  /// `sample` draws a number, which is clamped to the range; nil selects the default distribution.
  package mutating func double(
    in range: ClosedRange<Double>, sample: (inout SplitMix64) -> Double?
  ) -> Double {
    precondition(
      range.lowerBound.isFinite && range.upperBound.isFinite,
      "double(in:) needs finite bounds; use anyDouble() for all doubles")
    return float(
      low: range.lowerBound, high: range.upperBound, allowsNonFinite: false, sample: sample)
  }

  /// Draws a double of any magnitude, sign and precision, including infinities and NaN.
  public mutating func anyDouble() -> Double {
    float(
      low: -.greatestFiniteMagnitude, high: .greatestFiniteMagnitude, allowsNonFinite: true
    ) { _ in nil }
  }

  @inline(__always)
  mutating func float(
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
      value = random.number(in: limits, isEdge: takesEdge())
    }
    if choices.count < Self.mostChoices { record.choices.append(.float(limits.with(value))) }
    return value
  }

  private mutating func replayedFloat(_ limits: FloatChoice) -> Double {
    if let word = nextWord() { return limits.fitting(word: word) }
    guard case .float(let old) = nextReplayed(), limits.allows(old.value) else {
      return limits.simplest.value
    }
    return old.value
  }
}

extension SplitMix64 {
  /// Returns a double from a finite range with the default distribution: sometimes an edge, often a short number.
  package mutating func double(in range: ClosedRange<Double>) -> Double {
    let limits = FloatChoice(
      value: range.lowerBound, low: range.lowerBound, high: range.upperBound)
    return number(in: limits, isEdge: next() >> 60 == 0)
  }

  @inline(__always)
  fileprivate mutating func number(in limits: FloatChoice, isEdge: Bool) -> Double {
    if isEdge, let edge = limits.allowing(edge(of: limits)) { return edge }
    let pick = next()
    let even = limits.place(Double(pick >> 11) * 0x1p-53)
    // The three lowest bits do not affect `even`.
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

  private mutating func edge(of limits: FloatChoice) -> Double {
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
  @inline(__always)
  fileprivate func allowing(_ number: Double) -> Double? { allows(number) ? number : nil }
}
