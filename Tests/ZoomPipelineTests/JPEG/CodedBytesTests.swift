import PropertyTesting
import SystemPackage
import TestSupport
import Testing

@testable import ZoomPipeline

@Suite struct CodedBytesTests {
  /// Returns random scan data, half of it FF, with restart markers and fill bytes.
  private func made(
    _ random: inout SplitMix64
  ) -> (raw: [UInt8], clean: [UInt8], restarts: [CodedBytes.Restart], places: [Int]) {
    var raw: [UInt8] = []
    var clean: [UInt8] = []
    var restarts: [CodedBytes.Restart] = []
    var places: [Int] = []
    for _ in 0..<Int.random(in: 0...40, using: &random) {
      switch Int.random(in: 0..<8, using: &random) {
      case 0:
        let code = UInt8(0xD0 + Int.random(in: 0..<8, using: &random))
        raw += [UInt8](repeating: 0xFF, count: Int.random(in: 1...3, using: &random)) + [code]
        restarts.append(CodedBytes.Restart(offset: clean.count, code: code))
      case 1...4:
        places.append(raw.count)
        raw += [0xFF, 0]
        clean.append(0xFF)
      default:
        places.append(raw.count)
        let byte = UInt8.random(in: 0..<0xFF, using: &random)
        raw.append(byte)
        clean.append(byte)
      }
    }
    return (raw, clean, restarts, places)
  }

  @Test func `coded bytes are unstuffed, and the offset of each byte and marker is known`() {
    var random = SplitMix64(seed: 3)
    var coded = CodedBytes()
    for _ in 0..<300 {
      let made = made(&random)
      coded.load(([1, 2] + made.raw)[2...], from: 1000)
      #expect(coded.all == made.clean + [UInt8](repeating: 0, count: CodedBytes.padding))
      #expect(coded.restarts == made.restarts)
      #expect(coded.end == .more(at: 1000 + made.raw.count))
      for (offset, place) in made.places.enumerated() {
        #expect(coded.fileOffset(of: offset) == 1000 + place)
        #expect(coded.position(ofFileBit: (1000 + place) * 8 + 3) == offset * 8 + 3)
      }
      #expect(coded.fileOffset(of: coded.count) == 1000 + made.raw.count)
    }
  }

  @Test func `a file offset without a coded byte has no position`() {
    var coded = CodedBytes()
    coded.load([0x12, 0xFF, 0x00, 0x34, 0xFF, 0xD0, 0x56], from: 10)
    for place in [9, 12, 14, 15, 18] { #expect(coded.position(ofFileBit: place * 8) == nil) }
    #expect(coded.position(ofFileBit: 16 * 8 + 7) == 3 * 8 + 7)
    #expect(coded.position(ofFileBit: 17 * 8) == 4 * 8, "the offset of the next byte")
  }

  @Test(
    arguments: [
      ([0x12, 0xFF], [0x12], .more(at: 1)),
      ([0x12, 0xFF, 0xFF, 0xFF], [0x12], .more(at: 1)),
      ([0x12, 0xFF, 0xD9, 0x34], [0x12], .marker(0xD9, at: 1)),
      ([0x12, 0xFF, 0xFF, 0xDA], [0x12], .marker(0xDA, at: 1)),
      ([0x12, 0xFF, 0xFF, 0x00, 0x34], [0x12], .marker(0, at: 1)),
      ([], [], .more(at: 0)),
    ] as [([UInt8], [UInt8], CodedBytes.End)])
  func `a marker ends the data, and an FF at the end needs more bytes`(
    raw: [UInt8], clean: [UInt8], end: CodedBytes.End
  ) {
    var coded = CodedBytes()
    coded.load(raw[...], from: 0)
    #expect(Array(coded.all.prefix(coded.count)) == clean)
    #expect(coded.end == end)
  }
}

extension CodedBytes {
  /// Loads bytes as from a file in which they begin at an offset.
  mutating func load(_ raw: ArraySlice<UInt8>, from offset: Int) {
    let file = MemoryFile([UInt8](repeating: 0, count: offset) + raw, madeFrom: "raw")
    #expect(throws: Never.self) { try load(file, at: offset, most: raw.count) }
  }

  /// The coded bytes followed by the padding.
  var all: [UInt8] {
    let count = count + Self.padding
    return withBytes { Array(UnsafeRawBufferPointer(start: $0, count: count)) } ?? []
  }
}
