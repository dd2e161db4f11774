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
      law("GE-5", "The number of a finger does not matter.") { subject, gesture, testCase in
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
      ) { subject, movement, testCase in
        let slow = try subject.play(movement.script(rate: 10), movement.picture)
        let fast = try subject.play(movement.script(rate: 120), movement.picture)
        let still = try subject.play(movement.opened, movement.picture)
        testCase.classify(
          slow.last?.layers != still.last?.layers, as: "something changes", atLeast: 0.02)
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
          let still = try subject.play(gesture, untouched(gesture))
          classifyEffect(of: try subject.play(gesture), still, in: &testCase)
          try requireSameEnd(states, still, "nothing is touched")
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
        // A double tap, and one more for a system that the second brings back to where it was.
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
      let still = try subject.play(gesture, untouched(gesture))
      classifyEffect(of: try subject.play(gesture), still, in: &testCase)
      try requireSameEnd(
        try subject.play(gesture, gesture.script.events + lifted), still,
        "nothing is touched any more")
    }
  }

  /// Counts a case that ends with what only fingers do.
  private static func classifyEffect(
    of touched: [ZoomState], _ still: [ZoomState], in testCase: inout TestCase
  ) {
    testCase.classify(
      touched.last?.layers != still.last?.layers, as: "fingers show something", atLeast: 0.02)
  }

  static func pens(_ system: ZoomSystem) -> Law<ReplaySubject> {
    gestures(of: system)(
      "GE-27", "A hand that rests on the screen does not change what a pen presses.",
      isBroken: true
    ) { subject, gesture, testCase in
      // The gesture ends at any of its events.
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
    // A press of the view, and one that drives the animation beyond its end.
    let examples = [ForceExhibit.zoom, .animation].map { exhibit in
      example([GestureAction(.press(at: ViewPoint(x: 150, y: 300), forces: [1, 7]))]).flatMap {
        try? $0.with($0.script.events, stage: Stage(forceExhibit: exhibit))
      }
    }
    return [
      law(
        "GE-7", "The harder the press, the larger the picture.", isBroken: true, examples: examples
      ) { subject, press, _ in
        var last = 0.0
        for state in try subject.play(press) {
          let area = try state.shownPicture().toScreen.determinant
          // The scale is squared, so a rounding of it counts twice.
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
        let content = try given(still.toScreen.inverted()).apply(to: finger)
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

  /// Presses of one finger, harder and harder, on pictures.
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

  static func pans(_ system: ZoomSystem) -> [Law<ReplaySubject>] {
    [
      movements(system)(
        "GE-15", "One finger moves the picture as it moves, less a tap's slop, and never further."
      ) { subject, movement, testCase in
        let states = try subject.play(movement.script(rate: 60, isLifted: false), movement.picture)
        let start = movement.start - GestureWriter.sampling / 2
        let rest = try states.lastPicture { $0.time < start }
        let finger = movement.to - movement.from
        let screen = movement.screen.size
        var isMoved = false
        for state in states where state.time > start {
          let layer = try state.shownPicture()
          let isLast = state.time > movement.start + 0.7
          for (way, whole, near, far) in [
            (layer.box.x - rest.box.x, finger.x, layer.box.x, layer.box.maxX - screen.width),
            (layer.box.y - rest.box.y, finger.y, layer.box.y, layer.box.maxY - screen.height),
          ] {
            isMoved = isMoved || abs(way) > rest.slack
            let part = finger.length > subject.slop ? 1 - subject.slop / finger.length : 0
            // A scroll view stops where a border of the picture comes to the screen's.
            let isFree = subject.system == .transition || near < -rest.slack && far > rest.slack
            let isRight =
              isLast && isFree
              ? abs(way - part * whole) <= 2 * rest.slack
              : abs(way) <= abs(whole) + rest.slack && way * whole >= -rest.slack * abs(whole)
            try Property.require(
              isRight, "a finger that moves by \(whole) moves the picture by \(way)")
          }
        }
        testCase.classify(isMoved, as: "the picture moves", atLeast: 0.1)
      },
      movements(system)(
        "GE-28",
        "A finger that leaves the picture and comes back has the same point of it underneath."
      ) { subject, movement, testCase in
        try testCase.assume(movement.isPan)
        let reach = Gen<Double>.double(in: -3000...3000)
        let far = ViewPoint(x: try testCase.draw(reach), y: try testCase.draw(reach))
        let states = try subject.play(movement.script(rate: 60), movement.picture)
        let direct = try states.lastPicture()
        let rest = try states.lastPicture { $0.time < movement.start }
        testCase.classify(
          distance(rest.box, direct.box) > rest.slack, as: "the picture moves", atLeast: 0.1)
        let around = try subject.play(movement.script(rate: 60, by: far), movement.picture)
          .lastPicture()
        let off = apart(direct.toScreen, around.toScreen, movement.picture)
        try Property.require(
          off <= gestureSlack * (magnitude(direct.box) + 3000),
          "by way of \(far.inWords) a corner is \(off) off")
      },
    ]
  }

  static var peeks: Law<ReplaySubject> {
    movements(.peek)(
      "GE-51", "Frame and peek are about the finger, as near as the picture's borders allow.",
      isBroken: true
    ) { subject, movement, testCase in
      let state = try given(subject.play(movement.script(rate: 60), movement.picture).last)
      guard testCase.reaches(state.layers.count > 1, "something is shown", atLeast: 0.2),
        let page = state.pictures.first, let shown = state.picture
      else { return }
      let finger = movement.isPan ? movement.to : movement.from
      let place = try given(page.toScreen.inverted()).apply(to: finger)
      let (frame, region) = (state.previewFrame, shown.copy?.region)
      testCase.classify(frame != nil, as: "a frame", atLeast: 0.05)
      testCase.classify(region != nil, as: "a peek", atLeast: 0.05)
      let pixel = 1 / state.screen.scale
      if let frame {
        try Property.require(
          page.box.covers(frame, within: pixel), "the frame is \(frame.inWords)")
      }
      // Of a frame in points and of a peek in pixels: its ends, those of the picture, and the middle.
      for (start, end, least, most, middle, slack) in [
        (frame?.x, frame?.maxX, page.box.x, page.box.maxX, finger.x, pixel),
        (frame?.y, frame?.maxY, page.box.y, page.box.maxY, finger.y, pixel),
        (
          region.map { Double($0.x) }, region.map { Double($0.maxX) }, 0,
          Double(movement.picture.width), place.x, 1.6
        ),
        (
          region.map { Double($0.y) }, region.map { Double($0.maxY) }, 0,
          Double(movement.picture.height), place.y, 1.6
        ),
      ] {
        guard let start, let end, start > least + slack, end < most - slack else { continue }
        try Property.require(
          abs((start + end) / 2 - middle) <= slack,
          "from \(start) to \(end), the middle is not at the finger's place \(middle)")
      }
    }
  }

  private static func movements(_ system: ZoomSystem) -> LawFamily<ReplaySubject, Movement> {
    family(Movement.any(system)) { movement, testCase in
      testCase.classify(movement.isPan, as: "moves", atLeast: 0.5)
    }
  }
}

/// One finger that goes from a place to another in half a second, and rests there; before that a
/// double tap zooms the picture of a system that has pans.
private struct Movement: Sendable, PlayedInput {
  var system: ZoomSystem
  var picture: PixelSize
  var screen: Screen
  var tapped, from, to: ViewPoint
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
      let place = Gen<ViewPoint>.places(on: screen)
      let tapped = try testCase.draw(place)
      // The view that is tapped to full screen is often in the middle.
      let isCentred = system == .fullscreen ? try testCase.draw(.bool) : false
      let from = isCentred ? screen.bounds.centre : try testCase.draw(place)
      let to = testCase.integer(in: 0...3) == 0 ? from : try testCase.draw(place)
      return Movement(
        system: system, picture: picture, screen: screen, tapped: tapped, from: from, to: to,
        force: force)
    }
  }

  private var hasPans: Bool { system == .transition || system == .doubleTap }

  private var opening: [GestureEvent] {
    let zoom = GestureAction(.doubleTap(at: tapped, then: tapped, gap: GestureWriter.sampling))
    return GestureWriter.events(
      of: Stage().opening(of: system, on: screen) + (hasPans ? [zoom] : []))
  }

  /// The time at which the finger comes down.
  var start: Double { (opening.last?.time ?? 0) + 1 }

  /// The script without the movement.
  var opened: GestureScript {
    get throws(GeometryError) { try GestureScript(screen: screen, events: opening) }
  }

  /// Returns the movement sampled and drawn at a rate per second, perhaps with a detour.
  ///
  /// Unless `isLifted` is false, the finger is lifted at the end in full screen, and after a pan in
  /// systems with pans. In the peek and force systems it stays down, because lifting would end the
  /// press.
  func script(
    rate: Double, by detour: ViewPoint? = nil, isLifted: Bool = true
  ) throws(GeometryError) -> GestureScript {
    var events = opening
    let start = start
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
    if isLifted, system == .fullscreen || isPan && hasPans {
      report(.ended, isPan ? to : from, at: start + 1)
    }
    return try GestureScript(screen: screen, framesPerSecond: rate, events: events)
  }
}
