internal import Foundation
internal import Measurement
internal import ZoomGeometry

/// The fingers and the mouse of a page, as last sent.
struct PageHands {
  var fingers: [Int: ViewPoint] = [:]
  var mouse: ViewPoint?
  var isPressed = false
  /// The time, the place and the number of the last press of the mouse, for double clicks.
  var press = (time: -Double.infinity, point: ViewPoint(x: 0, y: 0), count: 0)
  /// The number of arrivals before an input that is still on its way; nil if all has arrived.
  var awaited: Int?
  var isWheel = false
  /// The number of inputs in succession that never arrived.
  var lost = 0
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
  func input(_ event: GestureEvent) throws(ViewerFailure) {
    switch event.kind {
    case .touches(let phase, let touches):
      // Of several samples of a finger, the last one counts.
      var last: [Int: ViewPoint] = [:]
      for touch in touches {
        if touch.isMouse || touch.isPen {
          try press(phase, touch)
        } else {
          last[touch.id] = touch.point
        }
      }
      try move(last, phase)
    case .wheel(let point, let way):
      try moveMouse(to: point, kind: "mouse")
      try mouse("mouseWheel", at: point, ["deltaX": way.x, "deltaY": way.y])
    case .screen(let screen): try resize(to: screen.size)
    case .cancelAll: try cancelFingers()
    case .device, .interface, .close: break
    }
  }

  /// Takes fingers and the mouse off the page, so that the browser does not keep them down on the next one.
  func letGo() throws(ViewerFailure) {
    try cancelFingers()
    guard hands.isPressed, let point = hands.mouse else { return }
    hands.isPressed = false
    try mouse("mouseReleased", at: point, ["clickCount": 1])
  }

  private func cancelFingers() throws(ViewerFailure) {
    if !hands.fingers.isEmpty { try touch("touchCancel", [:]) }
    hands.fingers = [:]
  }

  private func move(_ points: [Int: ViewPoint], _ phase: TouchPhase) throws(ViewerFailure) {
    // A finger that stays makes no event; one that is listed twice as down would be an error.
    let changed = points.filter { phase != .moved || hands.fingers[$0.key] != $0.value }
    guard !changed.isEmpty else { return }
    let isLift = phase == .ended || phase == .cancelled
    for (id, point) in changed { hands.fingers[id] = isLift ? nil : point }
    // The protocol cancels all fingers or none.
    try touch(isLift ? "touchEnd" : phase == .began ? "touchStart" : "touchMove", changed)
  }

  private func touch(_ type: String, _ points: [Int: ViewPoint]) throws(ViewerFailure) {
    let listed = points.sorted { $0.key < $1.key }.map { id, point in
      ["id": Double(id), "x": point.x, "y": point.y]
    }
    try dispatch("Input.dispatchTouchEvent", ["type": type, "touchPoints": listed])
  }

  private func press(_ phase: TouchPhase, _ touch: Touch) throws(ViewerFailure) {
    let kind = touch.isPen ? "pen" : "mouse"
    try moveMouse(to: touch.point, kind: kind)
    guard phase != .moved else { return }
    hands.isPressed = phase == .began
    if hands.isPressed {
      let isDouble =
        time - hands.press.time <= Self.doubleClick.time
        && touch.point.distance(to: hands.press.point) <= Self.doubleClick.distance
      hands.press = (time, touch.point, isDouble ? hands.press.count + 1 : 1)
    }
    try mouse(
      hands.isPressed ? "mousePressed" : "mouseReleased", at: touch.point,
      ["clickCount": max(hands.press.count, 1), "pointerType": kind])
  }

  private func moveMouse(to point: ViewPoint, kind: String) throws(ViewerFailure) {
    guard hands.mouse != point else { return }
    hands.mouse = point
    try mouse("mouseMoved", at: point, ["pointerType": kind])
  }

  private func mouse(
    _ type: String, at point: ViewPoint, _ more: DevTools.Parameters
  ) throws(ViewerFailure) {
    let isHeld = hands.isPressed || type == "mouseReleased"
    let usual: DevTools.Parameters = [
      "type": type, "x": point.x, "y": point.y, "button": isHeld ? "left" : "none",
      "buttons": hands.isPressed ? 1 : 0,
    ]
    try dispatch("Input.dispatchMouseEvent", usual.merging(more) { $1 })
  }

  /// Sends an input, and waits a moment for its arrival.
  private func dispatch(_ method: String, _ parameters: DevTools.Parameters) throws(ViewerFailure) {
    var parameters = parameters
    // The browser takes the time of day, and turns it into ticks of its monotonic clock.
    let monotonic = Double(Timestamps.monotonic()) / 1e9
    parameters["timestamp"] = Date().timeIntervalSince1970 - (monotonic - base / 1000) + time
    let before = arrivals
    try send(method, parameters)
    // A page that stops to see input, as one that the browser scrolls, is not waited for.
    guard hands.lost < 3 else { return }
    hands.isWheel = parameters["deltaX"] != nil
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
