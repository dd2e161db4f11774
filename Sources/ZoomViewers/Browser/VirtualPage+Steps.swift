internal import Foundation
internal import Measurement

extension VirtualPage {
  /// The steps without a change after which a page may be at rest, and those after which it is: 0.3 s, longer
  /// than the moments that viewers wait before they load tiles.
  private static let (quietSteps, longQuietSteps) = (4, 20)
  /// The steps between two screenshots of a page that draws the same for ever: 0.1 s.
  static let compared = 7

  private var isLoading: Bool { !requests.isEmpty || decodes > 0 }

  /// Whether nothing has changed for so long that the page waits for the next event in one go.
  var isIdle: Bool { quiet >= Self.longQuietSteps }

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
    let hasDamage = frame["hasDamage"] as? Bool ?? false
    if isLoading {
      (quiet, before) = (0, nil)
    } else if !shot {
      // A frame with a screenshot always counts as changed.
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
    try send(
      "Emulation.setVirtualTimePolicy",
      [
        "policy": "advance", "budget": budget,
        // A page that posts itself messages without end must not stop its clock.
        "maxVirtualTimeTaskStarvationCount": 100_000,
      ])
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
  /// For a page that draws for ever, two equal screenshots count as a time without changes. Returns the seconds
  /// until the last change; nil if it goes on after `limit` seconds of the page's clock.
  func settle(limit: Double) throws(ViewerFailure) -> Double? {
    let start = time
    var lastChange = start
    var calm = 0
    (quiet, before, isAlike) = (0, nil, false)
    while time - start < limit {
      let isCompared = calm > 0 && calm % Self.compared == 0 && quiet == 0
      try step(shot: isCompared)
      guard !isLoading else {
        (calm, lastChange, isAlike) = (0, time, false)
        continue
      }
      calm += 1
      if quiet == 0, !isAlike { lastChange = time }
      guard max(quiet, isCompared && isAlike ? calm : 0) >= Self.longQuietSteps else { continue }
      if try isSettled() { return lastChange - start }
    }
    return nil
  }

  /// Returns whether the page is at rest after a step with a screenshot.
  func isAtRest() throws(ViewerFailure) -> Bool {
    guard !isLoading, quiet >= Self.quietSteps || isAlike else { return false }
    return try isSettled()
  }

  /// Returns the adapter's word whether the page is at rest; see inject.js.
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
}
