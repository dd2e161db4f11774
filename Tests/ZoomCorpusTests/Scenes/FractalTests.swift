import Testing

@testable import ZoomCorpus

@Suite struct FractalTests {
  @Test func `a row is the sum of its layers`() {
    let row = FractalRow(2, coarse: 5, fine: 1, amplitude: 2000, width: 90)
    let together = (0..<90).map { Int(row.row(33)[$0]) }
    var sum = [Int](repeating: 0, count: 90)
    for layer in row.rows {
      let single = ScratchBuffer<Int16>(count: 90, repeating: 0)
      layer.add(row: 33, to: single.base)
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
}
