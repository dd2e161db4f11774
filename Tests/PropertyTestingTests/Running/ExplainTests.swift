import PropertyTesting
import Testing

@Suite struct ExplainTests {
  @Test func `arguments that do not matter are told from those that do`() async throws {
    let generator = Gens.zip(
      Gen<Int>.integer(in: 0...1000), Gen<[Int]>.array(of: .integer(in: 0...9)),
      Gen<Double>.double(in: 0...1))
    let report = await Property.check("explained", generator, settings: PropertySettings(seed: 1)) {
      value, _ in try Property.require(value.1.count < 3)
    }
    let failure = try #require(report.failures.first)
    #expect(failure.explanation.map(\.argument) == [0, 1, 2])
    #expect(failure.explanation.map(\.matters) == [false, true, false])
    #expect(report.description.contains("fails whatever is drawn for argument 1, 3"))
  }

  @Test func `an argument of which another value fails in another way matters`() async throws {
    let generator = Gens.zip(Gen<Int>.integer(in: 0...1000), Gen<Int>.integer(in: 0...1000))
    var settings = PropertySettings(cases: 300, seed: 2)
    settings.failureLimit = 1
    let report = await Property.check("two ways", generator, settings: settings) { value, _ in
      try Property.require(value.0 < 500 || value.1 >= 500, "low")
      try Property.require(value.0 < 500, "high")
    }
    let failure = try #require(report.failures.first)
    #expect(failure.explanation.map(\.matters) == [true, true])
  }

  @Test func `one argument alone is not explained`() async throws {
    let report = await Property.check("one", Gen<Int>.integer(in: 0...99_999)) { number, _ in
      try Property.require(number < 10)
    }
    #expect(try #require(report.failures.first).explanation.isEmpty)
  }

  @Test func `arguments within an argument are not looked at apart`() async throws {
    let inner = Gens.zip(Gen<Int>.integer(in: 0...99), Gen<Int>.integer(in: 0...99))
    let report = await Property.check(
      "nested", Gens.zip(inner, Gen<Int>.integer(in: 0...99)), settings: PropertySettings(seed: 3)
    ) { value, _ in try Property.require(value.0.0 + value.0.1 < 50) }
    let failure = try #require(report.failures.first)
    #expect(failure.explanation.map(\.matters) == [true, false])
  }
}
