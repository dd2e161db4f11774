import Testing

@testable import ZoomGeometry

struct FingerTrackerTests {
  private func at(_ id: Int, _ x: Double, _ y: Double = 0) -> Touch {
    Touch(id: id, point: ViewPoint(x: x, y: y))
  }

  @Test func `a finger pans beyond the slop, and loses only the slop`() {
    var touches = FingerTracker(slop: 10)
    let changes1 = touches.take(.began, [at(1, 0)], at: 0)
    #expect(changes1.isEmpty)
    let changes2 = touches.take(.moved, [at(1, 10)], at: 0.01)
    #expect(changes2.isEmpty)
    #expect(!touches.isActive)
    let began = touches.take(.moved, [at(1, 20)], at: 0.02)
    #expect(began == [.panBegan, .panned(by: ViewPoint(x: 10, y: 0))])
    let moved = touches.take(.moved, [at(1, 25, -3)], at: 0.03)
    #expect(moved == [.panned(by: ViewPoint(x: 5, y: -3))])
    let ended = touches.take(.ended, [at(1, 25, -3)], at: 1)
    #expect(ended == [.panEnded(velocity: ViewPoint(x: 0, y: 0))])
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
        .pinchBegan(centre: ViewPoint(x: 50, y: 0)),
        .pinched(
          FingerTracker.Pinch(
            ratio: 2, step: 2, centre: ViewPoint(x: 100, y: 0), shift: ViewPoint(x: 50, y: 0))),
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

  @Test func `a second finger takes over from a pan`() {
    var touches = FingerTracker(slop: 10)
    _ = touches.take(.began, [at(1, 0)], at: 0)
    _ = touches.take(.moved, [at(1, 50)], at: 0.1)
    let changes9 = touches.take(.began, [at(2, 90)], at: 0.2)
    #expect(changes9 == [.panHandedOver])
    let changes10 = touches.take(.cancelled, [at(2, 90)], at: 0.3)
    #expect(changes10.isEmpty)
  }

  /// A pan that a second finger has taken over.
  private var handedOver: FingerTracker {
    var touches = FingerTracker(slop: 10)
    _ = touches.take(.began, [at(1, 0)], at: 0)
    _ = touches.take(.moved, [at(1, 50)], at: 0.1)
    _ = touches.take(.began, [at(2, 90)], at: 0.2)
    return touches
  }

  /// What a touch that comes and goes does, after everything else is over.
  private func later(_ touches: FingerTracker) -> [FingerTracker.Change] {
    var touches = touches
    return [TouchPhase.began, .ended].flatMap { touches.take($0, [at(9, 70)], at: 9) }
  }

  @Test(arguments: [[[1], [2]], [[2], [1]], [[1, 2]]])
  func `what a pan moved is left when the last finger lifts and none has pinched`(
    lifts: [[Int]]
  ) {
    var touches = handedOver
    let changes = lifts.flatMap { ids in
      touches.take(.ended, ids.map { at($0, $0 == 1 ? 50 : 90) }, at: 1)
    }
    #expect(changes == [.panLeft])
    #expect(later(touches).isEmpty)
  }

  @Test func `what a pan moved is not left before the third finger lifts`() {
    var touches = handedOver
    let third = touches.take(.began, [at(3, 10)], at: 0.3)
    let two = touches.take(.ended, [at(1, 50), at(2, 90)], at: 0.4)
    #expect(third.isEmpty && two.isEmpty)
    let last = touches.take(.ended, [at(3, 10)], at: 0.5)
    #expect(last == [.panLeft])
  }

  @Test func `a pinch lets go of what the pan before it moved`() {
    var touches = handedOver
    _ = touches.take(.moved, [at(2, 120)], at: 0.3)
    let lifted = touches.take(.ended, [at(1, 50), at(2, 120)], at: 0.4)
    #expect(lifted == [.pinchEnded])
    #expect(later(touches).isEmpty)
  }

  @Test(arguments: [1, 2])
  func `the finger that stays may pan on, and lets go itself`(gone: Int) {
    var touches = handedOver
    let (stays, x) = gone == 1 ? (2, 90.0) : (1, 50.0)
    let lifted = touches.take(.ended, [at(gone, gone == 1 ? 50 : 90)], at: 0.3)
    let panned = touches.take(.moved, [at(stays, x + 20)], at: 0.4)
    let ended = touches.take(.ended, [at(stays, x + 20)], at: 1)
    #expect(lifted.isEmpty)
    #expect(panned == [.panBegan, .panned(by: ViewPoint(x: 10, y: 0))])
    #expect(ended == [.panEnded(velocity: ViewPoint(x: 0, y: 0))])
    #expect(later(touches).isEmpty)
  }

  @Test func `what a pan moved is cancelled with the last finger, once`() {
    var together = handedOver
    let both = together.take(.cancelled, [at(1, 50), at(2, 90)], at: 0.3)
    #expect(both == [.cancelled])
    #expect(later(together).isEmpty)

    for order in [[1, 2], [2, 1]] {
      var touches = handedOver
      let first = touches.take(.cancelled, [at(order[0], 0)], at: 0.3)
      #expect(first.isEmpty)
      // The other one may lift, or be cancelled too.
      var lifted = touches
      let left = lifted.take(.ended, [at(order[1], order[1] == 1 ? 50 : 90)], at: 0.4)
      #expect(left == [.panLeft])
      let cancelled = touches.take(.cancelled, [at(order[1], 0)], at: 0.4)
      #expect(cancelled == [.cancelled])
      #expect(later(touches).isEmpty && later(lifted).isEmpty)
    }
  }

  @Test func `what is abandoned after it was handed over is left to who abandons it`() {
    var touches = handedOver
    touches.abandon()
    let lifted = touches.take(.ended, [at(1, 50), at(2, 90)], at: 0.3)
    #expect(lifted.isEmpty && later(touches).isEmpty)
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
    #expect(later(touches).isEmpty)
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
        .pinchBegan(centre: ViewPoint(x: 25, y: 40)),
        .pinched(
          FingerTracker.Pinch(
            ratio: 2, step: 2, centre: ViewPoint(x: 40, y: 60), shift: ViewPoint(x: 15, y: 20))),
      ])
  }

  @Test func `where a finger lifts it has been`() {
    var touches = FingerTracker(slop: 10)
    _ = touches.take(.began, [at(1, 0)], at: 0)
    _ = touches.take(.moved, [at(1, 20)], at: 0.5)
    let ended = touches.take(.ended, [at(1, 26, 4)], at: 0.5625)
    #expect(
      ended == [
        .panned(by: ViewPoint(x: 6, y: 4)), .panEnded(velocity: ViewPoint(x: 96, y: 64)),
      ])
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
    #expect(near(velocity, ViewPoint(x: 400, y: 0)))
  }

  @Test func `what is abandoned is not looked at again`() {
    var touches = FingerTracker(slop: 10)
    _ = touches.take(.began, [at(1, 0)], at: 0)
    _ = touches.take(.moved, [at(1, 50)], at: 0.1)
    touches.abandon()
    #expect(!touches.isActive && !touches.isTouched && touches.slop == 10)
    let moved = touches.take(.moved, [at(1, 90)], at: 0.2)
    let ended = touches.take(.ended, [at(1, 90)], at: 0.3)
    #expect(moved.isEmpty && ended.isEmpty)
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
