/// What one look at the coded bits steps over: one or more AC codes with their magnitudes.
struct EntropyStep: Hashable {
  /// Bits in the low byte, coefficients in the next, then the most coefficients there may be after
  /// the step for it to count, then whether an end of block is its last code.
  private let packed: UInt32

  /// Steps over nothing.
  static let none = EntropyStep(bits: 0, coefficients: 0, endsBlock: false)

  private init(bits: Int, coefficients: Int, endsBlock: Bool) {
    // A block that is full already has no end-of-block code: what follows is the next block's.
    let most: UInt32 = endsBlock ? 63 : 64
    packed =
      UInt32(bits) | UInt32(coefficients) << 8 | most << 16 | (endsBlock ? 1 << 24 : 0)
  }

  /// Bits of codes and magnitudes.
  @inline(__always) var bits: Int { Int(packed & 0xFF) }
  /// Coefficients passed, zeros included.
  @inline(__always) var coefficients: Int { Int(packed >> 8 & 0xFF) }
  /// The coefficients that a block may have after the step: more, and its codes are to be stepped
  /// over one by one, for one of them may be the next block's.
  @inline(__always) var mostCoefficients: Int { Int(packed >> 16 & 0xFF) }
  /// Whether the block ends with it, however many coefficients are missing.
  @inline(__always) var endsBlock: Bool { packed >> 24 != 0 }

  /// Steps over one code more.
  /// - Parameters:
  ///   - length: its bits.
  ///   - value: a run of zeros in the upper four bits, the number of magnitude bits in the lower.
  /// - Returns: nil when the code stands for nothing (T.81, F.1.2.2), or the run is longer than a
  ///   block.
  func followed(byCode length: Int, value: UInt8) -> EntropyStep? {
    let size = Int(value & 15)
    let run = Int(value >> 4)
    if value == 0 {
      return EntropyStep(bits: bits + length, coefficients: coefficients, endsBlock: true)
    }
    guard size != 0 || run == 15, coefficients + run + 1 <= 63 else { return nil }
    return EntropyStep(
      bits: bits + length + size, coefficients: coefficients + run + 1, endsBlock: false)
  }
}
