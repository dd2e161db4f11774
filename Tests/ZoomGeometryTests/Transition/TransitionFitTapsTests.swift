import Testing

@testable import ZoomGeometry

struct TransitionFitTapsTests {
  private func fit(_ turn: QuarterTurn = .none) throws -> TransitionFit {
    try TransitionFit(
      picture: SamplePicture.petronas.size(), screen: Screen(size: phone), turn: turn)
  }

  @Test(arguments: QuarterTurn.allCases)
  func `TI-B8: a tap resets to the fit of the turn, and then dismisses`(turn: QuarterTurn) throws {
    let fit = try fit(turn)
    let zoomed = fit.fitted.scaled(to: 3 * fit.scale, about: middle)
    let reset = try #require(fit.singleTapped(zoomed))
    #expect(reset == fit.fitted)
    #expect(reset.turn == turn)
    #expect(fit.singleTapped(reset) == nil)
  }

  @Test func `TI-B11: a rounding beside the fit dismisses, a visible zoom does not`() throws {
    let fit = try fit()
    var pose = fit.fitted
    for scale in [(1.0).nextUp, (1.0).nextDown, 1.0009, 0.9991] {
      pose.scale = scale
      #expect(fit.singleTapped(pose) == nil)
    }
    for scale in [1.002, 0.998, 3] {
      pose.scale = scale
      #expect(fit.singleTapped(pose) == fit.fitted)
    }
  }

  @Test(arguments: QuarterTurn.allCases)
  func `TI-B9: a double tap zooms about the tapped place in every turn, the next one back`(
    turn: QuarterTurn
  ) throws {
    let fit = try fit(turn)
    let place = ViewPoint(x: 200, y: 330)
    let zoomed = try fit.doubleTapped(fit.fitted, at: place)
    #expect(near(zoomed.scale / fit.scale, 3, within: 1e-12))
    let (before, after) = (fit.fitted.content(at: place), zoomed.content(at: place))
    #expect(near(before.x, after.x, within: 1e-9) && near(before.y, after.y, within: 1e-9))
    #expect(try fit.doubleTapped(zoomed, at: place) == fit.fitted)
  }

  @Test func `a double tap in a corner keeps the picture over the screen`() throws {
    let fit = try fit()
    let zoomed = try fit.doubleTapped(fit.fitted, at: ViewPoint(x: 0, y: 0))
    #expect(near(zoomed.centre.x, 562.5, within: 1e-9))
    #expect(near(zoomed.centre.y, 843.75, within: 1e-9))
    #expect(throws: GeometryError.self) {
      try fit.doubleTapped(fit.fitted, at: ViewPoint(x: .nan, y: 0))
    }
  }

  @Test(arguments: QuarterTurn.allCases)
  func `a double tap zooms to the largest scale if that is below three, to the last bit`(
    turn: QuarterTurn
  ) throws {
    let fit = try TransitionFit(
      picture: SamplePicture.petronas.size(), screen: Screen(size: phone), turn: turn, maximum: 2)
    for step in 1..<100 {
      let place = ViewPoint(x: 3.71 * Double(step), y: 120.3 + 4 * Double(step))
      let zoomed = try fit.doubleTapped(fit.fitted, at: place)
      let wanted = fit.fitted.scaled(to: 2 * fit.scale, about: place)
      #expect(zoomed.scale == wanted.scale && zoomed.centre.x == wanted.centre.x)
      // On its side the picture is less high than the screen, and centred.
      #expect(zoomed.centre.y == (turn.swapsAxes ? 333.5 : wanted.centre.y))
    }
  }
}
