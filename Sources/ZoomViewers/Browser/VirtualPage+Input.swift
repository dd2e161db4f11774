internal import Foundation
internal import Measurement
package import ZoomGeometry

/// The fingers and the mouse of a page, as last sent.
struct PageHands {
  var fingers: [Int: ViewPoint] = [:]
  var mouse: ViewPoint?
  var isPressed = false
  /// The time, the place and the number of the last press of the mouse, for double clicks.
  var press: (time: Double, point: ViewPoint, count: Double)?
  /// The number of arrivals before an input that is still on its way; nil if all has arrived.
  var awaited: Int?
  var isWheel = false
  /// The number of inputs in succession that never arrived.
  var lost = 0

  /// Stops waiting for late input.
  mutating func giveUp() {
    if awaited != nil { (awaited, lost) = (nil, lost + 1) }
  }
}

extension VirtualPage {
  /// The seconds of real time within which input arrives, before and after a frame.
  ///
  /// Three of four inputs arrive within a millisecond, the others only with the next frame: within 0.1 s of
  /// it on two cores with four busy processes, and later on busier ones. A wheel needs a second frame in
  /// many pages, so less time is lost with the first.
  private static let beforeFrame = 0.005, afterFrame = 1.0, afterWheelFrame = 0.05
  /// The seconds between the two presses, and their distance in CSS pixels, of a double click.
  private static let doubleClick = (time: 0.5, distance: 4.0)

  /// Sends an event of a script at the present time, to be followed by a step.
  ///
  /// Two moves of a finger before one step would be merged or not, by chance. Events of devices and of close
  /// buttons mean nothing to a page.
  ///
  /// - Throws: As `step`.
  package func input(_ event: GestureEvent) throws(ViewerFailure) {
    switch event.kind {
    case .touches(let phase, let touches):
      for touch in touches where touch.isMouse || touch.isPen { try press(phase, touch) }
      // Of several samples of a finger, the last one counts.
      var last: [Int: ViewPoint] = [:]
      for touch in touches where !touch.isMouse && !touch.isPen { last[touch.id] = touch.point }
      try touch(phase, last)
    case .wheel(let point, let way):
      if hands.mouse != point { try moveMouse(to: point, kind: "mouse") }
      try mouse(
        "mouseWheel", at: point, ["deltaX": .number(way.x), "deltaY": .number(way.y)])
    case .screen(let screen): try resize(to: screen.size)
    case .cancelAll:
      guard !hands.fingers.isEmpty else { return }
      hands.fingers = [:]
      try dispatch("Input.dispatchTouchEvent", ["type": "touchCancel", "touchPoints": []])
    case .device, .interface, .close: break
    }
  }

  private func touch(
    _ phase: TouchPhase, _ points: [Int: ViewPoint]
  ) throws(ViewerFailure) {
    // A finger that stays makes no event; one that is listed twice as down would be an error.
    let changed = points.filter { phase != .moved || hands.fingers[$0.key] != $0.value }
    guard !changed.isEmpty else { return }
    let type: JSONValue
    switch phase {
    case .began: type = "touchStart"
    case .moved: type = "touchMove"
    // The protocol cancels all fingers or none.
    case .ended, .cancelled: type = "touchEnd"
    }
    let isLift = phase == .ended || phase == .cancelled
    for (id, point) in changed { hands.fingers[id] = isLift ? nil : point }
    let sorted = changed.sorted { $0.key < $1.key }
    let touches = sorted.map { id, point in
      JSONValue.object([
        "id": .number(Double(id)), "x": .number(point.x), "y": .number(point.y),
      ])
    }
    try dispatch("Input.dispatchTouchEvent", ["type": type, "touchPoints": .array(touches)])
  }

  private func press(_ phase: TouchPhase, _ touch: Touch) throws(ViewerFailure) {
    let kind: JSONValue = touch.isPen ? "pen" : "mouse"
    if hands.mouse != touch.point { try moveMouse(to: touch.point, kind: kind) }
    guard phase != .moved else { return }
    hands.isPressed = phase == .began
    if hands.isPressed {
      let isDouble =
        hands.press.map {
          time - $0.time <= Self.doubleClick.time
            && touch.point.distance(to: $0.point) <= Self.doubleClick.distance
        } ?? false
      hands.press = (time, touch.point, isDouble ? (hands.press?.count ?? 0) + 1 : 1)
    }
    try mouse(
      hands.isPressed ? "mousePressed" : "mouseReleased", at: touch.point,
      ["clickCount": .number(hands.press?.count ?? 1), "pointerType": kind])
  }

  private func moveMouse(to point: ViewPoint, kind: JSONValue) throws(ViewerFailure) {
    hands.mouse = point
    try mouse("mouseMoved", at: point, ["pointerType": kind])
  }

  private func mouse(
    _ type: String, at point: ViewPoint, _ more: JSONObject
  ) throws(ViewerFailure) {
    let isHeld = hands.isPressed || type == "mouseReleased"
    let usual: JSONObject = [
      "type": .string(type), "x": .number(point.x), "y": .number(point.y),
      "button": isHeld ? "left" : "none", "buttons": hands.isPressed ? 1 : 0,
    ]
    try dispatch("Input.dispatchMouseEvent", usual.merging(more) { $1 })
  }

  /// Sends an input, and waits a moment for its arrival.
  private func dispatch(_ method: String, _ parameters: JSONObject) throws(ViewerFailure) {
    var parameters = parameters
    // The browser takes the time of day, and turns it into ticks of its monotonic clock.
    let monotonic = Double(Timestamps.monotonic()) / 1e9
    parameters["timestamp"] = .number(
      Date().timeIntervalSince1970 - (monotonic - base / 1000) + time)
    let before = arrivals
    try tools.send(method, parameters, session: session)
    // A page that stops to see input, as one that the browser scrolls, is not waited for.
    guard hands.lost < 3 else { return }
    hands.isWheel = parameters["type"] == "mouseWheel"
    let isHere = try tools.wait(Self.beforeFrame) { arrivals > before }
    if isHere { hands.lost = 0 } else { hands.awaited = before }
  }

  /// Returns whether all input has arrived; waits for it after a frame.
  func hasInputArrived() throws(ViewerFailure) -> Bool {
    guard let before = hands.awaited else { return true }
    let limit = hands.isWheel ? Self.afterWheelFrame : Self.afterFrame
    guard try tools.wait(limit, until: { arrivals > before }) else { return false }
    (hands.awaited, hands.lost) = (nil, 0)
    return true
  }
}
