import Foundation
import Testing
import ZoomGeometry

struct GestureScriptCodableTests {
  static let head =
    #""zoombench-gestures": 1, "screen": {"width": 375, "height": 667}"#

  func decode(_ text: String) throws -> GestureScript {
    try JSONDecoder().decode(GestureScript.self, from: Data(text.utf8))
  }

  func message(_ text: String) -> String {
    do {
      return "\(try decode(text))"
    } catch DecodingError.dataCorrupted(let context) {
      return context.debugDescription
    } catch {
      return "\(error)"
    }
  }

  @Test func `the shortest script has a version, a screen and no events`() throws {
    let script = try decode("{\(Self.head), \"events\": []}")
    #expect(try script == GestureScript(screen: Screen(size: phone), events: []))
  }

  @Test func `a script with everything in it survives being stored`() throws {
    let ancestor = Stage.Ancestor(
      frame: ViewRect(x: 0, y: 20, width: 375, height: 647), scroll: ViewPoint(x: 0, y: 120),
      scale: 0.75)
    let script = try GestureScript(
      name: "all \"of\" it", screen: Screen(size: phone, scale: 2), framesPerSecond: 59.94,
      maximumForce: 3.5, device: .landscapeLeft, interface: .landscapeRight,
      stage: Stage(
        view: ViewRect(x: 1, y: 2, width: 3, height: 4), cornerRadius: 25, ancestors: [ancestor],
        forceExhibit: .animation),
      events: twoTaps(0.1, 100.25, 200) + [
        finger(1, .began, 1, 2, id: -3), finger(1, .moved, 2, 2, id: -3),
        finger(1.1, .cancelled, 2, 2, id: -3),
        GestureEvent(time: 2, kind: .device(.faceUp)),
        GestureEvent(time: 2, kind: .interface(.landscapeLeft)), try resize(2, 667, 375),
        GestureEvent(time: 2, kind: .cancelAll), GestureEvent(time: 3, kind: .close),
      ])
    let stored = try JSONEncoder().encode(script)
    #expect(try JSONDecoder().decode(GestureScript.self, from: stored) == script)
  }

  @Test(arguments: ["0", "2", "-1"])
  func `another version is refused`(version: String) {
    let text =
      #"{"zoombench-gestures": \#(version), "screen": {"width": 1, "height": 1}, "events": []}"#
    #expect(message(text) == "version \(version) is not 1, the one that is known")
  }

  @Test(arguments: [
    #"{"screen": {"width": 375, "height": 667}, "events": []}"#,
    #"{"zoombench-gestures": 1, "events": []}"#,
    #"{"zoombench-gestures": 1, "screen": {"width": 375, "height": 667}}"#,
    #"{"zoombench-gestures": "1", "screen": {"width": 375, "height": 667}, "events": []}"#,
    "[]", "7", "null", "",
  ])
  func `what is needed and missing, or no script at all, is refused`(text: String) {
    #expect(throws: DecodingError.self) { try decode(text) }
  }

  @Test func `a key that is not known is refused, however deep`() {
    let frame = #"{"x": 0, "y": 0, "width": 1, "height": 1}"#
    let texts = [
      #"{\#(Self.head), "fps": 30, "events": []}"#,
      #"{\#(Self.head), "stage": {"fps": 0}, "events": []}"#,
      #"{\#(Self.head), "stage": {"ancestors": [{"frame": \#(frame), "fps": 1}]}, "events": []}"#,
      #"{\#(Self.head), "stage": {"view": {"x": 0, "y": 0, "width": 1, "height": 1, "fps": 1}}, "events": []}"#,
      #"{\#(Self.head), "events": [{"time": 0, "action": "close", "fps": 1}]}"#,
      #"{\#(Self.head), "events": [{"time": 0, "phase": "began", "touches": [{"id": 1, "x": 0, "y": 0, "fps": 1}]}]}"#,
    ]
    for text in texts { #expect(message(text).contains(#"no key "fps""#), "\(text)") }
  }

  @Test func `a stored script is checked like any other`() {
    let events = #"{"time": 1, "action": "close"}, {"time": 0.5, "action": "close"}"#
    #expect(message("{\(Self.head), \"events\": [\(events)]}").hasPrefix("events[1].time: 0.5 is"))
    let rate = "{\(Self.head), \"framesPerSecond\": 0, \"events\": []}"
    #expect(message(rate).hasPrefix("framesPerSecond: 0.0 is"))
    let screen = #"{"zoombench-gestures": 1, "screen": {"width": 0, "height": 1}, "events": []}"#
    #expect(message(screen) == "screen.width: 0.0 is not positive")
  }
}
