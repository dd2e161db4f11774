/// Value noise summed over octaves: structure at every scale between two lattice spacings.
struct Fractal: Sendable {
  let layers: [NoiseLayer]

  /// - Parameters:
  ///   - seed: Fractals with different seeds are independent.
  ///   - coarse: Base-2 logarithm of the widest lattice spacing.
  ///   - fine: The same of the narrowest one; not above `coarse`.
  ///   - amplitude: Height of the coarsest octave.
  ///   - gain: Height of each finer octave in per cent of the one before.
  ///   - stretch: Added to the vertical logarithm: positive for upright, negative for flat shapes.
  init(
    _ seed: UInt64, coarse: Int, fine: Int, amplitude: Int, gain: Int = 55, stretch: Int = 0
  ) {
    var height = amplitude
    var layers: [NoiseLayer] = []
    for shift in stride(from: coarse, through: min(fine, coarse), by: -1) where shift >= 0 {
      layers.append(
        NoiseLayer(seed: seed, shiftX: shift, shiftY: shift + stretch, amplitude: height))
      height = height * gain / 100
    }
    self.layers = layers
  }
}

/// Rows of a fractal, together with the memory for the current one.
final class FractalRow {
  private let rows: [NoiseRow]
  private let sum: ScratchBuffer<Int16>

  init(_ fractal: Fractal, width: Int) {
    rows = fractal.layers.map { NoiseRow(layer: $0, width: width) }
    sum = ScratchBuffer(count: width, repeating: 0)
  }

  /// Computes row `y`; the memory is valid while this object lives and until the next call.
  func row(_ y: Int) -> UnsafePointer<Int16> {
    sum.base.update(repeating: 0, count: sum.count)
    for row in rows {
      row.add(row: y, to: sum.base)
    }
    return UnsafePointer(sum.base)
  }
}

/// Fractal noise of one variable: skylines, wobbling edges.
struct Profile: Sendable {
  private let seed: UInt64
  private let coarse: Int
  private let fine: Int
  private let amplitude: Int
  private let gain: Int

  /// As for `Fractal`, along one axis.
  init(_ seed: UInt64, coarse: Int, fine: Int, amplitude: Int, gain: Int = 50) {
    self.seed = seed
    self.coarse = max(0, min(coarse, 15))
    self.fine = max(0, min(fine, coarse))
    self.amplitude = amplitude
    self.gain = gain
  }

  /// The height at `x`, between minus and plus twice the amplitude if `gain` is at most 50.
  func value(_ x: Int) -> Int {
    Int(values(x..<x + 1)[0])
  }

  /// The heights at consecutive places; much cheaper than one by one.
  func values(_ places: Range<Int>) -> [Int32] {
    var sums = [Int32](repeating: 0, count: places.count)
    var height = amplitude
    for shift in stride(from: coarse, through: fine, by: -1) {
      var cell = Int.min
      var left = 0
      var right = 0
      for index in sums.indices {
        let x = places.lowerBound &+ index
        if x >> shift != cell {
          cell = x >> shift
          left = LatticeHash.below(65536, seed, cell, shift) - 32768
          right = LatticeHash.below(65536, seed, cell + 1, shift) - 32768
        }
        let weight = Int(Smoothstep.weight(x & ((1 << shift) - 1), shift))
        let level = left + ((right - left) * weight) >> 15
        sums[index] += Int32(truncatingIfNeeded: (level * height) >> 15)
      }
      height = height * gain / 100
    }
    return sums
  }
}
