package import ZoomGeometry
package import ZoomPipeline

// A second, plain implementation of turning, cropping and averaging, which answers are compared
// with. It shares no code with the pipelines.

extension Pixels {
  private var pixelBytes: Int { bands * format.byteCount }

  /// Returns pixels of the same format with another size and other bytes.
  package func with(_ size: PixelSize, _ bytes: [UInt8]) -> Pixels {
    Pixels(size: size, bands: bands, format: format, interpretation: interpretation, bytes: bytes)
  }

  /// Returns pixels of another size; `place` maps each to its source.
  package func rearranged(
    _ size: PixelSize, _ place: (_ x: Int, _ y: Int) -> (x: Int, y: Int)
  ) -> Pixels {
    let (width, length) = (self.size.width, pixelBytes)
    let moved = [UInt8](unsafeUninitializedCapacity: size.area * length) { buffer, initialized in
      bytes.withUnsafeBufferPointer { source in
        var target = 0
        for y in 0..<size.height {
          for x in 0..<size.width {
            let from = place(x, y)
            let start = (from.y * width + from.x) * length
            for byte in 0..<length { buffer[target + byte] = source[start + byte] }
            target += length
          }
        }
      }
      initialized = size.area * length
    }
    return with(size, moved)
  }

  /// Returns the upright pixels of pixels stored under an orientation tag.
  ///
  /// Follows the EXIF standard (CIPA DC-008, 4.6.4), which defines the eight values by the sides of
  /// the upright picture that the stored first row and first column are on.
  package func seen(through orientation: Orientation) -> Pixels {
    let (right, bottom) = (size.width - 1, size.height - 1)
    switch orientation {
    case .up: return self
    case .upMirrored: return rearranged(size) { x, y in (right - x, y) }
    case .down: return rearranged(size) { x, y in (right - x, bottom - y) }
    case .downMirrored: return rearranged(size) { x, y in (x, bottom - y) }
    case .leftMirrored: return rearranged(size.transposed) { x, y in (y, x) }
    case .right: return rearranged(size.transposed) { x, y in (y, bottom - x) }
    case .rightMirrored: return rearranged(size.transposed) { x, y in (right - y, bottom - x) }
    case .left: return rearranged(size.transposed) { x, y in (right - y, x) }
    }
  }

  /// Returns the pixels turned clockwise.
  package func quarterTurned(_ turn: QuarterTurn) -> Pixels {
    switch turn {
    case .none: self
    case .clockwise: seen(through: .right)
    case .half: seen(through: .down)
    case .counterclockwise: seen(through: .left)
    }
  }

  /// Returns samples raised by 8-bit levels (257 times as many in 16 bits); they wrap around.
  package func raised(by levels: Int) -> Pixels {
    if format == .uint16 {
      let step = UInt16(truncatingIfNeeded: levels * 257)
      var raised = bytes
      raised.withUnsafeMutableBytes { buffer in
        for at in stride(from: 0, to: buffer.count, by: 2) {
          let sample = buffer.loadUnaligned(fromByteOffset: at, as: UInt16.self)
          buffer.storeBytes(of: sample &+ step, toByteOffset: at, as: UInt16.self)
        }
      }
      return with(size, raised)
    }
    let step = UInt8(truncatingIfNeeded: levels)
    return with(size, bytes.map { $0 &+ step })
  }

  /// Returns the mean of each block of `side` x `side` pixels, with halves rounded up.
  ///
  /// Blocks at the right and bottom edge may be smaller.
  /// - Returns: nil unless samples are unsigned and of 8 or 16 bits.
  package func meanOfBlocks(_ side: Int) -> Pixels? {
    guard format == .uint8 || format == .uint16 else { return nil }
    let reduced = PixelRegion(whole: size).reduced(by: side).size
    var means: [UInt8] = []
    means.reserveCapacity(reduced.area * pixelBytes)
    bytes.withUnsafeBytes { samples in
      for y in 0..<reduced.height {
        for x in 0..<reduced.width {
          for band in 0..<bands {
            var (sum, count) = (0, 0)
            for row in y * side..<min(y * side + side, size.height) {
              for column in x * side..<min(x * side + side, size.width) {
                let place = (row * size.width + column) * bands + band
                sum +=
                  format == .uint8
                  ? Int(samples[place])
                  : Int(samples.loadUnaligned(fromByteOffset: place * 2, as: UInt16.self))
                count += 1
              }
            }
            let mean = (sum + count / 2) / count
            if format == .uint8 {
              means.append(UInt8(mean))
            } else {
              withUnsafeBytes(of: UInt16(mean)) { means += Array($0) }
            }
          }
        }
      }
    }
    return with(reduced, means)
  }
}
