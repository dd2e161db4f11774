import Foundation
import Measurement
import Testing
import ZoomGeometry
import ZoomPipeline

@testable import zoombench

@Suite struct BenchReportTests {
  @Test func `JSON read back and written again is the same`() throws {
    let refusal = BenchReport.Refusal(source: "partial", reason: "none")
    let report = try Samples.report(disagreeingIn: [0, 2], refusals: [refusal])
    let written = try JSONEncoder.report.encode(report)
    let read = try JSONDecoder().decode(BenchReport.self, from: written)
    #expect(try JSONEncoder.report.encode(read) == written)
    #expect(read.schema == BenchReport.currentSchema)
    #expect(read.startedAt == report.startedAt)
    let other = try #require(read.groups.first?.arms.last)
    #expect(other.disagreements == [0: Samples.otherDigest, 2: Samples.otherDigest])
    #expect(other.wallNanoseconds == [2_000_000, 2_000_000, 2_000_000])
  }

  @Test func `a report without its samples is no report`() throws {
    let written = try JSONEncoder.report.encode(Samples.report())
    let text = String(decoding: written, as: UTF8.self)
      .replacing("wallNanoseconds", with: "somethingElse")
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(BenchReport.self, from: Data(text.utf8))
    }
  }

  @Test func `agreement counts every answer but naive's own`() throws {
    let (compared, differing) = try Samples.report(rounds: 5, disagreeingIn: [1, 4]).agreement
    #expect(compared == 5)
    #expect(differing == 2)
  }

  @Test func `the first answer that differs is told with its region, and once that it differs`()
    throws
  {
    let size = try PixelSize(width: 3, height: 2)
    func pixels(_ level: UInt8) -> Pixels {
      Pixels(
        size: size, bands: 1, format: .uint8, interpretation: .grey,
        bytes: [UInt8](repeating: level, count: size.area))
    }
    var alike = BenchReport.Likeness()
    let region = try PixelRegion(x: 4, y: 5, width: 3, height: 2)
    let isAlike = alike.take(pixels(200), pixels(0), of: region, isExact: false)
    #expect(!isAlike)
    let told = try #require(alike.firstDifference)
    #expect(told.hasPrefix("region 3x2+4+5: row "))
    #expect(!told.contains("differs: "))
  }

  @Test func `figures are of the samples, and ratios of the pairs`() throws {
    let group = try #require(try Samples.report(rounds: 59).groups.first)
    let other = try #require(group.arms.last)
    let figures = try #require(group.figures(of: other))
    #expect(figures.median == 2_000_000)
    #expect(figures.p95 == 2_000_000)
    #expect(figures.p99 == nil)
    #expect(figures.speedUp?.ratio == 4)
  }

  @Test func `with a floor every arm has a ratio to it, the floor's own being one`() throws {
    let group = try #require(try Samples.report(rounds: 59, floor: 500_000).groups.first)
    let ratios = group.arms.map { group.figures(of: $0)?.timesFloor?.ratio }
    #expect(ratios == [16, 4, 1])
    let without = try #require(try Samples.report(rounds: 59).groups.first)
    #expect(without.arms.allSatisfy { without.figures(of: $0)?.timesFloor == nil })
  }

  @Test func `an arm without samples has no figures`() throws {
    let group = try #require(try Samples.report().groups.first)
    #expect(group.figures(of: Samples.arm("x", nanoseconds: 1, rounds: 0)) == nil)
  }
}
