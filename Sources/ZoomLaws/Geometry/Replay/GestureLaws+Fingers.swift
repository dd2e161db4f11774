import PropertyTesting
import ZoomGeometry

extension GestureLaws {
  /// Laws of one finger on a picture that is larger than the screen.
  static func fingers(_ system: ZoomSystem) -> Law<ReplaySubject> {
    Law(
      "GE-15", "One finger moves the picture no further than it moves itself.",
      source: source, for: pans(system), inWords: { $0.gesture.description }
    ) { subject, pan, testCase in
      testCase.classify(pan.from != pan.to, as: "moves", atLeast: 0.5)
      let states = try subject.play(pan.gesture)
      let half = GestureWriter.sampling / 2
      guard let rest = states.last(where: { $0.time < pan.start - half })?.picture else { return }
      let (x, y) = (abs(pan.to.x - pan.from.x), abs(pan.to.y - pan.from.y))
      for state in states where state.time > pan.start - half {
        guard let layer = state.picture else { continue }
        let (one, other) = (rest.box, layer.box)
        let slack = gestureSlack * magnitude(one)
        try Property.require(
          abs(one.x - other.x) <= x + slack && abs(one.y - other.y) <= y + slack,
          "a finger that moves by (\(x), \(y)) moves the picture by (\(one.x - other.x), "
            + "\(one.y - other.y))")
      }
    }
  }

  private struct Pan: Sendable, PlayedInput {
    var gesture: GestureCase
    var start: Double
    var from, to: ViewPoint
    var played: GestureCase { gesture }
  }

  /// A double tap, and then a finger that moves along a line and stays.
  private static func pans(_ system: ZoomSystem) -> Gen<Pan> {
    Gen { testCase throws(Discarded) in
      let screen = try testCase.draw(.gestureScreens)
      let place = Gen<ViewPoint>.places(on: screen)
      let tapped = try testCase.draw(place)
      let (from, to) = (try testCase.draw(place), try testCase.draw(place))
      let steps = try testCase.draw(.integer(in: 1...40))
      let picture = try testCase.draw(.gesturePictures)
      let opening = system == .transition ? Stage().opening(on: screen) : []
      let actions =
        opening + [
          GestureAction(.doubleTap(at: tapped, then: tapped, gap: GestureWriter.sampling)),
          // 0.3 s of animation.
          GestureAction(after: 0.5, .pan(finger: 0, from: from, to: to, steps: steps)),
        ]
      let events = GestureWriter.events(of: actions)
      // Steps and the landing of the finger.
      guard events.count > steps else { throw Discarded() }
      return Pan(
        gesture: try GestureCase(events, on: screen, picture),
        start: events[events.count - 1 - steps].time, from: from, to: to)
    }
  }
}
