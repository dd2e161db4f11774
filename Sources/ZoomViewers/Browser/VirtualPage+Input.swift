internal import Foundation
internal import Measurement
internal import ZoomGeometry

/// The fingers and the mouse of a page, as last sent.
struct PageHands {
  var fingers: [Int: ViewPoint] = [:]
  /// The numbers under which the page knows the fingers: the browser orders an event's fingers by number, and
  /// the first is the primary one, so that they are counted as they come down.
  var numbers: [Int: Int] = [:]
  var mouse: ViewPoint?
  var isPressed = false
  /// The number of arrivals before an input that is still on its way, and the seconds to wait for it after a
  /// frame; nil if all has arrived.
  var awaited: (arrivals: Int, seconds: Double)?
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

  /// Sends an event of a script at the present time, to be followed by a step: two moves of a finger before one
  /// step would be merged or not, by chance.
  ///
  /// No law of viewers has double clicks or pens. Events of devices and of close buttons mean nothing to a page.
  func input(_ event: GestureEvent) throws(ViewerFailure) {
    switch event.kind {
    case .touches(let phase, let touches):
      // Of several samples of a finger, the last one counts.
      var last: [Finger] = []
      for touch in touches {
        if touch.isMouse {
          try press(phase, at: touch.point)
        } else {
          last.removeAll { $0.id == touch.id }
          last.append((touch.id, touch.point))
        }
      }
      try move(last, phase)
    case .wheel(let point, let way):
      try moveMouse(to: point)
      try mouse("mouseWheel", at: point, ["deltaX": way.x, "deltaY": way.y])
    case .screen(let screen): try resize(to: screen.size)
    case .cancelAll: try letGo()
    case .device, .interface, .close: break
    }
  }

  /// Takes fingers and the mouse off the page, so that the browser does not keep them down on the next one.
  func letGo() throws(ViewerFailure) {
    let areDown = !hands.fingers.isEmpty
    hands.fingers = [:]
    if areDown { try touch("touchCancel", []) }
    if hands.isPressed, let point = hands.mouse { try press(.ended, at: point) }
  }

  private typealias Finger = (id: Int, point: ViewPoint)

  private func move(_ points: [Finger], _ phase: TouchPhase) throws(ViewerFailure) {
    // A finger that stays makes no event; one that is listed twice as down would be an error.
    let changed = points.filter { phase != .moved || hands.fingers[$0.id] != $0.point }
    guard !changed.isEmpty else { return }
    let isLift = phase == .ended || phase == .cancelled
    for (id, point) in changed {
      hands.fingers[id] = isLift ? nil : point
      if phase == .began { hands.numbers[id] = (hands.numbers.values.max() ?? -1) + 1 }
    }
    // The protocol cancels all fingers or none.
    try touch(isLift ? "touchEnd" : phase == .began ? "touchStart" : "touchMove", changed)
  }

  private func touch(_ type: String, _ points: [Finger]) throws(ViewerFailure) {
    let listed = points.map { id, point in
      ["id": Double(hands.numbers[id] ?? id), "x": point.x, "y": point.y]
    }
    try dispatch("Input.dispatchTouchEvent", ["type": type, "touchPoints": listed])
    // The browser may scroll with one gesture, and the page see the next one.
    if hands.fingers.isEmpty { (hands.numbers, hands.lost) = ([:], 0) }
  }

  private func press(_ phase: TouchPhase, at point: ViewPoint) throws(ViewerFailure) {
    try moveMouse(to: point)
    guard phase != .moved else { return }
    hands.isPressed = phase == .began
    try mouse(hands.isPressed ? "mousePressed" : "mouseReleased", at: point, ["clickCount": 1])
  }

  private func moveMouse(to point: ViewPoint) throws(ViewerFailure) {
    guard hands.mouse != point else { return }
    hands.mouse = point
    try mouse("mouseMoved", at: point, [:])
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

  private func dispatch(_ method: String, _ parameters: DevTools.Parameters) throws(ViewerFailure) {
    var parameters = parameters
    // The browser takes the time of day, and turns it into ticks of its monotonic clock.
    let monotonic = Double(Timestamps.monotonic()) / 1e9
    parameters["timestamp"] = Date().timeIntervalSince1970 - (monotonic - base / 1000) + time
    let before = arrivals
    try send(method, parameters)
    // A page that stops to see input, as one that the browser scrolls, is not waited for.
    guard hands.lost < 3 else { return }
    let isHere = try tools.wait(Self.beforeFrame) { arrivals > before }
    let limit = parameters["deltaX"] == nil ? Self.afterFrame : Self.afterWheelFrame
    if isHere { hands.lost = 0 } else { hands.awaited = (before, limit) }
  }

  /// Returns whether all input has arrived; waits for it after a frame.
  func hasInputArrived() throws(ViewerFailure) -> Bool {
    guard let (before, limit) = hands.awaited else { return true }
    guard try tools.wait(limit, until: { arrivals > before }) else { return false }
    (hands.awaited, hands.lost) = (nil, 0)
    return true
  }
}
