import Foundation
import Testing

@testable import ZoomGeometry

/// Tests of the checks of a script; ``FingerTableTests`` has those of single events.
struct GestureScriptChecksTests {
  func script(
    _ events: [GestureEvent], rate: Double = 60
  ) throws -> GestureScript {
    try GestureScript(
      screen: Screen(size: phone), framesPerSecond: rate, events: events)
  }

  @Test
  func `scripts may last a day; events are checked like live ones, and named in errors`() throws {
    let unknown = #expect(throws: GeometryError.self) {
      try script([finger(0, .began, 1, 1), finger(1, .moved, 1, 1, id: 2)])
    }
    #expect(unknown?.description == "events[1].touches[0].id: 2 has not begun")
    let day = GestureScript.latestTime
    let late = #expect(throws: GeometryError.self) {
      try script([GestureEvent(time: day.nextUp, kind: .close)])
    }
    #expect(late?.argument == "events[0].time" && late?.reason == .tooLarge(limit: 86_400))
    let sample = Touch(id: 1, point: middle)
    let call = GestureEvent(time: 3, kind: .cancelAll)
    _ = try script(
      [
        finger(0, .began, 1, 1), finger(0.05, .ended, 1, 1), finger(2, .began, 1, 1),
        GestureEvent(time: 2, kind: .touches(.moved, [sample, sample])), call,
        finger(3, .began, 1, 1), GestureEvent(time: day, kind: .close),
      ])
  }

  @Test func `a frame rate is 1 to 1000`() {
    for rate in [0, -1, 0.999, 1000.1] {
      expectRefused("framesPerSecond") { try script([], rate: rate) }
    }
    for rate in [1, 59.94, 1000] { #expect(throws: Never.self) { try script([], rate: rate) } }
  }
}

struct GestureEventCodableTests {
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
    #"{"time": 1, "wheel": {"x": 1, "y": 2, "dy": 3}}"#, #"{"time": 1, "wheel": 3}"#,
  ])
  func `an event with a part missing, surplus or unknown is refused`(text: String) {
    #expect(throws: DecodingError.self) { try decoded(GestureEvent.self, text) }
  }
}

struct GestureScriptCodableTests {
  static let text = #"""
    {"zoombench-gestures": 1, "name": "all of it", "framesPerSecond": 59.94, "maximumForce": 3.5,
     "screen": {"width": 375, "height": 667, "scale": 2, "insets": {"top": 44, "right": 5}},
     "press": "long-press", "device": "landscapeLeft", "interface": "landscapeRight",
     "stage": {
       "view": {"x": 1, "y": 2, "width": 3, "height": 4}, "cornerRadius": 25, "window": "turning",
       "ancestors": [{"frame": {"x": 6, "y": 7, "width": 8, "height": 9}},
         {"frame": {"x": 0, "y": 20, "width": 375, "height": 647}, "scroll": {"x": 0, "y": 120},
          "scale": 0.75}],
       "force": "animation", "direction": "right-to-left"},
     "events": [
       {"time": 0.5, "phase": "began", "touches": [{"id": 7.0, "x": 2, "y": 3}]},
       {"time": 1, "phase": "moved", "touches": [{"id": 7, "x": 2.5, "y": 3, "force": 4}]},
       {"time": 1.1, "phase": "cancelled", "touches": [{"id": 7, "x": 2, "y": 3}]},
       {"time": 2, "phase": "began", "touches": [
         {"id": -9223372036854775808, "x": 1, "y": 1, "pen": true}]},
       {"time": 2, "phase": "ended", "touches": [
         {"id": -9223372036854775808, "x": 1, "y": 1, "pen": true}]},
       {"time": 2, "phase": "began", "touches": [{"id": 3, "x": 1, "y": 1, "mouse": true}]},
       {"time": 2, "wheel": {"x": 4, "y": 5, "dx": -6.5, "dy": 100}},
       {"time": 2, "device": "faceUp"}, {"time": 2, "interface": "landscapeLeft"},
       {"time": 2, "screen": {"width": 667, "height": 375}},
       {"time": 2, "action": "cancel"}, {"time": 3, "action": "close"}]}
    """#

  static func script() throws -> GestureScript {
    let pen = Touch(id: .min, point: ViewPoint(1, 1), isPen: true)
    let mouse = Touch(id: 3, point: ViewPoint(1, 1), isMouse: true)
    return try GestureScript(
      name: "all of it",
      screen: Screen(size: phone, scale: 2, insets: ViewInsets(top: 44, right: 5)),
      framesPerSecond: 59.94, maximumForce: 3.5, press: .longPress, device: .landscapeLeft,
      interface: .landscapeRight,
      stage: Stage(
        view: ViewRect(1, 2, 3, 4), cornerRadius: 25,
        ancestors: [
          Stage.Ancestor(frame: ViewRect(6, 7, 8, 9)),
          Stage.Ancestor(
            frame: ViewRect(0, 20, 375, 647), scroll: ViewPoint(0, 120), scale: 0.75),
        ], window: .turning, forceExhibit: .animation, direction: .rightToLeft),
      events: [
        finger(0.5, .began, 2, 3, id: 7),
        GestureEvent(
          time: 1, kind: .touches(.moved, [Touch(id: 7, point: ViewPoint(2.5, 3), force: 4)])),
        finger(1.1, .cancelled, 2, 3, id: 7),
        GestureEvent(time: 2, kind: .touches(.began, [pen])),
        GestureEvent(time: 2, kind: .touches(.ended, [pen])),
        GestureEvent(time: 2, kind: .touches(.began, [mouse])),
        GestureEvent(time: 2, kind: .wheel(at: ViewPoint(4, 5), by: ViewPoint(-6.5, 100))),
        GestureEvent(time: 2, kind: .device(.faceUp)),
        GestureEvent(time: 2, kind: .interface(.landscapeLeft)),
        GestureEvent(time: 2, kind: .screen(try Screen(size: phone.turned(by: .clockwise)))),
        GestureEvent(time: 2, kind: .cancelAll), GestureEvent(time: 3, kind: .close),
      ])
  }

  @Test func `a script is decoded completely, and survives being stored`() throws {
    #expect(try decoded(GestureScript.self, Self.text) == Self.script())
    #expect(try stored(Self.script()) == Self.script())
    let orientations = DeviceOrientation.allCases.map { GestureEvent(time: 2, kind: .device($0)) }
    #expect(try stored(orientations) == orientations)
  }

  static let head = #""zoombench-gestures": 1, "screen": {"width": 375, "height": 667}"#

  func message(_ text: String) -> String {
    do {
      return "\(try decoded(GestureScript.self, text))"
    } catch DecodingError.dataCorrupted(let context) {
      return context.debugDescription
    } catch {
      return "\(error)"
    }
  }

  @Test(arguments: ["0", "2", "-1"])
  func `another version is refused`(version: String) {
    let text =
      #"{"zoombench-gestures": \#(version), "screen": {"width": 1, "height": 1}, "events": []}"#
    #expect(message(text) == "version \(version) is not supported (use 1)")
  }

  @Test(arguments: [
    #"{"screen": {"width": 375, "height": 667}, "events": []}"#,
    #"{"zoombench-gestures": 1, "events": []}"#,
    #"{"zoombench-gestures": 1, "screen": {"width": 375, "height": 667}}"#,
    #"{"zoombench-gestures": "1", "screen": {"width": 375, "height": 667}, "events": []}"#,
    "[]", "7", "null", "",
  ])
  func `a text without a required key, or that is no script at all, is refused`(text: String) {
    #expect(throws: DecodingError.self) { try decoded(GestureScript.self, text) }
  }

  @Test func `an unknown key is refused at any depth`() {
    let frame = #"{"x": 0, "y": 0, "width": 1, "height": 1}"#
    let texts = [
      #"{\#(Self.head), "fps": 30, "events": []}"#,
      #"{\#(Self.head), "stage": {"fps": 0}, "events": []}"#,
      #"{"zoombench-gestures": 1, "screen": {"width": 1, "height": 1, "fps": 1}, "events": []}"#,
      #"{"zoombench-gestures": 1, "screen": {"width": 1, "height": 1, "insets": {"fps": 1}}, "events": []}"#,
      #"{\#(Self.head), "stage": {"ancestors": [{"frame": \#(frame), "fps": 1}]}, "events": []}"#,
      #"{\#(Self.head), "stage": {"view": {"x": 0, "y": 0, "width": 1, "height": 1, "fps": 1}}, "events": []}"#,
      #"{\#(Self.head), "events": [{"time": 0, "action": "close", "fps": 1}]}"#,
      #"{\#(Self.head), "events": [{"time": 0, "wheel": {"x": 1, "y": 1, "dx": 0, "dy": 1, "fps": 1}}]}"#,
      #"{\#(Self.head), "events": [{"time": 0, "phase": "began", "touches": [{"id": 1, "x": 0, "y": 0, "fps": 1}]}]}"#,
    ]
    for text in texts { #expect(message(text).contains(#"unknown key "fps""#), "\(text)") }
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

struct FrameCodableTests {
  @Test func `values survive being stored`() throws {
    let notch = ViewInsets(top: 44, left: 10, bottom: 34, right: 20)
    let screen = try Screen(size: phone, scale: 3, insets: notch)
    let rect = ViewRect(1, 2, 3, 4)
    let shadow = Shadow(offset: ViewPoint(6.6, 6.6), radius: 10, opacity: 0.8)
    let layers: [Layer] = [
      .picture(
        PictureLayer(
          content: PictureRect(1, 2, 3, 4), size: ViewSize(5, 6), transform: .rotation(0.4),
          mask: rect, cornerRadius: 7, opacity: 0.5, shadow: shadow)),
      .picture(PictureLayer(copying: PixelRegion(1, 2, 30, 40), inMiddleOf: screen)),
      .fill(FillLayer(rect: rect, shade: 0.2, opacity: 0.3, cornerRadius: 4, shadow: shadow)),
      .outline(OutlineLayer(rect: rect, width: 2, shade: 1, shadow: shadow)),
    ]
    let state = ZoomState(
      time: 1.5, screen: screen, layers: layers, recogniser: .began, force: 0.25,
      events: [.peek, .pop])
    #expect(try stored(state) == state)
  }

  @Test func `a layer is encoded under the name of its kind`() throws {
    let rect = #"{"x": 1, "y": 2, "width": 3, "height": 4}"#
    let outline = #""outline": {"rect": \#(rect), "width": 2, "shade": 1}"#
    #expect(
      try decoded(Layer.self, "{\(outline)}")
        == .outline(OutlineLayer(rect: ViewRect(1, 2, 3, 4), width: 2, shade: 1)))
    for text in ["{}", "{\(outline), \"fill\": {}}", #"{"line": {}}"#] {
      #expect(throws: DecodingError.self) { try decoded(Layer.self, text) }
    }
  }

  @Test(arguments: ["0", "-3", "2147483648", "0.5"])
  func `stored sizes and regions are checked like any others`(side: String) throws {
    let sides = #""width": 5, "height": \#(side)"#
    #expect(throws: DecodingError.self) { try decoded(PixelSize.self, "{\(sides)}") }
    #expect(throws: DecodingError.self) {
      try decoded(PixelRegion.self, #"{"x": 0, "y": 0, \#(sides)}"#)
    }
  }
}
