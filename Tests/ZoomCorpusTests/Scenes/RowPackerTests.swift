import Testing
import ZoomGeometry

@testable import ZoomCorpus

@Suite struct RowPackerTests {
  private func pixels(_ form: PixelForm) throws -> [UInt8] {
    try SyntheticScene(.pharmacy, size: PixelSize(width: 64, height: 48), form: form).pixels()
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
