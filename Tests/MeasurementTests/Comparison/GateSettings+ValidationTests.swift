import Measurement
import Testing

@Suite struct GateSettingsValidationTests {
  @Test func `the defaults are fit for use`() throws {
    try GateSettings().validate()
    try GateSettings(margin: 0, sameMargin: 0.5, errorRate: 0.4, looks: [1]).validate()
  }

  @Test func `what no gate can work with is refused`() {
    for margin in [-0.01, 0.03, 1, .infinity] {
      #expect(throws: GateSettingsError.margins(margin: margin, sameMargin: 0.03)) {
        try GateSettings(margin: margin).validate()
      }
    }
    #expect(throws: GateSettingsError.margins(margin: 0.01, sameMargin: .infinity)) {
      try GateSettings(sameMargin: .infinity).validate()
    }
    #expect(throws: GateSettingsError.self) { try GateSettings(margin: .nan).validate() }
    for rate in [0, -1, 0.5, .infinity] as [Double] {
      #expect(throws: GateSettingsError.errorRate(rate)) {
        try GateSettings(errorRate: rate).validate()
      }
    }
    for looks in [[], [0], [-1, 4], [4, 4], [8, 4]] {
      #expect(throws: GateSettingsError.looks(looks)) {
        try GateSettings(looks: looks).validate()
      }
    }
    #expect(throws: GateSettingsError.tooFew("pairs per launch", 0)) {
      try GateSettings(pairsPerLaunch: 0).validate()
    }
    #expect(throws: GateSettingsError.tooFew("confirming launches", -2)) {
      try GateSettings(confirmingLaunches: -2).validate()
    }
  }

  @Test func `each error says what is wrong in one line of its own`() {
    let errors: [GateSettingsError] = [
      .margins(margin: 31, sameMargin: 32), .errorRate(33), .looks([34, 35]),
      .tooFew("pairs per launch", 36),
    ]
    let texts = errors.map { "\($0)" }
    for (text, numbers) in zip(texts, [["31", "32"], ["33"], ["34", "35"], ["36", "pairs"]]) {
      #expect(numbers.allSatisfy(text.contains), "\(text)")
      #expect(!text.contains(where: \.isNewline) && !text.hasSuffix("."))
    }
  }
}
