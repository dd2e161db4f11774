import PropertyTesting
import ZoomGeometry

extension GestureLaws {
  /// Returns the laws of how fingers are reported: how often, in which order, and with which others.
  static func reports(_ system: ZoomSystem) -> [Law<ReplaySubject>] {
    let law = gestures(of: system)
    return [
      law("GE-3", "A movement that is reported twice is the same movement.") {
        subject, gesture, testCase in
        let twice = gesture.script.events.flatMap { $0.isMovement ? [$0, $0] : [$0] }
        try testCase.assume(twice.count > gesture.script.events.count)
        try requireSameEnd(
          try subject.play(gesture, twice), try subject.play(gesture), "reported twice")
      },
      law(
        "GE-4", "Fingers that move together may be reported together or one by one.",
        isBroken: system == .force || system == .transition, examples: [twoThatMove]
      ) { subject, gesture, testCase in
        let single = gesture.script.events.flatMap { event in
          event.isMovement
            ? event.touches.map { GestureEvent(time: event.time, kind: .touches(.moved, [$0])) }
            : [event]
        }
        try testCase.assume(single.count > gesture.script.events.count)
        // Each report moves the picture, and the sum of movements depends on their order.
        try requireNearlySameEnd(
          try subject.play(gesture, single), try subject.play(gesture), of: gesture.picture,
          "one by one")
      },
      law("GE-5", "Which number a finger has does not matter.") { subject, gesture, testCase in
        try testCase.assume(gesture.script.events.contains(where: \.isTouch))
        let renamed = gesture.script.events.mappingTouches { $0.id = 7 - $0.id }
        try requireSameEnd(
          try subject.play(gesture, renamed), try subject.play(gesture), "with other numbers")
      },
      law(
        "GE-26", "Samples of a finger may be reported together or one by one.",
        isBroken: system == .force
      ) { subject, gesture, testCase in
        try testCase.assume(gesture.script.events.contains(where: \.isMovement))
        // Each movement makes a detour, in the same event or in a separate one.
        let reach = Gen<Double>.double(in: -30...30)
        let way = ViewPoint(x: try testCase.draw(reach), y: try testCase.draw(reach))
        func play(isTogether: Bool) throws -> [ZoomState] {
          var shift = 0.0
          let events = gesture.script.events.flatMap { event -> [GestureEvent] in
            // Fingers rest before they are lifted: the speed of a throw depends on the detour.
            if case .touches(.ended, _) = event.kind { shift += 0.2 }
            let detour = event.touches.map {
              Touch(id: $0.id, point: $0.point + way, force: $0.force)
            }
            let samples =
              !event.isMovement
              ? [event.kind]
              : isTogether
                ? [.touches(.moved, detour + event.touches)]
                : [.touches(.moved, detour), event.kind]
            return samples.map { GestureEvent(time: event.time + shift, kind: $0) }
          }
          return try subject.play(gesture, events)
        }
        try requireNearlySameEnd(
          try play(isTogether: true), try play(isTogether: false), of: gesture.picture, "together")
      },
      movements(system)(
        "GE-29", "A movement ends the same however often it is sampled and drawn."
      ) { subject, movement, _ in
        let slow = try subject.play(movement.script(rate: 10), movement.picture)
        let fast = try subject.play(movement.script(rate: 120), movement.picture)
        try requireNearlySameEnd(
          fast, slow, of: movement.picture, "sampled at 120 Hz, not at 10 Hz,")
      },
    ]
  }

  /// Two fingers; the first one presses.
  private static let twoThatMove = example([
    GestureAction(.touch(finger: 0, at: ViewPoint(x: 150, y: 300), force: 3)),
    GestureAction(
      .pinch(
        GestureAction.PinchPath(
          from: ViewPoint(x: 180, y: 330), to: ViewPoint(x: 190, y: 340),
          arm: ViewPoint(x: 30, y: 30), endArm: ViewPoint(x: 30, y: 30), steps: 1))),
  ])

  /// Returns the laws of fingers that are lifted, lost or cancelled.
  static func ends(_ system: ZoomSystem) -> [Law<ReplaySubject>] {
    let law = gestures(of: system)
    return [
      law(
        "GE-6", "When everything is cancelled, every gesture ends and leaves no trace.",
        isBroken: system == .peek || system == .force
      ) { subject, gesture, testCase in
        let down = gesture.script.events.fingers()
        testCase.classify(!down.isEmpty, as: "fingers are down", atLeast: 0.2)
        let states = try subject.play(gesture, cancelled(gesture))
        let recogniser = states.last?.recogniser ?? .possible
        try Property.require(
          recogniser != .began && recogniser != .changed,
          "everything is cancelled and the gesture is \(recogniser)")
        // A peek and a press show only what fingers do. Elsewhere a finger that stayed would turn
        // the next one's pan into a pinch.
        if system == .peek || system == .force {
          try requireSameEnd(
            states, try subject.play(gesture, untouched(gesture)), "nothing is touched")
        } else if !down.isEmpty {
          let (from, to) = (ViewPoint(x: 30, y: 40), ViewPoint(x: 45, y: 70))
          let pan = GestureWriter.events(
            of: [GestureAction(.pan(finger: 3, from: from, to: to, steps: 3))],
            at: gesture.end + 2)
          let lost = GestureEvent(
            time: gesture.end, kind: .touches(.cancelled, down.touches()))
          try requireNearlySameEnd(
            try subject.play(gesture, cancelled(gesture) + pan),
            try subject.play(gesture, gesture.script.events + [lost] + pan), of: gesture.picture,
            "cancelled by one event, then panned,")
        }
      },
      law("GE-16", "A finger that is put down and cancelled does not change what later taps do.") {
        subject, gesture, testCase in
        let size = gesture.script.screen.size
        let point = ViewPoint(
          x: testCase.double(in: 0...size.width), y: testCase.double(in: 0...size.height))
        let (still, later) = rested(gesture)
        // A double tap, and one more for a system that the second brings back to where it was.
        let taps = GestureWriter.events(
          of: [0, 0.05, 0.8].map { GestureAction(after: $0, .tap(at: point, held: 0.05)) },
          at: later + 2)
        let finger = Touch(id: 0, point: point)
        let touched = [
          GestureEvent(time: later, kind: .touches(.began, [finger])),
          GestureEvent(time: later + 0.1, kind: .cancelAll),
        ]
        try requireSameEnd(
          try subject.play(gesture, still + touched + taps),
          try subject.play(gesture, still + taps),
          "a finger was put down and cancelled before the taps")
      },
    ]
  }

  /// Returns the law of lifts, for systems that show only what fingers do.
  static func lifts(_ system: ZoomSystem) -> Law<ReplaySubject> {
    // The system takes a press away, of a view and beside it.
    let takenAway = [(ViewPoint(x: 150, y: 300), 3.0), (ViewPoint(x: 0, y: 0), 0)].map {
      example([GestureAction(.touch(finger: 0, at: $0.0, force: $0.1)), GestureAction(.cancel)])
    }
    return gestures(of: system)(
      "GE-30", "Lifting the last finger undoes what the fingers did.", isBroken: true,
      examples: takenAway
    ) { subject, gesture, testCase in
      let touches = gesture.script.events.fingers().touches()
      testCase.classify(!touches.isEmpty, as: "fingers are down", atLeast: 0.2)
      // At once or one by one.
      let lifts = try testCase.draw(.bool) ? [touches].filter { !$0.isEmpty } : touches.map { [$0] }
      let lifted = lifts.map { GestureEvent(time: gesture.end + 0.1, kind: .touches(.ended, $0)) }
      try requireSameEnd(
        try subject.play(gesture, gesture.script.events + lifted),
        try subject.play(gesture, untouched(gesture)), "nothing is touched any more")
    }
  }

  /// Returns the law of pens, for systems that are pressed.
  static func pens(_ system: ZoomSystem) -> Law<ReplaySubject> {
    gestures(of: system)(
      "GE-27", "A hand that rests on the screen does not change what a pen presses.",
      isBroken: true
    ) { subject, gesture, testCase in
      // Finger 0 becomes the pen.
      let hand = gesture.script.events.withPen
      let alone = hand.compactMap { $0.withTouches { _, touches in touches.filter(\.isPen) } }
      testCase.classify(alone.count < hand.count, as: "a hand", atLeast: 0.2)
      testCase.classify(alone.contains(where: \.isTouch), as: "a pen", atLeast: 0.2)
      try requireSameEnd(
        try subject.play(gesture.with(hand, press: .pen)),
        try subject.play(gesture.with(alone, press: .pen)), "with a hand")
    }
  }

  /// Laws of one finger that presses.
  static var presses: [Law<ReplaySubject>] {
    let law = family(HeldPress.any) { press, testCase in
      testCase.classify(press.isZoom, as: "a zoom", atLeast: 0.3)
    }
    // A press of the view, and one that drives the animation beyond its end.
    let examples = [ForceExhibit.zoom, .animation].map { exhibit in
      let finger = ViewPoint(x: 150, y: 300)
      return example([GestureAction(.press(at: finger, forces: [1, 7]))]).flatMap {
        try? $0.with($0.script.events, stage: Stage(forceExhibit: exhibit))
      }.map { HeldPress(gesture: $0, finger: finger) }
    }
    return [
      law(
        "GE-7", "The harder the press, the larger the picture.", isBroken: true, examples: examples
      ) { subject, press, _ in
        var last = 0.0
        for state in try subject.play(press.gesture) {
          let area = try state.shownPicture().toScreen.determinant
          // The scale is squared, so a rounding of it counts twice.
          try Property.require(
            area >= last * (1 - 1e-12), "at \(state.time) s the picture becomes smaller")
          last = area
        }
      },
      law(
        "GE-17", "What the finger presses stays under it.", isBroken: true, examples: examples
      ) { subject, press, testCase in
        let still = try subject.play(press.gesture, []).lastPicture()
        let isPressed = press.isZoom && still.box.contains(press.finger)
        guard testCase.reaches(isPressed, "the picture is pressed", atLeast: 0.05) else { return }
        let content = try given(still.toScreen.inverted()).apply(to: press.finger)
        for state in try subject.play(press.gesture) {
          let layer = try state.shownPicture()
          let off = layer.toScreen.apply(to: content) - press.finger
          try Property.require(
            abs(off.x) <= layer.slack && abs(off.y) <= layer.slack,
            "at \(state.time) s it is \(off.inWords) off")
        }
      },
    ]
  }

  private struct HeldPress: Sendable, PlayedInput {
    var gesture: GestureCase
    var finger: ViewPoint
    var played: GestureCase { gesture }
    var isZoom: Bool { gesture.script.stage.forceExhibit == .zoom }

    static var any: Gen<HeldPress> {
      Gen { testCase throws(Discarded) in
        let screen = try testCase.draw(.gestureScreens)
        var stage = try testCase.draw(.stages(on: screen))
        // Buttons lack a picture.
        if stage.forceExhibit == .button { stage.forceExhibit = .zoom }
        let finger = try testCase.draw(.places(on: screen))
        let forces = try testCase.draw(.array(of: .pressures(), count: 1...60)).sorted()
        let script = try testCase.draw(
          .scripts(on: screen, stage: stage, [GestureAction(.press(at: finger, forces: forces))]))
        let picture = try testCase.draw(.gesturePictures)
        return HeldPress(gesture: GestureCase(script: script, picture: picture), finger: finger)
      }
    }
  }

  /// Returns the laws of one finger that moves a picture.
  static func pans(_ system: ZoomSystem) -> [Law<ReplaySubject>] {
    let law = family(Pan.any(system)) { pan, testCase in
      testCase.classify(pan.from != pan.to, as: "moves", atLeast: 0.5)
    }
    return [
      law("GE-15", "One finger moves the picture no further than it moves itself.") {
        subject, pan, testCase in
        let states = try subject.play(pan.gesture)
        let start = pan.start - GestureWriter.sampling / 2
        let rest = try states.lastPicture { $0.time < start }
        let (x, y) = (abs(pan.to.x - pan.from.x), abs(pan.to.y - pan.from.y))
        var isMoved = false
        for state in states where state.time > start {
          let layer = try state.shownPicture()
          let way = (x: rest.box.x - layer.box.x, y: rest.box.y - layer.box.y)
          isMoved = isMoved || abs(way.x) + abs(way.y) > rest.slack
          try Property.require(
            abs(way.x) <= x + rest.slack && abs(way.y) <= y + rest.slack,
            "a finger that moves by (\(x), \(y)) moves the picture by (\(way.x), \(way.y))")
        }
        testCase.classify(isMoved, as: "the picture moves", atLeast: 0.1)
      },
      movements(system)(
        "GE-28",
        "A finger that leaves the picture and comes back has the same place of it underneath."
      ) { subject, movement, testCase in
        try testCase.assume(movement.isPan)
        let reach = Gen<Double>.double(in: -3000...3000)
        let far = ViewPoint(x: try testCase.draw(reach), y: try testCase.draw(reach))
        let direct = try subject.play(movement.script(rate: 60), movement.picture).lastPicture()
        let around = try subject.play(movement.script(rate: 60, by: far), movement.picture)
          .lastPicture()
        let off = apart(direct.toScreen, around.toScreen, movement.picture)
        try Property.require(
          off <= gestureSlack * (magnitude(direct.box) + 3000),
          "by way of \(far.inWords) a corner is \(off) off")
      },
    ]
  }

  /// A double tap, and then a finger that moves along a line and stays.
  private struct Pan: Sendable, PlayedInput {
    var gesture: GestureCase
    var start: Double
    var from, to: ViewPoint
    var played: GestureCase { gesture }

    static func any(_ system: ZoomSystem) -> Gen<Pan> {
      Gen { testCase throws(Discarded) in
        let screen = try testCase.draw(.gestureScreens)
        let place = Gen<ViewPoint>.places(on: screen)
        let tapped = try testCase.draw(place)
        let (from, to) = (try testCase.draw(place), try testCase.draw(place))
        let steps = try testCase.draw(.integer(in: 1...40))
        let picture = try testCase.draw(.gesturePictures)
        let actions =
          Stage().opening(of: system, on: screen) + [
            GestureAction(.doubleTap(at: tapped, then: tapped, gap: GestureWriter.sampling)),
            // 0.3 s of animation.
            GestureAction(after: 0.5, .pan(finger: 0, from: from, to: to, steps: steps)),
          ]
        let events = GestureWriter.events(of: actions)
        // The pan's first event, in which the finger comes down.
        let start = try given(events.dropLast(steps).last).time
        return Pan(
          gesture: try GestureCase(events, on: screen, picture), start: start, from: from, to: to)
      }
    }
  }

  /// Returns the family of the laws of a movement that is reported in several ways.
  private static func movements(_ system: ZoomSystem) -> LawFamily<ReplaySubject, Movement> {
    family(Movement.any(system)) { movement, testCase in
      testCase.classify(movement.isPan, as: "moves", atLeast: 0.5)
    }
  }
}

/// One finger that goes from a place to another in half a second, and rests there.
private struct Movement: Sendable, PlayedInput {
  var system: ZoomSystem
  var picture: PixelSize
  var screen: Screen
  var from, to: ViewPoint
  var force: Double

  var inWords: String { "\(picture) on \(screen.inWords), from \(from.inWords) to \(to.inWords)" }

  var played: GestureCase {
    get throws(GeometryError) { GestureCase(script: try script(rate: 60), picture: picture) }
  }

  /// Whether the finger moves by more than a tap's slop.
  var isPan: Bool { (to - from).length > 12 }

  static func any(_ system: ZoomSystem) -> Gen<Movement> {
    Gen { testCase throws(Discarded) in
      let screen = try testCase.draw(.gestureScreens)
      let picture = try testCase.draw(.gesturePictures)
      let force = try testCase.draw(.pressures())
      let (from, to) = (
        try testCase.draw(.places(on: screen)), try testCase.draw(.places(on: screen))
      )
      return Movement(
        system: system, picture: picture, screen: screen, from: from, to: to, force: force)
    }
  }

  /// Returns the movement sampled and drawn at a rate per second, perhaps with a detour.
  ///
  /// The finger is lifted where it pans or taps. What it presses would be gone.
  func script(rate: Double, by detour: ViewPoint? = nil) throws(GeometryError) -> GestureScript {
    var actions = Stage().opening(of: system, on: screen)
    if system == .transition || system == .doubleTap {
      let middle = screen.bounds.centre
      actions.append(
        GestureAction(.doubleTap(at: middle, then: middle, gap: GestureWriter.sampling)))
    }
    var events = GestureWriter.events(of: actions)
    let start = (events.last?.time ?? 0) + 1
    func report(_ phase: TouchPhase, _ point: ViewPoint, at time: Double) {
      let touch = Touch(id: 0, point: point, force: phase == .ended ? 0 : force)
      events.append(GestureEvent(time: time, kind: .touches(phase, [touch])))
    }
    report(.began, from, at: start)
    if isPan {
      // Beyond the slop at once and the same way at any rate, because the slop takes its part of the
      // first movement.
      let way = to - from
      let part = 12 / way.length
      report(.moved, from + way.scaled(by: part), at: start + 0.05)
      if let detour { report(.moved, detour, at: start + 0.06) }
      let steps = Int(rate / 2)
      for step in 1...steps {
        let share = part + (1 - part) * Double(step) / Double(steps)
        let point = step == steps ? to : from + way.scaled(by: share)
        report(.moved, point, at: start + 0.1 + Double(step) / rate)
      }
    }
    if system == .fullscreen || isPan && (system == .transition || system == .doubleTap) {
      report(.ended, isPan ? to : from, at: start + 1)
    }
    return try GestureScript(screen: screen, framesPerSecond: rate, events: events)
  }
}
