import Testing

@testable import ZoomGeometry

struct FullscreenPlacementTests {
  let inline = FullscreenPlacement(frame: ViewRect(x: 20, y: 30, width: 100, height: 50))

  func turned(_ turn: QuarterTurn) -> FullscreenPlacement {
    FullscreenPlacement(
      centre: ViewPoint(x: 187.5, y: 333.5),
      size: ViewSize(width: 375, height: 667).turned(by: turn), turn: turn)
  }

  @Test(arguments: QuarterTurn.allCases)
  func `it covers its card, and its transform is exact`(turn: QuarterTurn) {
    let placement = turned(turn)
    #expect(placement.covered == portraitWindow)
    #expect(placement.layer.frame == portraitWindow)
    #expect(placement.layer.transform == .turn(turn))
  }

  @Test(arguments: QuarterTurn.allCases)
  func `a movement begins where it begins and ends exactly at its end`(turn: QuarterTurn) {
    let end = turned(turn)
    let start = inline.unwound(towards: end)
    #expect(start.layer == inline.layer)
    #expect(start.moved(towards: end, by: 0) == start)
    #expect(start.moved(towards: end, by: 1) == end)
    let half = start.moved(towards: end, by: 0.5)
    #expect(half.centre == ViewPoint(x: 128.75, y: 194.25))
    #expect(half.covered == ViewRect(x: 10, y: 15, width: 237.5, height: 358.5))
    #expect(near(half.layer.transform.determinant, 1, within: 1e-15))
  }

  @Test(arguments: [(QuarterTurn.half, QuarterTurn.counterclockwise), (.counterclockwise, .half)])
  func `ZV-B10: a quarter turn is a quarter turn, also where the angles jump`(
    start: QuarterTurn, end: QuarterTurn
  ) {
    let goal = turned(end)
    let half = turned(start).unwound(towards: goal).moved(towards: goal, by: 0.5)
    // Between upside down and lying to the left, the content's up points there.
    let up = direction(0, -1, under: half.layer.transform)
    #expect(up.x < -0.7 && up.y > 0.7)
  }
}
