import PropertyTesting
import ZoomGeometry

extension GestureLaws {
  static func motions(_ system: ZoomSystem) -> [Law<ReplaySubject>] {
    let law = gestures(of: system)
    let laws = [
      law(
        "GE-40",
        "A gesture or view that has begun ends before it begins again, and the recogniser is "
          + "active as long as a gesture is reported as begun.",
        isBroken: system == .peek || system == .force || system == .transition,
        holds: reportsInOrder)
    ]
    // A press starts no animation.
    guard system != .force && system != .peek else { return laws }
    return laws + [
      family(.lastDeeds(of: system, mayRepeat: true))(
        "GE-38", "The picture jumps only with a moving finger or a new screen.",
        isBroken: system == .fullscreen || system == .transition, holds: movesWithoutJumps),
      family(.lastDeeds(of: system))(
        "GE-57",
        "A change of the screen's size ends every animation; a change of its insets ends none.",
        isBroken: system == .transition, holds: endsAnimations),
      family(.lastDeeds(of: system))(
        "GE-39", "Each animation lasts as long as published."
      ) { subject, gesture, testCase in
        let states = try subject.play(gesture)
        let begin = states.last { !$0.events.allSatisfy { subject.durations[$0] == nil } }
        guard let begin, begin.time > gesture.end - 0.5,
          let event = begin.events.last(where: { subject.durations[$0] != nil }),
          let duration = subject.durations[event], let end = states.last?.time
        else { return testCase.classify(false, as: "something moves", atLeast: 0.05) }
        testCase.classify(true, as: "something moves", atLeast: 0.05)
        // A state is late by up to a tick.
        try Property.require(
          abs(end - begin.time - duration) <= 1.5 / gesture.script.framesPerSecond,
          "\(event) moves the picture for \(end - begin.time) s, not for \(duration) s")
      },
    ] + (system == .fullscreen ? [] : [taps(system)])
  }

  private static func taps(_ system: ZoomSystem) -> Law<ReplaySubject> {
    gestures(of: system)(
      "GE-41",
      "A double tap enlarges a fitted picture about the tapped place, and fits an enlarged one.",
      isBroken: true, examples: [turnedWhileZoomed]
    ) { subject, gesture, testCase in
      let (still, later) = rested(gesture)
      let screen = still.lastScreen ?? gesture.script.screen
      let point = try testCase.draw(.places(on: screen))
      let tap = GestureAction(.zoomTap(at: point))
      let states = try subject.play(gesture, still + GestureWriter.events(of: [tap], at: later))
      let start = states.lastIndex { $0.time < later }
      guard let start, let end = states.last else { throw TransitionLaws.nothingShown }
      let events = states[start...].dropFirst().flatMap(\.events)
      guard testCase.reaches(events.contains(.doubleTap), "a double tap", atLeast: 0.1) else {
        return
      }
      let (before, after) = (try states[start].shownPicture(), try end.shownPicture())
      let isTurned = abs(before.toScreen.b) > abs(before.toScreen.a)
      let fit = TransitionLaws.fitScale(
        of: isTurned ? gesture.picture.transposed : gesture.picture, on: screen)
      let least = subject.system == .doubleTap ? min(1, fit) : fit
      let scale = before.toScreen.determinant.squareRoot()
      let isFitted = abs(scale / least - 1) <= 0.001
      testCase.classify(!isFitted, as: "an enlarged picture", atLeast: 0.005)
      try Property.require(
        events.contains(.zoomIn) == isFitted && events.contains(.zoomOut) != isFitted,
        "at \(scale / least) times the fit the events are \(events)")
      let slack = after.slackAtRest(on: screen)
      let factor = isFitted ? (subject.system == .transition ? 3.0 : 2) : 1
      let share = after.toScreen.determinant.squareRoot() / least
      try Property.require(
        abs(share / factor - 1) <= 1e-6, "it shows \(share) times the fit, not \(factor)")
      guard isFitted else {
        return try Property.require(
          after.box.isCentred(on: screen.bounds, within: slack), "it shows \(after.box.inWords)")
      }
      let content = try before.content(at: point)
      // A scroll view moves the tapped point to its middle; a transition keeps it in place.
      let aim = subject.system == .transition ? point : screen.bounds.centre
      let off = after.toScreen.apply(to: content) - aim
      let free = after.box.freeAxes(on: screen.size, within: slack)
      testCase.classify(!free.isEmpty, as: "free along an axis", atLeast: 0.02)
      try Property.require(
        // The new zoom starts from the exact fit, from which the shown scale may differ by a thousandth.
        free.allSatisfy { abs(off[$0]) <= slack + abs(scale / least - 1) * after.box[$0].length },
        "the tapped place is \(off.inWords) off")
    }
  }

  private static let turnedWhileZoomed = example(
    picture: (927, 1647),
    [
      GestureAction(.doubleTap(at: ViewPoint(x: 0, y: 1), then: ViewPoint(x: 0, y: 1), gap: 0))
    ]
  ).flatMap { gesture in
    (try? Screen(size: ViewSize(width: 667, height: 375))).flatMap {
      try? gesture.with(
        gesture.script.events + [GestureEvent(time: gesture.end, kind: .screen($0))])
    }
  }

  private static func movesWithoutJumps(
    _ subject: ReplaySubject, _ gesture: GestureCase, _ testCase: inout TestCase
  ) throws {
    var zoom = try given(subject.live)(gesture.script.scene, gesture.picture)
    func shown() throws -> Affine { try zoom.takeState().shownPicture().toScreen }
    func apartInPixels(_ one: Affine, _ other: Affine) -> Double {
      apart(one, other, gesture.picture) * zoom.screen.scale
    }
    var rested = true
    for event in gesture.script.events {
      try zoom.advance(to: event.time)
      let before = try shown()
      rested = !zoom.isMoving
      try zoom.handle(event)
      if event.isMovement || event.screen != nil { continue }
      let after = try shown()
      // Alignment moves the picture by up to half a pixel on each axis.
      let jump = apartInPixels(before, after)
      try Property.require(
        jump <= 1.25 + gestureSlack * 1e3, "at \"\(event.sentence)\" a corner jumps \(jump) pixels")
    }
    // No step exceeds 30 % of the whole movement after the last event.
    var places = [try shown()]
    while zoom.isMoving, places.count < 1000 {
      try zoom.advance(to: zoom.time + 1.0 / 240)
      places.append(try shown())
    }
    let way = places.map { apartInPixels(places[0], $0) }.max() ?? 0
    testCase.classify(way > 10, as: "moves on", atLeast: 0.05)
    // If an animation was already running at the last event, perhaps only its end is left, and one
    // step may be most of that. So this is checked only if the picture was at rest before.
    for (one, other) in zip(places, places.dropFirst()) where rested {
      let step = apartInPixels(one, other)
      try Property.require(
        step <= 1.25 + 0.3 * way, "in a movement of \(way) pixels a step is \(step) pixels")
    }
  }

  private static func endsAnimations(
    _ subject: ReplaySubject, _ gesture: GestureCase, _ testCase: inout TestCase
  ) throws {
    var zoom = try given(subject.live)(gesture.script.scene, gesture.picture)
    for event in gesture.script.events { try zoom.handle(event) }
    let wait = try testCase.draw(.double(in: 0...0.3))
    try zoom.advance(to: zoom.time + wait)
    testCase.classify(zoom.isMoving, as: "something moves", atLeast: 0.1)
    let old = zoom.screen
    var new = try testCase.draw(.gestureScreens)
    let isResized = new.size != old.size
    if !isResized { new = try Screen(size: old.size, scale: old.scale, insets: new.insets) }
    testCase.classify(!isResized, as: "only insets", atLeast: 0.05)
    var changed = zoom
    try changed.handle(GestureEvent(time: zoom.time, kind: .screen(new)))
    if isResized {
      let now = try changed.takeState().shownPicture().toScreen
      try changed.advance(to: zoom.time + 1)
      let later = try changed.takeState().shownPicture().toScreen
      try Property.require(later == now, "the picture moves on")
    } else {
      try zoom.advance(to: zoom.time + 0.1)
      try changed.advance(to: zoom.time)
      let (one, other) = (try zoom.takeState(), try changed.takeState())
      // A view that the system places in the safe area moves with it.
      guard gesture.script.stage.view != nil || subject.system == .doubleTap else { return }
      try Property.require(
        one.picture?.toScreen == other.picture?.toScreen, "the animation does not go on")
    }
  }

  private static func reportsInOrder(
    _ subject: ReplaySubject, _ gesture: GestureCase, _ testCase: inout TestCase
  ) throws {
    var zoom = try given(subject.live)(gesture.script.scene, gesture.picture)
    var open: Set<ZoomEvent> = []
    var last = RecogniserState.possible
    var (down, hasZoomed, hasBegun): ([Int: ViewPoint], Bool, Bool) = ([:], false, false)
    let events = try over(gesture, &testCase)
    testCase.classify(events.contains(where: \.isTouch), as: "touches", atLeast: 0.5)
    // A long press can begin without an event, so time is advanced separately.
    for (event, isTime) in events.flatMap({ [($0, true), ($0, false)] }) {
      let (before, wasAnimating) = (try zoom.layers(), zoom.isMoving)
      let size = zoom.screen.size
      if isTime { try zoom.advance(to: event.time) } else { try zoom.handle(event) }
      let state = try zoom.takeState()
      // A movement leaves the recogniser in `began` only if it begins a gesture; a later one that
      // moves the picture takes it to `changed`.
      try Property.require(
        isTime || !event.isMovement || last != .began || state.recogniser != .began
          || state.layers == before,
        "at \"\(event.sentence)\" the picture moves, but the recogniser stays in began")
      try Property.require(
        isTime || event.kind != .close || !open.contains(.present)
          || state.events.contains(.dismiss), "the close button does nothing")
      let hadGesture = !open.isDisjoint(with: [.panBegan, .pinchBegan])
      for happened in state.events {
        let words =
          "at \"\(event.sentence)\" \(happened) comes; open: \(open.isEmpty ? "none" : "\(open)")"
        switch happened {
        case .panBegan, .pinchBegan, .present, .peek:
          try Property.require(open.insert(happened).inserted, words)
        case .zoomIn where subject.system == .force:
          try Property.require(open.insert(happened).inserted, words)
        case .panEnded: try Property.require(open.remove(.panBegan) != nil, words)
        case .pinchEnded: try Property.require(open.remove(.pinchBegan) != nil, words)
        case .dismiss: try Property.require(open.remove(.present) != nil, words)
        case .pop, .dismissPeek: try Property.require(open.remove(.peek) != nil, words)
        case .zoomOut where subject.system == .force:
          open.remove(.zoomIn)
        case .cancelled: open.subtract([.panBegan, .pinchBegan])
        case .rotate:
          try Property.require(subject.system == .transition || open.contains(.present), words)
        case .rejectedTouch, .singleTap, .doubleTap, .zoomIn, .zoomOut: break
        }
      }
      hasBegun = hasBegun || !open.isEmpty
      if subject.system == .transition {
        let isTap = state.events.contains(.singleTap)
        try Property.require(
          !isTap || state.events.contains { [.dismiss, .zoomOut].contains($0) },
          "at \"\(event.sentence)\" \(state.events) happen")
        let isEnded = state.events.contains(.rotate) || zoom.screen.size != size
        try Property.require(
          !isEnded || state.recogniser != .began && state.recogniser != .changed,
          "at \"\(event.sentence)\" the gesture goes on")
      }
      let now = state.recogniser
      try Property.require(
        now != .changed || last == .began || last == .changed || !isTime && event.touches.count > 1,
        "at \"\(event.sentence)\" the recogniser goes from \(last) to changed")
      let hasGesture = !open.isDisjoint(with: [.panBegan, .pinchBegan])
      try Property.require(
        isTime || event.phase != .cancelled || !hadGesture || hasGesture
          || state.events.contains(.cancelled),
        "at \"\(event.sentence)\" the events are \(state.events), without cancelled")
      hasZoomed = hasZoomed || state.events.contains(.zoomIn)
      if !isTime {
        let wasTouched = !down.isEmpty
        event.follow(&down)
        try requireSimpleReports(
          subject, event, state, after: last, wasTouched, isTouched: !down.isEmpty,
          wasStill: !wasAnimating, moves: zoom.isMoving)
      }
      if subject.system == .doubleTap {
        try Property.require(
          hasZoomed || !open.contains(.panBegan), "a picture that was never zoomed is panned")
      }
      try Property.require(
        subject.system != .force || !state.events.contains(.zoomOut)
          || state.events.contains(.cancelled) == (now == .cancelled),
        "the events are \(state.events) and the press is \(now)")
      let runs = !open.isDisjoint(with: [.panBegan, .pinchBegan, .zoomIn])
      let isActive = now == .began || now == .changed
      let ending: RecogniserState? =
        isTime || isActive || last != .began && last != .changed
        ? nil : event.phase == .ended ? .ended : event.phase == .cancelled ? .cancelled : nil
      try Property.require(
        ending == nil
          || now == ending && state.events.contains(.cancelled) == (ending == .cancelled),
        "at \"\(event.sentence)\" an active gesture is \(now), and \(state.events) happen")
      if subject.system != .peek {
        try Property.require(
          runs == isActive, "at \"\(event.sentence)\" it is \(now), and \(open) is open")
      } else {
        try Property.require(isActive || !open.contains(.peek), "a peek is open, and it is \(now)")
      }
      last = now
    }
    testCase.classify(hasBegun, as: "a gesture or view begins", atLeast: 0.02)
    try Property.require(
      open.subtracting([.present]).isEmpty, "everything is cancelled, and \(open) is open")
  }

  /// Requires the published events and states of systems without force.
  private static func requireSimpleReports(
    _ subject: ReplaySubject, _ event: GestureEvent, _ state: ZoomState,
    after last: RecogniserState, _ wasTouched: Bool, isTouched: Bool, wasStill: Bool, moves: Bool
  ) throws {
    guard subject.system != .peek, subject.system != .force else { return }
    try Property.require(state.force == 0, "the force is \(state.force)")
    let now = state.recogniser
    guard subject.system != .transition else {
      // A transition recognises nothing while it presents or dismisses the picture.
      let begins = event.phase == .began && !wasTouched && wasStill
      var isTurn = false
      if case .device(let device) = event.kind {
        isTurn = device.contentTurn != nil && wasStill && moves
      }
      return try Property.require(
        (!begins || now == .possible) && (!state.events.contains(.present) || now == .ended)
          && (!isTurn || state.events.contains(.rotate)),
        "at \"\(event.sentence)\" the recogniser is \(now), and \(state.events) happen")
    }
    let expected: RecogniserState? =
      switch event.kind {
      case .touches(.began, _):
        !wasTouched ? .possible : subject.system == .fullscreen ? last : nil
      case .touches(.ended, _) where !isTouched && subject.system == .fullscreen:
        state.events.contains(.singleTap) ? .ended : .failed
      case .touches(.cancelled, _): subject.system == .fullscreen ? .cancelled : nil
      case .cancelAll: wasTouched && subject.system == .fullscreen ? .cancelled : nil
      default: nil
      }
    try Property.require(
      expected == nil || now == expected, "at \"\(event.sentence)\" the recogniser is \(now)")
    try Property.require(
      event.kind != .cancelAll || !wasTouched || state.events.contains(.cancelled),
      "when all is cancelled the events are \(state.events)")
  }
}
