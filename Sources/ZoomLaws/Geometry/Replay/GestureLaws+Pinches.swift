import PropertyTesting
import ZoomGeometry

extension GestureLaws {
  static var pinched: LawFamily<ReplaySubject, PinchScript> {
    family(PinchScript.any()) { pinch, testCase in
      testCase.classify(pinch.pinch.steps > 20, as: "a long pinch", atLeast: 0.2)
      testCase.classify(pinch.pinch.from != pinch.pinch.to, as: "moves", atLeast: 0.3)
    }
  }

  /// Returns the laws of pinches; the law about the point between the fingers has its own inputs.
  static func pinches(
    _ law: LawFamily<ReplaySubject, PinchScript>,
    anchored: LawFamily<ReplaySubject, PinchScript>
  ) -> [Law<ReplaySubject>] {
    [
      anchored(
        "GE-8", "The point of the picture between two fingers stays between them.", isBroken: true
      ) { subject, pinch, testCase in
        let states = try subject.play(pinch.gesture)
        let began = states.first { $0.events.contains(.pinchBegan) }?.time ?? .infinity
        let pinched = states.filter {
          pinch.isUnderWay($0.time) && (!pinch.isTurning || $0.time >= began)
        }
        guard testCase.reaches(!pinched.isEmpty, "pinch anchored", atLeast: 0.5) else { return }
        if subject.system == .transition {
          testCase.classify(pinch.isTurning, as: "while it turns", atLeast: 0.1)
        }
        // The reference is the picture before the second finger comes down, so that a jump with the fingers' first
        // steps is seen.
        var before = try pinch.state(of: states, before: pinch.second, subject)
        if pinch.isTurning {
          // The picture turned further after that state, so another play stops at this moment.
          let early = pinch.gesture.script.events.filter { $0.time < began - half }
          let stop = GestureEvent(time: began, kind: .interface(.portrait))
          before = try given(
            subject.play(pinch.gesture, early + [stop]).last { $0.time <= began })
        }
        let content = try before.shownPicture().content(at: pinch.pinch.from)
        for state in pinched {
          let layer = try state.shownPicture()
          let off = layer.toScreen.apply(to: content) - (try pinch.middle(at: state.time))
          let slack = subject.slack(layer)
          // A viewer may stop at the picture's border.
          let screen = pinch.gesture.script.screen.size
          let axes =
            subject.system == .transition
            ? Axis.allCases : layer.box.freeAxes(on: screen, within: slack)
          try Property.require(
            axes.allSatisfy { abs(off[$0]) <= slack },
            "at \(state.time) s it is \(off.inWords) off its place at \(before.time) s")
        }
      },
      law(
        "GE-10", "A pinch that comes back to where it began leaves the picture as it was.",
        isBroken: true
      ) { subject, pinch, testCase in
        let events = pinch.gesture.script.events.filter { $0.time < pinch.lifted - half }
        // The fingers go back on the same path, after a pause in which a viewer comes to rest.
        let last = events.last?.time ?? 0
        let turned = last * 2 + pinch.rest
        let back = events.filter { $0.time > pinch.moved - half && $0.touches.count == 2 }
          .reversed().map {
            GestureEvent(time: turned - $0.time, kind: .touches(.moved, $0.touches))
          }
        let start = pinch.pinch.fingers(after: 0).enumerated().map { Touch(id: $0, point: $1) }
        // The fingers stay, because lifting them would correct a wrong scale.
        let home = GestureEvent(time: turned, kind: .touches(.moved, start))
        try pinch.gesture.with(events + back + [home]).judge { gesture in
          let states = try subject.play(gesture)
          let before = try pinch.state(of: states, before: pinch.moved, subject)
          let shown = try before.shownPicture()
          let there = try states.lastPicture { $0.time < last + pinch.rest + half }
          testCase.classify(there != shown, as: "the picture changes", atLeast: 0.3)
          try requireSamePlace(
            states.lastPicture(), shown, of: gesture.picture,
            "there and back since \(before.time) s", within: subject.tolerance)
        }
      },
      law(
        "GE-18", "A pinch depends on where the fingers are, not on their path.",
        isBroken: true
      ) { subject, pinch, testCase in
        // Only the last event of the pinch is kept, as on a slow screen.
        let events = pinch.gesture.script.events
        let moves = events.indices.filter { pinch.isUnderWay(events[$0].time) }
        let direct = events.indices.filter { !moves.dropLast().contains($0) }.map { events[$0] }
        testCase.classify(direct.count < events.count, as: "several events", atLeast: 0.5)
        let states = try subject.play(pinch.gesture)
        let after = try pinch.after(states, subject)
        testCase.classify(
          after != (try pinch.before(states, subject)), as: "the picture changes", atLeast: 0.3)
        try requireSamePlace(
          after, pinch.after(subject.play(pinch.gesture, direct), subject),
          of: pinch.gesture.picture, "in several events", within: subject.tolerance)
      },
      law(
        "GE-56", "A finger of a pinch that lifts and comes back at once changes nothing.",
        isBroken: true
      ) { subject, pinch, testCase in
        var events = pinch.gesture.script.events
        let moves = events.indices.filter { pinch.isUnderWay(events[$0].time) }
        guard testCase.reaches(moves.count > 1, "two steps", atLeast: 0.3) else { return }
        let place = moves[try testCase.draw(Gen<Int>.integer(in: 0...moves.count - 2))]
        // Both steps have one time, so that nothing settles between them.
        let time = events[place].time
        events[place + 1] = GestureEvent(time: time, kind: events[place + 1].kind)
        let finger = try given(events[place].touches.last)
        let again = [TouchPhase.ended, .began].map {
          GestureEvent(time: time, kind: .touches($0, [finger]))
        }
        let direct = try pinch.after(subject.play(pinch.gesture, events), subject)
        events.insert(contentsOf: again, at: place + 1)
        try pinch.gesture.with(events).judge { gesture in
          try requireSamePlace(
            pinch.after(subject.play(gesture), subject), direct, of: gesture.picture,
            "with a finger that comes back", within: subject.tolerance)
        }
      },
      law("GE-52", "A third finger that touches and leaves during a pinch changes nothing.") {
        subject, pinch, testCase in
        let place = try testCase.draw(.places(on: pinch.gesture.script.screen))
        let third = Touch(id: 5, point: place)
        let begin = GestureEvent(time: pinch.second + half, kind: .touches(.began, [third]))
        let end = GestureEvent(time: pinch.lifted - half, kind: .touches(.ended, [third]))
        let events = pinch.gesture.script.events.map { event in
          guard pinch.isUnderWay(event.time) else { return event }
          return event.withTouches { _, touches in
            touches + [Touch(id: 5, point: place + (touches[0].point - pinch.pinch.from))]
          } ?? event
        }
        let early = events.filter { $0.time <= pinch.second }
        let late = events.filter { $0.time >= pinch.lifted - half }
        let between = events[early.count..<events.count - late.count]
        let two = try subject.play(pinch.gesture).lastPicture()
        try pinch.gesture.with(early + [begin] + between + [end] + late).judge { gesture in
          try requireSamePlace(
            subject.play(gesture).lastPicture(), two, of: gesture.picture, "with a third finger",
            within: subject.tolerance)
        }
      },
      law("GE-19", "Fingers further apart show the picture larger, never smaller.") {
        subject, pinch, testCase in
        // The fingers may approach and part again, so each step is compared with the one before.
        let steps = try subject.play(pinch.gesture).filter { pinch.isUnderWay($0.time) }.map {
          (
            time: $0.time, distance: try pinch.distance(at: $0.time),
            area: try $0.shownPicture().toScreen.determinant
          )
        }
        testCase.classify(steps.count > 1, as: "several states", atLeast: 0.5)
        // The area grows with the square of the scale.
        let share = 1e-9 + 2 * subject.tolerance.scale
        for (last, now) in zip(steps, steps.dropFirst()) {
          try Property.require(
            now.distance <= last.distance || now.area >= last.area * (1 - share),
            "at \(now.time) s fingers part and the picture becomes smaller")
          try Property.require(
            now.distance >= last.distance || now.area <= last.area * (1 + share),
            "at \(now.time) s fingers close and the picture becomes larger")
        }
      },
      law(
        "GE-20",
        "When the fingers go, a scale is brought back to its limits about the point between them, "
          + "as far as the screen stays covered."
      ) { subject, pinch, testCase in
        // Both fingers are lifted at once.
        let events = pinch.gesture.script.events.filter { $0.time < pinch.lifted - half }
        let end = GestureEvent(
          time: pinch.lifted, kind: .touches(.ended, events.fingers().touches()))
        let centre = try pinch.middle(at: pinch.lifted - half)
        let states = try subject.play(pinch.gesture, events + [end])
        let (before, after) = (try pinch.after(states, subject), try states.lastPicture())
        let content = try before.content(at: centre)
        let screen = try given(states.last).screen
        let off = after.toScreen.apply(to: content) - centre
        let slack = after.slackAtRest(on: screen)
        // Only axes on which the picture extends beyond both borders of the screen are checked; on
        // another it may have been moved back to the borders.
        let free = after.box.freeAxes(on: screen.size, within: slack)
        let ratio = after.toScreen.determinant / before.toScreen.determinant
        let fit = TransitionLaws.fitScale(of: pinch.gesture.picture, on: screen)
        let share = after.toScreen.determinant.squareRoot() / fit
        try Property.require(
          share >= 1 - gestureSlack
            && share <= max(3, 1 / (fit * screen.scale)) * (1 + gestureSlack),
          "it comes to rest at \(share) times the fit")
        testCase.classify(abs(ratio - 1) > 1e-6, as: "the scale is brought back", atLeast: 0.1)
        testCase.classify(!free.isEmpty, as: "larger than the screen", atLeast: 0.1)
        try Property.require(
          free.allSatisfy { abs(off[$0]) <= slack },
          "the point between the fingers is \(off.inWords) off")
      },
      law(
        "GE-42",
        "The scale is proportional to the distance of the fingers; beyond a limit, the excess counts as its "
          + "square root.",
        isBroken: true
      ) { subject, pinch, testCase in
        let states = try subject.play(pinch.gesture)
        let fit = TransitionLaws.fitScale(
          of: pinch.gesture.picture, on: pinch.gesture.script.screen)
        // The pinches of viewers stay within their limits, which laws do not know.
        let hasLimits = !subject.isMeasured
        let least = hasLimits ? 1 : 0.0
        // The largest scale is the published 3 times the fit, or a picture pixel per screen pixel.
        let largest =
          hasLimits ? max(3, 1 / (fit * pinch.gesture.script.screen.scale)) : .infinity
        func share(_ layer: PictureLayer) -> Double {
          layer.toScreen.determinant.squareRoot() / fit
        }
        let start = share(try pinch.before(states, subject))
        // At rest the scale is in its limits; fingers count as at least a point apart.
        let rest = max(1, pinch.pinch.arm.length * 2)
        for state in states where pinch.isUnderWay(state.time) {
          let raw = start * max(1, try pinch.distance(at: state.time)) / rest
          let expected =
            raw < least ? raw.squareRoot() : raw > largest ? (raw * largest).squareRoot() : raw
          testCase.classify(expected == raw, as: "in the limits", atLeast: 0.2)
          testCase.classify(
            raw > largest, as: "above the limits", atLeast: hasLimits ? 0.02 : nil)
          testCase.classify(
            raw < least, as: "below the limits", atLeast: hasLimits ? 0.05 : nil)
          let shown = share(try state.shownPicture())
          try Property.require(
            abs(shown / expected - 1) <= gestureSlack + subject.tolerance.scale,
            "at \(state.time) s a scale of \(expected) is shown as \(shown)")
        }
      },
      law(
        "GE-14",
        "After a pinch, the remaining finger moves the picture as far as it moves, less a tap's slop."
      ) { subject, pinch, testCase in
        let states = try subject.play(pinch.gesture)
        let lifted = try pinch.state(of: states, before: pinch.onward, subject)
        let rest = try lifted.shownPicture()
        testCase.classify(
          pinch.stayStart.distance(to: pinch.stayEnd) > subject.slop, as: "beyond the slop",
          atLeast: 0.5)
        for state in states where state.time > pinch.onward - half {
          let way = try given(pinch.fingers(at: state.time).values.first) - pinch.stayStart
          let shares = subject.shares(ofWay: way.length)
          let shown = try state.shownPicture()
          // The share of the way by which the picture has moved.
          let (x, y) = (shown.box.x - rest.box.x, shown.box.y - rest.box.y)
          let share = (x * way.x + y * way.y) / max(way.x * way.x + way.y * way.y, 1e-300)
          let part = max(shares.lowerBound, min(share, shares.upperBound))
          var moved = rest
          moved.transform = rest.transform.then(.translation(x: part * way.x, y: part * way.y))
          try requireSamePlace(
            moved, shown, of: pinch.gesture.picture,
            "moved by \(way.inWords) since \(lifted.time) s, less the slop,",
            within: subject.tolerance)
        }
      },
    ]
  }
}

/// Half of a tick; a tick is the time from one state to the next.
private let half = GestureWriter.sampling / 2

/// A script of a picture at full screen: a finger comes down, then a second one; they pinch; one is
/// lifted, and the other moves on.
///
/// Each part begins on a tick of the script's clock, so that there is a state at each change.
struct PinchScript: Sendable, PlayedInput {
  var gesture: GestureCase
  var pinch: GestureAction.PinchPath
  /// The times at which the second finger comes down, the fingers first move, the first finger is
  /// lifted, and the other one moves on.
  var second, moved, lifted, onward: Double
  /// The time in seconds for which the fingers stay still so that a viewer comes to rest; 0 for our systems, whose
  /// pictures follow the fingers at once.
  var rest: Double
  /// Whether the picture turns while the fingers come down.
  var isTurning: Bool
  /// The points of the finger that stays, before and after it moves on.
  var stayStart, stayEnd: ViewPoint
  var played: GestureCase { gesture }

  /// Pinches of a picture that is fitted, or that a double tap has zoomed.
  static func any(mayTurn: Bool = false) -> Gen<PinchScript> {
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
      var opening =
        isZoomed ? Stage().zoomed(on: screen, at: tapped) : Stage().opening(on: screen)
      let isTurning = mayTurn ? try testCase.draw(.bool) : false
      if isTurning { opening.append(GestureAction(after: 0.5, .turn(.landscapeLeft))) }
      return try PinchScript(
        pinch, thenTo: end, steps: steps, after: opening, on: screen, picture, isTurning: isTurning)
    }
  }

  /// Creates a script of a pinch after other actions; one finger is lifted, and the other moves on.
  ///
  /// If a viewer needs time to rest, the fingers rest before the pinch, in its middle and at its end, so that a picture
  /// that follows slowly is looked at when it has arrived. `slop` is a short first pinch that takes the fingers past a
  /// viewer's slop.
  init(
    _ pinch: GestureAction.PinchPath, thenTo goes: ViewPoint, steps: Int,
    after opening: [GestureAction], on screen: Screen, _ picture: PixelSize,
    isTurning: Bool = false, rest: Double = 0, slop: GestureAction.PinchPath? = nil
  ) throws(Discarded) {
    let (tick, first) = (GestureWriter.sampling, pinch.lifted[0])
    let pause = max(tick, rest)
    var writer = GestureWriter()
    writer.write(opening)
    let fingers = (slop ?? pinch).fingers(after: 0)
    writer.write(GestureAction(after: pause, .touch(finger: 0, at: fingers[0], force: 1)))
    second = writer.write(
      GestureAction(after: 2 * tick, .touch(finger: 1, at: fingers[1], force: 1)))
    if let slop { writer.write(GestureAction(after: tick, .pinch(slop))) }
    moved = writer.now + pause
    let (middle, end) = (pinch.steps / 2, pinch.steps)
    let parts = rest > 0 ? [0...middle, middle...end] : [0...end]
    for part in parts {
      writer.now += pause - tick
      for step in part {
        writer.now += tick
        writer.touch(
          pinch.fingers(after: step).enumerated().map {
            Touch(id: $0, point: $1, force: pinch.force)
          })
      }
    }
    lifted = writer.write(GestureAction(after: pause, .lift([first])))
    stayStart = pinch.fingers(after: pinch.steps)[1 - first]
    // Our pictures settle in 0.25 s.
    onward = writer.write(
      GestureAction(
        after: max(0.5, rest), .pan(finger: 1 - first, from: stayStart, to: goes, steps: steps)))
    gesture = try GestureCase(writer.events, on: screen, picture)
    (self.pinch, stayEnd, self.rest, self.isTurning) = (pinch, goes, rest, isTurning)
  }

  func state(
    of states: [ZoomState], before time: Double, _ subject: ReplaySubject
  ) throws -> ZoomState {
    try states.last(before: time, in: gesture.script.events, isMeasured: subject.isMeasured)
  }

  func before(_ states: [ZoomState], _ subject: ReplaySubject) throws -> PictureLayer {
    try state(of: states, before: moved, subject).shownPicture()
  }

  func after(_ states: [ZoomState], _ subject: ReplaySubject) throws -> PictureLayer {
    try state(of: states, before: lifted, subject).shownPicture()
  }

  func isUnderWay(_ time: Double) -> Bool { time > moved - half && time < lifted - half }

  func fingers(at time: Double) -> [Int: ViewPoint] {
    gesture.script.events.prefix { $0.time <= time }.fingers()
  }

  func middle(at time: Double) throws -> ViewPoint {
    let down = fingers(at: time)
    return (try given(down[0]) + (try given(down[1]))).scaled(by: 0.5)
  }

  func distance(at time: Double) throws -> Double {
    let down = fingers(at: time)
    return try given(down[0]).distance(to: try given(down[1]))
  }
}
