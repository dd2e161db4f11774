import Testing

@testable import ZoomGeometry

/// Which touches and actions move the view, and which do not.
struct FullscreenEngineEventsTests {
  static let others: [(String, [(TouchPhase, Double, Double)], RecogniserState)] = [
    ("beside the view", [(.began, 200, 300), (.ended, 200, 300)], .failed),
    ("a pan", [(.began, 70, 55), (.moved, 90, 55), (.ended, 70, 55)], .failed),
    ("a touch taken away", [(.began, 70, 55), (.cancelled, 70, 55)], .cancelled),
    ("a touch that stays", [(.began, 70, 55), (.moved, 71, 55)], .possible),
  ]

  @Test(arguments: others, ZoomForm.allCases)
  func `what is not a tap on the view does not move it`(
    other: (String, [(TouchPhase, Double, Double)], RecogniserState), form: ZoomForm
  ) throws {
    var play = FullscreenPlay()
    for (step, (phase, x, y)) in other.1.enumerated() {
      let touch = Touch(id: 1, point: ViewPoint(x: x, y: y))
      play.event(.touches(phase, [touch]), at: Double(step))
    }
    let states = try play.states(form)
    #expect(Set(states.map(\.layers)).count == 1, "\(other.0)")
    #expect(!states.happened.contains(.present))
    #expect(states.last?.recogniser == other.2)
  }

  @Test func `taking all touches away drops a tap that has begun, and only that`() throws {
    var play = FullscreenPlay()
    let touch = Touch(id: 1, point: ViewPoint(x: 70, y: 55))
    play.event(.touches(.began, [touch]), at: 0)
    play.event(.cancelAll, at: 0.1)
    play.event(.cancelAll, at: 0.2)
    play.tap(70, 55, at: 1)
    let states = try play.states(.corrected)
    #expect(states.happened == [.cancelled, .singleTap, .present])
    #expect(try states.shown(at: 0.2).recogniser == .cancelled)
    #expect(states.last?.recogniser == .ended)
  }

  @Test(arguments: ZoomForm.allCases)
  func `closing dismisses, and inline does nothing`(form: ZoomForm) throws {
    var play = FullscreenPlay()
    play.event(.close, at: 0)
    play.tap(70, 55, at: 1)
    play.event(.close, at: 2)
    let states = try play.states(form)
    #expect(states.happened == [.singleTap, .present, .dismiss])
    #expect(states.last?.fills(0) == [ViewRect(x: 20, y: 30, width: 100, height: 50)])
  }

  @Test(arguments: ZoomForm.allCases, [TouchPhase.ended, .cancelled])
  func `each press is possible at first, a second finger's is part of it`(
    form: ZoomForm, phase: TouchPhase
  ) throws {
    var play = FullscreenPlay()
    let touches = [1, 2].map { Touch(id: $0, point: ViewPoint(x: 200, y: 300)) }
    for time in [0.0, 1] {
      play.event(.touches(.began, [touches[0]]), at: time)
      play.event(.touches(.began, [touches[1]]), at: time + 0.1)
      play.event(.touches(phase, touches), at: time + 0.2)
    }
    play.event(.touches(.began, [touches[0]]), at: 2)
    let end: RecogniserState = phase == .ended ? .failed : .cancelled
    #expect(
      try play.states(form).map(\.recogniser) == [
        .possible, .possible, end, .possible, .possible, end, .possible,
      ])
  }

  @Test(arguments: ZoomForm.allCases)
  func `a finger that was taken away spoils no tap of another one`(form: ZoomForm) throws {
    var play = FullscreenPlay()
    play.event(.touches(.began, [Touch(id: 7, point: ViewPoint(x: 70, y: 55))]), at: 0)
    play.event(.cancelAll, at: 0.1)
    play.tap(70, 55, at: 1)
    #expect(try play.states(form).happened == [.cancelled, .singleTap, .present])
  }
}
