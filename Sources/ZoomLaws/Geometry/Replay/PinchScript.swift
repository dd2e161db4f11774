import PropertyTesting
import ZoomGeometry

/// A picture at full screen, one finger that comes down, a second one, a pinch, and a finger that is
/// lifted first and one that stays and moves on.
///
/// Each part begins on a tick of the script's clock, so that there is a state right before and right
/// at each change of the fingers.
struct PinchScript: Sendable {
  var gesture: GestureCase
  var pinch: GestureAction.PinchPath
  /// When the second finger comes down, the first movement is, the first finger is lifted, and the
  /// other one moves on.
  var second, moved, lifted, onward: Double
  /// Where the finger that stays is before it moves on.
  var stays: ViewPoint

  /// Any such script of a picture that is fitted or zoomed by a double tap before.
  static var any: Gen<PinchScript> {
    Gen { testCase throws(Discarded) in
      let screen = try testCase.draw(.gestureScreens)
      let isZoomed = try testCase.draw(.bool)
      let tapped = try testCase.draw(.places(on: screen))
      var pinch = try testCase.draw(.pinches(on: screen, steps: 1...60))
      let first = try testCase.draw(Gen<Int>.element(of: [1, 0]))
      pinch.lifted = [first]
      let end = try testCase.draw(.places(on: screen))
      let steps = try testCase.draw(.integer(in: 1...20))
      let picture = try testCase.draw(.gesturePictures)
      var writer = GestureWriter()
      for action in Stage().opening(on: screen) { writer.write(action) }
      var now = GestureWriter.sampling + 0.6
      func write(_ pause: Double, _ kind: GestureAction.Deed) {
        writer.write(GestureAction(after: pause, kind))
        now += pause
      }
      if isZoomed {
        write(0, .doubleTap(at: tapped, then: tapped, gap: GestureWriter.sampling))
        now += 3 * GestureWriter.sampling
        // 0.3 s of animation.
        write(0.5, .lift([0]))
      }
      let fingers = pinch.fingers(after: 0)
      write(GestureWriter.sampling, .touch(finger: 0, at: fingers[0], force: 1))
      write(2 * GestureWriter.sampling, .touch(finger: 1, at: fingers[1], force: 1))
      let second = now
      write(GestureWriter.sampling, .pinch(pinch))
      let moved = now
      now += Double(pinch.steps + 1) * GestureWriter.sampling
      let lifted = now
      let stays = pinch.fingers(after: pinch.steps)[1 - first]
      // 0.25 s of settling.
      write(0.5, .pan(finger: 1 - first, from: stays, to: end, steps: steps))
      let onward = now
      return PinchScript(
        gesture: try GestureCase(writer.events, on: screen, picture), pinch: pinch,
        second: second, moved: moved, lifted: lifted, onward: onward, stays: stays)
    }
  }

  /// Where the fingers are at a time, by their numbers.
  func fingers(at time: Double) -> [Int: ViewPoint] {
    gesture.script.events.prefix { $0.time <= time }.fingers()
  }
}
