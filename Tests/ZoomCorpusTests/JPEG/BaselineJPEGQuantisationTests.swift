import Testing

@testable import ZoomCorpus

@Suite struct BaselineJPEGQuantisationTests {
  typealias Quantisation = BaselineJPEG.Quantisation

  @Test func `quality 50 is the table of Annex K and 100 is all ones`() {
    #expect(Quantisation(table: 0, quality: 50).steps == Quantisation.luminance)
    #expect(Quantisation(table: 1, quality: 50).steps == Quantisation.chrominance)
    #expect(Quantisation(table: 0, quality: 100).steps == Array(repeating: 1, count: 64))
  }

  @Test func `steps stay in 1...255 and never grow with quality`() {
    for table in 0...1 {
      let steps = (1...100).map { Quantisation(table: table, quality: $0).steps }
      #expect(steps.joined().allSatisfy { (1...255).contains($0) })
      for (worse, better) in zip(steps, steps.dropFirst()) {
        #expect(zip(worse, better).allSatisfy { $0 >= $1 })
      }
    }
  }

  @Test func `the familiar first steps of some qualities come out`() {
    // As written by libjpeg's cjpeg: 75 starts with 8 6 5 8, 85 with 5 3 3 5, 90 with 3 2 2 3.
    let firsts = [75: [8, 6, 5, 8], 85: [5, 3, 3, 5], 90: [3, 2, 2, 3], 10: [80, 55, 50, 80]]
    for (quality, first) in firsts {
      #expect(Array(Quantisation(table: 0, quality: quality).steps.prefix(4)) == first)
    }
  }

  @Test func `reciprocals divide exactly for every value that a transform can give`() {
    for quality in [1, 30, 50, 75, 100] {
      let quantisation = Quantisation(table: 0, quality: quality)
      for (step, reciprocal) in Set(quantisation.steps.indices).map({
        (UInt64(quantisation.steps[$0] * 8), quantisation.reciprocals[$0])
      }) {
        for value: UInt64 in [0, 1, step - 1, step, step + 1, 4095, 8192, 16383, 32767] {
          #expect((value * reciprocal) >> 32 == value / step)
        }
      }
    }
  }

  @Test func `the zigzag visits every coefficient once, diagonal by diagonal`() {
    let zigzag = Quantisation.zigzag
    #expect(zigzag.sorted() == Array(0..<64))
    let diagonals = zigzag.map { $0 / 8 + $0 % 8 }
    #expect(diagonals == diagonals.sorted())
    #expect(Array(zigzag.prefix(4)) == [0, 1, 8, 16])
  }
}
