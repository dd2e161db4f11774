import Testing

@testable import ZoomGeometry

struct FingerTrackerTests {
  private func at(_ id: Int, _ x: Double, _ y: Double = 0) -> Touch {
    Touch(id: id, point: ViewPoint(x, y))
  }

  @Test func `a finger pans beyond the slop, and loses only the slop`() {
    var touches = FingerTracker(slop: 10)
    let changes1 = touches.take(.began, [at(1, 0)], at: 0)
    #expect(changes1.isEmpty)
    let changes2 = touches.take(.moved, [at(1, 10)], at: 0.01)
    #expect(changes2.isEmpty)
    #expect(!touches.isActive)
    let began = touches.take(.moved, [at(1, 20)], at: 0.02)
    #expect(began == [.panBegan, .panned(by: ViewPoint(10, 0))])
    let moved = touches.take(.moved, [at(1, 25, -3)], at: 0.03)
    #expect(moved == [.panned(by: ViewPoint(5, -3))])
    let ended = touches.take(.ended, [at(1, 25, -3)], at: 1)
    #expect(ended == [.panEnded(velocity: ViewPoint(0, 0))])
    #expect(!touches.isTouched)
  }

  @Test func `two fingers pinch, the third counts for nothing`() {
    var touches = FingerTracker(slop: 10)
    let changes3 = touches.take(.began, [at(1, 0), at(2, 100)], at: 0)
    #expect(changes3.isEmpty)
    let changes4 = touches.take(.began, [at(3, 900)], at: 0.1)
    #expect(changes4.isEmpty)
    let changes = touches.take(.moved, [at(2, 200), at(3, 0)], at: 0.2)
    #expect(
      changes == [
        .pinchBegan(centre: ViewPoint(50, 0)),
        .pinched(
          FingerTracker.Pinch(
            ratio: 2, step: 2, centre: ViewPoint(100, 0), shift: ViewPoint(50, 0))),
      ])
    let changes5 = touches.take(.ended, [at(3, 0)], at: 0.3)
    #expect(changes5.isEmpty)
    let changes6 = touches.take(.ended, [at(1, 0)], at: 0.4)
    #expect(changes6 == [.pinchEnded])
    // The finger that stays may pan.
    let changes7 = touches.take(.moved, [at(2, 205)], at: 0.5)
    #expect(changes7.isEmpty)
    let changes8 = touches.take(.moved, [at(2, 220)], at: 0.6)
    #expect(changes8.first == .panBegan)
  }

  @Test func `cancelled touches cancel what runs, and fingers in one place have a ratio`() {
    var touches = FingerTracker(slop: 10)
    _ = touches.take(.began, [at(1, 5), at(2, 5)], at: 0)
    guard case .pinched(let pinch)? = touches.take(.moved, [at(2, 9)], at: 0).last else {
      Issue.record("no pinch")
      return
    }
    #expect(pinch.ratio == 4)
    let changes11 = touches.take(.cancelled, [at(1, 5), at(2, 9)], at: 0.1)
    #expect(changes11 == [.cancelled])
    #expect(!touches.isActive && !touches.isTouched)
  }

  @Test(arguments: [(6.0, 8.0), (8, 6), (-6, 8), (10, 0), (0, -10)])
  func `the slop is a distance: at it a finger rests, beside it it pans`(x: Double, y: Double) {
    var touches = FingerTracker(slop: 10)
    _ = touches.take(.began, [at(1, 100, 200)], at: 0)
    let within = touches.take(.moved, [at(1, 100 + x, 200 + y)], at: 0.1)
    #expect(within.isEmpty)
    let beyond = touches.take(.moved, [at(1, 100 + 1.01 * x, 200 + 1.01 * y)], at: 0.2)
    #expect(beyond.first == .panBegan)
  }

  @Test func `two fingers have a distance and a middle on both axes`() {
    var touches = FingerTracker(slop: 10)
    _ = touches.take(.began, [at(1, 10, 20), at(2, 40, 60)], at: 0)
    let changes = touches.take(.moved, [at(2, 70, 100)], at: 0.1)
    #expect(
      changes == [
        .pinchBegan(centre: ViewPoint(25, 40)),
        .pinched(
          FingerTracker.Pinch(
            ratio: 2, step: 2, centre: ViewPoint(40, 60), shift: ViewPoint(15, 20))),
      ])
  }

  @Test func `samples of a finger that come in one event are followed one by one`() {
    var touches = FingerTracker(slop: 10)
    _ = touches.take(.began, [at(1, 0)], at: 0)
    let changes = touches.take(.moved, [at(1, 4), at(1, 20), at(1, 20, 30)], at: 0.1)
    #expect(changes == [.panBegan, .panned(by: ViewPoint(10, 0)), .panned(by: ViewPoint(0, 30))])
  }

  @Test func `on a new screen fingers are where they are told first, and have not moved`() {
    var touches = FingerTracker(slop: 10)
    _ = touches.take(.began, [at(1, 0)], at: 0)
    _ = touches.take(.moved, [at(1, 20)], at: 0.25)
    touches.screenChanged()
    let told = touches.take(.moved, [at(1, 300, 7)], at: 0.28)
    let moved = touches.take(.moved, [at(1, 301, 7)], at: 0.3)
    #expect(told.isEmpty && moved == [.panned(by: ViewPoint(1, 0))])
    let ended = touches.take(.ended, [at(1, 301, 7)], at: 0.3)
    // A point since then, and nothing of what was before.
    #expect(ended == [.panEnded(velocity: ViewPoint(1 / (0.3 - 0.28), 0))])
  }

  @Test(arguments: [false, true])
  func `what a pan left is the pinch's after it, or whose who abandons it`(pinches: Bool) {
    var touches = FingerTracker(slop: 10)
    _ = touches.take(.began, [at(1, 0)], at: 0)
    _ = touches.take(.moved, [at(1, 50)], at: 0.1)
    _ = touches.take(.began, [at(2, 90)], at: 0.2)
    if pinches { _ = touches.take(.moved, [at(2, 120)], at: 0.3) } else { touches.abandon() }
    let ended = touches.take(.ended, [at(1, 50), at(2, 120)], at: 0.4)
    #expect(ended == (pinches ? [.pinchEnded] : []))
    let later = touches.take(.began, [at(9, 70)], at: 9) + touches.take(.ended, [at(9, 70)], at: 9)
    #expect(later.isEmpty)
  }

  @Test func `what a pan left and no pinch took over is let go of once`() {
    var touches = FingerTracker(slop: 10)
    func tap(_ touches: inout FingerTracker) -> [FingerTracker.Change] {
      touches.take(.began, [at(9, 70)], at: 9) + touches.take(.ended, [at(9, 70)], at: 9)
    }
    for phase in [TouchPhase.ended, .cancelled] {
      #expect(tap(&touches).isEmpty)
      _ = touches.take(.began, [at(1, 0)], at: 0)
      _ = touches.take(.moved, [at(1, 50)], at: 0.1)
      let second = touches.take(.began, [at(2, 90)], at: 0.2)
      let over = touches.take(phase, [at(1, 50), at(2, 90)], at: 0.4)
      #expect(second == [.panHandedOver] && over == [phase == .ended ? .panLeft : .cancelled])
      #expect(tap(&touches).isEmpty)
      // A finger that did nothing is cancelled in silence.
      _ = touches.take(.began, [at(1, 0)], at: 1)
      #expect(touches.take(.cancelled, [at(1, 0)], at: 1).isEmpty)
    }
  }

  @Test func `the third finger stands in for the second one that lifts`() {
    var touches = FingerTracker(slop: 10)
    _ = touches.take(.began, [at(1, 0), at(2, 100), at(3, 300)], at: 0)
    _ = touches.take(.moved, [at(2, 200)], at: 0.1)
    #expect(touches.take(.ended, [at(2, 200)], at: 0.2) == [.pinchEnded])
    let moved = touches.take(.moved, [at(3, 600)], at: 0.3)
    #expect(moved.first == .pinchBegan(centre: ViewPoint(150, 0)))
    guard case .pinched(let pinch)? = moved.last else {
      Issue.record("no pinch")
      return
    }
    #expect(pinch.ratio == 2)
  }

  @Test func `samples of two fingers that come in one event are followed in pairs`() {
    var touches = FingerTracker(slop: 10)
    _ = touches.take(.began, [at(1, 0), at(2, 100)], at: 0)
    let samples = [at(1, -10), at(2, 110), at(1, -20), at(2, 120), at(1, -30), at(2, 130)]
    let ratios = touches.take(.moved, samples, at: 0.1).compactMap {
      if case .pinched(let pinch) = $0 { pinch.ratio } else { nil }
    }
    #expect(ratios == [1.2, 1.4, 1.6])
  }

  @Test(arguments: [false, true])
  func `on a new screen two fingers are as far apart as they are told first`(pinches: Bool) {
    var touches = FingerTracker(slop: 10)
    _ = touches.take(.began, [at(1, 0), at(2, 100)], at: 0)
    if pinches { _ = touches.take(.moved, [at(2, 150)], at: 0.1) }
    touches.screenChanged()
    let told = touches.take(.moved, [at(1, 300), at(2, 500)], at: 0.2)
    let moved = touches.take(.moved, [at(2, 600)], at: 0.3)
    #expect(told.isEmpty)
    let pinch = FingerTracker.Pinch(
      ratio: 1.5, step: 1.5, centre: ViewPoint(450, 0), shift: ViewPoint(50, 0))
    #expect(moved == (pinches ? [] : [.pinchBegan(centre: ViewPoint(400, 0))]) + [.pinched(pinch)])
  }

  @Test func `on a new screen a finger that is not told has not moved, whatever others do`() {
    var touches = FingerTracker(slop: 10)
    _ = touches.take(.began, [at(1, 0)], at: 0)
    _ = touches.take(.moved, [at(1, 50)], at: 0.1)
    touches.screenChanged()
    #expect(touches.take(.began, [at(2, 700)], at: 0.2) == [.panHandedOver])
    #expect(touches.take(.moved, [at(2, 720)], at: 0.3).isEmpty)
    #expect(touches.take(.moved, [at(1, 520)], at: 0.4).isEmpty)
    let moved = touches.take(.moved, [at(2, 820)], at: 0.5)
    guard case .pinched(let pinch)? = moved.last else {
      Issue.record("no pinch")
      return
    }
    #expect(moved.first == .pinchBegan(centre: ViewPoint(620, 0)) && pinch.ratio == 1.5)
  }

  @Test func `on a new screen the slop begins where a finger is told first`() {
    var touches = FingerTracker(slop: 10)
    _ = touches.take(.began, [at(1, 0)], at: 0)
    touches.screenChanged()
    _ = touches.take(.moved, [at(1, 300)], at: 0.1)
    #expect(touches.take(.moved, [at(1, 309)], at: 0.2).isEmpty)
    #expect(touches.take(.moved, [at(1, 311)], at: 0.3).first == .panBegan)
  }

  @Test func `where a finger lifts it has been`() {
    var touches = FingerTracker(slop: 10)
    _ = touches.take(.began, [at(1, 0)], at: 0)
    _ = touches.take(.moved, [at(1, 20)], at: 0.5)
    let ended = touches.take(.ended, [at(1, 26, 4)], at: 0.5625)
    #expect(ended == [.panned(by: ViewPoint(6, 4)), .panEnded(velocity: ViewPoint(96, 64))])
  }

  @Test func `a finger that becomes the first has a velocity of its own`() {
    var touches = FingerTracker(slop: 10)
    _ = touches.take(.began, [at(1, 0)], at: 0)
    _ = touches.take(.moved, [at(1, 50)], at: 0.01)
    _ = touches.take(.began, [at(2, 1000)], at: 0.02)
    _ = touches.take(.ended, [at(1, 50)], at: 0.03)
    _ = touches.take(.moved, [at(2, 1015)], at: 0.08)
    let ended = touches.take(.ended, [at(2, 1020)], at: 0.08)
    guard case .panEnded(let velocity)? = ended.last else {
      Issue.record("no end of a pan")
      return
    }
    // 20 points in 0.05 seconds.
    #expect(near(velocity, ViewPoint(400, 0)))
  }
}

extension FingerTracker {
  /// Takes an event and returns what it does.
  fileprivate mutating func take(
    _ phase: TouchPhase, _ touches: [Touch], at time: Double
  ) -> [Change] {
    handle(phase, touches, at: time)
    return changes
  }
}

struct TouchVelocityTests {
  @Test func `it is that of the last tenth of a second`() {
    var velocity = TouchVelocity()
    for step in 0...60 {
      let time = Double(step) / 60
      velocity.add(ViewPoint(time < 0.5 ? 0 : 300 * (time - 0.5), 0), at: time)
    }
    #expect(near(velocity.velocity.x, 300, within: 1e-6))
    #expect(velocity.velocity.y == 0)
  }

  @Test func `a finger that rested has none`() {
    var velocity = TouchVelocity()
    velocity.add(ViewPoint(0, 0), at: 0)
    velocity.add(ViewPoint(90, 0), at: 0.05)
    velocity.add(ViewPoint(90, 0), at: 0.2)
    #expect(velocity.velocity == ViewPoint(0, 0))
  }

  @Test func `a thousand samples a second, or all at once, give finite numbers`() {
    var dense = TouchVelocity()
    for step in 0...1000 {
      dense.add(ViewPoint(Double(step), -Double(step)), at: Double(step) / 1000)
    }
    #expect(near(dense.velocity.x, 1000, within: 1e-6))
    var sudden = TouchVelocity()
    for step in 0...1000 { sudden.add(ViewPoint(2e9 * Double(step % 2), 0), at: 3) }
    sudden.add(ViewPoint(2e9, 0), at: 3)
    #expect(sudden.velocity.x == Double(PixelSize.maximumSide))
  }

  @Test func `each axis has its own velocity, and nobody who has not moved has one`() {
    var velocity = TouchVelocity()
    #expect(velocity.velocity == ViewPoint(0, 0))
    velocity.add(ViewPoint(10, 20), at: 1)
    #expect(velocity.velocity == ViewPoint(0, 0))
    velocity.add(ViewPoint(15, 8), at: 1.0625)
    #expect(velocity.velocity == ViewPoint(80, -192))
  }

  @Test func `of events closer than a frame of 120 a second it is as if they were that far apart`()
  {
    var velocity = TouchVelocity()
    velocity.add(ViewPoint(0, 0), at: 1)
    velocity.add(ViewPoint(1, 2), at: 1.001)
    #expect(near(velocity.velocity.x, 120, within: 1e-9))
    #expect(near(velocity.velocity.y, 240, within: 1e-9))
  }

  @Test func `ten samples a second are a throw, at whatever time they begin`() {
    for step in 0..<200 {
      var velocity = TouchVelocity()
      velocity.add(ViewPoint(0, 0), at: Double(step) / 10)
      velocity.add(ViewPoint(5, 0), at: Double(step + 1) / 10)
      #expect(near(velocity.velocity.x, 50, within: 1e-6))
    }
  }

  @Test func `of places told for one moment the last one counts, of close ones the later`() {
    var told = TouchVelocity()
    for (time, x) in [(0.0, 0.0), (0.05, 0), (0.05, 10), (0.14, 20)] {
      told.add(ViewPoint(x, 0), at: time)
    }
    #expect(near(told.velocity.x, 10 / 0.09, within: 1e-6))
    var close = TouchVelocity()
    for (time, x) in [(0.0, 0.0), (0.05, 0), (0.055, 7), (0.06, 10), (0.151, 20)] {
      close.add(ViewPoint(x, 0), at: time)
    }
    #expect(near(close.velocity.x, 10 / 0.091, within: 1e-6))
  }

  @Test func `no velocity is larger than what is calculated with`() {
    let limit = Double(PixelSize.maximumSide)
    var velocity = TouchVelocity()
    velocity.add(ViewPoint(0, 0), at: 1)
    velocity.add(ViewPoint(limit, -limit), at: 1.01)
    #expect(velocity.velocity == ViewPoint(limit, -limit))
  }

  @Test func `a sample that is just a tenth of a second old counts, one a hundredth apart too`() {
    var old = TouchVelocity()
    old.add(ViewPoint(0, 0), at: 0)
    old.add(ViewPoint(5, 7), at: 0.1)
    #expect(near(old.velocity, ViewPoint(50, 70)))

    var apart = TouchVelocity()
    for (time, x) in [(0.0, 0.0), (0.01, 100), (0.02, 300), (0.105, 290)] {
      apart.add(ViewPoint(x, 0), at: time)
    }
    // From the second sample, for the first is too old.
    #expect(near(apart.velocity.x, 190 / 0.095, within: 1e-6))
  }
}
