internal import PropertyTesting

/// Writes short runs in the codings of fax machines (ITU-T T.4 and T.6).
struct FaxWriter {
  let coding: StripCoding

  /// Codes of white and black runs of 1 to 4 pixels (ITU-T T.4, table 2).
  private static let white = [(0b000111, 6), (0b0111, 4), (0b1000, 4), (0b1011, 4)]
  private static let black = [(0b010, 3), (0b11, 2), (0b10, 2), (0b011, 3)]

  /// Returns rows of random runs; each row begins with white.
  func noise(rows: Int, width: Int, _ random: inout SplitMix64) -> [UInt8] {
    var bits = BitWriter()
    for _ in 0..<rows {
      if coding == .group3 { bits.append(1, 12) }
      var (done, isWhite) = (0, true)
      while done < width {
        let run = min(Int.random(in: 1...4, using: &random), width - done)
        if coding == .group4, isWhite { bits.append(1, 3) }
        let code = (isWhite ? Self.white : Self.black)[run - 1]
        bits.append(code.0, code.1)
        done += run
        // Group 4 runs come in pairs, so an empty black run follows.
        if coding == .group4, isWhite, done == width { bits.append(0b0000110111, 10) }
        isWhite.toggle()
      }
      if coding == .fax { bits.align(8) }
      if coding == .faxWords { bits.align(16) }
    }
    if coding == .group4 { for _ in 0..<2 { bits.append(1, 12) } }
    return bits.finished
  }
}
