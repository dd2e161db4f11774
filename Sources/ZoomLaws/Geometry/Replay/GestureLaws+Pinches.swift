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
          let off = layer.toScreen.apply(to: content) - middle
          let slack = gestureSlack * magnitude(layer.box)
          try Property.require(
            abs(off.x) <= slack && abs(off.y) <= slack,
            "at \(state.time) s it is \(off.inWords) off")
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
        let start = pinch.pinch.fingers(after: 0).enumerated().map { Touch(id: $0, point: $1) }
        let home = [TouchPhase.moved, .ended].map {
          GestureEvent(time: turned, kind: .touches($0, start))
        }
        let states = try subject.play(pinch.gesture.with(events + back + home))
        guard let before = states.last(where: { $0.time < pinch.moved - half })?.picture,
          let after = states.last?.picture
        else { return }
        try requireSamePlace(after, before, of: pinch.gesture.picture, "there and back")
      },
      pinchLaw(
        "GE-18", "A pinch depends on where the fingers are, not on how they came there.",
        isBroken: true
      ) { subject, pinch in
        // Only its last event, as from a slow screen.
        let events = pinch.gesture.script.events
        let moves = events.indices.filter {
          events[$0].time > pinch.moved - half && events[$0].time < pinch.lifted - half
        }
        let direct = events.indices.filter { !moves.dropLast().contains($0) }.map { events[$0] }
        guard let several = pinched(try subject.play(pinch.gesture), pinch),
          let one = pinched(try subject.play(pinch.gesture.with(direct)), pinch)
        else { return }
        try requireSamePlace(several, one, of: pinch.gesture.picture, "in several events")
      },
      pinchLaw("GE-19", "Fingers further apart show the picture larger, never smaller.") {
        subject, pinch in
        // The distance of the fingers grows evenly, or falls evenly, by its square.
        let states = try subject.play(pinch.gesture).filter {
          $0.time > pinch.moved - half && $0.time < pinch.lifted - half
        }
        var last: (distance: Double, area: Double)?
        for state in states {
          let down = pinch.fingers(at: state.time)
          guard let one = down[0], let other = down[1], let layer = state.picture else { continue }
          let now = (distance: one.distance(to: other), area: layer.toScreen.determinant)
          if let last {
            try Property.require(
              now.distance <= last.distance || now.area >= last.area * (1 - 1e-9),
              "at \(state.time) s fingers part and the picture becomes smaller")
            try Property.require(
              now.distance >= last.distance || now.area <= last.area * (1 + 1e-9),
              "at \(state.time) s fingers close and the picture becomes larger")
          }
          last = now
        }
      },
      pinchLaw(
        "GE-20",
        "A scale that is brought back when the fingers go is brought back about them, as far as the "
          + "screen stays covered."
      ) { subject, pinch in
        // Both fingers are lifted at once.
        let events = pinch.gesture.script.events.filter { $0.time < pinch.lifted - half }
        let fingers = pinch.fingers(at: pinch.lifted - half)
        guard let one = fingers[0], let other = fingers[1] else { return }
        let end = GestureEvent(
          time: pinch.lifted,
          kind: .touches(.ended, [Touch(id: 0, point: one), Touch(id: 1, point: other)]))
        let states = try subject.play(pinch.gesture.with(events + [end]))
        let centre = ViewPoint(x: (one.x + other.x) / 2, y: (one.y + other.y) / 2)
        guard let before = pinched(states, pinch), let state = states.last,
          let after = state.picture, let content = before.toScreen.inverted()?.apply(to: centre)
        else { return }
        let off = after.toScreen.apply(to: content) - centre
        let box = after.box
        // What is shown 1:1 is brought onto whole pixels.
        let pixel = TransitionLaws.isWhole(after, on: state.screen) ? 1 / state.screen.scale : 0
        let slack = gestureSlack * magnitude(box) + pixel
        // On an axis on which a border is at the screen's, or is within it, the picture was moved.
        let isFreeAcross = box.x < -slack && box.maxX > state.screen.size.width + slack
        let isFreeDown = box.y < -slack && box.maxY > state.screen.size.height + slack
        try Property.require(
          (!isFreeAcross || abs(off.x) <= slack) && (!isFreeDown || abs(off.y) <= slack),
          "what was between the fingers is \(off.inWords) off")
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
          try requireSamePlace(after, before, of: pinch.gesture.picture, "when \(what)")
        }
      },
      pinchLaw("GE-14", "The finger that stays moves the picture as it moves, less a tap's slop.") {
        subject, pinch in
        let states = try subject.play(pinch.gesture)
        guard let rest = states.last(where: { $0.time < pinch.onward - half })?.picture
        else { return }
        for state in states where state.time > pinch.onward - half {
          guard let finger = pinch.fingers(at: state.time).values.first, let layer = state.picture
          else { continue }
          let (way, slop) = (finger - pinch.stays, TapArbiter().slop)
          let part = way.length > slop ? 1 - slop / way.length : 0
          var moved = rest
          moved.transform = rest.transform.then(.translation(x: part * way.x, y: part * way.y))
          try requireSamePlace(
            moved, layer, of: pinch.gesture.picture, "moved by \(way.inWords), less the slop,")
        }
      },
    ]
  }

  /// The picture right before a finger of a pinch is lifted.
  private static func pinched(_ states: [ZoomState], _ pinch: PinchScript) -> PictureLayer? {
    states.last { $0.time < pinch.lifted - half }?.picture
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
