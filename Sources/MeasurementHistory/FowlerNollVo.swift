/// The hash FNV-1a of 128 bits: stable over processes and versions, unlike Swift's own.
///
/// It tells apart what nobody forges. Offset and prime: the FNV page of L. C. Noll, and
/// draft-eastlake-fnv.
enum FowlerNollVo {
  static func hash(_ bytes: some Sequence<UInt8>) -> UInt128 {
    var state: UInt128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d
    for byte in bytes {
      state ^= UInt128(byte)
      state &*= 0x0000_0000_0100_0000_0000_0000_0000_013B
    }
    return state
  }

  /// The hash as 32 hexadecimal digits.
  static func digits(_ bytes: some Sequence<UInt8>) -> String {
    let digits = String(hash(bytes), radix: 16)
    return String(repeating: "0", count: 32 - digits.count) + digits
  }
}
