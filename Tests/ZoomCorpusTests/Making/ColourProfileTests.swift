import Testing

@testable import ZoomCorpus

/// Parses the generated ICC profile by the layout of ICC.1:2001-04.
struct ColourProfileTests {
  private let profile = ColourProfile.wideGamut

  private func big32(_ at: Int) -> Int {
    profile[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
  }

  /// Equal amounts of the primaries must give the white of the profile connection space.
  @Test func `the primaries add up to white`() {
    for axis in 0..<3 {
      let values = (2...5).map { tag in big32(big32(132 + 12 * tag + 4) + 8 + 4 * axis) }
      #expect(abs(values[1] + values[2] + values[3] - values[0]) <= 65536 * 2 / 10000)
    }
  }
}
