import Measurement
import Testing

@testable import zoombench

@Suite struct AnnotationsExportTests {
  private func lines(_ effects: [SampleResults.Effect], contamination: [String] = []) throws
    -> [Substring]
  {
    let result = try SampleResults.comparison(effects: effects, contamination: contamination)
    let input = ReportInput(files: [.init(name: "x", result: .comparison(result))])
    return AnnotationsExport.rendered(input).split(separator: "\n")
  }

  @Test(arguments: [0, 1, 9, 10, 11, 40])
  func `there are at most ten, and the last counts the others`(count: Int) throws {
    let effects = (0..<count).map { SampleResults.Effect(name: "case \($0)", factor: 1.2) }
    let lines = try lines(effects).filter { $0.hasPrefix("::error ") }
    #expect(lines.count == min(10, count))
    if count > 10 { #expect(lines.last?.contains("\(count - 9) more") == true) }
  }

  @Test func `a finding is an error, what cannot be told a warning or a notice`() throws {
    func kinds(_ lines: [Substring]) -> [Substring] { lines.map { $0.prefix { $0 != " " } } }
    let slow = SampleResults.Effect(name: "slow", factor: 1.2)
    let noisy = SampleResults.Effect(name: "noise", noise: 0.3)
    #expect(try lines([.init(name: "same"), .init(name: "faster", factor: 0.8)]).isEmpty)
    #expect(try kinds(lines([slow])) == ["::error"])
    #expect(try kinds(lines([.init(name: "pixels", differing: [3])])) == ["::error"])
    #expect(try kinds(lines([slow], contamination: ["x"])) == ["::warning"])
    #expect(try kinds(lines([noisy])) == ["::warning"])
    #expect(try kinds(lines([noisy, .init(name: "same")])) == ["::notice"])
  }

  @Test func `what would end a command is escaped`() {
    #expect(AnnotationsExport.data("100 %\r\n::x") == "100 %25%0D%0A::x")
    #expect(AnnotationsExport.property("a:b,c%\n") == "a%3Ab%2Cc%25%0A")
    #expect(AnnotationsExport.property(":\u{0301}") == "%3A\u{0301}")
  }
}
