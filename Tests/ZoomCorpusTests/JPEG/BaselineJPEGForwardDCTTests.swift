import Testing

@testable import ZoomCorpus

@Suite struct BaselineJPEGForwardDCTTests {
  private func transform(_ samples: [Int32]) -> [Int32] {
    var block = samples
    block.withUnsafeMutableBufferPointer { buffer in
      if let base = buffer.baseAddress { BaselineJPEG.ForwardDCT.transform(base) }
    }
    return block
  }

  /// T.81 A.3.3 in floating point, times 8.
  private func exact(_ samples: [Int32]) -> [Double] {
    // cos(n pi / 16) for n = 0...8; the rest by symmetry.
    let quarter = [
      1, 0.9807852804032304, 0.9238795325112867, 0.8314696123025452, 0.7071067811865476,
      0.5555702330196022, 0.3826834323650898, 0.19509032201612825, 0,
    ]
    func cosine(_ n: Int) -> Double {
      let turn = n % 32
      switch turn {
      case 0...8: return quarter[turn]
      case 9...16: return -quarter[16 - turn]
      case 17...24: return -quarter[turn - 16]
      default: return quarter[32 - turn]
      }
    }
    return (0..<64).map { index in
      let (v, u) = (index / 8, index % 8)
      var sum = 0.0
      for y in 0..<8 {
        for x in 0..<8 {
          sum += Double(samples[y * 8 + x]) * cosine((2 * x + 1) * u) * cosine((2 * y + 1) * v)
        }
      }
      let scale = (u == 0 ? quarter[4] : 1) * (v == 0 ? quarter[4] : 1)
      return sum * scale * 2
    }
  }

  @Test func `a flat block has only a DC coefficient of 64 times its value`() {
    for value: Int32 in [-128, -1, 0, 1, 127] {
      let block = transform(Array(repeating: value, count: 64))
      #expect(block == [value * 64] + Array(repeating: 0, count: 63))
    }
  }

  @Test(arguments: 0..<30)
  func `coefficients are within one scaled unit of the exact transform`(seed: UInt64) {
    let extreme = seed % 3 == 0
    let samples = (0..<64).map { index in
      let value = Int32(LatticeHash.below(256, seed, index, 0)) - 128
      return extreme ? (value < 0 ? -128 : 127) : value
    }
    // One unit is an eighth of a coefficient: the 13-bit constants and the two roundings of the
    // fixed-point form stay below it, far inside half a quantisation step.
    for (fast, exact) in zip(transform(samples), exact(samples)) {
      #expect(abs(Double(fast) - exact) < 1.5)
    }
  }

  @Test func `the largest possible coefficients fit the coder's categories`() {
    // The sign pattern of a basis function gives its largest coefficient; AC must stay below 1024.
    for index in 1..<64 {
      var delta = [Int32](repeating: 0, count: 64)
      let pattern = (0..<64).map { place -> Int32 in
        delta = [Int32](repeating: 0, count: 64)
        delta[place] = 127
        return transform(delta)[index] < 0 ? -128 : 127
      }
      #expect(abs(transform(pattern)[index]) < 1024 * 8)
    }
  }
}
