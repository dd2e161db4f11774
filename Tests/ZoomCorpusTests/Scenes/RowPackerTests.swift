import Testing
import ZoomGeometry

@testable import ZoomCorpus

@Suite struct RowPackerTests {
  private func pixels(_ form: PixelForm) throws -> [UInt8] {
    try SyntheticScene(.pharmacy, size: PixelSize(width: 64, height: 48), form: form).pixels()
  }

  @Test func `gray is the luma of the colours`() throws {
    let colours = try pixels(.rgb8)
    let gray = try pixels(.gray8)
    for index in gray.indices {
      let (r, g, b) = (colours[index * 3], colours[index * 3 + 1], colours[index * 3 + 2])
      let luma = (Int(r) * 299 + Int(g) * 587 + Int(b) * 114 + 500) / 1000
      // Clamping precedes luma here and follows it there, at most 2 steps of grain apart.
      let isClamped = [r, g, b].contains(0) || [r, g, b].contains(255)
      #expect(abs(luma - Int(gray[index])) <= (isClamped ? 24 : 1))
    }
  }

  @Test func `inks separate into the same colours with nothing common left in them`() throws {
    let colours = try pixels(.rgb8)
    let inks = try pixels(.cmyk8)
    for index in 0..<inks.count / 4 {
      let ink = (0..<4).map { Int(inks[index * 4 + $0]) }
      #expect(min(ink[0], ink[1], ink[2]) == 0)
      for band in 0..<3 {
        #expect(255 - ink[band] - ink[3] == Int(colours[index * 3 + band]))
      }
    }
  }

  @Test func `16-bit samples agree with the 8-bit ones and use their low bits`() throws {
    let deep = try pixels(.rgb16)
    let shallow = try pixels(.rgb8)
    let samples = shallow.indices.map { Int(deep[$0 * 2]) | Int(deep[$0 * 2 + 1]) << 8 }
    for (sample, byte) in zip(samples, shallow) {
      #expect(abs(sample - Int(byte) * 257) <= 260)
    }
    // If they were copies of 8-bit values, every sample would be a multiple of 257.
    #expect(samples.count { $0 % 257 == 0 } < samples.count / 5)
    for bit in 0..<8 {
      let share = samples.count { $0 >> bit & 1 == 1 } * 100 / samples.count
      #expect((25...75).contains(share), "bit \(bit)")
    }
  }
}
