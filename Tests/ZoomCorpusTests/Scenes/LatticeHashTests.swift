import Testing

@testable import ZoomCorpus

@Suite struct LatticeHashTests {
  @Test func `numbers below a bound reach every value about equally often`() {
    var counts = [Int](repeating: 0, count: 10)
    for x in 0..<100 {
      for y in -50..<50 {
        counts[LatticeHash.below(10, 7, x, y)] += 1
      }
    }
    // 10000 draws, expectation 1000, standard deviation 30: five of them either way.
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
