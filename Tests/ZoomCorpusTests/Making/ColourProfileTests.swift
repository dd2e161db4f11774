import Testing

@testable import ZoomCorpus

/// Compares the generated ICC profile with the layout of ICC.1:2001-04, parsed by hand.
struct ColourProfileTests {
  private let profile = ColourProfile.wideGamut

  private func big32(_ at: Int) -> Int {
    profile[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
  }

  @Test func `tags follow the header one after the other, at multiples of four`() {
    #expect(big32(0) == profile.count && profile[8] == 2)
    #expect(String(decoding: profile[12..<24], as: UTF8.self) == "mntrRGB XYZ ")
    #expect(String(decoding: profile[36..<40], as: UTF8.self) == "acsp")
    let count = big32(128)
    #expect(count == 9)
    var end = 132 + 12 * count
    for entry in stride(from: 132, to: end, by: 12) {
      #expect(big32(entry + 4) == end && end % 4 == 0)
      end = (end + big32(entry + 8) + 3) / 4 * 4
    }
    #expect(end == profile.count)
  }

  /// Equal amounts of the primaries must give the white of the profile connection space.
  @Test func `the primaries add up to white`() {
    for axis in 0..<3 {
      let values = (2...5).map { tag in big32(big32(132 + 12 * tag + 4) + 8 + 4 * axis) }
      #expect(abs(values[1] + values[2] + values[3] - values[0]) <= 65536 * 2 / 10000)
    }
  }
}
