import Testing

@testable import ZoomGeometry

/// Tests of the transition with known numbers; its laws are TI-P1 to TI-P5.
struct TransitionTests {
  private func staged(_ stage: Stage, _ size: ViewSize = phone) throws -> Transition {
    try Transition(picture: forest, screen: Screen(size: size), stage: stage)
  }

  @Test func `TI-B4: frame and corners are converted through scrolled and scaled ancestors`() throws
  {
    let stage = Stage(
      view: ViewRect(30, 140, 50, 40), cornerRadius: 5,
      ancestors: [
        Stage.Ancestor(frame: ViewRect(0, 0, 200, 200), scroll: ViewPoint(0, 100)),
        Stage.Ancestor(frame: ViewRect(50, 60, 200, 200), scale: 2),
      ])
    let it = try staged(stage)
    // Scrolled: (30, 40); at scale 2 about the middle (100, 100): (-40, -20); plus the origin (50, 60): (10, 40).
    #expect(it.thumbnail == ViewRect(10, 40, 100, 80) && it.cornerRadius == 10)
  }

  @Test(arguments: [0.001, 1000])
  func `TI-P15: sixteen ancestors of extreme scales leave all numbers finite`(scale: Double) throws
  {
    let ancestor = Stage.Ancestor(
      frame: ViewRect(2e9, -2e9, 2e9, 2e9), scroll: ViewPoint(-2e9, 2e9), scale: scale)
    let it = try staged(
      Stage(cornerRadius: 2e9, ancestors: Array(repeating: ancestor, count: 16)))
    #expect(it.thumbnail.isFinite && it.mask.isFinite && it.startTransform.isFinite)
    #expect(it.scale > 0 && it.maskRadius.isFinite)
  }
}

/// Tests of the poses at full screen; their laws are TI-P7 to TI-P9 and GE-8 to GE-20.
struct TransitionFitTests {
  @Test func `a spring that overshoots does not mirror a picture from a huge thumbnail`() {
    let huge = TransitionPose(centre: middle, scale: 26667)
    let fitted = TransitionPose(centre: middle, scale: 1)
    #expect(huge.moved(towards: fitted, by: 1.05).scale == 0.5)
    #expect(fitted.moved(towards: huge, by: -0.2).scale == 0.5)
    #expect(huge.moved(towards: fitted, by: 1) == fitted)
    #expect(near(fitted.moved(towards: huge, by: 0.5).scale, 13334, within: 1e-9))
  }

  @Test(arguments: [1.0, 2])
  func `a picture at 1:1 rests on whole pixels, without a gap beside it`(scale: Double) throws {
    // The screen is half a pixel wider than the fitted picture. So the corner of a picture at the
    // far end would be in the middle of a pixel.
    let width = 375 + 0.5 / scale
    let fit = try TransitionFit(
      picture: PixelSize(Int(750 * scale), Int(1334 * scale)),
      screen: Screen(size: ViewSize(width, 667), scale: scale))
    let rest = { (x: Double) in
      fit.settled(TransitionPose(centre: ViewPoint(x, 300), scale: 2), about: middle).centre
    }
    // At scale 1, thrown far left, the left edge would be at -374.5 pixels; -375 would leave a gap
    // at the right, so it is -374. From -374.3 it is rounded to -374. Thrown far right, it is at 0.
    #expect(rest(-900) == ViewPoint(width - 375 + 0.5 / scale, 300))
    #expect(rest(width - 375 + 0.2 / scale).x == width - 375 + 0.5 / scale)
    #expect(rest(900).x == 375)
  }

  @Test(arguments: [
    (1e-300, 1e-3), (0.25, 0.5), (1, 1), (2.5, 2.5), (3, 3), (12, 6), (1e300, 3000),
  ])
  func `in the band a pinch shows the scale itself; beyond, the excess counts as its square root`(
    raw: Double, shown: Double
  ) {
    let band = PinchBand(maximum: 3)
    #expect(near(band.shown(raw), shown, within: 1e-12))
    #expect(near(band.raw(shown), min(max(raw, 1e-6), 3e6), within: 1e-6))
  }

  @Test(arguments: [(0.5, Double.leastNonzeroMagnitude), (2, .greatestFiniteMagnitude)])
  func `TI-P15: no product of scale and ratio is too small or too large`(
    zoom: Double, ratio: Double
  ) throws {
    let fit = TransitionFit(picture: forest, screen: try Screen(size: phone))
    let start = fit.fitted.scaled(to: zoom, about: middle)
    let pose = TransitionPinch(start, fit: fit, centre: middle).pose(ratio: ratio, centre: middle)
    // A thousandth, and a thousand times the largest: the ends of the band.
    let end = zoom < 1 ? 1e-3 : 1e3 * fit.band.maximum
    #expect(near(pose.scale / end, 1, within: 1e-12))
  }

  @Test func `a throw from the largest distance is damped by 0.8`() {
    let far = PanInertia(
      centre: ViewPoint(1e308, -1e308), velocity: ViewPoint(900, 0), box: phone, viewport: phone)
    #expect(near(far.damping, 0.8, within: 1e-6) && far.duration.isFinite)
  }
}
