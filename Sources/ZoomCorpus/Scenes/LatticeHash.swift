/// A stateless hash of a lattice point: the only source of randomness in the scenes.
///
/// The finisher is the one of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014). It has no state, so a
/// strip can be made without making what lies above it.
enum LatticeHash {
  /// 64 well mixed bits for a point and a seed.
  @inline(__always)
  static func wide(_ seed: UInt64, _ x: Int, _ y: Int) -> UInt64 {
    var mixed = seed &+ UInt64(truncatingIfNeeded: x) &* 0x9E37_79B9_7F4A_7C15
    mixed = (mixed ^ (mixed &>> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = mixed &+ UInt64(truncatingIfNeeded: y) &* 0xD6E8_FEB8_6659_FD93
    mixed = (mixed ^ (mixed &>> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed &>> 31)
  }

  /// The upper 32 bits of `wide`.
  @inline(__always)
  static func value(_ seed: UInt64, _ x: Int, _ y: Int) -> UInt32 {
    UInt32(truncatingIfNeeded: wide(seed, x, y) &>> 32)
  }

  /// A number in `0..<bound`; `bound` is 1...65536.
  @inline(__always)
  static func below(_ bound: Int, _ seed: UInt64, _ x: Int, _ y: Int) -> Int {
    (Int(value(seed, x, y) &>> 16) &* bound) &>> 16
  }
}
