/// A positive finite double as a person writes it: the fewest digits that name it.
package struct ShortDecimal: Hashable, Sendable {
  /// The digits as one whole number that does not end on 0, or 0 itself.
  package let digits: UInt64
  /// The power of ten the digits are multiplied with.
  package let exponent: Int

  /// The shortest decimal that reads as a number.
  ///
  /// The standard library prints exactly that (SwiftDtoa), so its text is read back.
  ///
  /// - Parameter number: finite; its sign is left out.
  package init(_ number: Double) {
    var (digits, exponent, zeros) = (UInt64(0), 0, 0)
    var isAfterPoint = false
    let text = number.magnitude.description.utf8
    var rest = text[...]
    while let byte = rest.first, byte != UInt8(ascii: "e") {
      rest.removeFirst()
      if byte == UInt8(ascii: ".") {
        isAfterPoint = true
        continue
      }
      if isAfterPoint { exponent -= 1 }
      // Zeros wait until a digit follows them, so that 2e15 written out fits 64 bits too.
      if byte == UInt8(ascii: "0") {
        zeros += 1
        continue
      }
      for _ in 0..<(digits == 0 ? 0 : zeros) { digits *= 10 }
      zeros = 0
      digits = digits * 10 + UInt64(byte - UInt8(ascii: "0"))
    }
    let written = Int(Substring(rest.dropFirst())) ?? 0
    self.digits = digits
    self.exponent = digits == 0 ? 0 : exponent + zeros + written
  }

  /// How many digits there are; 1 for 0.
  package var count: Int { max(String(digits).utf8.count, 1) }

  /// The double nearest to some digits times a power of ten.
  ///
  /// - Parameters:
  ///   - digits: any whole number.
  ///   - exponent: of ten.
  /// - Returns: The nearest double; infinity above the greatest.
  package static func number(digits: UInt64, exponent: Int) -> Double {
    // The standard library reads a decimal to the nearest double.
    Double("\(digits)e\(exponent)") ?? .infinity
  }

  /// The least whole number of steps of a power of ten that reaches at least this far.
  ///
  /// - Parameter step: the power of ten.
  /// - Returns: The number of steps; nil where 64 bits do not hold it.
  package func steps(of step: Int) -> UInt64? {
    var steps = digits
    if exponent < step {
      var isExact = true
      for _ in exponent..<step where steps > 0 {
        let (quotient, remainder) = steps.quotientAndRemainder(dividingBy: 10)
        if remainder > 0 { isExact = false }
        steps = quotient
        if steps == 0 { break }
      }
      return isExact ? steps : steps + 1
    }
    for _ in step..<exponent {
      let (product, overflow) = steps.multipliedReportingOverflow(by: 10)
      guard !overflow else { return nil }
      steps = product
    }
    return steps
  }
}
