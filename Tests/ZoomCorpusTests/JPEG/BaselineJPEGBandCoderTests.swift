import Testing

@testable import ZoomCorpus

@Suite struct BaselineJPEGBandCoderTests {
  @Test func `a mid-gray block is a zero DC and an end of block`() throws {
    let scene = try #require(flat(8, 8, .gray8, 128))
    let file = try BaselineJPEG.Plan(scene, options: .init(colour: .gray)).encoded()
    // Category 0 is 00, end of block is 1010, then ones.
    #expect(try MarkerWalk(file).all(0xDA)[0].coded == [0b0010_1011])
  }

  @Test func `a file never outgrows the capacity that is promised for it`() throws {
    for colour in BaselineJPEG.Colour.allCases {
      for quality in [1, 100] {
        let scene = try #require(noise(37, 21, colour.sourceForm))
        var options = BaselineJPEG.Options(colour: colour, quality: quality)
        options.restart = .mcus(1)
        options.fillBytes = 7
        let format = try BaselineJPEG.Format(size: scene.size, options: options)
        let capacity = BaselineJPEG.BandCoder.capacity(format: format, scan: format.scans[0])
        var largest = 0
        let plan = try BaselineJPEG.Plan(scene, options: options)
        for piece in plan.pieces() {
          largest = max(largest, plan.encoded(piece).count)
        }
        #expect(largest <= capacity)
      }
    }
  }

  @Test func `DC values are predicted from the block before and from zero after a restart`() throws
  {
    let scene = try #require(flat(64, 8, .gray8, 200))
    var options = BaselineJPEG.Options(colour: .gray, quality: 50)
    let first = try MarkerWalk(BaselineJPEG.Plan(scene, options: options).encoded()).all(0xDA)[0]
    // (200 - 128) * 8 / 16 = 36: category 6 is 1110, 100100, then 1010; seven times 00 1010.
    let bits = "1110" + "100100" + "1010" + String(repeating: "001010", count: 7)
    let padded = bits + String(repeating: "1", count: (8 - bits.count % 8) % 8)
    let text = first.coded.map { byte in
      let digits = String(byte, radix: 2)
      return String(repeating: "0", count: 8 - digits.count) + digits
    }.joined()
    #expect(text == padded)
    options.restart = .mcus(1)
    let walk = try MarkerWalk(BaselineJPEG.Plan(scene, options: options).encoded())
    let segments = walk.segments.filter { !$0.coded.isEmpty }
    #expect(segments.count == 8)
    #expect(Set(segments.map(\.coded)).count == 1)
  }
}
