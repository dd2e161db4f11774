import PropertyTesting
import ZoomGeometry

extension GestureLaws {
  /// Laws of how often fingers are reported, and together with which others.
  static func samples(_ system: ZoomSystem) -> [Law<ReplaySubject>] {
    [
      law(
        "GE-26", "Samples of a finger that come together are as good as samples one by one.",
        of: system, brokenBy: [.force]
      ) { subject, gesture, testCase in
        // Each movement goes by way of another place, in the same event.
        let reach = Gen<Double>.double(in: -30...30)
        let way = ViewPoint(x: try testCase.draw(reach), y: try testCase.draw(reach))
        var (single, together): ([GestureEvent], [GestureEvent]) = ([], [])
        for event in gesture.script.events {
          guard case .touches(.moved, let touches) = event.kind else {
            single.append(event)
            together.append(event)
            continue
          }
          let before = touches.map { Touch(id: $0.id, point: $0.point + way, force: $0.force) }
          single.append(GestureEvent(time: event.time, kind: .touches(.moved, before)))
          single.append(event)
          together.append(GestureEvent(time: event.time, kind: .touches(.moved, before + touches)))
        }
        // Fingers rest before they are lifted: how fast they are thrown depends on the way.
        try requireNearlySameEnd(
          try subject.play(gesture.with(settled(together))),
          try subject.play(gesture.with(settled(single))), of: gesture.picture, "together")
      },
      Law(
        "GE-29", "A movement ends the same however often it is sampled and drawn.", source: source,
        for: Movement.any(system), inWords: { $0.inWords }
      ) { subject, movement, testCase in
        let slow = try subject.play(movement.script(rate: 10, frames: 10), movement.picture)
        let fast = try subject.play(movement.script(rate: 120, frames: 120), movement.picture)
        guard let one = slow.last, let other = fast.last else { throw TransitionLaws.nothingShown }
        try Property.require(
          one.layers.count == other.layers.count,
          "\(one.layers.count) layers at 10 Hz, \(other.layers.count) at 120")
        guard let a = one.picture, let b = other.picture else { return }
        try requireSamePlace(b, a, of: movement.picture, "sampled 120 times a second, not 10,")
      },
    ]
  }

  /// The events without what throws a picture: fingers rest before they are lifted.
  private static func settled(_ events: [GestureEvent]) -> [GestureEvent] {
    var shift = 0.0
    return events.map { event in
      if case .touches(.ended, _) = event.kind { shift += 0.2 }
      return GestureEvent(time: event.time + shift, kind: event.kind)
    }
  }

  /// Laws of pens.
  static func pens(_ system: ZoomSystem) -> Law<ReplaySubject> {
    law(
      "GE-27", "A hand that rests on the screen changes nothing of what a pen presses.",
      of: system, brokenBy: [.peek, .force]
    ) { subject, gesture, testCase in
      // Finger 0 is the pen.
      func isPen(_ touch: Touch) -> Bool { touch.id == 0 }
      func events(withHand: Bool) -> [GestureEvent] {
        gesture.script.events.compactMap { event in
          event.withTouches { _, touches in
            touches.filter { withHand || isPen($0) }
          }
        }.withPen
      }
      let (alone, hand) = (events(withHand: false), events(withHand: true))
      testCase.classify(alone.count < hand.count, as: "a hand", atLeast: 0.2)
      try requireSameEnd(
        try subject.play(gesture.with(hand, press: .pen)),
        try subject.play(gesture.with(alone, press: .pen)), "with a hand")
    }
  }

  /// Laws of one finger that comes back.
  static func wanderings(_ system: ZoomSystem) -> Law<ReplaySubject> {
    Law(
      "GE-28",
      "A finger that goes beyond the picture's end and comes back has under it what it had.",
      source: source, for: Movement.any(system), inWords: { $0.inWords }
    ) { subject, movement, testCase in
      let far = ViewPoint(
        x: try testCase.draw(.double(in: -3000...3000)),
        y: try testCase.draw(.double(in: -3000...3000)))
      let direct = try subject.play(movement.script(rate: 60, frames: 60), movement.picture)
      let around = try subject.play(
        movement.script(rate: 60, frames: 60, by: far), movement.picture)
      guard let a = direct.last?.picture, let b = around.last?.picture else {
        throw TransitionLaws.nothingShown
      }
      let off = apart(a.toScreen, b.toScreen, movement.picture)
      try Property.require(
        off <= gestureSlack * (magnitude(a.box) + 3000),
        "by way of \(far.inWords) a corner is \(off) off")
    }
  }
}

/// One finger that goes from a place to another in half a second, and rests there.
private struct Movement: Sendable {
  var system: ZoomSystem
  var picture: PixelSize
  var screen: Screen
  var from, to: ViewPoint
  var force: Double

  var inWords: String { "\(picture) on \(screen.inWords), from \(from.inWords) to \(to.inWords)" }

  static func any(_ system: ZoomSystem) -> Gen<Movement> {
    Gens.zip(Gen<Screen>.gestureScreens, Gen<PixelSize>.gesturePictures, Gen<Double>.pressures())
      .flatMap { screen, picture, force in
        Gens.zip(Gen<ViewPoint>.places(on: screen), Gen<ViewPoint>.places(on: screen)).map {
          Movement(
            system: system, picture: picture, screen: screen, from: $0.0, to: $0.1, force: force)
        }
      }
  }

  /// The movement told so many times a second, drawn so many times a second, perhaps by way of
  /// another place; the finger stays down except where it pans.
  func script(rate: Double, frames: Double, by detour: ViewPoint? = nil) throws -> GestureScript {
    var actions: [GestureAction] = []
    if system == .transition { actions += Stage().opening(on: screen) }
    if system == .transition || system == .doubleTap {
      let middle = screen.bounds.centre
      actions.append(
        GestureAction(.doubleTap(at: middle, then: middle, gap: GestureWriter.sampling)))
    }
    var events = GestureWriter.events(of: actions)
    let start = (events.last?.time ?? 0) + 1
    func tell(_ phase: TouchPhase, _ point: ViewPoint, at time: Double) {
      let touch = Touch(id: 0, point: point, force: phase == .ended ? 0 : force)
      events.append(GestureEvent(time: time, kind: .touches(phase, [touch])))
    }
    tell(.began, from, at: start)
    // Beyond the slop at once, and the same way however it goes on: which part of a movement the
    // slop takes depends on nothing else.
    let way = to - from
    if way.length > 12 {
      let part = 12 / way.length
      tell(.moved, from + way.scaled(by: part), at: start + 0.05)
      if let detour { tell(.moved, detour, at: start + 0.06) }
      for step in 1...Int(rate / 2) {
        let share = part + (1 - part) * Double(step) / (rate / 2)
        let point = step == Int(rate / 2) ? to : from + way.scaled(by: share)
        tell(.moved, point, at: start + 0.1 + Double(step) / rate)
      }
      if system == .transition || system == .doubleTap { tell(.ended, to, at: start + 1) }
    }
    return try GestureScript(screen: screen, framesPerSecond: frames, events: events)
  }
}

extension GestureLaws {
  /// Laws of two scripts that mean the same.
  static func equivalents(_ system: ZoomSystem) -> [Law<ReplaySubject>] {
    [
      law("GE-3", "A movement that is reported twice is the same movement.", of: system) {
        subject, gesture, _ in
        let twice = gesture.script.events.flatMap { event in
          if case .touches(.moved, _) = event.kind { [event, event] } else { [event] }
        }
        try requireSameEnd(
          try subject.play(gesture.with(twice)), try subject.play(gesture), "reported twice")
      },
      law(
        "GE-4", "Fingers that move together may be reported together or one by one.", of: system,
        brokenBy: [.force, .transition], examples: [twoThatMove]
      ) { subject, gesture, testCase in
        let single = gesture.script.events.flatMap { event -> [GestureEvent] in
          guard case .touches(.moved, let touches) = event.kind else { return [event] }
          return touches.map { GestureEvent(time: event.time, kind: .touches(.moved, [$0])) }
        }
        // Each report moves the picture, and the sum of movements depends on their order.
        try requireNearlySameEnd(
          try subject.play(gesture.with(single)), try subject.play(gesture), of: gesture.picture,
          "one by one")
      },
      law("GE-5", "Which number a finger has does not matter.", of: system) { subject, gesture, _ in
        let renamed = gesture.script.events.compactMap { event in
          event.withTouches { _, touches in
            touches.map { Touch(id: 7 - $0.id, point: $0.point, force: $0.force) }
          }
        }
        try requireSameEnd(
          try subject.play(gesture.with(renamed)), try subject.play(gesture), "with other numbers")
      },
    ]
  }

  /// A finger presses, and a second one comes down and moves with it.
  private static let twoThatMove = example([
    GestureAction(.touch(finger: 0, at: ViewPoint(x: 150, y: 300), force: 3)),
    GestureAction(
      .pinch(
        GestureAction.PinchPath(
          from: ViewPoint(x: 180, y: 330), to: ViewPoint(x: 190, y: 340),
          arm: ViewPoint(x: 30, y: 30), endArm: ViewPoint(x: 30, y: 30), steps: 1))),
  ])
}
