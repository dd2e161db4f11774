import Testing

@testable import zoombench

@Suite struct FormatTests {
  @Test func `times keep three significant digits`() {
    #expect(Format.milliseconds(75_400_000) == "75.4 ms")
    #expect(Format.milliseconds(1_234_567) == "1.23 ms")
    #expect(Format.milliseconds(12_300) == "0.012 ms")
  }
}
