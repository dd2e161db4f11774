import Testing

@testable import ZoomCorpus

/// Compares the generated ICC profile with the layout of ICC.1:2001-04, parsed by hand.
struct ColourProfileTests {
  private let profile = ColourProfile.wideGamut

  private func big32(_ at: Int) -> Int {
    profile[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
  }

  private func text(_ at: Int) -> String { String(decoding: profile[at..<at + 4], as: UTF8.self) }

  @Test func `the header is that of an RGB monitor profile of its own length`() {
    #expect(big32(0) == profile.count)
    #expect(text(12) == "mntr" && text(16) == "RGB " && text(20) == "XYZ " && text(36) == "acsp")
    #expect(profile[8] == 2)
    // The D50 illuminant as s15Fixed16 numbers.
    #expect([big32(68), big32(72), big32(76)] == [0xF6D6, 0x10000, 0xD32D])
  }

  @Test func `tags lie one after the other, on fours, inside the profile`() {
    let count = big32(128)
    #expect(count == 9)
    var end = 132 + 12 * count
    var names: Set<String> = []
    for tag in 0..<count {
      let entry = 132 + 12 * tag
      let (offset, length) = (big32(entry + 4), big32(entry + 8))
      names.insert(text(entry))
      #expect(offset == end && offset % 4 == 0)
      #expect(offset + length <= profile.count)
      end = (offset + length + 3) / 4 * 4
    }
    #expect(end == profile.count)
    #expect(
      names == ["desc", "cprt", "wtpt", "rXYZ", "gXYZ", "bXYZ", "rTRC", "gTRC", "bTRC"])
  }

  /// Equal amounts of the primaries must give the white of the profile connection space.
  ///
  /// Values are rounded to 1/65536, so the sum of three is within 2 of the white.
  @Test func `the primaries add up to white`() {
    for axis in 0..<3 {
      let sum = [3, 4, 5].map { tag in big32(big32(132 + 12 * tag + 4) + 8 + 4 * axis) }
        .reduce(0, +)
      let white = big32(big32(132 + 12 * 2 + 4) + 8 + 4 * axis)
      #expect(abs(sum - white) <= 65536 * 2 / 10000)
    }
  }
}
