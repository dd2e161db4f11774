import PropertyTesting
import ZoomGeometry

/// A gesture that is cut off at any of its events and followed by a change of the screen.
///
/// The pauses are too short for most animations, taps and long presses to end.
struct ScreenChange: Sendable, PlayedInput {
  /// The events before the screen changes.
  var gesture: GestureCase
  /// The new screens, at most two.
  var changes: [GestureEvent]
  /// The fingers that are down, with their points on the last screen.
  var touches: [Touch]
  /// The time at which the fingers are reported again.
  var later: Double
  /// Whether the fingers are reported in one event.
  var isTogether: Bool

  /// The screen before the changes, and the new ones.
  var screens: [Screen] {
    [gesture.script.events.lastScreen ?? gesture.script.screen] + changes.compactMap(\.screen)
  }

  /// Whether the screen's size changes, and with it the coordinate system of fingers.
  var isResized: Bool { screens.contains { $0.size != screens[0].size } }

  var isResizedUnderFingers: Bool { isResized && !touches.isEmpty }

  var events: [GestureEvent] { gesture.script.events + changes }

  var played: GestureCase {
    get throws(GeometryError) { try gesture.with(events + reports(.moved)) }
  }

  func reports(_ phase: TouchPhase) -> [GestureEvent] {
    let groups = isTogether ? [touches].filter { !$0.isEmpty } : touches.map { [$0] }
    return groups.map { GestureEvent(time: later, kind: .touches(phase, $0)) }
  }

  /// Whether one finger is down, and its long press is not complete when it is reported again.
  var isDuringLongPress: Bool {
    guard touches.count == 1, case .longPress(let press) = gesture.script.scene.press,
      let began = gesture.script.events.last(where: { $0.phase == .began })
    else { return false }
    return later < began.time + press.duration
  }

  static func any(_ system: ZoomSystem) -> Gen<ScreenChange> {
    Gen { testCase throws(Discarded) in
      var gesture = try testCase.draw(.gestures(of: system))
      var events = gesture.script.events
      // The change comes during pans, pinches and presses, not only between them.
      let cut = testCase.integer(in: 0...events.count, shrinkingTowards: events.count)
      events = Array(events.prefix(cut))
      let pause = Gen<Double>.weighted([
        (3, .element(of: [0, GestureWriter.sampling, 0.1, 0.2])), (1, .pauses),
      ])
      var now = events.last?.time ?? 0
      let screen = events.lastScreen ?? gesture.script.screen
      // Taps and long presses begin with one finger that rests.
      if try testCase.draw(.bool) {
        now += try testCase.draw(.pauses)
        events.append(GestureEvent(time: now, kind: .cancelAll))
        now += try testCase.draw(.pauses)
        let touch = Touch(
          id: 0, point: try testCase.draw(.places(on: screen)),
          force: try testCase.draw(.pressures()))
        events.append(GestureEvent(time: now, kind: .touches(.began, [touch])))
      }
      let press = try testCase.draw(.presses(of: system))
      if press == .pen { events = events.withPen }
      var changes: [GestureEvent] = []
      for changed in try testCase.draw(Gen<[Screen]>.array(of: .gestureScreens, count: 1...2)) {
        now += try testCase.draw(pause)
        changes.append(GestureEvent(time: now, kind: .screen(changed)))
      }
      // A finger's coordinates may be the same as before.
      let isElsewhere = try testCase.draw(.bool)
      let way: ViewPoint = isElsewhere ? try testCase.draw(.vectors(upTo: 300)) : .zero
      now += try testCase.draw(pause)
      let isTogether = try testCase.draw(.bool)
      gesture = try given(try? gesture.with(events, press: press))
      let touches = events.touchesDown().map { touch in
        Touch(id: touch.id, point: touch.point + way, force: touch.force, isPen: touch.isPen)
      }
      return ScreenChange(
        gesture: gesture, changes: changes, touches: touches, later: now, isTogether: isTogether)
    }
  }

  /// Returns a generator of changes at most 0.3 s after a single or double tap on a picture at rest.
  static func afterTap(_ system: ZoomSystem) -> Gen<ScreenChange> {
    Gen { testCase throws(Discarded) in
      let gesture = try testCase.draw(.gestures(of: system))
      let (still, later) = GestureLaws.rested(gesture)
      let place = try testCase.draw(.places(on: still.lastScreen ?? gesture.script.screen))
      let deed =
        try testCase.draw(.bool)
        ? GestureAction.Deed.doubleTap(at: place, then: place, gap: 0.1)
        : .tap(at: place, held: GestureWriter.sampling)
      let events = still + GestureWriter.events(of: [GestureAction(deed)], at: later)
      let other = try testCase.draw(.gestureScreens)
      let time = (events.last?.time ?? 0) + testCase.double(in: 0...0.3)
      return ScreenChange(
        gesture: try given(try? gesture.with(events)),
        changes: [GestureEvent(time: time, kind: .screen(other))], touches: [], later: time,
        isTogether: true)
    }
  }

  /// Returns a change of a phone's screen some time after actions; nil if their script is invalid.
  static func example(
    _ actions: [GestureAction], to size: (Double, Double), after pause: Double,
    report: (finger: Int, at: ViewPoint)? = nil, later: Double, press: PressKind? = nil
  ) -> ScreenChange? {
    guard let gesture = GestureLaws.example(actions),
      let pressed = try? gesture.with(gesture.script.events, press: press),
      let screen = try? Screen(size: ViewSize(width: size.0, height: size.1))
    else { return nil }
    let time = gesture.end + pause
    let touches = gesture.script.events.touchesDown().map { touch in
      Touch(
        id: touch.id, point: report?.finger == touch.id ? report?.at ?? touch.point : touch.point,
        force: touch.force)
    }
    return ScreenChange(
      gesture: pressed, changes: [GestureEvent(time: time, kind: .screen(screen))],
      touches: touches, later: time + later, isTogether: true)
  }
}

/// A gesture during which the insets or the scale of the screen change, but not its size.
struct InsetChange: Sendable, PlayedInput {
  var gesture: GestureCase
  /// The changes, each under the index of the event that follows it.
  var changes: [Int: GestureEvent]

  var played: GestureCase {
    get throws(GeometryError) {
      let events = gesture.script.events
      return try gesture.with(
        (0...events.count).flatMap { index in
          (changes[index].map { [$0] } ?? []) + events[index...].prefix(1)
        })
    }
  }

  init(
    _ gesture: GestureCase, at indices: Set<Int>,
    _ screen: (Screen) throws(GeometryError) -> Screen
  ) throws(GeometryError) {
    self.gesture = gesture
    changes = [:]
    let events = gesture.script.events
    for index in indices where index <= events.count {
      let before = Array(events[..<index]).lastScreen ?? gesture.script.screen
      let last = index > 0 ? events[index - 1].time : 0
      let next = index < events.count ? events[index].time : last
      // The change is at the time of an event or between two.
      let time = index.isMultiple(of: 2) ? last : (last + next) / 2
      changes[index] = GestureEvent(time: time, kind: .screen(try screen(before)))
    }
  }

  var isUnderFingers: Bool {
    changes.keys.contains { !gesture.script.events[..<$0].fingers().isEmpty }
  }

  var keepsScale: Bool {
    changes.allSatisfy { index, change in
      let before = Array(gesture.script.events[..<index]).lastScreen ?? gesture.script.screen
      return change.screen?.scale == before.scale
    }
  }

  static func any(_ system: ZoomSystem) -> Gen<InsetChange> {
    Gen { testCase throws(Discarded) in
      let gesture = try testCase.draw(.gestures(of: system))
      var events = gesture.script.events
      let press = try testCase.draw(.presses(of: system))
      if press == .pen { events = events.withPen }
      // The first change is just after an event of touches in three of four cases, otherwise anywhere.
      let touched = events.indices.filter { events[$0].isTouch }.map { $0 + 1 }
      let places = Gen<Int>.integer(in: 0...events.count)
      let place = touched.isEmpty ? places : .weighted([(3, .element(of: touched)), (1, places)])
      let first = try testCase.draw(place)
      var (indices, last): (Set<Int>, Int) = ([first], first)
      for step in try testCase.draw(Gen<[Int]>.array(of: .integer(in: 1...6), count: 0...4)) {
        last += step
        indices.insert(last)
      }
      if system == .peek {
        // Fingers that come down later would touch a picture that has moved.
        let later = events[first...].prefix { event in
          event.kind == .cancelAll || event.isTouch && event.phase != .began
        }
        events = Array(events[..<first] + later)
      }
      let other = try testCase.draw(.gestureScreens)
      let keepsScale = try testCase.draw(.bool)
      // The same insets on the opposite sides keep the size of the safe area.
      let isTurned = try testCase.draw(.bool)
      let change = try? InsetChange(
        gesture.with(events, press: press, stage: gesture.script.stagePlaced(system)), at: indices
      ) { screen throws(GeometryError) in
        let (old, new) = (screen.insets, other.insets)
        // The insets of the other screen are applied as shares of the sides.
        let across = screen.size.width / other.size.width
        let down = screen.size.height / other.size.height
        let insets =
          isTurned
          ? ViewInsets(top: old.bottom, left: old.right, bottom: old.top, right: old.left)
          : ViewInsets(
            top: new.top * down, left: new.left * across, bottom: new.bottom * down,
            right: new.right * across)
        return try Screen(
          size: screen.size, scale: keepsScale ? screen.scale : other.scale, insets: insets)
      }
      return try given(change)
    }
  }

  /// Returns a tap, a moving long press and a moving forceful press, with a change before each event but the first.
  static func examples(of system: ZoomSystem) -> [InsetChange] {
    let (start, end) = (ViewPoint(x: 180, y: 300), ViewPoint(x: 300, y: 450))
    let pan = GestureAction.Deed.pan(finger: 0, from: start, to: end, steps: 6)
    let forced = [
      GestureAction(.press(at: start, forces: [1, 3])), GestureAction(after: 0.1, pan),
    ]
    let deeds: [([GestureAction], PressKind?)] = [
      ([GestureAction(.tap(at: start, held: 0.05))], nil), ([GestureAction(pan)], .longPress),
      (forced, .force),
    ]
    return deeds.compactMap { actions, press in
      guard let gesture = GestureLaws.example(actions) else { return nil }
      let (events, stage) = (gesture.script.events, gesture.script.stagePlaced(system))
      guard let pressed = try? gesture.with(events, press: press, stage: stage) else { return nil }
      return try? InsetChange(pressed, at: Set(1..<events.count)) { screen throws(GeometryError) in
        try Screen(
          size: screen.size, scale: screen.scale, insets: ViewInsets(top: screen.insets.top + 20))
      }
    }
  }
}

extension GestureScript {
  /// Returns the stage with a frame for the view, so that insets do not move it.
  fileprivate func stagePlaced(_ system: ZoomSystem) -> Stage {
    var stage = stage
    let (width, height) = (screen.size.width, screen.size.height)
    let middle = ViewRect(x: width / 4, y: height / 4, width: width / 2, height: height / 2)
    stage.view =
      stage.view
      ?? (system == .transition ? Transition.usualThumbnail(on: screen, stage.direction) : middle)
    return stage
  }
}

extension Gen where Value == PressKind? {
  fileprivate static func presses(of system: ZoomSystem) -> Gen {
    .element(of: system == .peek || system == .force ? [nil, .longPress, .pen] : [nil])
  }
}
