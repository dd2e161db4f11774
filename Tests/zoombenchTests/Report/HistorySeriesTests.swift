import Testing

@testable import zoombench

@Suite struct HistorySeriesTests {
  private func series(points: Int, starts: [Int]) -> HistorySeries {
    HistorySeries(
      caseName: "x", measure: "y",
      points: (0..<points).map { .init(commit: "\($0)", date: "", value: Double($0)) },
      segmentStarts: starts)
  }

  @Test(
    arguments: [[], [0], [3], [3, 5], [5, 3], [3, 3], [-1, 2, 99], [9], [10], [1, 2, 3, 4]])
  func `segments cover all points once, in order`(starts: [Int]) {
    let one = series(points: 10, starts: starts)
    #expect(one.segments.flatMap { Array($0) } == Array(0..<10))
    #expect(one.segments.allSatisfy { !$0.isEmpty })
    for count in [1, 4, 10, 20] {
      let last = one.last(count)
      #expect(last.points == Array(one.points.suffix(count)))
      #expect(last.segments.flatMap { Array($0) } == Array(last.points.indices))
    }
  }

  @Test func `no points are no segments`() {
    #expect(series(points: 0, starts: [0, 1]).segments.isEmpty)
    #expect(HistoryChart.markup(series(points: 0, starts: []), title: "") == nil)
  }

  @Test func `a step keeps its commit when older runs are dropped`() {
    let one = series(points: 10, starts: [7])
    #expect(one.last(5).segments == [0..<2, 2..<5])
  }
}
