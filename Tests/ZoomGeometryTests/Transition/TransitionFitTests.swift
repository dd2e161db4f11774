import Testing

@testable import ZoomGeometry

/// A picture fitted to the phone's screen, of two pixels a point.
private func fit(
  _ picture: SamplePicture, scale: Double = 2, turn: QuarterTurn = .none
) throws -> TransitionFit {
  try TransitionFit(picture: picture.size(), screen: Screen(size: phone, scale: scale), turn: turn)
}

struct TransitionFitTests {
  @Test func `in landscape the picture is fitted again: forest to 500x375`() throws {
    let landscape = try fit(.forest, turn: .clockwise)
    let box = landscape.box(at: landscape.scale)
    #expect(near(box.width, 375, within: 1e-9) && near(box.height, 500, within: 1e-9))
    #expect(landscape.full == ViewSize(375, 281.25))
    #expect(try fit(.forest, turn: .half).scale == 1)
  }

  @Test(arguments: [1.0, 2])
  func `what is shown 1:1 rests on whole pixels, and no gap opens beside it`(scale: Double) throws {
    // Half a pixel wider than the fitted picture: at the far end its corner is at half a pixel.
    let width = 375 + 0.5 / scale
    let fit = try TransitionFit(
      picture: PixelSize(Int(750 * scale), Int(1334 * scale)),
      screen: Screen(size: ViewSize(width, 667), scale: scale))
    let rest = { (x: Double) in
      let pose = TransitionPose(centre: ViewPoint(x, 300), scale: 2)
      return try fit.settled(pose, about: pose.centre).centre
    }
    // From -374.5 pixels to the inside, and from -374.3 to the nearest; at the near end it is at 0.
    #expect(try rest(-900) == ViewPoint(width - 375 + 0.5 / scale, 300))
    #expect(try rest(width - 375 + 0.2 / scale).x == width - 375 + 0.5 / scale)
    #expect(try rest(900).x == 375)
  }

  @Test(arguments: [(750, 1334), (1334, 750)])
  func `no gap opens at the far end of either axis, on a portrait or a landscape screen`(
    width: Int, height: Int
  ) throws {
    let screen = try Screen(
      size: ViewSize(Double(width) / 2 + 0.25, Double(height) / 2 + 0.25), scale: 2)
    let fit = try TransitionFit(picture: PixelSize(2 * width, 2 * height), screen: screen)
    let far = TransitionPose(centre: ViewPoint(-9e3, -9e3), scale: fit.scale * fit.band.maximum)
    let end = try fit.settled(far, about: far.centre)
    let box = fit.box(at: end.scale)
    // Half a pixel is left over on each axis: the picture is moved inwards by it.
    #expect(end.centre.x + box.width / 2 >= screen.size.width - 1e-9)
    #expect(end.centre.y + box.height / 2 >= screen.size.height - 1e-9)
  }

  @Test func `a picture whose pixels cover no whole ones is exactly in the middle`() throws {
    #expect(try fit(.forest, scale: 1).fitted.centre == middle)
    let odd = try TransitionFit(picture: PixelSize(1000, 1502), screen: Screen(size: phone))
    #expect(odd.fitted.centre == middle)
  }

  @Test func `a picture that fits 1:1 is in the middle but for half a pixel`() throws {
    let fitted = { (width: Int, height: Int, scale: Double) in
      try TransitionFit(
        picture: PixelSize(width, height), screen: Screen(size: phone, scale: scale)
      ).fitted.centre
    }
    #expect(try fitted(375, 500, 1) == ViewPoint(187.5, 334))
    #expect(try fitted(750, 1001, 2) == ViewPoint(187.5, 333.75))
    #expect(try fitted(374, 500, 1) == ViewPoint(187.5, 333.5))
  }

  @Test(arguments: [
    (SamplePicture.forest, 4.267, 2.13), (.pharmacy, 12.09, 6.05), (.petronas, 8.704, 4.35),
  ])
  func `TI-B15: pixel for pixel takes more than 3x, which the maximum gives`(
    picture: SamplePicture, points: Double, pixels: Double
  ) throws {
    // On a screen of one pixel a point and on one of two.
    let maximum = try fit(picture, scale: 1).band.maximum
    #expect(prints(maximum, as: points, decimals: points < 10 ? 3 : 2))
    let retina = try fit(picture, scale: 2)
    #expect(prints(max(3, pixels), as: retina.band.maximum, decimals: 2))
    let size = try picture.size()
    let atMaximum = retina.box(at: retina.band.maximum).width * 2 / Double(size.width)
    #expect(atMaximum >= 1 - 1e-12)
    let published = retina.box(at: PinchBand.publishedMaximum).width * 2 / Double(size.width)
    #expect((published < 1) == (pixels > 3))
  }

  @Test func `a scale out of bounds is brought back about the fingers`() throws {
    let fit = try fit(.petronas)
    let place = ViewPoint(200, 300)
    let zoomed = fit.fitted.scaled(to: 9, about: place)
    let settled = try fit.settled(zoomed, about: place)
    let (before, after) = (zoomed.content(at: place), settled.content(at: place))
    #expect(near(settled.scale, 4.352, within: 1e-9))
    // At this scale a picture pixel is one of the screen's, and is brought onto it: by half a pixel
    // of the screen at most, which is a quarter of a point.
    #expect(
      abs(before.x - after.x) * settled.scale <= 0.25
        && abs(before.y - after.y) * settled.scale <= 0.25)
  }

  @Test func `TI-B14: corrected, a view of no size is refused before there is an anchor`() {
    #expect(throws: GeometryError.self) { try Screen(size: ViewSize(0, 10)) }
    #expect(throws: GeometryError.self) { try Screen(size: ViewSize(10, 0)) }
  }

  @Test(arguments: QuarterTurn.allCases)
  func `scales out of bounds come to rest at the nearest one of the turn`(turn: QuarterTurn) throws
  {
    let fit = try fit(.petronas, scale: 1, turn: turn)
    let largest = fit.scale * fit.band.maximum
    for (scale, settled) in [
      (0.1 * fit.scale, fit.scale), (0.99 * fit.scale, fit.scale), (1.01 * largest, largest),
      (10 * largest, largest), (2 * fit.scale, 2 * fit.scale),
    ] {
      let pose = fit.fitted.scaled(to: scale, about: middle)
      #expect(near(try fit.settled(pose, about: middle).scale, settled, within: 1e-12))
    }
  }

  @Test func `a double tap in a corner keeps the picture over the screen`() throws {
    let fit = try fit(.petronas, scale: 1)
    let zoomed = try fit.doubleTapped(fit.fitted, at: ViewPoint(0, 0))
    #expect(near(zoomed.centre, ViewPoint(562.5, 843.75)))
    #expect(throws: GeometryError.self) { try fit.doubleTapped(fit.fitted, at: ViewPoint(.nan, 0)) }
  }
}

struct TransitionPinchTests {
  @Test func `TI-P15: any ratio gives a finite pose, numbers that are none are refused`() throws {
    let fit = try fit(.forest, scale: 1)
    let pinch = try TransitionPinch(fit.fitted, fit: fit, centre: middle)
    for ratio in [Double.leastNonzeroMagnitude, .greatestFiniteMagnitude] {
      let pose = try pinch.pose(ratio: ratio, centre: middle)
      #expect(pose.transform(of: fit.full).isFinite && pose.scale > 0)
    }
    for bad in [0, -1, Double.nan, .infinity] {
      #expect(throws: GeometryError.self) { try pinch.pose(ratio: bad, centre: middle) }
    }
    #expect(throws: GeometryError.self) {
      try pinch.pose(ratio: 1, centre: ViewPoint(.infinity, 0))
    }
  }

  @Test(arguments: QuarterTurn.allCases, [0.6, 1, 2, 5])
  func `fingers that keep their distance keep the scale, whichever it is`(
    turn: QuarterTurn, zoom: Double
  ) throws {
    let fit = try fit(.forest, scale: 1, turn: turn)
    let start = fit.fitted.scaled(to: zoom * fit.scale, about: middle)
    let pose = try TransitionPinch(start, fit: fit, centre: middle).pose(ratio: 1, centre: middle)
    #expect(near(pose.scale, start.scale, within: 1e-12))
    #expect(near(pose.centre, start.centre))
  }

  @Test(arguments: [(0.5, Double.leastNonzeroMagnitude), (2, .greatestFiniteMagnitude)])
  func `TI-P15: no product of scale and ratio is too small or too large`(
    zoom: Double, ratio: Double
  ) throws {
    let fit = try fit(.forest, scale: 1)
    let start = fit.fitted.scaled(to: zoom, about: middle)
    let pose = try TransitionPinch(start, fit: fit, centre: middle)
      .pose(ratio: ratio, centre: middle)
    // A thousandth, and a thousand times the largest: the ends of the band.
    let end = zoom < 1 ? 1e-3 : 1e3 * fit.band.maximum
    #expect(near(pose.scale / end, 1, within: 1e-12))
  }
}

struct PinchBandTests {
  @Test func `inside the scale is shown as it is, outside by its root`() throws {
    let band = try PinchBand(maximum: 3)
    #expect(try band.shown(1) == 1)
    #expect(try band.shown(2.5) == 2.5)
    #expect(try band.shown(3) == 3)
    #expect(try band.shown(0.25) == 0.5)
    #expect(try band.shown(12) == 6)
  }

  @Test func `the band is continuous, rises, and has an inverse`() throws {
    let band = try PinchBand(maximum: 3)
    var before = 0.0
    for step in 1...2000 {
      let raw = Double(step) / 100
      let shown = try band.shown(raw)
      #expect(shown > before)
      #expect(step == 1 || shown - before < 0.05)
      #expect(near(try band.raw(shown), raw, within: 1e-12 * raw))
      before = shown
    }
  }

  @Test func `TI-P15: any positive number is shown finite, others are refused`() throws {
    let band = try PinchBand(maximum: 3)
    for raw in [Double.leastNonzeroMagnitude, 1e-6, 1e6, .greatestFiniteMagnitude] {
      let shown = try band.shown(raw)
      #expect(shown >= 1e-3 && shown <= 3e3 + 1)
      #expect(try band.raw(raw).isFinite)
    }
    for bad in [0, -1, Double.nan, .infinity] {
      #expect(throws: GeometryError.self) { try band.shown(bad) }
      #expect(throws: GeometryError.self) { try band.raw(bad) }
      #expect(throws: GeometryError.self) { try band.settled(bad) }
      #expect(throws: GeometryError.self) { try PinchBand(maximum: bad) }
    }
    #expect(throws: GeometryError.self) { try PinchBand(maximum: 0.999) }
    #expect(throws: GeometryError.self) { try PinchBand(maximum: 1e25) }
  }

  @Test func `the largest scale is 1 to 1e24, both included`() throws {
    for maximum in [1.0, 1.5, 1e24] { #expect(try PinchBand(maximum: maximum).maximum == maximum) }
    for bad in [(1.0).nextDown, (1e24).nextUp] {
      #expect(throws: GeometryError.self) { try PinchBand(maximum: bad) }
    }
  }

  @Test func `the band ends at a thousandth and at a thousand times the largest scale`() throws {
    let band = try PinchBand(maximum: 3)
    #expect(try band.shown(1e-300) == 1e-3)
    #expect(try band.shown(1e300) == 3000)
    #expect(near(try band.shown(2.9e6), 3 * (2.9e6 / 3).squareRoot(), within: 1e-9))
    #expect(try band.shown(2.9e6) < 3000 && band.shown(1.1e-6) > 1e-3)
  }
}

/// The end of a pan, published and corrected.
struct PanInertiaTests {
  private let rest = ViewPoint(0, 0)

  private func box(_ picture: SamplePicture, _ zoom: Double) throws -> ViewSize {
    let fit = try TransitionFit(picture: picture.size(), screen: Screen(size: phone))
    return fit.box(at: zoom)
  }

  @Test func `at 3x the centres of the sample pictures have these places to rest`() throws {
    let acceptable = { (picture: SamplePicture) in
      try PanInertia(centre: middle, velocity: rest, box: box(picture, 3), viewport: phone)
        .acceptable
    }
    #expect(try acceptable(.forest) == ViewRect(-187.5, 245.125, 750, 176.75))
    #expect(try acceptable(.petronas) == ViewRect(-187.5, -176.75, 750, 1020.5))
    #expect(try acceptable(.pharmacy).height == 0)
    #expect(prints(try box(.pharmacy, 3).height, as: 452.23, decimals: 2))
  }

  @Test func `TI-B13: the published duration jumps at 200 points a second`() throws {
    let it = { (speed: Double, centre: Double) in
      OriginalPanInertia(
        centre: ViewPoint(centre, 333.5), velocity: ViewPoint(speed, 0),
        box: ViewSize(1125, 843.75), viewport: phone)
    }
    #expect(near(it(200, 187.5).duration, 0.08, within: 1e-12))
    #expect(near(it(199.999, 187.5).duration, 0.1, within: 1e-12))
    // Far out it is three tenths of a second that fall to 0.08.
    #expect(it(199.999, 5000).duration == 0.3)
    #expect(near(it(200, 5000).duration, 0.08, within: 1e-12))
  }

  @Test(arguments: [187.5, 600, 5000])
  func `TI-B13: the corrected duration does not`(centre: Double) throws {
    let duration = { (speed: Double) in
      try PanInertia(
        centre: ViewPoint(centre, 333.5), velocity: ViewPoint(speed, 0),
        box: ViewSize(1125, 843.75), viewport: phone
      ).duration
    }
    #expect(near(try duration(200), try duration((200.0).nextDown), within: 1e-9))
    var before = try duration(0)
    for speed in 1...3000 {
      let now = try duration(Double(speed))
      // A point a second more adds 0.0004 s at most.
      #expect(near(now, before, within: 0.0004 + 1e-9))
      before = now
    }
    #expect(before == 0.8)
  }

  @Test func `a picture that is thrown from endlessly far away is damped as much as any`() throws {
    let far = try PanInertia(
      centre: ViewPoint(1e308, -1e308), velocity: ViewPoint(900, 0),
      box: ViewSize(100, 100), viewport: phone)
    #expect(near(far.damping, 0.8, within: 1e-6) && far.duration.isFinite)
  }

  @Test func `what is too far out comes back the less damped the farther it is`() throws {
    let swing = try PanInertia(
      centre: ViewPoint(662.5, 333.5), velocity: rest, box: ViewSize(1125, 843.75), viewport: phone)
    // 100 points too far: 1 - 0.2 * 10 / 11.
    #expect(near(swing.damping, 1 - 2.0 / 11, within: 1e-12))
    #expect(near(swing.duration, 0.2, within: 1e-12))
    #expect(swing.curve == .easeInEaseOut)
  }

  @Test func `a throw goes 0.15 seconds on and swings as much as it goes too far`() throws {
    let it = try PanInertia(
      centre: middle, velocity: ViewPoint(1000, 0), box: ViewSize(1125, 843.75), viewport: phone)
    #expect(it.destination == ViewPoint(337.5, 333.5))
    #expect(it.target == it.destination)
    #expect(near(it.duration, 0.4, within: 1e-12))
    #expect(it.damping == 1)
    #expect(it.curve == .spring(dampingRatio: 1, velocity: it.duration))
  }

  static let refused: [(ViewPoint, ViewPoint, ViewSize, ViewSize)] = {
    let (rest, box) = (ViewPoint(0, 0), ViewSize(100, 100))
    let points = [Double.nan, .infinity].flatMap { bad in
      [ViewPoint(bad, 0), ViewPoint(0, bad)].flatMap {
        [($0, rest, box, phone), (middle, $0, box, phone)]
      }
    }
    return points
      + [0, -1, Double.nan, .infinity].flatMap { bad in
        [ViewSize(bad, 1), ViewSize(1, bad)].flatMap {
          [(middle, rest, $0, phone), (middle, rest, box, $0)]
        }
      }
  }()

  @Test(arguments: refused)
  func `TI-P15: numbers that are none are refused, the published form lets them through`(
    centre: ViewPoint, velocity: ViewPoint, box: ViewSize, viewport: ViewSize
  ) {
    #expect(throws: GeometryError.self) {
      try PanInertia(centre: centre, velocity: velocity, box: box, viewport: viewport)
    }
    guard velocity.x.isNaN else { return }
    let published = OriginalPanInertia(
      centre: centre, velocity: velocity, box: box, viewport: viewport)
    #expect(published.target.x.isNaN)
  }

  @Test func `the published throw goes 0.15 s far on each axis and takes at most 0.8 s`() {
    let box = ViewSize(4000, 5000)
    let thrown = OriginalPanInertia(
      centre: ViewPoint(100, 200), velocity: ViewPoint(300, -400), box: box, viewport: phone)
    #expect(thrown.destination == ViewPoint(145, 140))
    #expect(thrown.speed == 500 && thrown.isThrown)
    #expect(near(thrown.duration, 0.2, within: 1e-12))
    let fast = OriginalPanInertia(
      centre: middle, velocity: ViewPoint(6000, 0), box: box, viewport: phone)
    #expect(fast.duration == 0.8)
  }

  @Test func `the published way back is slower and less damped the farther it is`() {
    // The box fits, so the centre goes back to the middle from wherever it was let go.
    let box = ViewSize(100, 100)
    let stand = { (x: Double) in
      OriginalPanInertia(
        centre: ViewPoint(middle.x + x, middle.y), velocity: ViewPoint(0, 0),
        box: box, viewport: phone)
    }
    #expect(near(stand(100).duration, 0.2, within: 1e-12))
    #expect(stand(1000).duration == 0.3)
    // 1 - 0.2 d / (d + 1) with d a tenth of the way: 1 at rest, towards 0.8.
    for (way, damping) in [(0.0, 1.0), (10, 0.9), (40, 0.84), (190, 0.81)] {
      #expect(near(stand(way).damping, damping, within: 1e-12))
    }
  }
}
