extension RunRecord {
  /// The id of a run that was written down before: the same text always gives the same id.
  ///
  /// A UUID of version 8 (RFC 9562, 5.8), whose free bits are a hash of the text.
  package static func id(ofText text: some Sequence<UInt8>) -> String {
    var digits = Array(FowlerNollVo.digits(text))
    digits[12] = "8"
    // The variant: the highest bits are 1 and 0.
    digits[16] = Array("89ab")[(digits[16].hexDigitValue ?? 0) & 3]
    let ends = [0, 8, 12, 16, 20, 32]
    return zip(ends, ends.dropFirst()).map { String(digits[$0..<$1]) }.joined(separator: "-")
  }

  /// Whether a commit is named as git names it, in 40 or 64 digits.
  package static func isObjectName(_ text: String) -> Bool {
    [40, 64].contains(text.utf8.count) && text.allSatisfy { $0.isASCII && $0.isHexDigit }
  }
}
