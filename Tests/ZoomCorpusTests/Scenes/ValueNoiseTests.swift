import Testing

@testable import ZoomCorpus

@Suite struct ValueNoiseTests {
  private func row(_ noise: NoiseRow, _ y: Int, _ width: Int) -> [Int16] {
    let sum = ScratchBuffer<Int16>(count: width, repeating: 0)
    noise.add(row: y, to: sum.base)
    return (0..<width).map { sum.base[$0] }
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

  @Test func `a row of a fractal is the sum of its layers`() {
    let fractal = FractalRow(2, coarse: 5, fine: 1, amplitude: 2000, width: 90)
    let together = (0..<90).map { fractal.row(33)[$0] }
    let layers = fractal.rows.map { row($0, 33, 90) }
    #expect(layers.count == 5)
    #expect(together == (0..<90).map { x in layers.reduce(0) { $0 + $1[x] } })
  }
}
