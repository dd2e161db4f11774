import Foundation
import Measurement
import Testing
import ZoomGeometry

@testable import zoombench

@Suite struct HeatMapSheetTests {
  @Test func `there is a map for each source of each group, and a chart for each condition`()
    throws
  {
    let report = try SampleResults.bench(rounds: 60)
    let text = HeatMapSheet(report).rendered()
    let elements = try XMLElements.all(in: text)
    let charts = elements.filter { $0.name == "svg" }
    let maps = charts.filter { $0.attributes["class"] == "chart map" }
    #expect(maps.count == report.groups.flatMap(\.arms).count)
    // The sheet, a legend for each group, and a chart of sizes for two peeks, cold and warm.
    #expect(charts.count == maps.count + 1 + report.groups.count + 4)
    #expect(!ExportsTests.hasNoNumber(text))
    #expect(text.contains("prefers-color-scheme:dark"))
    #expect(elements.allSatisfy { $0.attributes["href"] == nil && $0.name != "script" })
  }

  @Test func `nothing reaches beyond the sheet or lies over another chart`() throws {
    let text = HeatMapSheet(try SampleResults.bench(rounds: 60)).rendered()
    let frames = try XMLElements.all(in: text).filter { $0.name == "svg" }.map { element in
      ["x", "y", "width", "height"].map { element.attributes[$0].flatMap { Double($0) } ?? 0 }
    }
    let sheet = try #require(frames.first)
    let placed = frames.dropFirst()
    #expect(!placed.isEmpty)
    #expect(placed.allSatisfy { $0[0] + $0[2] <= sheet[2] && $0[1] + $0[3] <= sheet[3] })
    for (number, one) in placed.enumerated() {
      for other in placed.dropFirst(number + 1) {
        let areApart =
          one[0] + one[2] <= other[0] || other[0] + other[2] <= one[0]
          || one[1] + one[3] <= other[1] || other[1] + other[3] <= one[1]
        #expect(areApart, "\(one) and \(other)")
      }
    }
  }

  @Test func `a cell has the colour of the peeks whose centre lies in it, on a scale for all`()
    throws
  {
    var report = try SampleReport.make(rounds: 12)
    let (width, height) = (report.pictures[0].width, report.pictures[0].height)
    // Peeks of nearly half the width that cross the middle: left ones are fast, right ones slow.
    let rounds = try (0..<12).map { index in
      let region = try PixelRegion(
        x: index.isMultiple(of: 2) ? width / 8 : width / 2 - 8, y: index % 4 < 2 ? 0 : height / 2,
        width: width / 2 - 8, height: height / 2)
      return BenchReport.Round(touchX: 0, touchY: 0, region: region, digest: SampleReport.digest)
    }
    report.groups[0].rounds = rounds
    var arm = SampleReport.arm("naive", nanoseconds: 1, rounds: 12)
    arm.wallNanoseconds = (0..<12).map { $0.isMultiple(of: 2) ? 1_000_000 : 100_000_000 }
    report.groups[0].arms = [arm]
    let text = HeatMapSheet(report).rendered()
    let fills = try XMLElements.all(in: text).compactMap { $0.attributes["fill"] }
    let fast = ColourMap.colour(step: 0), slow = ColourMap.colour(step: ColourMap.steps - 1)
    let map = try #require(text.components(separatedBy: "chart map").last)
    #expect(map.contains("fill=\"\(fast)\"") && map.contains("fill=\"\(slow)\""))
    // No third colour: a peek counts only for the cell of its centre.
    #expect(map.components(separatedBy: "</svg>")[0].components(separatedBy: "fill=\"").count == 3)
    #expect(fills.count >= ColourMap.steps)
    #expect(text.contains(">1 ms<") && text.contains(">100 ms<"))
  }

  @Test func `a picture's name cannot leave the sheet`() throws {
    let name = "<script>&\"'\u{1}\n]]>" + String(repeating: "w", count: 500)
    let report = try SampleReport.make(picture: name)
    let elements = try XMLElements.all(in: HeatMapSheet(report).rendered())
    #expect(elements.allSatisfy { $0.name != "script" })
    #expect(elements.filter { $0.name == "svg" }.count == 4)
  }

  @Test func `one picture has maps and no chart of sizes`() throws {
    let text = HeatMapSheet(try SampleReport.make(rounds: 9)).rendered()
    #expect(!text.contains("against picture size:"))
  }
}
