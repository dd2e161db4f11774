import Testing

@testable import ZoomCorpus

@Suite struct ValueNoiseTests {
  private func row(_ noise: NoiseRow, _ y: Int, _ width: Int) -> [Int16] {
    var sum = [Int16](repeating: 0, count: width)
    sum.withUnsafeMutableBufferPointer { buffer in
      if let base = buffer.baseAddress { noise.add(row: y, to: base) }
    }
    return sum
  }

  @Test func `smoothstep weights start at 0, pass one half in the middle and never fall`() {
    for shift in 1...14 {
      let weights = (0..<1 << shift).map { Smoothstep.weight($0, shift) }
      #expect(weights[0] == 0)
      #expect(abs(Int(weights[1 << (shift - 1)]) - 16384) <= 1)
      #expect(zip(weights, weights.dropFirst()).allSatisfy { $0 <= $1 })
    }
  }

  @Test(arguments: [0, 1, 2, 3, 5, 8])
  func `heights stay inside the amplitude and use most of it`(shift: Int) {
    let layer = NoiseLayer(seed: 3, shiftX: shift, shiftY: shift, amplitude: 1000)
    let noise = NoiseRow(layer: layer, width: 700)
    let heights = stride(from: 0, to: 600, by: 7).flatMap { row(noise, $0, 700) }
    #expect(heights.allSatisfy { (-1001...1001).contains($0) })
    #expect((heights.max() ?? 0) > 600)
    #expect((heights.min() ?? 0) < -600)
  }

  @Test(arguments: [0, 1, 2, 3, 4, 6], [-1, 0, 2])
  func `a row does not depend on the rows made before it`(shift: Int, stretch: Int) {
    let layer = NoiseLayer(seed: 9, shiftX: shift, shiftY: shift + stretch, amplitude: 4000)
    let used = NoiseRow(layer: layer, width: 101)
    for y in [40, 41, 42, 7, 8, 43, -1, 300] {
      #expect(row(used, y, 101) == row(NoiseRow(layer: layer, width: 101), y, 101))
    }
  }

  @Test(arguments: 3...7)
  func `neighbours differ by no more than the slope of the lattice allows`(shift: Int) {
    let layer = NoiseLayer(seed: 5, shiftX: shift, shiftY: shift, amplitude: 8000)
    let noise = NoiseRow(layer: layer, width: 500)
    // Heights differ by at most 16000 in a cell; smoothstep is at most 3/2 as steep as a line.
    let limit = 16000 * 3 / 2 / (1 << shift) + 2
    for y in 0..<40 {
      let heights = row(noise, y, 500)
      let steps = zip(heights, heights.dropFirst()).map { abs(Int($0) - Int($1)) }
      #expect((steps.max() ?? 0) <= limit)
    }
  }
}
