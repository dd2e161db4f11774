import PropertyTesting
import ZoomGeometry

/// A gesture that is cut off at any of its events, and after which the screen changes.
///
/// The pauses are too short for most animations, taps and long presses to end.
struct ScreenChange: Sendable, PlayedInput {
  /// What happens before the screen changes.
  var gesture: GestureCase
  /// The screens that come, at most two.
  var changes: [GestureEvent]
  /// The fingers that are down, where they are on the last screen.
  var touches: [Touch]
  /// The time at which something is reported of the fingers again.
  var later: Double
  /// Whether the fingers are reported in one event, not one by one.
  var isTogether: Bool

  /// Whether the screen changes its size, and with it the coordinate system of fingers.
  var isChange: Bool {
    let before = gesture.script.events.lastScreen ?? gesture.script.screen
    return changes.contains {
      if case .screen(let new) = $0.kind { new.size != before.size } else { false }
    }
  }

  /// The events of the gesture and of the screen.
  var events: [GestureEvent] { gesture.script.events + changes }

  /// One or several events that report all fingers that are down.
  func reports(_ phase: TouchPhase) -> [GestureEvent] {
    let groups = isTogether ? [touches].filter { !$0.isEmpty } : touches.map { [$0] }
    return groups.map { GestureEvent(time: later, kind: .touches(phase, $0)) }
  }

  /// The gesture, the changed screen, and the fingers reported on it.
  var played: GestureCase {
    get throws(GeometryError) { try gesture.with(events + reports(.moved)) }
  }

  /// Whether one finger is down and a long press has begun, and is not complete when the finger is
  /// reported again.
  var isDuringLongPress: Bool {
    guard touches.count == 1, case .longPress(let press) = gesture.script.scene.press,
      let began = gesture.script.events.last(where: {
        if case .touches(.began, _) = $0.kind { true } else { false }
      })
    else { return false }
    return later < began.time + press.duration
  }
}

extension ScreenChange {
  /// The change in words: all events, one a line.
  var inWords: String { (try? played)?.description ?? "\(self)" }

  /// Changes of the screen during any gesture.
  static func any(_ system: ZoomSystem) -> Gen<ScreenChange> {
    Gen { testCase throws(Discarded) in
      var gesture = try testCase.draw(.gestures(of: system))
      var events = gesture.script.events
      // In the midst of pans, pinches and presses, and not only between them.
      let cut = testCase.integer(in: 0...events.count, shrinkingTowards: events.count)
      events = Array(events.prefix(cut))
      // A pause is short mostly, so that little comes to its end meanwhile.
      let pause = Gen<Double>.weighted([
        (3, .element(of: [0, GestureWriter.sampling, 0.1, 0.2])), (1, .pauses),
      ])
      var now = events.last?.time ?? 0
      let screen = events.lastScreen ?? gesture.script.screen
      // One finger that rests is what taps and long presses begin with.
      if try testCase.draw(.bool) {
        now += try testCase.draw(.pauses)
        events.append(GestureEvent(time: now, kind: .cancelAll))
        now += try testCase.draw(.pauses)
        let touch = Touch(
          id: 0, point: try testCase.draw(.places(on: screen)),
          force: try testCase.draw(.pressures()))
        events.append(GestureEvent(time: now, kind: .touches(.began, [touch])))
      }
      // Only these two systems are pressed.
      let press: PressKind? =
        system == .peek || system == .force
        ? try testCase.draw(Gen<PressKind?>.element(of: [nil, .longPress, .pen])) : nil
      if press == .pen { events = events.withPen }
      let (down, forces) = (events.fingers(), events.forces())
      var changes: [GestureEvent] = []
      for changed in try testCase.draw(Gen<[Screen]>.array(of: .gestureScreens, count: 1...2)) {
        now += try testCase.draw(pause)
        changes.append(GestureEvent(time: now, kind: .screen(changed)))
      }
      // A finger's coordinates may happen to be what they were.
      let reach = Gen<Double>.double(in: -300...300)
      let way =
        try testCase.draw(.bool)
        ? ViewPoint(x: try testCase.draw(reach), y: try testCase.draw(reach))
        : ViewPoint(x: 0, y: 0)
      now += try testCase.draw(pause)
      let isTogether = try testCase.draw(.bool)
      do {
        gesture = try gesture.with(events, press: press)
      } catch { throw Discarded() }
      return ScreenChange(
        gesture: gesture, changes: changes,
        touches: down.sorted { $0.key < $1.key }.map {
          Touch(
            id: $0.key, point: $0.value + way, force: forces[$0.key] ?? 0,
            isPen: press == .pen && $0.key == 0)
        }, later: now, isTogether: isTogether)
    }
  }

  /// A change of the screen at most 0.3 s after a tap or a double tap on a picture at rest.
  static func afterTap(_ system: ZoomSystem) -> Gen<ScreenChange> {
    Gen { testCase throws(Discarded) in
      let gesture = try testCase.draw(.gestures(of: system))
      let (still, later) = GestureLaws.rested(gesture)
      let place = try testCase.draw(
        .places(on: still.lastScreen ?? gesture.script.screen))
      let tap = GestureAction.Deed.tap(at: place, held: GestureWriter.sampling)
      let deed =
        try testCase.draw(.bool)
        ? GestureAction.Deed.doubleTap(at: place, then: place, gap: 0.1) : tap
      let events = still + GestureWriter.events(of: [GestureAction(deed)], at: later)
      let other = try testCase.draw(.gestureScreens)
      let time = (events.last?.time ?? 0) + testCase.double(in: 0...0.3)
      do {
        return ScreenChange(
          gesture: try gesture.with(events),
          changes: [GestureEvent(time: time, kind: .screen(other))], touches: [], later: time,
          isTogether: true)
      } catch { throw Discarded() }
    }
  }

  /// A change of a phone's screen under some actions, after a pause; nil if they make no script.
  static func example(
    _ actions: [GestureAction], to size: (Double, Double), after pause: Double,
    report: (finger: Int, at: ViewPoint)? = nil, later: Double, press: PressKind? = nil
  ) -> ScreenChange? {
    guard let gesture = GestureLaws.example(actions),
      let pressed = try? gesture.with(gesture.script.events, press: press),
      let screen = try? Screen(size: ViewSize(width: size.0, height: size.1))
    else { return nil }
    let time = (gesture.script.events.last?.time ?? 0) + pause
    let (down, forces) = (gesture.script.events.fingers(), gesture.script.events.forces())
    return ScreenChange(
      gesture: pressed, changes: [GestureEvent(time: time, kind: .screen(screen))],
      touches: down.sorted { $0.key < $1.key }.map {
        let point = report?.finger == $0.key ? report?.at : nil
        return Touch(id: $0.key, point: point ?? $0.value, force: forces[$0.key] ?? 0)
      }, later: time + later, isTogether: true)
  }
}

extension [GestureEvent] {
  /// The events with a pen in place of finger 0.
  var withPen: [GestureEvent] {
    compactMap { event in
      event.withTouches { _, touches in
        touches.map {
          Touch(id: $0.id, point: $0.point, force: $0.force, isPen: $0.id == 0)
        }
      }
    }
  }

  /// The last screen of the events; nil if there is none.
  var lastScreen: Screen? {
    for event in reversed() { if case .screen(let screen) = event.kind { return screen } }
    return nil
  }

  /// How hard the fingers press after the events, by their numbers.
  func forces() -> [Int: Double] {
    var forces: [Int: Double] = [:]
    for event in self {
      guard case .touches(_, let touches) = event.kind else { continue }
      for touch in touches { forces[touch.id] = touch.force }
    }
    return forces
  }
}
