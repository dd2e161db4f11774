internal import ZoomGeometry
internal import ZoomPipeline

extension TestPicture {
  /// Returns the samples to store, with the change applied, before the orientation tag.
  func storedPixels() -> Pixels {
    let plain = Pixels(
      size: size, bands: bands, format: depth == .eight ? .uint8 : .uint16,
      interpretation: interpretation, bytes: samples())
    switch change {
    case .none: return plain
    case .raised(let levels): return plain.raised(by: levels)
    case .symmetry(let turn): return plain.seen(through: turn)
    case .padded(let left, let top):
      return plain.rearranged(storedSize) { x, y in (max(x - left, 0), max(y - top, 0)) }
    }
  }

  /// The interpretation that libvips gives such bands.
  private var interpretation: ColourInterpretation {
    if case .jpeg = container, bands == 4 { return .cmyk }
    return switch (bands, depth) {
    case (1, .eight): .grey
    case (1, .sixteen): ColourInterpretation(rawValue: "grey16")
    case (_, .eight): .srgb
    case (_, .sixteen): .rgb16
    }
  }

  private func samples() -> [UInt8] {
    let count = size.area * bands * depth.rawValue / 8
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      let bytes = UnsafeMutableRawBufferPointer(buffer)
      switch depth {
      case .eight: forEachSample { place, high, _ in bytes[place] = high }
      case .sixteen:
        forEachSample { place, high, low in
          bytes.storeBytes(
            of: UInt16(high) << 8 | UInt16(low), toByteOffset: place * 2, as: UInt16.self)
        }
      }
      initialized = count
    }
  }

  /// Calls `body` with each sample's index, its 8-bit level, and its low byte if it has 16 bits.
  @inline(__always)
  private func forEachSample(_ body: (_ place: Int, _ high: UInt8, _ low: UInt8) -> Void) {
    let (width, height, bands) = (size.width, size.height, bands)
    @inline(__always) func each(_ level: (_ x: Int, _ y: Int, _ band: Int) -> Int) {
      var place = 0
      for y in 0..<height {
        for x in 0..<width {
          for band in 0..<bands {
            // A 16-bit sample repeats the level in its low byte: full scale stays full scale.
            let value = UInt8(truncatingIfNeeded: level(x, y, band))
            body(place, value, value)
            place += 1
          }
        }
      }
    }
    switch content {
    case .flat(let value): each { _, _, _ in value }
    case .checker(let side): each { x, y, _ in (x / side + y / side) % 2 == 0 ? 0 : 255 }
    case .gradient:
      let (right, bottom) = (max(width - 1, 1), max(height - 1, 1))
      each { x, y, band in
        switch band % 3 {
        case 0: 16 + 200 * x / right
        case 1: 16 + 200 * y / bottom
        default: 216 - 100 * x / right - 100 * y / bottom
        }
      }
    case .waves:
      let across = (0..<width).map { Self.wave($0, of: 12) }
      let down = (0..<height).map { Self.wave($0, of: 9) }
      each { x, y, band in
        let sign = band % 3 == 1 ? -1 : 1
        return 128 + sign * across[x] * 48 / 256 + down[y] * 38 / 256 + band * 6
      }
    case .zonePlate:
      // A chirp of r^2 / (2 side) periods: the period is 2 pixels at half the longer side, and the
      // outer half aliases.
      let side = max(width, height)
      each { x, y, band in
        128 + Self.wave((x * x + y * y) * 32 / side + band * 21, of: 64) * 100 / 256
      }
    case .noise(let seed):
      var place = 0
      for y in 0..<height {
        for x in 0..<width {
          var word =
            (seed &+ UInt64(y) &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(x) &* 0xD1B5_4A32_D192_ED03)
          word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
          word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
          word ^= word >> 31
          for band in 0..<bands {
            let bits = word >> UInt64(band * 16)
            body(place, UInt8(truncatingIfNeeded: bits >> 8), UInt8(truncatingIfNeeded: bits))
            place += 1
          }
        }
      }
    }
  }

  /// Returns a parabolic wave, from -256 to 256 over a whole period.
  private static func wave(_ place: Int, of period: Int) -> Int {
    // t runs from -period to period; the wave is 4 t (period - |t|) / period^2, in 256ths.
    let t = (place % period) * 2 - period
    return 4 * t * (period - abs(t)) * 256 / (period * period)
  }
}
