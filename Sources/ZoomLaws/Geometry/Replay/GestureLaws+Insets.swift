import PropertyTesting
import ZoomGeometry

/// A gesture during which the insets or the scale of the screen change, and never its size.
private struct InsetChange: Sendable, PlayedInput {
  /// The gesture without the changes.
  var gesture: GestureCase
  /// The changes, each at the index of an event that follows it.
  var changes: [Int: GestureEvent]

  /// The gesture with the changes.
  var played: GestureCase {
    get throws(GeometryError) {
      let events = gesture.script.events
      return try gesture.with(
        (0...events.count).flatMap { index in
          (changes[index].map { [$0] } ?? []) + events[index...].prefix(1)
        })
    }
  }

  /// Creates changes before the events of some indices.
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
      // At the moment of an event, or between two.
      let time = index.isMultiple(of: 2) ? last : (last + next) / 2
      changes[index] = GestureEvent(time: time, kind: .screen(try screen(before)))
    }
  }

  /// Whether a finger is down when something changes.
  var isUnderFingers: Bool {
    changes.keys.contains { !gesture.script.events[..<$0].fingers().isEmpty }
  }

  /// Whether a finger is near enough to a border of the picture that another scale's whole pixels may decide whether it
  /// is on the picture.
  func touchesBorder(of states: [ZoomState]) -> Bool {
    let points = gesture.script.events.flatMap { event in
      if case .touches(_, let touches) = event.kind { touches.map(\.point) } else { [ViewPoint]() }
    }
    var zoom = 1.0
    return states.contains { state in
      guard let picture = state.picture else { return false }
      // A picture is moved by half a pixel at most, and what is zoomed from there by as much more.
      zoom = max(zoom, picture.toScreen.determinant.squareRoot() * state.screen.scale)
      let (box, reach) = (picture.box, 1.25 * zoom / state.screen.scale)
      return points.contains { point in
        abs(point.x - box.x) <= reach || abs(point.x - box.maxX) <= reach
          || abs(point.y - box.y) <= reach || abs(point.y - box.maxY) <= reach
      }
    }
  }

  /// Whether only insets change.
  var keepsScale: Bool {
    var scale = gesture.script.screen.scale
    for index in 0...gesture.script.events.count {
      if case .screen(let screen)? = changes[index]?.kind, screen.scale != scale { return false }
      guard index < gesture.script.events.count else { break }
      if case .screen(let screen) = gesture.script.events[index].kind { scale = screen.scale }
    }
    return true
  }
}

extension GestureLaws {
  /// The law that points of fingers are those of the viewport, whatever its insets and its scale are.
  static func insets(_ system: ZoomSystem) -> Law<ReplaySubject> {
    Law(
      "GE-36",
      "Where only insets or the scale of the screen change, fingers do what they do without.",
      source: source, for: changes(of: system), examples: examples(of: system),
      inWords: { (try? $0.played)?.description ?? "\($0)" }
    ) { subject, change, testCase in
      testCase.classify(change.isUnderFingers, as: "fingers are down", atLeast: 0.3)
      testCase.classify(change.keepsScale, as: "only insets", atLeast: 0.2)
      let (changed, alone) = (try subject.play(change.played), try subject.play(change.gesture))
      guard change.keepsScale || !change.touchesBorder(of: changed + alone) else { return }
      let (said, expected) = (changed.flatMap(\.events), alone.flatMap(\.events))
      try Property.require(said == expected, "\(said) happens and not \(expected)")
      guard let one = changed.last, let other = alone.last else { return }
      try Property.require(
        one.recogniser == other.recogniser && one.force == other.force,
        "it ends as \(one.recogniser) with a force of \(one.force) and not as "
          + "\(other.recogniser) with \(other.force)")
      // Another scale has other whole pixels and other largest zooms.
      guard change.keepsScale else { return }
      guard system == .peek else {
        return try requireSameEnd(changed, alone, "insets change")
      }
      // Where the picture is fitted to another size, a finger moves by other distances of it.
      guard let page = one.pictures.first?.toScreen, page.a == other.pictures.first?.toScreen.a,
        let shown = one.picture?.copy?.region, let region = other.picture?.copy?.region
      else { return }
      try keepsItsPlace(region, shown, change.gesture.picture)
    }
  }

  private static func changes(of system: ZoomSystem) -> Gen<InsetChange> {
    Gen { testCase throws(Discarded) in
      var gesture = try testCase.draw(.gestures(of: system))
      var events = gesture.script.events
      let press: PressKind? =
        system == .peek || system == .force
        ? try testCase.draw(Gen<PressKind?>.element(of: [nil, .longPress, .pen])) : nil
      if press == .pen { events = events.withPen }
      // Just after fingers come down or move, and anywhere.
      let touched = events.indices.filter { events[$0].isTouch }.map { $0 + 1 }
      let places = Gen<Int>.integer(in: 0...events.count)
      let place = touched.isEmpty ? places : .weighted([(3, .element(of: touched)), (1, places)])
      let first = try testCase.draw(place)
      var indices: Set<Int> = [first]
      for step in try testCase.draw(Gen<[Int]>.array(of: .integer(in: 1...6), count: 0...4)) {
        indices.insert((indices.max() ?? first) + step)
      }
      if system == .peek {
        // Fingers that come down later come down on a picture that is elsewhere.
        let later = events[first...].prefix { $0.isMovement || $0.isEnd }
        events = Array(events[..<first] + later)
      }
      let other = try testCase.draw(.gestureScreens)
      let keepsScale = try testCase.draw(.bool)
      do {
        gesture = try gesture.with(
          events, press: press,
          stage: gesture.script.stage.placed(system, on: gesture.script.screen))
        return try InsetChange(gesture, at: indices) { screen throws(GeometryError) in
          try screen.with(other, keepsScale: keepsScale)
        }
      } catch { throw Discarded() }
    }
  }

  /// A tap, a press that moves away, and one that creeps, with a change before each report.
  private static func examples(of system: ZoomSystem) -> [InsetChange] {
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
      guard let gesture = example(actions) else { return nil }
      let stage = gesture.script.stage.placed(system, on: gesture.script.screen)
      let events = gesture.script.events
      guard let pressed = try? gesture.with(events, press: press, stage: stage) else { return nil }
      return try? InsetChange(pressed, at: Set(1..<events.count)) { screen throws(GeometryError) in
        try Screen(
          size: screen.size, scale: screen.scale, insets: ViewInsets(top: screen.insets.top + 20))
      }
    }
  }
}

extension Stage {
  /// The stage with a place for the view that no insets move.
  fileprivate func placed(_ system: ZoomSystem, on screen: Screen) -> Stage {
    var stage = self
    let (width, height) = (screen.size.width, screen.size.height)
    let middle = ViewRect(x: width / 4, y: height / 4, width: width / 2, height: height / 2)
    stage.view =
      view ?? (system == .transition ? Transition.usualThumbnail(on: screen, direction) : middle)
    return stage
  }
}

extension Screen {
  /// The screen with the insets of another one, as shares of its sides, and perhaps with its scale.
  fileprivate func with(_ other: Screen, keepsScale: Bool) throws(GeometryError) -> Screen {
    let (across, down) = (size.width / other.size.width, size.height / other.size.height)
    let insets = ViewInsets(
      top: other.insets.top * down, left: other.insets.left * across,
      bottom: other.insets.bottom * down, right: other.insets.right * across)
    return try Screen(size: size, scale: keepsScale ? scale : other.scale, insets: insets)
  }
}

extension GestureEvent {
  /// Whether it is one of touches.
  fileprivate var isTouch: Bool { if case .touches = kind { true } else { false } }

  /// Whether fingers move.
  fileprivate var isMovement: Bool { if case .touches(.moved, _) = kind { true } else { false } }

  /// Whether fingers end, or everything is cancelled.
  fileprivate var isEnd: Bool {
    switch kind {
    case .touches(.ended, _), .touches(.cancelled, _), .cancelAll: true
    default: false
    }
  }
}

extension ZoomState {
  /// The pictures, from back to front.
  var pictures: [PictureLayer] {
    layers.compactMap { if case .picture(let layer) = $0 { layer } else { nil } }
  }
}
