import TestSupport
import Testing

@testable import ZoomPipeline

@Suite struct ByteStuffingTests {
  @Test func `removing stuffing undoes adding it`() {
    var random = SplitMix64(seed: 3)
    for _ in 0..<200 {
      // Half of the bytes are FF, so that runs and ends of them occur.
      let clean = (0..<Int.random(in: 0...40, using: &random)).map { _ in
        Bool.random(using: &random) ? UInt8(0xFF) : UInt8.random(in: 0...255, using: &random)
      }
      var coded: [UInt8] = []
      ByteStuffing.append(clean, to: &coded)
      #expect(!zip(coded, coded.dropFirst()).contains { $0 == 0xFF && $1 != 0 })
      let padded = ByteStuffing.removed(from: coded[...], padding: 5)
      #expect(padded == clean + [0, 0, 0, 0, 0])
    }
  }

  @Test(
    arguments: [
      ([0x12, 0xFF, 0x00, 0x34], [0x12, 0xFF, 0x34]),
      ([0x12, 0xFF, 0xFF, 0xFF, 0x00, 0x34], [0x12, 0xFF, 0x34]),
      ([0xFF, 0x00, 0xFF, 0x00], [0xFF, 0xFF]),
      ([0x12, 0xFF], [0x12]),
      ([0x12, 0xFF, 0xFF, 0xFF], [0x12]),
      ([], []),
    ] as [([UInt8], [UInt8])])
  func `fill bytes before a stuffed byte or a marker are no data`(
    coded: [UInt8], clean: [UInt8]
  ) {
    #expect(ByteStuffing.removed(from: coded[...], padding: 0) == clean)
  }
}
