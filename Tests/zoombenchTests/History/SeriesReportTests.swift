import Measurement
import MeasurementHistory
import Testing

@testable import zoombench

@Suite struct SeriesReportTests {
  /// Returns a history that rises by a tenth at each start.
  private static func report(points: Int, starts: [Int]) throws -> SeriesReport {
    let points = (0..<points).map { run in
      Series.Point(
        run: "\(run)", revision: RunRecord.Revision(commit: "c\(run)"),
        startedAt: "2027-01-15T08:00:00Z",
        value: starts.reduce(1.0) { $0 * (run >= $1 ? 1.1 : 1) })
    }
    return try SeriesReport(
      Series(
        name: "x", measure: "cpuToControl", machine: "",
        segments: points.isEmpty ? [] : [Series.Segment(baseline: nil, points: points)]))
  }

  @Test(arguments: [[], [3], [4, 8], [3, 6, 9]])
  func `levels cover all points once, in order, also the last of them`(starts: [Int]) throws {
    let report = try Self.report(points: 14, starts: starts)
    #expect(report.levels.map(\.lowerBound) == [0] + starts)
    for count in [1, 4, 14, 20] {
      let (points, levels) = report.last(count)
      #expect(points == Array(report.points.suffix(count)))
      #expect(levels.flatMap { Array($0) } == Array(points.indices))
    }
  }

  @Test func `no points are no levels and no chart`() throws {
    let (points, levels) = try Self.report(points: 0, starts: []).last(300)
    #expect(levels.isEmpty && HistoryChart.markup(points, levels: levels, title: "") == nil)
  }

  @Test func `a level keeps its start when older runs are dropped`() throws {
    #expect(try Self.report(points: 10, starts: [7]).last(5).levels == [0..<2, 2..<5])
  }
}
