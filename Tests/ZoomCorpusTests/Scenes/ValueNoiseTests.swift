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
}
