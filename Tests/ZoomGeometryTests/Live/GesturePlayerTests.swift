import Testing
import ZoomLaws

@testable import ZoomGeometry

@Suite struct GesturePlayerTests {
  private func play(
    _ system: ZoomSystem, _ events: [GestureEvent], form: ZoomForm = .corrected
  ) throws -> [ZoomState] {
    let script = try GestureScript(screen: Screen(size: phone), events: events)
    var player = try GesturePlayer(script, system: system, picture: forest, form: form)
    return try player.states()
  }

  @Test(arguments: ZoomSystem.allCases, ZoomForm.allCases) func `a hundred thousand events play`(
    system: ZoomSystem, form: ZoomForm
  ) throws {
    // The events are close together (times are divided by 300 below), so that there are few states; the cost of an
    // event must not grow with their number.
    let place = ViewPoint(150, 300)
    let pinch = GestureAction.PinchPath(
      from: middle, to: place, arm: ViewPoint(20, 30), endArm: ViewPoint(90, 60), steps: 20)
    var writer = GestureWriter()
    while writer.events.count < 100_000 {
      writer.write(GestureAction(.doubleTap(at: middle, then: middle, gap: 0.1)))
      writer.write(GestureAction(after: 0.5, .pinch(pinch)))
      writer.write(GestureAction(after: 0.1, .press(at: place, forces: [1, 3, 6])))
      writer.write(GestureAction(.pan(finger: 0, from: place, to: middle, steps: 9)))
      writer.write(GestureAction(.cancel))
    }
    let events = writer.events.map { GestureEvent(time: $0.time / 300, kind: $0.kind) }
    #expect(try (100...10_000).contains(play(system, events, form: form).count))
  }

  @Test func `a long rest costs no states`() throws {
    let events = [finger(0, .began, 187, 333), finger(86_400, .ended, 187, 333)]
    for system in ZoomSystem.allCases { #expect(try play(system, events).count < 100) }
  }

  @Test func `events of one tick make one state, and an event on a tick is in that tick's state`()
    throws
  {
    let moves = [0.05, 0.051, 0.06, 0.1].map { finger($0, .moved, 187, 333) }
    let states = try play(.peek, [finger(0, .began, 187, 333)] + moves)
    #expect(states.map { ($0.time * 60).rounded() } == [0, 3, 4, 6])
  }

  @Test func `a state is never earlier than the event that it shows`() throws {
    // An event that is a millionth of a tick late belongs to the tick.
    let time = 0.05 + 1e-9
    #expect(try play(.peek, [finger(time, .began, 187, 333)]).last?.time == time)
  }
}
