/// A colour in sixty-fourths of an 8-bit step, 0 to 16320.
///
/// The fraction keeps gradients smooth under the grain and fills the low bits of 16-bit pictures.
struct Tint: Sendable {
  var red: Int32
  var green: Int32
  var blue: Int32

  /// Returns this colour moved towards another by `weight` / 256; weights outside 0...256 extrapolate.
  @inline(__always)
  func mixed(_ other: Tint, _ weight: Int32) -> Tint {
    Tint(
      red: red &+ ((other.red &- red) &* weight) &>> 8,
      green: green &+ ((other.green &- green) &* weight) &>> 8,
      blue: blue &+ ((other.blue &- blue) &* weight) &>> 8)
  }

  /// Returns this colour under light of `light` / 256.
  @inline(__always)
  func lit(_ light: Int32) -> Tint {
    Tint(
      red: (red &* light) &>> 8, green: (green &* light) &>> 8, blue: (blue &* light) &>> 8)
  }
}

extension Tint {
  /// Creates a colour written as 0xRRGGBB.
  init(_ hex: UInt32) {
    self.init(
      red: Int32(hex >> 16 & 0xFF) << 6, green: Int32(hex >> 8 & 0xFF) << 6,
      blue: Int32(hex & 0xFF) << 6)
  }
}

/// One row of colour that painters write to.
///
/// Values may leave 0...16320, so that light can be subtracted again. They are limited to
/// -16320...32640 here and clamped to 0...16320 when the row is packed.
final class RowCanvas {
  let width: Int
  private let reds, greens, blues: ScratchBuffer<Int16>

  init(width: Int) {
    self.width = width
    reds = ScratchBuffer(count: width, repeating: 0)
    greens = ScratchBuffer(count: width, repeating: 0)
    blues = ScratchBuffer(count: width, repeating: 0)
  }

  /// The colour of a column in `0..<width`, unchecked.
  subscript(x: Int) -> Tint {
    @inline(__always) get {
      Tint(
        red: Int32(reds.base[x]), green: Int32(greens.base[x]), blue: Int32(blues.base[x]))
    }
    @inline(__always) set {
      reds.base[x] = Self.stored(newValue.red)
      greens.base[x] = Self.stored(newValue.green)
      blues.base[x] = Self.stored(newValue.blue)
    }
  }

  @inline(__always)
  private static func stored(_ value: Int32) -> Int16 {
    Int16(truncatingIfNeeded: max(-16320, min(32640, value)))
  }

  /// Moves a column's colour towards `tint` by `weight` / 256.
  @inline(__always)
  func blend(_ x: Int, _ tint: Tint, _ weight: Int32) {
    self[x] = self[x].mixed(tint, weight)
  }

  /// Returns the part of a span that lies on the canvas.
  func clipped(_ left: Int, _ right: Int) -> Range<Int> {
    let lower = min(max(left, 0), width)
    return lower..<max(lower, min(right, width))
  }
}

/// Colours interpolated between stops, indexed by 0...255.
struct Ramp: Sendable {
  private let tints: [Tint]

  /// Creates a ramp from stops: increasing indices from 0 to 255, colours written as 0xRRGGBB.
  init(_ stops: [(Int, UInt32)]) {
    tints = (0..<256).map { index in
      let above = stops.firstIndex { $0.0 >= index } ?? stops.count - 1
      let below = max(0, above - 1)
      let (low, high) = (stops[below], stops[above])
      guard high.0 > low.0 else { return Tint(high.1) }
      let weight = Int32((index - low.0) * 256 / (high.0 - low.0))
      return Tint(low.1).mixed(Tint(high.1), weight)
    }
  }

  /// The colour of an index, clamped to the ends.
  @inline(__always)
  subscript(index: Int32) -> Tint {
    tints[Int(max(0, min(255, index)))]
  }
}
