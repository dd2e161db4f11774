import Testing

@testable import ZoomCorpus

@Suite struct FractalTests {
  @Test func `a fractal has one octave for each spacing, each weaker than the one before`() {
    let fractal = Fractal(1, coarse: 6, fine: 2, amplitude: 1000, gain: 50, stretch: 1)
    #expect(fractal.layers.map(\.shiftX) == [6, 5, 4, 3, 2])
    #expect(fractal.layers.map(\.shiftY) == [7, 6, 5, 4, 3])
    #expect(fractal.layers.map(\.amplitude) == [1000, 500, 250, 125, 62])
    #expect(Set(fractal.layers.map(\.seed)).count == 5)
  }

  @Test func `a row is the sum of its layers`() {
    let fractal = Fractal(2, coarse: 5, fine: 1, amplitude: 2000)
    let row = FractalRow(fractal, width: 90)
    let together = (0..<90).map { Int(row.row(33)[$0]) }
    var sum = [Int](repeating: 0, count: 90)
    for layer in fractal.layers {
      let single = ScratchBuffer<Int16>(count: 90, repeating: 0)
      NoiseRow(layer: layer, width: 90).add(row: 33, to: single.base)
      for x in 0..<90 {
        sum[x] += Int(single.base[x])
      }
    }
    #expect(together == sum)
  }

  @Test func `profile values are the same one by one and together`() {
    let profile = Profile(4, coarse: 7, fine: 1, amplitude: 300)
    let together = profile.values(-40..<200)
    #expect(together == (-40..<200).map { Int32(profile.value($0)) })
    #expect(together.allSatisfy { (-600...600).contains($0) })
    #expect(Set(together).count > 50)
  }

  @Test func `numbers below a bound reach every value about equally often`() {
    var counts = [Int](repeating: 0, count: 10)
    for x in 0..<100 {
      for y in -50..<50 {
        counts[LatticeHash.below(10, 7, x, y)] += 1
      }
    }
    // 10000 draws: mean 1000, standard deviation 30; the limits are five deviations.
    #expect(counts.allSatisfy { (850...1150).contains($0) }, "\(counts)")
  }

  @Test func `neighbouring points, mirrored points and other seeds share about half their bits`() {
    let origin = LatticeHash.wide(1, 100, 200)
    let others = [(1, 101, 200), (1, 100, 201), (1, 200, 100), (1, -100, 200), (2, 100, 200)]
    for (seed, x, y) in others {
      let difference = (origin ^ LatticeHash.wide(UInt64(seed), x, y)).nonzeroBitCount
      // 64 fair bits: mean 32, standard deviation 4.
      #expect((14...50).contains(difference), "\(seed) \(x) \(y)")
    }
  }

  @Test func `the hash of a point never changes`() {
    #expect(LatticeHash.wide(0, 0, 0) == 0)
    #expect(LatticeHash.wide(1, 2, 3) == 15_454_429_743_513_283_780)
  }
}
