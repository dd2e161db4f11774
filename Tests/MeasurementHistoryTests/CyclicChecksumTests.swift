import Testing

@testable import MeasurementHistory

@Suite struct CyclicChecksumTests {
  @Test func `the check value is that of the CRC catalogue`() {
    // CRC-32/ISO-HDLC, Greg Cook's catalogue.
    #expect(CyclicChecksum.of("123456789".utf8) == 0xCBF4_3926)
    #expect(CyclicChecksum.of([]) == 0)
  }
}
