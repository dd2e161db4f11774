import Testing

@testable import ZoomCorpus

@Suite struct ValueNoiseTests {
  @Test(arguments: [0, 1, 2, 3, 5, 8])
  func `heights stay inside the amplitude and use most of it`(shift: Int) {
    let noise = NoiseRow(seed: 3, shiftX: shift, shiftY: shift, amplitude: 1000, width: 700)
    let heights = stride(from: 0, to: 600, by: 7).flatMap { (y: Int) -> [Int16] in
      let sum = ScratchBuffer<Int16>(count: 700, repeating: 0)
      noise.add(row: y, to: sum.base)
      return (0..<700).map { sum.base[$0] }
    }
    #expect(heights.allSatisfy { (-1001...1001).contains($0) })
    #expect((heights.max() ?? 0) > 600)
    #expect((heights.min() ?? 0) < -600)
  }
}
