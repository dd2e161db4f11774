import Testing

@testable import ZoomGeometry

@Suite struct GesturePlayerTests {
  private let picture = PixelSize(uncheckedWidth: 1600, height: 1200)

  private func screen() throws -> Screen { try Screen(size: ViewSize(width: 375, height: 667)) }

  private func states(
    _ script: GestureScript, _ system: ZoomSystem, _ form: ZoomForm
  ) throws -> [ZoomState] {
    var player = try GesturePlayer(script, system: system, picture: picture, form: form)
    var states: [ZoomState] = []
    while let state = try player.next() { states.append(state) }
    return states
  }

  /// Fingers, turns, resizes and cancellations, drawn from a small congruential generator.
  private func wildEvents(_ count: Int, seed: UInt64) throws -> [GestureEvent] {
    var random = seed
    func next(_ bound: Int) -> Int {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(random >> 33) % bound
    }
    var down: [Int] = []
    var events: [GestureEvent] = []
    for number in 0..<count {
      let point = ViewPoint(x: Double(next(800)) - 200, y: Double(next(1000)) - 200)
      let force = Double(next(401)) / 60
      let kind: GestureEvent.Kind
      switch next(12) {
      case 0...2 where down.count < 3:
        let id = (0...3).first { !down.contains($0) } ?? 0
        down.append(id)
        kind = .touches(.began, [Touch(id: id, point: point, force: force)])
      case 3...6 where !down.isEmpty:
        kind = .touches(
          .moved, [Touch(id: down[next(down.count)], point: point, force: force)])
      case 7...8 where !down.isEmpty:
        kind = .touches(
          next(8) == 0 ? .cancelled : .ended,
          [Touch(id: down.remove(at: next(down.count)), point: point, force: 0)])
      case 9:
        kind = .device(DeviceOrientation.allCases[next(7)])
      case 10:
        kind = next(2) == 0 ? .close : .interface(InterfaceOrientation.allCases[next(5)])
      case 11:
        if next(4) == 0 {
          down = []
          kind = .cancelAll
        } else {
          kind = .screen(
            try Screen(
              size: ViewSize(width: Double(next(900) + 1), height: Double(next(900) + 1)),
              scale: Double(next(3) + 1)))
        }
      default:
        kind = .device(.portrait)
      }
      events.append(GestureEvent(time: Double(number) * 0.037, kind: kind))
    }
    return events
  }

  @Test(arguments: ZoomSystem.allCases, ZoomForm.allCases) func `an empty script shows one state`(
    system: ZoomSystem, form: ZoomForm
  ) throws {
    let script = try GestureScript(screen: try screen(), events: [])
    let states = try states(script, system, form)
    #expect(states.count == 1)
    #expect(states[0].time == 0)
    #expect(!states[0].layers.isEmpty)
  }

  @Test(arguments: ZoomSystem.allCases, ZoomForm.allCases)
  func `every system plays wild scripts, finitely, in order of time, and twice the same`(
    system: ZoomSystem, form: ZoomForm
  ) throws {
    for seed in 1...20 as ClosedRange<UInt64> {
      let script = try GestureScript(
        screen: try screen(), events: try wildEvents(150, seed: seed))
      let first = try states(script, system, form)
      #expect(first.count > 50)
      #expect(first.allSatisfy { $0.isFinite })
      #expect(zip(first, first.dropFirst()).allSatisfy { $0.time < $1.time })
      let second = try states(script, system, form)
      let isRepeated = first == second
      #expect(isRepeated)
    }
  }

  @Test(arguments: ZoomSystem.allCases, ZoomForm.allCases) func `a hundred thousand events play`(
    system: ZoomSystem, form: ZoomForm
  ) throws {
    // Close together, so that the states are few; what is tested is that no event costs more as
    // there are more of them.
    let events = try wildEvents(100_000, seed: 7).map { event in
      GestureEvent(time: event.time / 100, kind: event.kind)
    }
    let script = try GestureScript(screen: try screen(), events: events)
    var player = try GesturePlayer(script, system: system, picture: picture, form: form)
    var count = 0
    while try player.next() != nil { count += 1 }
    #expect((100...10_000).contains(count))
  }

  @Test func `a long rest costs no states`() throws {
    let point = ViewPoint(x: 187, y: 333)
    let script = try GestureScript(
      screen: try screen(),
      events: [
        GestureEvent(time: 0, kind: .touches(.began, [Touch(id: 1, point: point)])),
        GestureEvent(time: 86_400, kind: .touches(.ended, [Touch(id: 1, point: point)])),
      ])
    for system in ZoomSystem.allCases {
      #expect(try states(script, system, .corrected).count < 100)
    }
  }

  @Test func `events of one tick make one state, and an event on a tick is in that tick's state`()
    throws
  {
    let point = ViewPoint(x: 187, y: 333)
    func moved(_ time: Double) -> GestureEvent {
      GestureEvent(time: time, kind: .touches(.moved, [Touch(id: 1, point: point)]))
    }
    let script = try GestureScript(
      screen: try screen(), framesPerSecond: 60,
      events: [
        GestureEvent(time: 0, kind: .touches(.began, [Touch(id: 1, point: point)])),
        moved(0.05), moved(0.051), moved(0.06), moved(0.1),
      ])
    let times = try states(script, .peek, .corrected).map { ($0.time * 60).rounded() }
    #expect(times == [0, 3, 4, 6])
  }

  @Test func `the screen of a state is the one that the script has set by then`() throws {
    let wide = try Screen(size: ViewSize(width: 667, height: 375), scale: 2)
    let script = try GestureScript(
      screen: try screen(), events: [GestureEvent(time: 0.5, kind: .screen(wide))])
    let states = try states(script, .peek, .corrected)
    #expect(states.map(\.screen) == [try screen(), wide])
  }

  @Test func `a state is never earlier than the event that it shows`() throws {
    // A millionth of a tick late counts as the tick itself.
    let time = 0.05 + 1e-9
    let states = try play(
      .peek, [finger(time, .began, 187, 333)], picture: PixelSize(width: 1600, height: 1200))
    #expect(states.last?.time == time)
  }
}
