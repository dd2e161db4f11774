import Foundation
import Measurement
import Testing

@testable import zoombench

@Suite struct ChartsTests {
  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func `every chart of any comparison is well-formed, titled and free of NaN`(seed: UInt64) throws {
    let result = try SampleResults.hostile(seed: seed, cases: 24)
    var charts = 0
    for one in result.verdict.gated + result.verdict.checks {
      let html = CaseDetails(one).markup(isOpen: true).html
      let counts = try XMLElements.counts(in: html.replacing(" open>", with: ">"))
      charts += counts["svg", default: 0]
      #expect(counts["title", default: 0] == counts["svg", default: 0])
      #expect(counts["desc", default: 0] == counts["svg", default: 0])
      #expect(counts["script"] == nil)
      #expect(!ExportsTests.hasNoNumber(html))
    }
    #expect(charts > 24)
  }

  @Test func `a chart of nothing is none`() {
    #expect(ECDFChart.markup([], title: "") == nil)
    #expect(
      ViolinChart.markup([SampleSeries(name: "", colour: 0, nanoseconds: [])], title: "") == nil)
    #expect(FirstPeekChart.markup([], title: "") == nil)
    #expect(ForestChart.markup([], settings: GateSettings(), title: "") == nil)
    #expect(SizeChart.markup([], title: "") == nil)
    let axis = ChartAxis(over: [1, 2], isLogarithmic: true)
    #expect(HeatMapChart.markup([], aspect: 1, scale: axis, title: "") == nil)
  }

  @Test(
    arguments: [(0.9, ["faster ←", "→ slower"]), (1000, ["→ slower"])] as [(Double, [String])])
  func `the words at the top of a chart of changes are shown where they fit`(
    ratio: Double, words: [String]
  ) throws {
    let estimate = HandmadeComparison.estimate(ratio, .slower)
    let row = ForestChart.Row(name: "a", estimate: estimate, verdict: .slower)
    let html = try #require(ForestChart.markup([row], settings: GateSettings(), title: "t")).html
    let narrow = try #require(html.split(separator: "<svg").last)
    #expect(["faster ←", "→ slower"].filter(narrow.contains) == words)
  }

  @Test(arguments: [[5.0], [5, 5, 5], [0, 0], [1, 1e12], [.nan, 3]])
  func `samples of any kind give a whole chart`(samples: [Double]) throws {
    let series = [SampleSeries(name: "x", colour: 9, nanoseconds: samples)]
    for chart in [ECDFChart.markup(series, title: "t"), ViolinChart.markup(series, title: "t")] {
      let html = try #require(chart).html
      #expect(try XMLElements.counts(in: html)["path", default: 0] >= 2)
      #expect(!html.contains("nan"))
    }
  }

  @Test func `a map has a cell for each part that was shown, in the colour of its time`() throws {
    // Twelve peeks in two by two cells. The left half is fast, the right half slow.
    let peeks = (0..<12).map { index in
      let x = index.isMultiple(of: 2) ? 0.0 : 0.5
      let y = index % 4 < 2 ? 0.0 : 0.5
      return HeatMapChart.Peek(
        left: x, right: x + 0.5, top: y, bottom: y + 0.5,
        nanoseconds: index.isMultiple(of: 2) ? 1e3 : 1e6)
    }
    #expect(HeatMapChart.grid(count: 12, aspect: 1) == (2, 2))
    let scale = ChartAxis(over: [1e3, 1e6], isLogarithmic: true)
    let html = try #require(
      HeatMapChart.markup(peeks, aspect: 1, scale: scale, title: "map")
    ).html
    let fast = ColourMap.colour(step: 0), slow = ColourMap.colour(step: ColourMap.steps - 1)
    #expect(fast == "#440154" && slow == "#fde725")
    #expect(html.contains("fill=\"\(fast)\"") && html.contains("fill=\"\(slow)\""))
    #expect(html.contains("4 of 2 x 2 cells"))
  }

  @Test func `a map's colours rise in lightness`() {
    let lightness = (0..<ColourMap.steps).map { step -> Double in
      let digits = ColourMap.colour(step: step).dropFirst()
      let value = Int(digits, radix: 16) ?? 0
      let (red, green, blue) = (value >> 16, value >> 8 & 0xFF, value & 0xFF)
      return 0.2126 * Double(red) + 0.7152 * Double(green) + 0.0722 * Double(blue)
    }
    #expect(zip(lightness, lightness.dropFirst()).allSatisfy { $0 < $1 })
  }

  @Test func `user text that does not fit is cut at a letter`() {
    #expect(SVGDrawing.fitted("short", width: 100) == "short")
    let cut = SVGDrawing.fitted(String(repeating: "w", count: 100), width: 65)
    #expect(cut.hasSuffix("…") && cut.count <= 10)
    // A grapheme cluster of three hundred scalars is not shown.
    #expect(SVGDrawing.fitted(SampleResults.hostileNames[16], width: 300) == "…")
  }
}
