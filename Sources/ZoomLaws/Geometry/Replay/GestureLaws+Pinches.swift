import PropertyTesting
import ZoomGeometry

extension GestureLaws {
  /// Laws of two fingers on a picture at full screen.
  static var pinches: [Law<ReplaySubject>] {
    [
      pinchLaw("GE-8", "What is between two fingers stays between them.") { subject, pinch in
        let states = try subject.play(pinch.gesture)
        guard let before = states.last(where: { $0.time < pinch.moved - half })?.picture,
          let content = before.toScreen.inverted()?.apply(to: pinch.pinch.from)
        else { return }
        for state in states
        where state.time > pinch.moved - half && state.time < pinch.lifted - half {
          let down = pinch.fingers(at: state.time)
          guard let one = down[0], let other = down[1], let layer = state.picture else { continue }
          let middle = ViewPoint(x: (one.x + other.x) / 2, y: (one.y + other.y) / 2)
          let shown = layer.toScreen.apply(to: content)
          let slack = gestureSlack * magnitude(layer.box)
          try require(
            abs(shown.x - middle.x) <= slack && abs(shown.y - middle.y) <= slack,
            "at \(state.time) s it is (\(shown.x - middle.x), \(shown.y - middle.y)) off")
        }
      },
      pinchLaw(
        "GE-10", "A pinch that comes back to where it began leaves the picture as it was.",
        isBroken: true
      ) { subject, pinch in
        let events = pinch.gesture.script.events.filter { $0.time < pinch.lifted - half }
        let way = events.filter { $0.time > pinch.second - half }
        // The same way back, and then both fingers are lifted at once.
        let turned = (events.last?.time ?? 0) * 2
        let back = way.reversed().compactMap { event -> GestureEvent? in
          guard case .touches(_, let touches) = event.kind, touches.count == 2 else { return nil }
          return GestureEvent(time: turned - event.time, kind: .touches(.moved, touches))
        }
        let start = pinch.pinch.fingers(after: 0)
        let end = GestureEvent(
          time: turned,
          kind: .touches(.ended, [Touch(id: 0, point: start[0]), Touch(id: 1, point: start[1])]))
        let home = GestureEvent(
          time: turned,
          kind: .touches(.moved, [Touch(id: 0, point: start[0]), Touch(id: 1, point: start[1])]))
        let states = try subject.play(pinch.gesture.with(events + back + [home, end]))
        guard let before = states.last(where: { $0.time < pinch.moved - half })?.picture,
          let after = states.last?.picture
        else { return }
        let off = apart(before.toScreen, after.toScreen, pinch.gesture.picture)
        try require(
          off <= gestureSlack * magnitude(before.box), "there and back a corner is \(off) off")
      },
      pinchLaw("GE-13", "The picture does not jump when a finger comes or goes.") {
        subject, pinch in
        let states = try subject.play(pinch.gesture)
        for (time, what) in [
          (pinch.second, "the second finger comes"), (pinch.lifted, "one of two fingers goes"),
        ] {
          guard let place = states.firstIndex(where: { abs($0.time - time) < half }), place > 0,
            let before = states[place - 1].picture, let after = states[place].picture
          else { continue }
          let off = apart(before.toScreen, after.toScreen, pinch.gesture.picture)
          try require(
            off <= gestureSlack * magnitude(before.box),
            "when \(what), at \(time) s, a corner jumps by \(off) points")
        }
      },
      pinchLaw(
        "GE-14", "The finger that stays moves the picture as it moves, less a tap's slop."
      ) { subject, pinch in
        let states = try subject.play(pinch.gesture)
        guard let rest = states.last(where: { $0.time < pinch.onward - half })?.picture
        else { return }
        for state in states where state.time > pinch.onward - half {
          guard let finger = pinch.fingers(at: state.time).values.first, let layer = state.picture
          else { continue }
          let (x, y) = (finger.x - pinch.stays.x, finger.y - pinch.stays.y)
          let length = (x * x + y * y).squareRoot()
          let part = length > TapArbiter().slop ? 1 - TapArbiter().slop / length : 0
          let moved = rest.toScreen.then(.translation(x: part * x, y: part * y))
          let off = apart(moved, layer.toScreen, pinch.gesture.picture)
          try require(
            off <= gestureSlack * magnitude(layer.box),
            "moved by (\(x), \(y)) a finger leaves a corner \(off) points off")
        }
      },
    ]
  }

  /// Half of a tick: what tells a state from the next one.
  private static let half = GestureWriter.sampling / 2

  private static func pinchLaw(
    _ name: String, _ statement: String, isBroken: Bool = false,
    holds: @escaping @Sendable (ReplaySubject, PinchScript) throws -> Void
  ) -> Law<ReplaySubject> {
    Law(
      name, statement, source: source, isBrokenAsPublished: isBroken, for: PinchScript.any,
      inWords: { $0.gesture.description }
    ) { subject, pinch, testCase in
      testCase.classify(pinch.pinch.steps > 20, as: "a long pinch", atLeast: 0.2)
      testCase.classify(pinch.pinch.from != pinch.pinch.to, as: "moves", atLeast: 0.3)
      try holds(subject, pinch)
    }
  }
}
