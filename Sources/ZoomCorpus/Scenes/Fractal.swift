/// Value noise summed over octaves: structure at every scale between two lattice spacings.
final class FractalRow {
  private let rows: [NoiseRow]
  private let sum: ScratchBuffer<Int16>

  init(_ rows: [NoiseRow], width: Int) {
    self.rows = rows
    sum = ScratchBuffer(count: width, repeating: 0)
  }

  /// Computes row `y`; the memory is valid until the next call and while this object lives.
  func row(_ y: Int) -> UnsafePointer<Int16> {
    sum.base.update(repeating: 0, count: sum.count)
    for row in rows {
      row.add(row: y, to: sum.base)
    }
    return UnsafePointer(sum.base)
  }
}

/// A stateless hash of a lattice point: the only source of randomness in the scenes.
///
/// The finisher is that of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014). Without state, a band of
/// rows can be made without the rows above.
enum LatticeHash {
  /// Returns 64 well mixed bits for a point and a seed.
  @inline(__always)
  static func wide(_ seed: UInt64, _ x: Int, _ y: Int) -> UInt64 {
    var mixed = seed &+ UInt64(truncatingIfNeeded: x) &* 0x9E37_79B9_7F4A_7C15
    mixed = (mixed ^ (mixed &>> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = mixed &+ UInt64(truncatingIfNeeded: y) &* 0xD6E8_FEB8_6659_FD93
    mixed = (mixed ^ (mixed &>> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed &>> 31)
  }

  /// Returns the upper 32 bits of `wide`.
  @inline(__always)
  static func value(_ seed: UInt64, _ x: Int, _ y: Int) -> UInt32 {
    UInt32(truncatingIfNeeded: wide(seed, x, y) &>> 32)
  }

  /// Returns a number in `0..<bound`; `bound` is 1...65536.
  @inline(__always)
  static func below(_ bound: Int, _ seed: UInt64, _ x: Int, _ y: Int) -> Int {
    (Int(value(seed, x, y) &>> 16) &* bound) &>> 16
  }
}

/// A fixed number of trivial values on the heap, freed with the object that owns it.
///
/// Painters touch every pixel several times, and bounds and uniqueness checks would cost more than
/// the arithmetic. One painter keeps a buffer in a `let` and uses `base` only in its methods, whose
/// caller keeps the painter alive, so the memory outlives every use.
final class ScratchBuffer<Element: BitwiseCopyable> {
  let base: UnsafeMutablePointer<Element>
  let count: Int

  /// Allocates `count` elements, all equal to `value`; a count of 0 allocates one element.
  init(count: Int, repeating value: Element) {
    precondition(count >= 0, "a scratch buffer cannot hold a negative number of elements")
    self.count = count
    base = .allocate(capacity: max(count, 1))
    base.initialize(repeating: value, count: max(count, 1))
  }

  deinit {
    base.deallocate()
  }
}
