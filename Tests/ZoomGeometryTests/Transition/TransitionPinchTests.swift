import Testing

@testable import ZoomGeometry

struct TransitionPinchTests {
  private func fit(_ turn: QuarterTurn = .none) throws -> TransitionFit {
    try TransitionFit(
      picture: SamplePicture.forest.size(), screen: Screen(size: phone), turn: turn)
  }

  @Test func `TI-B6 and TI-P11: half the distance is the root of a half, on whatever way`() throws {
    let fit = try fit()
    let pinch = try TransitionPinch(fit.fitted, fit: fit, centre: middle)
    let once = try pinch.pose(ratio: 0.5, centre: middle)
    #expect(prints(once.scale, as: 0.70711, decimals: 5))
    // There are no events between for the result to depend on, and going on from it is the same.
    let half = try pinch.pose(ratio: 0.5.squareRoot(), centre: middle)
    let next = try TransitionPinch(half, fit: fit, centre: middle)
    let twice = try next.pose(ratio: 0.5.squareRoot(), centre: middle)
    #expect(near(twice.scale, once.scale, within: 1e-12))
  }

  @Test(arguments: QuarterTurn.allCases, [0.3, 1, 2, 20])
  func `TI-P11: the content under the fingers stays under them`(
    turn: QuarterTurn, ratio: Double
  ) throws {
    let fit = try fit(turn)
    let start = ViewPoint(x: 93.75, y: 263)
    let end = ViewPoint(x: 140, y: 400)
    let pinch = try TransitionPinch(fit.fitted, fit: fit, centre: start)
    let moved = try pinch.pose(ratio: ratio, centre: end, lag: 0.2)
    let (before, after) = (fit.fitted.content(at: start), moved.content(at: end))
    #expect(near(before.x, after.x, within: 1e-9) && near(before.y, after.y, within: 1e-9))
  }

  @Test func `TI-P15: any ratio gives a finite pose, numbers that are none are refused`() throws {
    let fit = try fit()
    let pinch = try TransitionPinch(fit.fitted, fit: fit, centre: middle)
    for ratio in [Double.leastNonzeroMagnitude, .greatestFiniteMagnitude] {
      let pose = try pinch.pose(ratio: ratio, centre: middle)
      #expect(pose.transform(of: fit.full).isFinite && pose.scale > 0)
    }
    for bad in [0, -1, Double.nan, .infinity] {
      #expect(throws: GeometryError.self) { try pinch.pose(ratio: bad, centre: middle) }
    }
    #expect(throws: GeometryError.self) {
      try pinch.pose(ratio: 1, centre: ViewPoint(x: .infinity, y: 0))
    }
  }

  @Test(arguments: QuarterTurn.allCases, [0.6, 1, 2, 5])
  func `fingers that keep their distance keep the scale, whichever it is`(
    turn: QuarterTurn, zoom: Double
  ) throws {
    let fit = try fit(turn)
    let start = fit.fitted.scaled(to: zoom * fit.scale, about: middle)
    let pose = try TransitionPinch(start, fit: fit, centre: middle).pose(ratio: 1, centre: middle)
    #expect(near(pose.scale, start.scale, within: 1e-12))
    #expect(near(pose.centre, start.centre))
  }

  @Test(arguments: [(0.5, Double.leastNonzeroMagnitude), (2, .greatestFiniteMagnitude)])
  func `TI-P15: no product of scale and ratio is too small or too large`(
    zoom: Double, ratio: Double
  ) throws {
    let fit = try fit()
    let start = fit.fitted.scaled(to: zoom, about: middle)
    let pose = try TransitionPinch(start, fit: fit, centre: middle)
      .pose(ratio: ratio, centre: middle)
    // A thousandth, and a thousand times the largest: the ends of the band.
    let end = zoom < 1 ? 1e-3 : 1e3 * fit.band.maximum
    #expect(near(pose.scale / end, 1, within: 1e-12))
  }
}
