import Foundation
import Testing
import ZoomGeometry

struct GestureEventCodableTests {
  @Test(arguments: [Int.min, -(1 << 53) - 1, (1 << 53) + 1, Int.max])
  func `any number of a touch survives being stored`(id: Int) throws {
    let touch = Touch(id: id, point: ViewPoint(1, 2))
    #expect(try stored(touch) == touch)
    let whole = Data(#"{"id": 7.0, "x": 1, "y": 2}"#.utf8)
    #expect(try JSONDecoder().decode(Touch.self, from: whole).id == 7)
    for number in ["1e300", "9223372036854775808"] {
      let data = Data(#"{"id": \#(number), "x": 1, "y": 2}"#.utf8)
      #expect(throws: DecodingError.self) { try JSONDecoder().decode(Touch.self, from: data) }
    }
  }

  func decode(_ text: String) throws -> GestureEvent { try decoded(GestureEvent.self, text) }

  @Test func `each kind is read`() throws {
    #expect(
      try decode(#"{"time": 0.5, "phase": "began", "touches": [{"id": 1, "x": 2, "y": 3}]}"#)
        == finger(0.5, .began, 2, 3))
    let pressed = try decode(
      #"{"time": 1, "phase": "moved", "touches": [{"id": 1, "x": 2, "y": 3, "force": 4}]}"#)
    let touch = Touch(id: 1, point: ViewPoint(2, 3), force: 4)
    #expect(pressed.kind == .touches(.moved, [touch]))
    #expect(try decode(#"{"time": 1, "device": "landscapeLeft"}"#).kind == .device(.landscapeLeft))
    #expect(
      try decode(#"{"time": 1, "interface": "landscapeLeft"}"#).kind == .interface(.landscapeLeft))
    #expect(
      try decode(#"{"time": 1, "screen": {"width": 667, "height": 375}}"#) == resize(1, 667, 375))
    #expect(try decode(#"{"time": 1, "action": "cancel"}"#).kind == .cancelAll)
    #expect(try decode(#"{"time": 1, "action": "close"}"#).kind == .close)
  }

  @Test func `every phase and orientation survives being stored`() throws {
    var events = TouchPhase.allCases.map { finger(1, $0, 2, 3, id: 4) }
    events += DeviceOrientation.allCases.map { GestureEvent(time: 2, kind: .device($0)) }
    events += InterfaceOrientation.allCases.map { GestureEvent(time: 3, kind: .interface($0)) }
    events += [
      GestureEvent(time: 4, kind: .cancelAll), GestureEvent(time: 4, kind: .close),
      try resize(5, 10, 20),
    ]
    #expect(try stored(events) == events)
  }

  @Test func `an orientation is stored by its name`() throws {
    let stored = try JSONEncoder().encode([DeviceOrientation.landscapeLeft])
    #expect(String(decoding: stored, as: UTF8.self) == #"["landscapeLeft"]"#)
  }

  @Test(arguments: [
    #"{"time": 1}"#, #"{"action": "close"}"#, #"{"time": 1, "phase": "began"}"#,
    #"{"time": 1, "touches": [{"id": 1, "x": 2, "y": 3}]}"#,
    #"{"time": 1, "phase": "began", "action": "close"}"#,
    #"{"time": 1, "device": "portrait", "action": "close"}"#,
    #"{"time": 1, "phase": "began", "touches": [], "device": "portrait"}"#,
    #"{"time": 1, "phase": "pressed", "touches": [{"id": 1, "x": 2, "y": 3}]}"#,
    #"{"time": 1, "phase": "began", "touches": [{"id": 1, "x": 2}]}"#,
    #"{"time": 1, "phase": "began", "touches": [{"id": 1.5, "x": 2, "y": 3}]}"#,
    #"{"time": 1, "phase": "began", "touches": [{"id": 1, "x": 1e999, "y": 3}]}"#,
    #"{"time": 1, "phase": "began", "touches": 7}"#, #"{"time": "1", "action": "close"}"#,
    #"{"time": 1, "action": "open"}"#, #"{"time": 1, "device": "sideways"}"#,
    #"{"time": 1, "device": null}"#, #"{"time": 1, "interface": "faceUp"}"#,
    #"{"time": 1, "screen": {"width": 0, "height": 1}}"#, #"{"time": 1, "colour": "red"}"#,
  ])
  func `what says nothing, too much or something unknown is refused`(text: String) {
    #expect(throws: DecodingError.self) { try decode(text) }
  }
}

struct GestureScriptCodableTests {
  static let head = #""zoombench-gestures": 1, "screen": {"width": 375, "height": 667}"#

  func decode(_ text: String) throws -> GestureScript { try decoded(GestureScript.self, text) }

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
      frame: ViewRect(0, 20, 375, 647), scroll: ViewPoint(0, 120), scale: 0.75)
    let script = try GestureScript(
      name: "all \"of\" it",
      screen: Screen(
        size: phone, scale: 2, insets: ViewInsets(top: 1, left: 2, bottom: 3, right: 4)),
      framesPerSecond: 59.94, maximumForce: 3.5, press: .pen, device: .landscapeLeft,
      interface: .landscapeRight,
      stage: Stage(
        view: ViewRect(1, 2, 3, 4), cornerRadius: 25, ancestors: [ancestor],
        forceExhibit: .animation, direction: .rightToLeft),
      events: twoTaps(0.1, 100.25, 200) + [
        GestureEvent(
          time: 0.9, kind: .touches(.began, [Touch(id: 8, point: middle, force: 2, isPen: true)])),
        finger(1, .began, 1, 2, id: -3), finger(1, .moved, 2, 2, id: -3),
        finger(1.1, .cancelled, 2, 2, id: -3),
        GestureEvent(time: 2, kind: .device(.faceUp)),
        GestureEvent(time: 2, kind: .interface(.landscapeLeft)), try resize(2, 667, 375),
        GestureEvent(time: 2, kind: .cancelAll), GestureEvent(time: 3, kind: .close),
      ])
    #expect(try stored(script) == script)
  }

  @Test func `press, pen, direction and insets stand under these names`() throws {
    let script = try decode(
      #"""
      {"zoombench-gestures": 1, "press": "long-press", "stage": {"direction": "right-to-left"},
       "screen": {"width": 375, "height": 667, "insets": {"top": 44, "right": 5}},
       "events": [{"time": 0, "phase": "began", "touches": [{"id": 1, "x": 2, "y": 3, "pen": true}]}]}
      """#)
    #expect(script.press == .longPress && script.stage.direction == .rightToLeft)
    #expect(script.screen.insets == ViewInsets(top: 44, right: 5))
    let pen = Touch(id: 1, point: ViewPoint(2, 3), isPen: true)
    #expect(script.events[0].kind == .touches(.began, [pen]))
    #expect(message(#"{\#(Self.head), "press": "hard", "events": []}"#).contains("hard"))
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

struct StageTests {
  @Test func `nothing is said about an empty stage`() {
    let stage = Stage()
    #expect(stage.view == nil && stage.ancestors.isEmpty && stage.cornerRadius == 0)
    #expect(stage.forceExhibit == .zoom)
  }

  @Test func `an ancestor is scaled about its centre, and its content scrolled`() {
    let frame = ViewRect(10, 20, 100, 200)
    let layer = Stage.Ancestor(frame: frame, scroll: ViewPoint(5, 30), scale: 0.5).layer
    #expect(layer.frame == ViewRect(35, 70, 50, 100))
    // What is scrolled into the corner stands in the corner.
    #expect(layer.toParent.apply(to: ViewPoint(5, 30)) == ViewPoint(35, 70))
    #expect(layer.toParent.apply(to: ViewPoint(55, 130)) == ViewPoint(60, 120))
  }

  @Test func `a stage survives being stored, and what is left out is usual`() throws {
    for window in [nil] + WindowKind.allCases.map(Optional.some) {
      let stage = Stage(window: window)
      #expect(try stored(stage) == stage)
    }
    #expect(try decoded(Stage.self, "{}") == Stage())
    let frame = ViewRect(6, 7, 8, 9)
    let short = Data(#"{"frame": {"x": 6, "y": 7, "width": 8, "height": 9}}"#.utf8)
    #expect(
      try JSONDecoder().decode(Stage.Ancestor.self, from: short) == Stage.Ancestor(frame: frame))
    #expect(Stage.Ancestor(frame: frame).scale == 1)
    #expect(Stage.Ancestor(frame: frame).scroll == ViewPoint(0, 0))
  }
}
