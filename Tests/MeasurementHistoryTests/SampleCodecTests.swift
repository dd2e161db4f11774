import PropertyTesting
import PropertyTestingBridge
import Synchronization
import Testing

@testable import MeasurementHistory

@Suite(.property(cases: 300)) struct SampleCodecTests {
  private static let launches = Gen<[[UInt64]]>.array(
    of: .array(
      of: .oneOf(.anyInteger, .integer(in: 6_500_000...7_000_000)), count: 0...8), count: 0...4)

  @Test func `samples are decoded as they were encoded`() async {
    let examples: [[[UInt64]]] = [[], [[]], [[0]], [[.max, 0, .max]]]
    await expectForAll(Self.launches, examples: examples) { launches, _ in
      try Property.require(SampleCodec.decode(SampleCodec.encode(launches)) == launches)
    }
  }

  @Test func `every shorter blob, and every blob with one bit flipped, is refused`() async {
    await expectForAll(Self.launches) { launches in
      let bytes = SampleCodec.encode(launches)
      for length in 0..<bytes.count {
        try Property.require(
          (try? SampleCodec.decode(Array(bytes[..<length]))) == nil, "\(length) bytes")
      }
      for bit in 0..<(8 * bytes.count) {
        var flipped = bytes
        flipped[bit / 8] ^= 1 << UInt8(bit % 8)
        try Property.require((try? SampleCodec.decode(flipped)) == nil, "bit \(bit)")
      }
    }
  }

  @Test(.property(cases: 2_000, seed: .fixed(1, because: "some of its bytes are readable")))
  func `hostile bytes with a sound checksum are refused or written the same again`() async {
    let noises = Gen<[UInt8]>.array(of: .anyInteger, count: 0...12)
    let readable = Mutex(0)
    await expectForAll(Self.launches, noises, Gen<Bool>.bool) { launches, noise, isPrefixed in
      let sound = Array(SampleCodec.encode(launches).dropLast(SampleCodec.checksumLength))
      let bytes = Self.sealed(isPrefixed ? [SampleCodec.format] + noise : sound + noise)
      if let read = try? SampleCodec.decode(bytes) {
        readable.withLock { $0 += 1 }
        try Property.require(SampleCodec.encode(read) == bytes)
      }
    }
    #expect(readable.withLock { $0 } > 50)
  }

  private static func sealed(_ body: [UInt8]) -> [UInt8] {
    let checksum = CyclicChecksum.of(body)
    return body + (0..<4).map { UInt8(truncatingIfNeeded: checksum >> (8 * $0)) }
  }

  @Test(
    arguments: [
      [1, 1, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F],
      [1, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1],
      [2, 0], [1, 0, 0], [1, 0x80, 0],
      [1, 1, 1, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 2],
    ] as [[UInt8]])
  func `counts beyond the bytes, unknown formats and numbers that are too long are refused`(
    body: [UInt8]
  ) {
    #expect(throws: DamagedRow.self) { try SampleCodec.decode(Self.sealed(body)) }
  }
}

@Suite struct CyclicChecksumTests {
  @Test func `the check value is that of the CRC catalogue`() {
    // CRC-32/ISO-HDLC, Greg Cook's catalogue.
    #expect(CyclicChecksum.of("123456789".utf8) == 0xCBF4_3926)
    #expect(CyclicChecksum.of([]) == 0)
  }
}
