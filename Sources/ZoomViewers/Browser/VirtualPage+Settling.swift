internal import Measurement

extension VirtualPage {
  /// The steps without a change after which a page is at rest, and those after which even one with timers
  /// is: 0.3 s, longer than the moments that viewers wait before they load tiles.
  private static let (quietSteps, longQuietSteps) = (4, 20)
  /// The steps between two screenshots of a page that draws the same for ever: 0.1 s.
  package static let compared = 7
  /// The most seconds of real time; a settling page takes 0.1 to 0.5 s.
  private static let realLimit: UInt64 = 20_000_000_000

  /// Steps until nothing changes: no pixel, no open request, decoding, animation or timer.
  ///
  /// For a page that draws for ever, two equal screenshots count as rest.
  ///
  /// - Parameter limit: The most seconds.
  /// - Returns: The seconds until the last change; nil if it goes on.
  /// - Throws: As `step`.
  package func settle(limit: Double) throws(ViewerFailure) -> Double? {
    let start = time
    let end = Timestamps.monotonic().addingSaturating(Self.realLimit)
    var lastChange = start
    var calm = 0
    var before: [UInt8]?
    quiet = 0
    while time - start < limit, Timestamps.monotonic() < end {
      let isCompared = calm > 0 && calm % Self.compared == 0 && quiet == 0
      let result = try step(shot: isCompared)
      guard requests.isEmpty, decodes == 0 else {
        (calm, before, lastChange) = (0, nil, time)
        continue
      }
      calm += 1
      let isAlike = isCompared && result.png == before
      if isCompared { before = result.png }
      if quiet == 0, !isAlike { lastChange = time }
      guard quiet >= Self.quietSteps || isAlike else { continue }
      let (open, isSettled) = try rest()
      guard isSettled else { continue }
      if isAlike || quiet >= Self.longQuietSteps || open == 0 { return lastChange - start }
    }
    return nil
  }

  /// Returns whether the page is at rest after a step with a screenshot.
  ///
  /// For a page that draws for ever, `earlier` decides, a screenshot of 0.1 s before.
  package func isAtRest(
    _ png: [UInt8], _ earlier: [UInt8]?
  ) throws(ViewerFailure) -> Bool {
    guard requests.isEmpty, decodes == 0, quiet >= Self.quietSteps || png == earlier else {
      return false
    }
    return try rest().isSettled
  }

  /// Returns the number of running animations and timers, and the adapter's word; see inject.js.
  ///
  /// In some runs on a busy machine the page's clock gets ahead by a part of a frame, once for all, which the
  /// next steps take back.
  @discardableResult func rest() throws(ViewerFailure) -> (open: Double, isSettled: Bool) {
    let found = try evaluate("zoombenchRest()").elements.compactMap(\.number)
    guard found.count == 3 else { return (0, true) }
    let ahead = found[2] - Self.date * 1000 - (time * 1000).rounded()
    if abs(ahead) < 100 { self.ahead = ahead }
    return (found[0], found[1] != 0)
  }

  /// Waits a moment for decodings, which take real time, so that their results come before the frame.
  ///
  /// Small ones take milliseconds. `img.decode()` may need a frame, so the wait is short.
  func awaitDecodes() throws(ViewerFailure) {
    _ = try tools.wait(0.05) { decodes == 0 }
  }
}
