import Foundation
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
  func `external text cannot end a line or steer a terminal`(text: String, line: String) {
    #expect(Format.oneLine(text) == line)
  }

  @Test func `external text is truncated at the limit`() {
    #expect(Format.oneLine("abc", limit: 3) == "abc")
    #expect(Format.oneLine("abcd", limit: 3) == "abc…")
  }

  @Test(
    arguments: [
      (Format.milliseconds(75_400_000), "75.4 ms"), (Format.milliseconds(12_300), "0.0123 ms"),
      (Format.bytes(0), "0 B"), (Format.bytes(999), "999 B"), (Format.bytes(1000), "1.00 kB"),
      (Format.bytes(61_322_844), "61.3 MB"), (Format.bytes(3_200_000_000), "3.20 GB"),
      (Format.number(375), "375"), (Format.number(1.5), "1.5"), (Format.number(1e300), "1e+300"),
      (Format.grouped(0), "0"), (Format.grouped(999), "999"), (Format.grouped(-1000), "-1,000"),
      (Format.grouped(.min), "-9,223,372,036,854,775,808"),
      // A small share is never shown as none.
      (Format.share(0), "0 %"), (Format.share(1e-6), "< 0.1 %"), (Format.share(1), "100 %"),
      (Format.significant(0.1 + 0.2), "0.300"), (Format.significant(12), "12.0"),
      (Format.significant(1250.4), "1250"), (Format.significant(-3.14159), "−3.14"),
      (Format.significant(0), "0"), (Format.significant(1e-9), "0.000000001"),
      (Format.significant(.nan), "–"), (Format.change(1.0517), "+5.17 %"),
      (Format.change(0.9), "−10.0 %"), (Format.change(0.999_999), "0.00 %"),
      (Format.rowName(" "), "(no name)"),
    ] as [(String, String)])
  func `numbers have few digits and a unit`(shown: String, text: String) {
    #expect(shown == text)
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
        Format.significant(value), Format.trimmed(value),
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

  @Test func `a confidence level is rounded down, so that none is called certain`() throws {
    func level(_ coverage: Double) throws -> String {
      let json = "{\"lower\":1,\"upper\":2,\"coverage\":\(coverage)}"
      return Format.level(
        try JSONDecoder().decode(PairedRatio.Interval.self, from: Data(json.utf8)))
    }
    #expect(try level(0.998) == "99.8 %")
    #expect(try level(0.99) == "99 %")
    #expect(try level(0.999_99) == "99.99 %")
    #expect(Format.level(nil) == Format.nothing)
  }

  @Test func `every character that steers a terminal is escaped, and no other`() {
    for value in UInt32(0)...0xFFFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let text = "a\(scalar)b"
      let isKept = scalar == "\n" || scalar == "\t" || !TerminalText.isUnsafe(scalar)
      #expect((TerminalText.safe(text) == text) == isKept)
    }
    #expect(
      TerminalText.safe("\u{1B}[31m\u{7}\u{9B}\u{202E}") == "\\u001b[31m\\u0007\\u009b\\u202e")
    #expect(TerminalText.safe("a\r\nb\rc") == "a\r\nb\\u000dc")
  }

  @Test func `escaped JSON means the same`() throws {
    let names = ["\u{1B}\u{7F}\u{9B}", "\u{202E}txt.exe", "\u{61C}ö😀\n"]
    let json = try Output.json(names)
    let safe = TerminalText.safe(json)
    #expect(safe != json)
    #expect(try JSONDecoder().decode([String].self, from: Data(safe.utf8)) == names)
  }
}
