import Testing

@testable import zoombench

@Suite struct FormatTests {
  @Test func `times keep three significant digits`() {
    #expect(Format.milliseconds(75_400_000) == "75.4 ms")
    #expect(Format.milliseconds(1_234_567) == "1.23 ms")
    #expect(Format.milliseconds(12_300) == "0.012 ms")
  }

  @Test func `numbers are never in exponent form`() {
    #expect(Format.significant(0) == "0.000")
    #expect(Format.significant(-4.5) == "-4.50")
    #expect(Format.significant(12_345_678) == "12345678")
    #expect(Format.significant(1e-9) == "0.000")
  }

  @Test func `what is no number is named`() {
    #expect(Format.significant(.infinity) == "inf")
    #expect(Format.significant(.nan) == "nan")
  }

  @Test func `bytes are counted in the largest unit that keeps them above one`() {
    #expect(Format.bytes(0) == "0 B")
    #expect(Format.bytes(999) == "999 B")
    #expect(Format.bytes(1000) == "1.00 kB")
    #expect(Format.bytes(127_503) == "128 kB")
    #expect(Format.bytes(61_322_844) == "61.3 MB")
    #expect(Format.bytes(3_200_000_000) == "3.20 GB")
  }

  @Test func `a number has no fraction that it does not have`() {
    #expect(Format.number(375) == "375")
    #expect(Format.number(1.5) == "1.5")
    #expect(Format.number(1e300) == "1e+300")
    #expect(Format.number(.infinity) == "inf")
  }

  @Test(
    arguments: [
      (0, "0"), (7, "7"), (999, "999"), (1000, "1,000"), (-1000, "-1,000"),
      (1_234_567, "1,234,567"), (Int.max, "9,223,372,036,854,775,807"),
      (Int.min, "-9,223,372,036,854,775,808"),
    ])
  func `thousands are told apart`(count: Int, text: String) {
    #expect(Format.grouped(count) == text)
  }

  @Test func `few are never shown as none`() {
    #expect(Format.percent(0) == "0 %")
    #expect(Format.percent(1e-6) == "< 0.1 %")
    #expect(Format.percent(1.0 / 3) == "33.3 %")
    #expect(Format.percent(1) == "100 %")
  }
}
