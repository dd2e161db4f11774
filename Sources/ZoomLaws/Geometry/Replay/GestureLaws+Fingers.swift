import PropertyTesting
import ZoomGeometry

extension GestureLaws {
  static func reports(
    _ system: ZoomSystem, _ law: LawFamily<ReplaySubject, GestureCase>,
    _ moved: LawFamily<ReplaySubject, Movement>
  ) -> [Law<ReplaySubject>] {
    [
      law("GE-3", "A movement that is reported twice is the same movement.") {
        subject, gesture, testCase in
        let twice = gesture.script.events.flatMap { $0.isMovement ? [$0, $0] : [$0] }
        try testCase.assume(twice.count > gesture.script.events.count)
        try requireSameEnd(
          try subject.play(gesture, twice), try subject.play(gesture), "reported twice",
          within: subject.tolerance)
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
          "one by one", within: subject.tolerance)
      },
      law("GE-5", "The number of a finger does not matter.") { subject, gesture, testCase in
        try testCase.assume(gesture.script.events.contains(where: \.isTouch))
        let renamed = gesture.script.events.mappingTouches { $0.id = 7 - $0.id }
        try requireSameEnd(
          try subject.play(gesture, renamed), try subject.play(gesture), "with other numbers",
          within: subject.tolerance)
      },
      law(
        "GE-26", "Samples of a finger may be reported together or one by one.",
        isBroken: system == .force
      ) { subject, gesture, testCase in
        try testCase.assume(gesture.script.events.contains(where: \.isMovement))
        // Each movement makes a detour, in the same event or in a second one.
        let way = try testCase.draw(.vectors(upTo: 30))
        func play(isTogether: Bool) throws -> [ZoomState] {
          var shift = 0.0
          let events = gesture.script.events.flatMap { event -> [GestureEvent] in
            // Fingers rest before a lift, because the detour would change the velocity of a throw.
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
          try play(isTogether: true), try play(isTogether: false), of: gesture.picture, "together",
          within: subject.tolerance)
      },
      moved(
        "GE-29", "A movement ends the same however often it is sampled and drawn."
      ) { subject, movement, testCase in
        let slow = try subject.play(movement.script(rate: 10), movement.picture)
        let fast = try subject.play(movement.script(rate: 120), movement.picture)
        let still = try subject.play(movement.opened, movement.picture)
        testCase.classify(
          slow.last?.layers != still.last?.layers, as: "something changes", atLeast: 0.02)
        try requireNearlySameEnd(
          fast, slow, of: movement.picture, "sampled at 120 Hz, not at 10 Hz,",
          within: subject.tolerance)
      },
    ]
  }

  /// Two fingers that move together; the second one presses the picture, the first one is beside it.
  private static let twoThatMove = example([
    GestureAction(
      .pinch(
        GestureAction.PinchPath(
          from: ViewPoint(x: 250, y: 400), to: ViewPoint(x: 260, y: 400),
          arm: ViewPoint(x: -100, y: -100), endArm: ViewPoint(x: -100, y: -100), steps: 1,
          lifted: [], force: 3)))
  ])

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
        // Peek and force react only to fingers that are down. In other systems a remaining finger
        // would turn the next pan into a pinch.
        if system == .peek || system == .force {
          let still = try subject.play(gesture, untouched(gesture))
          classifyEffect(of: try subject.play(gesture), still, in: &testCase)
          try requireSameEnd(states, still, "everything is cancelled")
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
      law("GE-16", "Fingers that are put down and cancelled do not change what later taps do.") {
        subject, gesture, testCase in
        let size = gesture.script.screen.size
        let point = ViewPoint(
          x: testCase.double(in: 0...size.width), y: testCase.double(in: 0...size.height))
        let (still, later) = rested(gesture)
        // A double tap, and a third tap in case the double tap undoes itself.
        let taps = GestureWriter.events(
          of: [0, 0.05, 0.8].map { GestureAction(after: $0, .tap(at: point, held: 0.05)) },
          at: later + 2)
        let fingers = (0...(try testCase.draw(.integer(in: 0...1)))).map {
          Touch(id: $0, point: point)
        }
        let touched = [
          GestureEvent(time: later, kind: .touches(.began, fingers)),
          GestureEvent(time: later + 0.1, kind: .cancelAll),
        ]
        let tapped = try subject.play(gesture, still + taps)
        let rest = tapped.last { $0.time <= later }
        testCase.classify(
          tapped.contains { $0.time > later && $0.layers != rest?.layers }, as: "taps do something",
          atLeast: 0.02)
        try requireSameEnd(
          try subject.play(gesture, still + touched + taps), tapped,
          "fingers were put down and cancelled before the taps")
      },
    ]
  }

  static func lifts(_ system: ZoomSystem) -> Law<ReplaySubject> {
    // The system cancels a press on the view and one beside it.
    let takenAway = [(ViewPoint(x: 150, y: 300), 3.0), (ViewPoint(x: 0, y: 0), 0)].map {
      example([GestureAction(.touch(finger: 0, at: $0.0, force: $0.1)), GestureAction(.cancel)])
    }
    return gestures(of: system)(
      "GE-30", "Lifting the last finger undoes what the fingers did.", isBroken: true,
      examples: takenAway
    ) { subject, gesture, testCase in
      let touches = gesture.script.events.fingers().touches()
      testCase.classify(!touches.isEmpty, as: "fingers are down", atLeast: 0.2)
      // The fingers lift at once or one by one.
      let lifts = try testCase.draw(.bool) ? [touches].filter { !$0.isEmpty } : touches.map { [$0] }
      let lifted = lifts.map { GestureEvent(time: gesture.end + 0.1, kind: .touches(.ended, $0)) }
      let still = try subject.play(gesture, untouched(gesture))
      classifyEffect(of: try subject.play(gesture), still, in: &testCase)
      try requireSameEnd(
        try subject.play(gesture, gesture.script.events + lifted), still,
        "after the last lift")
    }
  }

  private static func classifyEffect(
    of touched: [ZoomState], _ still: [ZoomState], in testCase: inout TestCase
  ) {
    testCase.classify(
      touched.last?.layers != still.last?.layers, as: "fingers show something", atLeast: 0.02)
  }

  static func again(_ system: ZoomSystem) -> Law<ReplaySubject> {
    let opens = system == .fullscreen || system == .transition
    return gestures(of: system)(
      "GE-55",
      opens
        ? "A view that has been closed opens as if for the first time."
        : "After all fingers have gone, a press does what it would have done as the first press.",
      isBroken: system == .force
    ) { subject, gesture, testCase in
      let still = untouched(gesture)
      var ended = try over(gesture, &testCase)
      let screen = ended.lastScreen ?? gesture.script.screen
      var place = try testCase.draw(.oneOf(.constant(screen.bounds.centre), .places(on: screen)))
      let forces = try testCase.draw(.array(of: .pressures(), count: 1...4))
      if opens {
        ended.append(GestureEvent(time: gesture.end + 2, kind: .close))
        place = try subject.play(gesture, still).lastPicture().box.centre
      }
      let deed =
        opens ? GestureAction.Deed.tap(at: place, held: 0.05) : .press(at: place, forces: forces)
      let start = gesture.end + 4
      // Makes the touches a pen's, because a pen can press in every kind of script.
      let deeds = GestureWriter.events(of: [GestureAction(deed)], at: start).mappingTouches {
        $0.isPen = true
      }
      func late(_ states: [ZoomState]) -> [ZoomState] { states.filter { $0.time > start - 0.01 } }
      let shown = late(try subject.play(gesture, ended + deeds))
      let expected = late(try subject.play(gesture, still + deeds))
      classifyEffect(of: expected, try subject.play(gesture, still), in: &testCase)
      try requireNearlySameEnd(shown, expected, of: gesture.picture, "after other fingers")
      let (one, other) = (try given(shown.last), try given(expected.last))
      try Property.require(
        shown.flatMap(\.events) == expected.flatMap(\.events) && one.force == other.force
          && (other.recogniser == .possible || one.recogniser == other.recogniser)
          && near(one.time, other.time, within: GestureWriter.sampling * 1.5),
        "after other fingers \(shown.flatMap(\.events)) happen until \(one.time) s and not "
          + "\(expected.flatMap(\.events)) until \(other.time) s")
    }
  }

  static func pens(_ system: ZoomSystem) -> Law<ReplaySubject> {
    gestures(of: system)(
      "GE-27", "A hand that rests on the screen does not change what a pen presses.",
      isBroken: true
    ) { subject, gesture, testCase in
      let events = gesture.script.events
      let end = testCase.integer(in: 0...events.count, shrinkingTowards: events.count)
      if end < events.count { testCase.note("only the first \(end) events are played") }
      let gesture = try gesture.with(Array(events.prefix(end)))
      // Finger 0 becomes the pen.
      let hand = gesture.script.events.withPen
      let alone = hand.compactMap { $0.withTouches { _, touches in touches.filter(\.isPen) } }
      testCase.classify(alone.count < hand.count, as: "a hand", atLeast: 0.2)
      testCase.classify(alone.contains(where: \.isTouch), as: "a pen", atLeast: 0.2)
      let penned = try subject.play(gesture.with(alone, press: .pen))
      classifyEffect(of: penned, try subject.play(gesture, untouched(gesture)), in: &testCase)
      try requireSameEnd(try subject.play(gesture.with(hand, press: .pen)), penned, "with a hand")
    }
  }

  static var presses: [Law<ReplaySubject>] {
    let law = family(heldPresses) { press, testCase in
      testCase.classify(press.script.stage.forceExhibit == .zoom, as: "a zoom", atLeast: 0.3)
    }
    // The examples press the view, and drive the animation beyond its end.
    let examples = [ForceExhibit.zoom, .animation].map { exhibit in
      example([GestureAction(.press(at: ViewPoint(x: 150, y: 300), forces: [1, 7]))]).flatMap {
        try? $0.with($0.script.events, stage: Stage(forceExhibit: exhibit))
      }
    }
    return [
      law(
        "GE-7", "The harder the press, the larger the picture.", isBroken: true, examples: examples
      ) { subject, press, testCase in
        var last = 0.0
        let states = try subject.play(press)
        let areas = try states.map { try $0.shownPicture().toScreen.determinant }
        testCase.classify((areas.last ?? 0) > (areas.first ?? 0), as: "grows", atLeast: 0.05)
        for (state, area) in zip(states, areas) {
          // An area is a squared scale, so a rounding of the scale counts twice.
          try Property.require(
            area >= last * (1 - 1e-12), "at \(state.time) s the picture becomes smaller")
          last = area
        }
      },
      law(
        "GE-17", "The pressed point of the picture stays under the finger.", isBroken: true,
        examples: examples
      ) { subject, press, testCase in
        let still = try subject.play(press, []).lastPicture()
        let finger = try given(press.script.events.first?.touches.first).point
        let isPressed = press.script.stage.forceExhibit == .zoom && still.box.contains(finger)
        guard testCase.reaches(isPressed, "the picture is pressed", atLeast: 0.05) else { return }
        let content = try still.content(at: finger)
        for state in try subject.play(press) {
          let layer = try state.shownPicture()
          let off = layer.toScreen.apply(to: content) - finger
          try Property.require(
            abs(off.x) <= layer.slack && abs(off.y) <= layer.slack,
            "at \(state.time) s it is \(off.inWords) off")
        }
      },
    ]
  }

  private static var heldPresses: Gen<GestureCase> {
    Gen { testCase throws(Discarded) in
      let screen = try testCase.draw(.gestureScreens)
      var stage = try testCase.draw(.stages(on: screen))
      // Buttons lack a picture.
      if stage.forceExhibit == .button { stage.forceExhibit = .zoom }
      let finger = try testCase.draw(.places(on: screen))
      let forces = try testCase.draw(.array(of: .pressures(), count: 1...60)).sorted()
      let script = try testCase.draw(
        .scripts(on: screen, stage: stage, [GestureAction(.press(at: finger, forces: forces))]))
      return GestureCase(script: script, picture: try testCase.draw(.gesturePictures))
    }
  }
}
