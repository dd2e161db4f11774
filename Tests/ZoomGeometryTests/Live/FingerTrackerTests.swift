import Testing

@testable import ZoomGeometry

struct FingerTrackerTests {
  private var touches = FingerTracker(slop: 10)
  private var fingers = FingerTable(on: phone.turned(by: .clockwise))

  @discardableResult
  private mutating func take(
    _ phase: TouchPhase, _ touches: [Touch], at time: Double
  ) -> [FingerTracker.Change] {
    fingers.accept(.touches(phase, touches), at: max(time, fingers.time))
    self.touches.handle(phase, touches, fingers)
    return self.touches.changes
  }

  private mutating func screenChanged() throws {
    fingers.accept(.screen(try Screen(size: phone)), at: fingers.time)
  }

  private func at(_ id: Int, _ x: Double, _ y: Double = 0) -> Touch {
    Touch(id: id, point: ViewPoint(x, y))
  }

  @Test mutating func `the first report on a new screen places a finger and moves nothing`() throws
  {
    take(.began, [at(1, 0)], at: 0)
    take(.moved, [at(1, 20)], at: 0.25)
    try screenChanged()
    let told = take(.moved, [at(1, 300, 7)], at: 0.28)
    let moved = take(.moved, [at(1, 301, 7)], at: 0.3)
    #expect(told.isEmpty && moved == [.panned(by: ViewPoint(1, 0))])
    let ended = take(.ended, [at(1, 301, 7)], at: 0.3)
    // The velocity counts only the movement since then.
    #expect(ended == [.panEnded(velocity: ViewPoint(1 / (0.3 - 0.28), 0))])
  }

  @Test(arguments: [false, true])
  mutating func `a third finger, reported late on a new screen or never, does not disturb a pinch`(
    isReported: Bool
  ) throws {
    take(.began, [at(1, 0), at(2, 100), at(3, 900)], at: 0)
    try screenChanged()
    take(.moved, [at(1, 0), at(2, 100)], at: 0.1)
    #expect(take(.moved, [at(2, 200)], at: 0.2).last?.pinch?.ratio == 2)
    if isReported { #expect(take(.moved, [at(3, 800)], at: 0.3).isEmpty) }
    #expect(take(.moved, [at(2, 300)], at: 0.4).last?.pinch?.ratio == 3)
  }

  @Test mutating func `a pinch waits until both fingers are reported on a new screen`() throws {
    take(.began, [at(1, 0), at(2, 100)], at: 0)
    try screenChanged()
    take(.moved, [at(1, 500)], at: 0.1)
    #expect(take(.moved, [at(1, 550)], at: 0.2).isEmpty)
  }

  @Test mutating func `when the second of three fingers lifts, the third replaces it`() {
    take(.began, [at(1, 0), at(2, 100), at(3, 300)], at: 0)
    take(.moved, [at(2, 200)], at: 0.1)
    #expect(take(.ended, [at(2, 200)], at: 0.2) == [.pinchEnded])
    let moved = take(.moved, [at(3, 600)], at: 0.3)
    #expect(moved.first == .pinchBegan(centre: ViewPoint(150, 0)))
    #expect(moved.last?.pinch?.ratio == 2)
  }

  @Test(arguments: [false, true])
  mutating func `the first report on a new screen says how far apart two fingers are`(
    pinches: Bool
  ) throws {
    take(.began, [at(1, 0), at(2, 100)], at: 0)
    if pinches { take(.moved, [at(2, 150)], at: 0.1) }
    try screenChanged()
    let told = take(.moved, [at(1, 300), at(2, 500)], at: 0.2)
    let moved = take(.moved, [at(2, 600)], at: 0.3)
    let pinch = FingerTracker.Pinch(
      ratio: 1.5, step: 1.5, centre: ViewPoint(450, 0), shift: ViewPoint(50, 0))
    let begins = pinches ? [] : [FingerTracker.Change.pinchBegan(centre: ViewPoint(400, 0))]
    #expect(told.isEmpty && moved == begins + [.pinched(pinch)])
  }

  @Test mutating func `on a new screen a finger moves only when it is reported itself`() throws {
    take(.began, [at(1, 0)], at: 0)
    take(.moved, [at(1, 50)], at: 0.1)
    try screenChanged()
    #expect(take(.began, [at(2, 700)], at: 0.2) == [.panHandedOver])
    #expect(take(.moved, [at(2, 720)], at: 0.3).isEmpty)
    #expect(take(.moved, [at(1, 520)], at: 0.4).isEmpty)
    let moved = take(.moved, [at(2, 820)], at: 0.5)
    #expect(
      moved.first == .pinchBegan(centre: ViewPoint(620, 0)) && moved.last?.pinch?.ratio == 1.5)
  }

  @Test mutating func `the point at which a finger lifts counts as its last movement`() {
    take(.began, [at(1, 0)], at: 0)
    take(.moved, [at(1, 20)], at: 0.5)
    let ended = take(.ended, [at(1, 26, 4)], at: 0.5625)
    #expect(ended == [.panned(by: ViewPoint(6, 4)), .panEnded(velocity: ViewPoint(96, 64))])
  }
}

extension FingerTracker.Change {
  fileprivate var pinch: FingerTracker.Pinch? {
    if case .pinched(let pinch) = self { pinch } else { nil }
  }
}

struct TouchVelocityTests {
  private func velocity(_ samples: [(Double, Double, Double)]) -> ViewPoint {
    var velocity = TouchVelocity()
    for (time, x, y) in samples { velocity.add(ViewPoint(x, y), at: time) }
    return velocity.velocity
  }

  @Test func `each axis has its own velocity, which is 0 without a movement`() {
    #expect(velocity([]) == ViewPoint(0, 0))
    #expect(velocity([(1, 10, 20)]) == ViewPoint(0, 0))
    #expect(velocity([(1, 10, 20), (1.0625, 15, 8)]) == ViewPoint(80, -192))
    #expect(velocity([(0, 0, 0), (0.05, 90, 0), (0.2, 90, 0)]) == ViewPoint(0, 0))
    // The time is at least 1/120 s, and the velocity at most `PixelSize.maximumSide`.
    #expect(near(velocity([(1, 0, 0), (1.001, 1, 2)]), ViewPoint(120, 240)))
    let limit = Double(PixelSize.maximumSide)
    #expect(velocity([(1, 0, 0), (1.01, limit, -limit)]) == ViewPoint(limit, -limit))
  }

  @Test
  func `a sample replaces the last one if both have the same time or the last two are too close`() {
    let told = velocity([(0, 0, 0), (0.05, 0, 0), (0.05, 10, 0), (0.14, 20, 0)])
    #expect(near(told.x, 10 / 0.09, within: 1e-6))
    let close = velocity([(0, 0, 0), (0.05, 0, 0), (0.055, 7, 0), (0.06, 10, 0), (0.151, 20, 0)])
    #expect(near(close.x, 10 / 0.091, within: 1e-6))
  }

  @Test func `a sample exactly 0.1 s old counts, and samples exactly 0.01 s apart are all kept`() {
    #expect(near(velocity([(0, 0, 0), (0.1, 5, 7)]), ViewPoint(50, 70)))
    let apart = velocity([(0, 0, 0), (0.01, 100, 0), (0.02, 300, 0), (0.105, 290, 0)])
    // From the second sample, because the first is too old.
    #expect(near(apart.x, 190 / 0.095, within: 1e-6))
  }
}
