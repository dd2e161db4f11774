/// A digest of an answer for `WorkerSubject.digest(of:)`: 64-bit FNV-1a, as hexadecimal digits.
///
/// It tells answers apart that differ by mistake; it is no protection against malice.
public struct AnswerDigest: Sendable, Hashable {
  private var state: UInt64 = 0xCBF2_9CE4_8422_2325

  /// Starts the digest of nothing.
  public init() {}

  /// Adds one byte.
  public mutating func add(_ byte: UInt8) {
    state = (state ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
  }

  /// Adds bytes in their order.
  public mutating func add(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { add(byte) }
  }

  /// Adds the eight bytes of a number, the least significant first.
  public mutating func add(_ number: UInt64) {
    for shift in stride(from: 0, to: 64, by: 8) { add(UInt8(truncatingIfNeeded: number >> shift)) }
  }

  /// The digest of what was added so far, sixteen digits.
  public var hexadecimal: String {
    let digits = String(state, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
