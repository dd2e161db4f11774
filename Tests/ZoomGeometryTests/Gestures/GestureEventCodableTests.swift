import Foundation
import Testing
import ZoomGeometry

struct GestureEventCodableTests {
  func decode(_ text: String) throws -> GestureEvent {
    try JSONDecoder().decode(GestureEvent.self, from: Data(text.utf8))
  }

  @Test func `each kind is read`() throws {
    #expect(
      try decode(#"{"time": 0.5, "phase": "began", "touches": [{"id": 1, "x": 2, "y": 3}]}"#)
        == finger(0.5, .began, 2, 3))
    let pressed = try decode(
      #"{"time": 1, "phase": "moved", "touches": [{"id": 1, "x": 2, "y": 3, "force": 4}]}"#)
    let touch = Touch(id: 1, point: ViewPoint(x: 2, y: 3), force: 4)
    #expect(pressed.kind == .touches(.moved, [touch]))
    #expect(
      try decode(#"{"time": 1, "device": "landscapeLeft"}"#).kind == .device(.landscapeLeft))
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
    let stored = try JSONEncoder().encode(events)
    #expect(try JSONDecoder().decode([GestureEvent].self, from: stored) == events)
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

  @Test func `a touch keeps its force when it is stored`() throws {
    let touch = Touch(id: 3, point: ViewPoint(x: 1, y: 2), force: 4)
    let stored = try JSONEncoder().encode(touch)
    #expect(try JSONDecoder().decode(Touch.self, from: stored) == touch)
  }
}
