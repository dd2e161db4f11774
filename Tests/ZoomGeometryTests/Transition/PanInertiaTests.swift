import Testing

@testable import ZoomGeometry

/// The end of a pan, published and corrected: the examples, TI-B13, TI-P8, TI-P9, TI-P10, TI-P14.
struct PanInertiaTests {
  private let rest = ViewPoint(x: 0, y: 0)

  private func box(_ picture: SamplePicture, _ zoom: Double) throws -> ViewSize {
    let fit = try TransitionFit(picture: picture.size(), screen: Screen(size: phone))
    return fit.box(at: zoom)
  }

  @Test func `at 3x the centres of the sample pictures have these places to rest`() throws {
    let acceptable = { (picture: SamplePicture) in
      try PanInertia(centre: middle, velocity: rest, box: box(picture, 3), viewport: phone)
        .acceptable
    }
    #expect(
      try acceptable(.forest) == ViewRect(x: -187.5, y: 245.125, width: 750, height: 176.75))
    #expect(
      try acceptable(.petronas) == ViewRect(x: -187.5, y: -176.75, width: 750, height: 1020.5))
    #expect(try acceptable(.pharmacy).height == 0)
    #expect(prints(try box(.pharmacy, 3).height, as: 452.23, decimals: 2))
  }

  @Test(arguments: SamplePicture.allCases, [0.5, 1, 3])
  func `TI-P8: the picture covers the screen where it is larger and is centred where not`(
    picture: SamplePicture, zoom: Double
  ) throws {
    let box = try box(picture, zoom)
    for x in [-4000.0, 0, 100, 5000] {
      for y in [-4000.0, 300, 5000] {
        let it = try PanInertia(
          centre: ViewPoint(x: x, y: y), velocity: ViewPoint(x: 500, y: -900), box: box,
          viewport: phone)
        let (left, top) = (it.target.x - box.width / 2, it.target.y - box.height / 2)
        if box.width > 375 {
          #expect(left <= 1e-9 && left + box.width >= 375 - 1e-9)
        } else {
          #expect(near(it.target.x, 187.5, within: 1e-9))
        }
        if box.height > 667 {
          #expect(top <= 1e-9 && top + box.height >= 667 - 1e-9)
        } else {
          #expect(near(it.target.y, 333.5, within: 1e-9))
        }
      }
    }
  }

  @Test func `TI-P9 and TI-P10: without velocity what may stand there stays, and a target is one`()
    throws
  {
    let box = try box(.forest, 3)
    for centre in [middle, ViewPoint(x: -187.5, y: 245.125), ViewPoint(x: 500, y: 300)] {
      let it = try PanInertia(centre: centre, velocity: rest, box: box, viewport: phone)
      #expect(it.target == centre)
    }
    let far = try PanInertia(
      centre: ViewPoint(x: 9000, y: -9000), velocity: rest, box: box, viewport: phone)
    let again = try PanInertia(centre: far.target, velocity: rest, box: box, viewport: phone)
    #expect(far.target == ViewPoint(x: 562.5, y: 245.125))
    #expect(again.target == far.target)
  }

  @Test func `TI-B13: the published duration jumps at 200 points a second`() throws {
    let it = { (speed: Double, centre: Double) in
      OriginalPanInertia(
        centre: ViewPoint(x: centre, y: 333.5), velocity: ViewPoint(x: speed, y: 0),
        box: ViewSize(width: 1125, height: 843.75), viewport: phone)
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
        centre: ViewPoint(x: centre, y: 333.5), velocity: ViewPoint(x: speed, y: 0),
        box: ViewSize(width: 1125, height: 843.75), viewport: phone
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

  @Test func `TI-P14: durations and dampings stay in bounds up to the fastest`() throws {
    for speed in [0, 1, 199, 200, 250, 2000, 1e6, 2e9] {
      for centre in [187.5, 1e4, 1e15, -1e300] {
        let it = try PanInertia(
          centre: ViewPoint(x: centre, y: 333.5), velocity: ViewPoint(x: speed, y: -speed),
          box: ViewSize(width: 1125, height: 843.75), viewport: phone)
        #expect(it.duration >= 0.08 && it.duration <= 0.8)
        #expect(it.damping > 0.8 && it.damping <= 1)
        #expect(it.target.x.isFinite && it.target.y.isFinite)
      }
    }
    let swing = try PanInertia(
      centre: ViewPoint(x: 662.5, y: 333.5), velocity: rest,
      box: ViewSize(width: 1125, height: 843.75), viewport: phone)
    // 100 points too far: 1 - 0.2 * 10 / 11.
    #expect(near(swing.damping, 1 - 2.0 / 11, within: 1e-12))
    #expect(near(swing.duration, 0.2, within: 1e-12))
    #expect(swing.curve == .easeInEaseOut)
  }

  @Test func `a throw goes 0.15 seconds on and swings as much as it goes too far`() throws {
    let it = try PanInertia(
      centre: middle, velocity: ViewPoint(x: 1000, y: 0),
      box: ViewSize(width: 1125, height: 843.75), viewport: phone)
    #expect(it.destination == ViewPoint(x: 337.5, y: 333.5))
    #expect(it.target == it.destination)
    #expect(near(it.duration, 0.4, within: 1e-12))
    #expect(it.damping == 1)
    #expect(it.curve == .spring(dampingRatio: 1, velocity: it.duration))
  }

  @Test func `TI-P15: numbers that are none are refused, the published form lets them through`()
    throws
  {
    let box = ViewSize(width: 100, height: 100)
    for bad in [Double.nan, .infinity] {
      #expect(throws: GeometryError.self) {
        try PanInertia(
          centre: ViewPoint(x: bad, y: 0), velocity: rest, box: box, viewport: phone)
      }
      #expect(throws: GeometryError.self) {
        try PanInertia(
          centre: middle, velocity: ViewPoint(x: 0, y: bad), box: box, viewport: phone)
      }
      #expect(throws: GeometryError.self) {
        try PanInertia(
          centre: middle, velocity: rest, box: ViewSize(width: bad, height: 1), viewport: phone)
      }
    }
    let published = OriginalPanInertia(
      centre: middle, velocity: ViewPoint(x: .nan, y: 0), box: box, viewport: phone)
    #expect(published.target.x.isNaN)
  }

  @Test func `the published throw goes 0.15 s far on each axis and takes at most 0.8 s`() {
    let box = ViewSize(width: 4000, height: 5000)
    let thrown = OriginalPanInertia(
      centre: ViewPoint(x: 100, y: 200), velocity: ViewPoint(x: 300, y: -400), box: box,
      viewport: phone)
    #expect(thrown.destination == ViewPoint(x: 145, y: 140))
    #expect(thrown.speed == 500 && thrown.isThrown)
    #expect(near(thrown.duration, 0.2, within: 1e-12))
    let fast = OriginalPanInertia(
      centre: middle, velocity: ViewPoint(x: 6000, y: 0), box: box, viewport: phone)
    #expect(fast.duration == 0.8)
  }

  @Test func `the published way back is slower and less damped the farther it is`() {
    // The box fits, so the centre goes back to the middle from wherever it was let go.
    let box = ViewSize(width: 100, height: 100)
    let stand = { (x: Double) in
      OriginalPanInertia(
        centre: ViewPoint(x: middle.x + x, y: middle.y), velocity: ViewPoint(x: 0, y: 0),
        box: box, viewport: phone)
    }
    #expect(near(stand(100).duration, 0.2, within: 1e-12))
    #expect(stand(1000).duration == 0.3)
    // 1 - 0.2 d / (d + 1) with d a tenth of the way: 1 at rest, towards 0.8.
    for (way, damping) in [(0.0, 1.0), (10, 0.9), (40, 0.84), (190, 0.81)] {
      #expect(near(stand(way).damping, damping, within: 1e-12))
    }
  }

  @Test func `each side of the box and of the screen is looked at`() {
    for bad in [0, -1, Double.nan] {
      for (box, screen) in [
        (ViewSize(width: bad, height: 1), phone), (ViewSize(width: 1, height: bad), phone),
        (phone, ViewSize(width: bad, height: 1)), (phone, ViewSize(width: 1, height: bad)),
      ] {
        #expect(throws: GeometryError.self) {
          try PanInertia(centre: middle, velocity: rest, box: box, viewport: screen)
        }
      }
    }
  }
}
