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
  /// The quiet steps after which a page is at rest before the next event, and those when no event follows: 0.3 s,
  /// longer than the moments that viewers wait before they load tiles.
  static let (quietSteps, longQuietSteps) = (4, 20)
  /// The steps between two screenshots of a page that draws the same for ever: 0.1 s.
  static let compared = 7

  private var isLoading: Bool { !requests.isEmpty || decodes > 0 }

  /// Answers requests, lets a time pass, draws a frame, and returns its screenshot if there is to be one.
  @discardableResult func step(
    _ duration: Double = VirtualPage.frame, shot: Bool = false
  ) throws(ViewerFailure) -> [UInt8]? {
    if Task.isCancelled { throw .cancelled }
    let start = Timestamps.monotonic()
    try deliver()
    var frame = try advance(duration, shot: shot)
    // A first touch and a wheel arrive with a frame, rarely with the one after it.
    for _ in 0..<2 {
      if try !hasInputArrived() { frame = try advance(duration, shot: shot) }
    }
    if try !hasInputArrived() { (hands.awaited, hands.lost) = (nil, hands.lost + 1) }
    // A frame with a screenshot always counts as changed.
    let hasDamage = !shot && frame["hasDamage"] as? Bool ?? false
    if isLoading {
      (quiet, before) = (0, nil)
    } else if !shot {
      quiet = hasDamage ? 0 : quiet + 1
    }
    let milliseconds = shot ? 0 : Double(Timestamps.monotonic() - start) / 1e6
    frames.append((time: time, hasDamage: hasDamage, milliseconds: milliseconds))
    guard shot else { return nil }
    guard let text = frame["screenshotData"] as? String, let png = Data(base64Encoded: text) else {
      throw .protocol("a frame lacks its screenshot")
    }
    (isAlike, before) = (png == before, png)
    return Array(png)
  }

  private func advance(_ duration: Double, shot: Bool) throws(ViewerFailure) -> JSONObject {
    isExpired = false
    let milliseconds = (duration * 1000).rounded()
    let budget = max(1, milliseconds - ahead)
    ahead -= milliseconds - budget
    // A page that posts itself messages without end must not stop its clock.
    let policy: DevTools.Parameters = [
      "policy": "advance", "budget": budget, "maxVirtualTimeTaskStarvationCount": 100_000,
    ]
    try send("Emulation.setVirtualTimePolicy", policy)
    guard try tools.wait(DevTools.patience, until: { isExpired }) else {
      throw .hung(seconds: DevTools.patience, last: "the clock's advance")
    }
    time += milliseconds / 1000
    // Requests that the page makes after this, while it draws, count as made in the next step:
    // whether they have reached us by now differs from run to run.
    requests.see(at: time)
    // Small decodings take milliseconds of real time, and their results come before the frame.
    // `img.decode()` may need a frame, so the wait is short.
    _ = try tools.wait(0.05) { decodes == 0 }
    var frame: DevTools.Parameters = [
      "frameTimeTicks": base + time * 1000, "interval": milliseconds,
    ]
    if shot { frame["screenshot"] = ["optimizeForSpeed": true] as [String: Bool] }
    return try call("HeadlessExperimental.beginFrame", frame)
  }

  /// Steps until nothing changes: no pixel, no open request and no decoding.
  ///
  /// For a page that draws again and again, two equal screenshots count as a time without changes. Returns the
  /// seconds until the last change; nil if it goes on after `limit` seconds of the page's clock.
  func settle(limit: Double) throws(ViewerFailure) -> Double? {
    let start = time
    var (calm, lastShot, lastDamage, lastDifference) = (0, 0, time, time)
    (quiet, before) = (0, nil)
    while time - start < limit {
      let isCompared = calm - lastShot >= Self.compared && quiet < Self.quietSteps
      try step(shot: isCompared)
      guard !isLoading else {
        (calm, lastShot, lastDamage, lastDifference) = (0, 0, time, time)
        continue
      }
      if isCompared { (lastShot, lastDifference) = (calm, isAlike ? lastDifference : time) }
      calm += 1
      if quiet == 0 { lastDamage = time }
      let isRepeating = isCompared && isAlike && calm >= Self.longQuietSteps
      if isRepeating || quiet >= Self.longQuietSteps, try isSettled() {
        return (isRepeating ? lastDifference : lastDamage) - start
      }
    }
    return nil
  }

  /// Returns whether the page is at rest after a step with a screenshot.
  func isAtRest() throws(ViewerFailure) -> Bool {
    guard !isLoading, quiet >= Self.quietSteps || isAlike else { return false }
    return try isSettled()
  }

  /// Returns whether the adapter says that the page is at rest; see inject.js.
  ///
  /// In some runs on a busy machine the page's clock gets ahead by a part of a frame, once for all, which the
  /// next steps take back.
  private func isSettled() throws(ViewerFailure) -> Bool {
    let found = try ask("zoombenchRest()") as? [Any] ?? []
    let numbers = found.compactMap { $0 as? Double }
    guard numbers.count == 2 else { return false }
    let ahead = numbers[1] - Self.date * 1000 - (time * 1000).rounded()
    if abs(ahead) < 100 { self.ahead = ahead }
    return numbers[0] != 0
  }

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
    // The step that delivers an event must not be a long one of a page at rest; after the others, a short one is fine.
    quiet = 0
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
