import Measurement
import Testing

@testable import zoombench

@Suite struct FormatTests {
  @Test(arguments: [
    ("plain é 👩‍👩‍👧", "plain é 👩‍👩‍👧"), ("a\nb", "a\\nb"), ("a\r\nb", "a\\nb"), ("a\rb", "a\\nb"),
    ("a\u{2028}b", "a\\nb"), ("a\u{1B}[2Jb", "a\\u001b[2Jb"),
    ("\u{7}\t\u{9B}\u{202E}", "\\u0007 \\u009b\\u202e"),
    ("\u{FFFE}", "\u{FFFD}"),
  ])
  func `somebody else's text cannot end a line or steer a terminal`(text: String, line: String) {
    #expect(Format.oneLine(text) == line)
  }

  @Test func `somebody else's text is cut where there is a limit`() {
    #expect(Format.oneLine("abc", limit: 3) == "abc")
    #expect(Format.oneLine("abcd", limit: 3) == "abc…")
  }

  @Test func `times keep three significant digits`() {
    #expect(Format.milliseconds(75_400_000) == "75.4 ms")
    #expect(Format.milliseconds(1_234_567) == "1.23 ms")
    #expect(Format.milliseconds(12_300) == "0.0123 ms")
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
    #expect(Format.share(0) == "0 %")
    #expect(Format.share(1e-6) == "< 0.1 %")
    #expect(Format.share(1.0 / 3) == "33.3 %")
    #expect(Format.share(1) == "100 %")
  }

  /// Returns numbers of every size and sign, with problematic ones for arithmetic.
  static func numbers(seed: UInt64) -> [Double] {
    var random = SeededRandom(seed: seed, label: "numbers")
    let usual = (0..<200).map { _ in
      Samples.gaussian(&random)
        * Double(sign: .plus, exponent: random.index(below: 200) - 100, significand: 1)
    }
    return usual + [
      0, -0.0, 0.1 + 0.2, 1, -1, .infinity, -.infinity, .nan, .greatestFiniteMagnitude,
      .leastNonzeroMagnitude, 1e15, 999.5, 0.9995, 1e-9, -1e-12,
    ]
  }

  @Test(arguments: 1...5 as ClosedRange<UInt64>)
  func `no number is shown as NaN, infinity, an exponent or with more than nine digits`(
    seed: UInt64
  ) {
    for value in Self.numbers(seed: seed) {
      let texts = [
        Format.significant(value), Format.trimmed(value), Format.duration(value),
        Format.change(value),
        Format.percent(value), Format.signedPercent(value),
      ]
      for text in texts {
        #expect(!text.lowercased().contains("nan") && !text.contains("inf"), "\(value): \(text)")
        #expect(text.firstMatch(of: /\d[eE][-+]?\d/) == nil, "\(value): \(text)")
        #expect(text.firstMatch(of: /\.\d{10}/) == nil, "\(value): \(text)")
        #expect(text != "−0" && !text.hasPrefix("−0 ") && !text.hasPrefix("-"), "\(value): \(text)")
      }
    }
  }

  @Test(arguments: 1...5 as ClosedRange<UInt64>)
  func `a number for machines is read back to nine digits, or is empty`(seed: UInt64) throws {
    for value in Self.numbers(seed: seed) {
      let text = Format.plain(value)
      guard value.isFinite else {
        #expect(text.isEmpty)
        continue
      }
      let read = try #require(Double(text), "\(text)")
      // Half a unit of the ninth digit; subnormal numbers have fewer digits.
      #expect((read - value).magnitude <= 5.1e-9 * value.magnitude + .leastNormalMagnitude)
    }
  }

  @Test(
    arguments: [
      (0.1 + 0.2, "0.300"), (12, "12.0"), (1250.4, "1250"), (-3.14159, "−3.14"), (0, "0"),
      (12_345_678, "12345678"), (1e-9, "0.000000001"), (.infinity, "–"), (.nan, "–"),
    ] as [(Double, String)])
  func `three digits are shown`(value: Double, text: String) {
    #expect(Format.significant(value) == text)
  }

  @Test func `changes have a sign and durations a unit`() {
    #expect(Format.change(1.0517) == "+5.17 %")
    #expect(Format.change(0.9) == "−10.0 %")
    #expect(Format.change(1) == "0.00 %")
    #expect(Format.change(0.999_999) == "0.00 %")
    #expect(Format.duration(7_654_321) == "7.65 ms")
    #expect(Format.duration(432_100) == "432 µs")
    #expect(Format.duration(nil) == "–")
  }

  @Test func `a confidence level is rounded down, so that none is called certain`() throws {
    func level(_ coverage: Double) throws -> String {
      Format.level(try Samples.interval(lower: 1, upper: 2, coverage: coverage))
    }
    #expect(try level(0.998) == "99.8 %")
    #expect(try level(0.99) == "99 %")
    #expect(try level(0.999_99) == "99.99 %")
    #expect(Format.level(nil) == Format.nothing)
  }
}
