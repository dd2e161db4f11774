import PropertyTesting
import ZoomGeometry

extension GestureLaws {
  static func plays(
    _ system: ZoomSystem, _ law: LawFamily<ReplaySubject, GestureCase>
  ) -> [Law<ReplaySubject>] {
    [
      law("GE-1", "Every state can be drawn, and times never go back.") { subject, gesture, _ in
        let states = try subject.play(gesture)
        try Property.require(!states.isEmpty, "the list of states is empty")
        var now = 0.0
        for state in states {
          try Property.require(state.time >= now, "after \(now) s comes \(state.time) s")
          now = state.time
          try isDrawable(state, gesture.picture)
        }
      },
      // A test of ZoomLaws compares the states of two processes, whose hash tables differ in order.
      law("GE-2", "The same script gives the same states.") { subject, gesture, _ in
        let isSame = try subject.play(gesture) == subject.play(gesture)
        try Property.require(isSame, "the second run gives other states")
      },
      law("GE-11", "After the last event everything comes to rest within a moment.") {
        subject, gesture, _ in
        let late = (try subject.play(gesture).last?.time ?? 0) - gesture.end
        try Property.require(
          late <= subject.longestMotion, "\(late) s after the last event something moves")
      },
      law("GE-31", "A live run at any frame rate ends like the script.") {
        subject, gesture, testCase in
        let zoom = try given(subject.live)(gesture.script.scene, gesture.picture)
        let rate = try testCase.draw(.double(in: 1...240))
        let (events, end) = try driven(zoom, gesture.script.events, framesPerSecond: rate)
        let states = try subject.play(gesture)
        let isSame =
          end.layers == states.last?.layers && end.recogniser == states.last?.recogniser
          && end.force == states.last?.force
        try Property.require(isSame, "live at \(rate) Hz it ends as \(end.layers)")
        let expected = states.flatMap(\.events)
        try Property.require(
          events == expected, "live the events are \(events), in the script \(expected)")
      },
      law(
        "GE-46", "Fills and outlines look as published.", isBroken: system == .force,
        holds: looksAsPublished),
      law(
        "GE-34", "The result does not depend on the origin of the clock.",
        holds: startsAtAnyTime),
      law(
        "GE-35", "A refused event changes nothing, and later events are accepted.",
        holds: goesOnAfterRefusals),
    ]
  }

  /// Requires that fills and outlines have the published frames, shades and order.
  private static func looksAsPublished(
    _ subject: ReplaySubject, _ gesture: GestureCase, _ testCase: inout TestCase
  ) throws {
    let states = try subject.play(gesture)
    // The caption stays at the initial frame of the view.
    let home = states.first?.card?.box
    let isFixed = gesture.script.stage.view != nil && subject.system == .fullscreen
    try Property.require(
      subject.system != .fullscreen || home != nil, "the first state shows no view")
    testCase.classify(isFixed || subject.system != .fullscreen, as: "a fixed view", atLeast: 0.2)
    // A tap at the very start lifts the view over its caption at once.
    if isFixed, let first = states.first, !first.events.contains(.present) {
      guard case .fill(let caption)? = first.layers.last, caption.shade == 0.35 else {
        throw PropertyFailure("the caption is not in front of the view")
      }
    }
    var isTurning = false
    if subject.system == .peek {
      testCase.classify(states.contains { $0.previewFrame != nil }, as: "a frame", atLeast: 0.05)
      testCase.classify(states.contains { $0.pictures.count > 1 }, as: "a peek", atLeast: 0.05)
    }
    for state in states {
      let fills = state.layers.map {
        if case .fill(let fill) = $0 { fill } else { FillLayer?.none }
      }
      let bounds = state.screen.bounds
      var expected: [FillLayer?] = [FillLayer(rect: bounds, shade: 0.9)]
      switch subject.system {
      case .peek:
        expected = [nil]
        if state.pictures.count > 1 {
          expected.append(FillLayer(rect: bounds, shade: 0, opacity: 0.6))
        } else if case .outline(let line)? = state.layers.last {
          let shadow = Shadow(offset: ViewPoint(x: 0, y: 0), radius: 5, opacity: 0.75)
          let look = OutlineLayer(rect: line.rect, width: 4, shade: 1, shadow: shadow)
          try Property.require(line == look, "the frame is \(line)")
        }
      case .fullscreen:
        // A device may turn in the tick of the tap that presents the view.
        let last = state.events.last { [.present, .dismiss, .rotate].contains($0) }
        isTurning = state != states.last && (last.map { $0 == .rotate } ?? isTurning)
        // A turning view is drawn without its own black area.
        let place = state.layers.lastIndex { if case .picture = $0 { true } else { false } }
        if !isTurning, let place, place > 0, let picture = state.picture {
          guard case .fill(let card) = state.layers[place - 1] else {
            throw PropertyFailure("the view lacks its card: \(state.layers)")
          }
          // The picture is as wide or as high as its card. The black area that hides the page
          // during a turn is larger, and must not be taken for the card.
          let pixel = 1.01 / state.screen.scale
          try Property.require(
            card.shade == 0
              && (near(card.rect.width, picture.size.width, within: pixel)
                || near(card.rect.height, picture.size.height, within: pixel)),
            "the picture's card is \(card)")
        }
        if let home, isFixed {
          let quarter = ViewRect(
            x: home.x, y: home.maxY - home.height / 4, width: home.width, height: home.height / 4)
          try Property.require(
            fills.contains { $0?.shade == 0.35 && distance($0?.box ?? home, quarter) <= 1e-6 },
            "at \(state.time) s the caption is not in \(quarter.inWords)")
        }
      case .transition:
        expected.append(
          FillLayer(rect: bounds, shade: 0, opacity: fills.dropFirst().first??.opacity ?? 0))
      case .doubleTap: expected = [nil]
      case .force:
        if gesture.script.stage.forceExhibit == .button, let button = fills.last ?? nil {
          expected.append(button)
          // The shadow shrinks in proportion to the force.
          let rest = 1 - state.force
          let middle = state.screen.safeArea.centre
          let usual = ViewRect(x: middle.x - 100, y: middle.y - 42.5, width: 200, height: 85)
          try Property.require(
            gesture.script.stage.view != nil || distance(button.box, usual) <= 1e-6,
            "the button is at \(button.box.inWords) and not at \(usual.inWords)")
          let (offset, radius) = (button.shadow?.offset.x ?? 0, button.shadow?.radius ?? 0)
          try Property.require(
            button.shade == 0.83 && button.cornerRadius == gesture.script.stage.cornerRadius
              && button.shadow?.opacity == 0.8 && button.shadow?.offset.y == offset
              && near(offset, 6.6 * rest, within: 1e-9)
              && near(radius, 10 * rest, within: 1e-9),
            "under a force of \(state.force) the button is \(button)")
        }
      }
      try Property.require(
        Array(fills.prefix(expected.count)) == expected,
        "at \(state.time) s the fills are \(fills)")
    }
    guard subject.system == .transition, let end = states.last else { return }
    let isOpen = TransitionLaws.isPresented(states)
    guard case .fill(let backdrop) = end.layers[1] else { return }
    try Property.require(
      backdrop.opacity == (isOpen ? 1 : 0), "at rest the backdrop has \(backdrop.opacity)")
  }

  static func isDrawable(_ state: ZoomState, _ picture: PixelSize) throws {
    try Property.require(state.isFinite, "at \(state.time) s a number is not finite")
    try Property.require(!state.layers.isEmpty, "at \(state.time) s there is nothing to draw")
    for layer in state.layers {
      let isSound =
        switch layer {
        case .picture(let layer):
          layer.size.width > 0 && layer.size.height > 0 && (0...1).contains(layer.opacity)
            && layer.cornerRadius >= 0 && layer.seen.width >= 0 && layer.seen.height >= 0
        case .fill(let fill):
          fill.rect.width >= 0 && fill.rect.height >= 0 && (0...1).contains(fill.shade)
            && (0...1).contains(fill.opacity) && fill.cornerRadius >= 0
        case .outline(let line):
          line.rect.width >= 0 && line.rect.height >= 0 && line.width >= 0
        }
      try Property.require(isSound, "at \(state.time) s a layer cannot be drawn: \(layer)")
    }
    for layer in state.pictures {
      try Property.require(
        layer.transform.determinant > 0,
        "at \(state.time) s the picture is squeezed or mirrored: \(layer.transform)")
      let map = layer.toScreen
      let (across, down) = (map.a * map.a + map.b * map.b, map.c * map.c + map.d * map.d)
      try Property.require(
        abs(across - down) <= gestureSlack * down,
        "at \(state.time) s the picture's sides are scaled by different numbers: \(map)")
      let region = PicturePlan(layer, on: state.screen, picture: picture)?.region
      try Property.require(
        region?.isInside(picture) ?? true,
        "at \(state.time) s pixels outside the picture are requested")
    }
  }

  private static func startsAtAnyTime(
    _ subject: ReplaySubject, _ gesture: GestureCase, _ testCase: inout TestCase
  ) throws {
    // The origins are half an hour, four months, January 2027, and the end of the clock.
    let origin = try testCase.draw(Gen<Double>.element(of: [2e3, 1e7, 1.8e9, 0x1p32 - 2e5]))
    // A double with 32 bits before the point has 21 after it, so these times and frames are exact.
    let events = gesture.script.events.map {
      GestureEvent(time: ($0.time * 0x1p20).rounded() * 0x1p-20, kind: $0.kind)
    }
    let zoom = try given(subject.live)(gesture.script.scene, gesture.picture)
    let (expected, end) = try driven(zoom, events, framesPerSecond: 64)
    var late = zoom
    try late.advance(to: origin)
    let (happened, lateEnd) = try driven(
      late, events.map { GestureEvent(time: origin + $0.time, kind: $0.kind) }, framesPerSecond: 64)
    try Property.require(
      happened == expected && lateEnd.recogniser == end.recogniser
        && near(lateEnd.force, end.force, within: 1e-5),
      "from \(origin) s on the events are \(happened), not \(expected), and it ends as "
        + "\(lateEnd.recogniser) with a force of \(lateEnd.force)")
    try Property.require(
      end.layers.count == lateEnd.layers.count && end.pictures.count == lateEnd.pictures.count,
      "from \(origin) s on it ends with \(lateEnd.layers) and not \(end.layers)")
    for (one, other) in Swift.zip(end.pictures, lateEnd.pictures) {
      // A tap is decided 0.35 s after a lift. A clock since 1970 does not resolve this exactly, so
      // an animation may be interrupted a millionth of its way later.
      let off = apart(one.toScreen, other.toScreen, gesture.picture)
      try Property.require(
        off <= 100 * one.slack, "from \(origin) s on a corner is \(off) points off")
    }
  }

  /// Drives a system as an app does, until it rests, and returns its events and its last state.
  private static func driven(
    _ start: LiveZoom, _ events: [GestureEvent], framesPerSecond: Double
  ) throws -> (events: [ZoomEvent], end: ZoomState) {
    var (zoom, happened) = (start, [ZoomEvent]())
    for event in events {
      while zoom.isMoving, zoom.time + 1 / framesPerSecond < event.time {
        try zoom.advance(to: zoom.time + 1 / framesPerSecond)
        _ = try zoom.layers()
      }
      try zoom.handle(event)
      happened += zoom.events
      zoom.clearEvents()
    }
    while zoom.isMoving { try zoom.advance(to: zoom.time + 1 / framesPerSecond) }
    let end = try zoom.takeState()
    return (happened + end.events, end)
  }
}
