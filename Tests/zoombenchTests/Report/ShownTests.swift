import Measurement
import Testing

@testable import zoombench

@Suite struct ShownTests {
  /// Numbers of every size and sign, with those that arithmetic goes wrong on.
  static func numbers(seed: UInt64) -> [Double] {
    var random = SeededRandom(seed: seed, label: "numbers")
    let usual = (0..<200).map { _ in
      SampleResults.gaussian(&random)
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
        Shown.number(value), Shown.trimmed(value), Shown.duration(value), Shown.change(value),
        Shown.percent(value), Shown.signedPercent(value), Shown.durationTick(value),
        Shown.changeTick(value),
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
      let text = Shown.plain(value)
      guard value.isFinite else {
        #expect(text.isEmpty)
        continue
      }
      let read = try #require(Double(text), "\(text)")
      // Half a unit of the ninth digit; below the normal range there are fewer digits.
      #expect((read - value).magnitude <= 5.1e-9 * value.magnitude + .leastNormalMagnitude)
    }
  }

  @Test(
    arguments: [
      (0.1 + 0.2, "0.300"), (12, "12.0"), (1250.4, "1250"), (-3.14159, "−3.14"), (0, "0"),
      (.nan, "–"),
    ] as [(Double, String)])
  func `three digits are shown`(value: Double, text: String) {
    #expect(Shown.number(value) == text)
  }

  @Test func `changes have a sign and durations a unit`() {
    #expect(Shown.change(1.0517) == "+5.17 %")
    #expect(Shown.change(0.9) == "−10.0 %")
    #expect(Shown.change(1) == "0.00 %")
    #expect(Shown.duration(7_654_321) == "7.65 ms")
    #expect(Shown.duration(432_100) == "432 µs")
    #expect(Shown.duration(nil) == "–")
  }
}
