import PropertyTesting
import Synchronization
import Testing

@testable import MeasurementHistory

@Suite struct SampleCodecTests {
  private static let launches = Gen<[[UInt64]]>.array(
    of: .array(
      of: .oneOf(.anyInteger, .integer(in: 6_500_000...7_000_000)), count: 0...8), count: 0...4)
  private static let settings = PropertySettings(cases: 300, seed: 1)

  @Test func `what is read is what was written`() async {
    let report = await Property.check(
      "round trip", Self.launches, examples: [[], [[]], [[0]], [[.max, 0, .max]]],
      settings: Self.settings
    ) { launches, _ in
      try Property.require(SampleCodec.decode(SampleCodec.encode(launches)) == launches)
    }
    #expect(report.verdict == .passed, "\(report)")
  }

  @Test func `every shorter blob is refused`() async {
    let report = await Property.check("truncated", Self.launches, settings: Self.settings) {
      launches, _ in
      let bytes = SampleCodec.encode(launches)
      for length in 0..<bytes.count {
        try Property.require(
          (try? SampleCodec.decode(Array(bytes[..<length]))) == nil, "\(length) bytes")
      }
    }
    #expect(report.verdict == .passed, "\(report)")
  }

  @Test func `every blob with one bit flipped is refused`() async {
    let report = await Property.check("flipped", Self.launches, settings: Self.settings) {
      launches, _ in
      let bytes = SampleCodec.encode(launches)
      for bit in 0..<(8 * bytes.count) {
        var flipped = bytes
        flipped[bit / 8] ^= 1 << UInt8(bit % 8)
        try Property.require((try? SampleCodec.decode(flipped)) == nil, "bit \(bit)")
      }
    }
    #expect(report.verdict == .passed, "\(report)")
  }

  @Test func `hostile bytes with a sound checksum are refused or written the same again`() async {
    let hostile = Gens.zip(Self.launches, Gen<[UInt8]>.array(of: .anyInteger, count: 0...12), .bool)
    let readable = Mutex(0)
    let report = await Property.check(
      "hostile", hostile, settings: PropertySettings(cases: 2_000, seed: 1)
    ) {
      input, _ in
      let (launches, noise, isPrefixed) = input
      let sound = Array(SampleCodec.encode(launches).dropLast(SampleCodec.checksumLength))
      let bytes = Self.sealed(isPrefixed ? [SampleCodec.format] + noise : sound + noise)
      if let read = try? SampleCodec.decode(bytes) {
        readable.withLock { $0 += 1 }
        try Property.require(SampleCodec.encode(read) == bytes)
      }
    }
    #expect(report.verdict == .passed, "\(report)")
    #expect(readable.withLock { $0 } > 50)
  }

  private static func sealed(_ body: [UInt8]) -> [UInt8] {
    let checksum = CyclicChecksum.of(body)
    return body + (0..<4).map { UInt8(truncatingIfNeeded: checksum >> (8 * $0)) }
  }

  @Test(arguments: [
    ([1, 1, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F], SampleCodecError.truncated),
    ([1, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1], .truncated),
    ([2, 0], .unknownFormat(2)), ([1, 0, 0], .trailingBytes), ([1, 0x80, 0], .malformedNumber),
    ([1, 1, 1, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 2], .malformedNumber),
  ])
  func `a blob that lies says how`(body: [UInt8], error: SampleCodecError) {
    #expect(throws: error) { try SampleCodec.decode(Self.sealed(body)) }
  }

  @Test func `samples that are alike take three bytes at most`() {
    // 7 ms that differ by up to 1 ms: a difference below 2^20, and its sign, in three bytes of 7.
    let launches: [[UInt64]] = (0..<10).map { launch in
      (0..<20).map { 6_500_000 + (UInt64($0) * 7_919 + launch * 104_729) % 1_000_000 }
    }
    #expect(SampleCodec.encode(launches).count <= 3 * 200 + 10 + 2 + 4 + 1)
  }
}

@Suite struct CyclicChecksumTests {
  @Test func `the check value is that of the CRC catalogue`() {
    // CRC-32/ISO-HDLC, Greg Cook's catalogue.
    #expect(CyclicChecksum.of("123456789".utf8) == 0xCBF4_3926)
    #expect(CyclicChecksum.of([]) == 0)
  }
}
