import Testing

@testable import ZoomGeometry

struct QuarterTurnSweepTests {
  @Test(arguments: QuarterTurn.allCases, QuarterTurn.allCases)
  func `an animation turns the shorter way, arrives, and goes back the way it came`(
    start: QuarterTurn, end: QuarterTurn
  ) {
    let way = start.sweep(to: end)
    #expect(abs(way) <= 2)
    #expect((Int(way) & 3) == ((end + start.inverse).rawValue))
    #expect(end.sweep(to: start) == -way)
  }

  @Test func `ZV-B10: between the landscapes it goes by way of upright`() {
    #expect(QuarterTurn.clockwise.sweep(to: .counterclockwise) == -2)
    #expect(QuarterTurn.counterclockwise.sweep(to: .clockwise) == 2)
    let middle = ViewPoint(x: 0, y: 0)
    let size = ViewSize(width: 667, height: 375)
    let left = FullscreenPlacement(centre: middle, size: size, turn: .clockwise)
    let right = FullscreenPlacement(centre: middle, size: size, turn: .counterclockwise)
    for (start, end) in [(left, right), (right, left)] {
      let half = start.unwound(towards: end).moved(towards: end, by: 0.5)
      #expect(half.layer.transform == .identity)
    }
  }

  @Test func `ZV-B10: from upright to upside down it goes clockwise`() {
    #expect(QuarterTurn.none.sweep(to: .half) == 2)
    #expect(QuarterTurn.half.sweep(to: .none) == -2)
  }

  @Test func `from any angle on the way, the shorter way is at most a half turn`() {
    for step in -12...16 {
      let angle = Double(step) / 4
      for end in QuarterTurn.allCases {
        let way = QuarterTurn.sweep(from: angle, to: end.quarters)
        #expect(abs(way) <= 2)
        #expect((angle + way - end.quarters).remainder(dividingBy: 4) == 0)
      }
    }
  }
}
