import Testing
import ZoomGeometry

struct GestureScriptTests {
  @Test func `what is left out is as usual`() throws {
    let script = try GestureScript(screen: Screen(size: phone), events: [])
    #expect(script.framesPerSecond == 60)
    #expect(script.maximumForce == 400.0 / 60)
    #expect(script.device == .portrait && script.interface == .portrait)
    #expect(script.stage == Stage())
    #expect(script.name == "" && script.events.isEmpty)
  }

  @Test func `what is given is kept`() throws {
    let events = twoTaps(1, 10, 20) + [GestureEvent(time: 2, kind: .close)]
    let script = try GestureScript(
      name: "closing", screen: Screen(size: phone, scale: 2), framesPerSecond: 30, maximumForce: 0,
      device: .landscapeLeft, interface: .landscapeRight, stage: Stage(forceExhibit: .button),
      events: events)
    #expect(script.name == "closing" && script.events == events)
    #expect(script.framesPerSecond == 30 && script.maximumForce == 0)
    #expect(script.device == .landscapeLeft && script.interface == .landscapeRight)
    #expect(script.stage.forceExhibit == .button && script.screen.scale == 2)
  }
}
