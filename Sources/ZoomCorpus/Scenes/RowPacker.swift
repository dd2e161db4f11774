/// The layout of a pixel's bytes in the rows of a scene.
///
/// Samples are interleaved. 16-bit samples are little-endian. CMYK samples are amounts of ink: 0 is
/// bare paper, 255 is full ink.
package enum PixelForm: String, CaseIterable, Sendable {
  case gray8, rgb8, rgba8, cmyk8, rgb16

  package var bands: Int {
    switch self {
    case .gray8: 1
    case .rgb8, .rgb16: 3
    case .rgba8, .cmyk8: 4
    }
  }

  package var bytesPerPixel: Int { self == .rgb16 ? 6 : bands }
}

/// Adds grain to a painted row and packs it into a pixel form.
struct RowPacker {
  private let form: PixelForm
  private let seed: UInt64
  private let grain: Int32

  init(form: PixelForm, seed: UInt64, grain: Int) {
    self.form = form
    self.seed = LatticeHash.wide(seed, 0x6772, 2)
    self.grain = Int32(min(1023, max(0, grain)))
  }

  /// Writes the pixels of one row.
  ///
  /// Grain comes from a linear congruential generator (Knuth's MMIX constants), seeded by a hash of
  /// each row, so that rows are independent. It is the sum of two uniform numbers and always at
  /// least as wide as an 8-bit step, which prevents banding in gradients.
  func pack(_ canvas: RowCanvas, row y: Int, into target: UnsafeMutablePointer<UInt8>) {
    var state = LatticeHash.wide(seed, 0, y)
    @inline(__always) func each(_ write: (Int, Tint, UInt64) -> Void) {
      for x in 0..<canvas.width {
        let tint = next(canvas[x], &state)
        write(x, tint, state)
      }
    }
    switch form {
    case .rgb8: each { x, tint, _ in Self.store(tint, target + x &* 3) }
    case .gray8: each { x, tint, _ in target[x] = Self.byte(Self.luma(tint)) }
    case .rgba8:
      each { x, tint, _ in
        Self.store(tint, target + x &* 4)
        target[x &* 4 &+ 3] = alpha(x, y)
      }
    case .cmyk8: each { x, tint, _ in separate(tint, into: target + x &* 4) }
    case .rgb16:
      each { x, tint, state in
        Self.store(tint.red, state, target + x &* 6)
        Self.store(tint.green, state &>> 8, target + (x &* 6 &+ 2))
        Self.store(tint.blue, state &>> 16, target + (x &* 6 &+ 4))
      }
    }
  }

  /// Returns the colour with the next grain added.
  @inline(__always)
  private func next(_ tint: Tint, _ state: inout UInt64) -> Tint {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    let one = Int32(truncatingIfNeeded: (state &>> 54) & 0x3FF)
    let other = Int32(truncatingIfNeeded: (state &>> 40) & 0x3FF)
    let noise = ((one &+ other &- 1023) &* (grain &+ 32)) &>> 10
    return Tint(red: tint.red &+ noise, green: tint.green &+ noise, blue: tint.blue &+ noise)
  }

  @inline(__always)
  private static func store(_ tint: Tint, _ target: UnsafeMutablePointer<UInt8>) {
    target[0] = byte(tint.red)
    target[1] = byte(tint.green)
    target[2] = byte(tint.blue)
  }

  /// Returns an 8-bit sample; 32 is half a step.
  @inline(__always)
  private static func byte(_ value: Int32) -> UInt8 {
    UInt8(truncatingIfNeeded: max(0, min(255, (value &+ 32) &>> 6)))
  }

  /// Returns the luma, with the weights of ITU-R BT.601 in 1/65536.
  @inline(__always)
  private static func luma(_ tint: Tint) -> Int32 {
    (tint.red &* 19595 &+ tint.green &* 38470 &+ tint.blue &* 7471) &>> 16
  }

  /// Writes a little-endian 16-bit sample: 0...16320 stretched to 0...65535, plus noise of 0...3.
  ///
  /// So every bit of the sample varies.
  @inline(__always)
  private static func store(
    _ value: Int32, _ noise: UInt64, _ target: UnsafeMutablePointer<UInt8>
  ) {
    let low = Int32(truncatingIfNeeded: (noise &>> 33) & 3)
    let sample = max(0, min(65535, value &* 4 &+ low &+ value &>> 6))
    target[0] = UInt8(truncatingIfNeeded: sample)
    target[1] = UInt8(truncatingIfNeeded: sample &>> 8)
  }

  /// Writes the inks with full grey component replacement: their common part becomes black.
  @inline(__always)
  private func separate(_ tint: Tint, into target: UnsafeMutablePointer<UInt8>) {
    let cyan = 255 &- Self.byte(tint.red)
    let magenta = 255 &- Self.byte(tint.green)
    let yellow = 255 &- Self.byte(tint.blue)
    let black = min(cyan, magenta, yellow)
    target[0] = cyan &- black
    target[1] = magenta &- black
    target[2] = yellow &- black
    target[3] = black
  }

  /// Returns the alpha of opaque tiles with soft, sloping edges between transparent gaps.
  @inline(__always)
  private func alpha(_ x: Int, _ y: Int) -> UInt8 {
    let period = 192
    let across = (x &+ y / 4) % period
    let down = (y &+ (period &- x % period) / 8) % period
    let edge = min(min(across, period &- across), min(down, period &- down))
    return UInt8(truncatingIfNeeded: max(0, min(255, edge &* 16 &- 64)))
  }
}
