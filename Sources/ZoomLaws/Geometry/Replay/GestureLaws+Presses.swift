import PropertyTesting
import ZoomGeometry

extension GestureLaws {
  /// Laws of systems that show nothing but what fingers do.
  static func lifts(_ system: ZoomSystem) -> Law<ReplaySubject> {
    law(
      "GE-30", "When the last finger is lifted nothing of what it did stays.", of: system,
      brokenBy: [.peek, .force], examples: takenAway
    ) { subject, gesture, testCase in
      let down = gesture.script.events.fingers()
      testCase.classify(!down.isEmpty, as: "fingers are down", atLeast: 0.2)
      let last = gesture.script.events.last?.time ?? 0
      // At once or one by one.
      let isTogether = try testCase.draw(.bool)
      let touches = down.sorted { $0.key < $1.key }.map { Touch(id: $0.key, point: $0.value) }
      let lifts = isTogether ? [touches].filter { !$0.isEmpty } : touches.map { [$0] }
      let lifted = lifts.map { GestureEvent(time: last + 0.1, kind: .touches(.ended, $0)) }
      try requireSameEnd(
        try subject.play(gesture.with(gesture.script.events + lifted)),
        try subject.play(untouched(gesture)), "nothing is touched any more")
    }
  }

  /// A press that the system takes away, of a view and beside it.
  private static let takenAway = [(ViewPoint(x: 150, y: 300), 3.0), (ViewPoint(x: 0, y: 0), 0)].map
  {
    point, force in
    example([GestureAction(.touch(finger: 0, at: point, force: force)), GestureAction(.cancel)])
  }

  /// Laws of one finger that presses.
  static var presses: [Law<ReplaySubject>] {
    [
      pressLaw("GE-7", "The harder the press, the larger the picture.", brokenBy: true) {
        subject, press in
        var last = 0.0
        for state in try subject.play(press.gesture) {
          guard let layer = state.picture else { continue }
          let area = layer.toScreen.determinant
          // The scale is squared, so a rounding of it counts twice.
          try Property.require(
            area >= last * (1 - 1e-12), "at \(state.time) s the picture becomes smaller")
          last = area
        }
      },
      pressLaw("GE-17", "What the finger presses stays under it.", brokenBy: true) {
        subject, press in
        guard press.gesture.script.stage.forceExhibit == .zoom else { return }
        let rest = try subject.play(press.gesture.with([]))
        guard let still = rest.last?.picture, still.box.contains(press.finger),
          let content = still.toScreen.inverted()?.apply(to: press.finger)
        else { return }
        for state in try subject.play(press.gesture) {
          guard let layer = state.picture else { continue }
          let off = layer.toScreen.apply(to: content) - press.finger
          let slack = gestureSlack * magnitude(layer.box)
          try Property.require(
            abs(off.x) <= slack && abs(off.y) <= slack,
            "at \(state.time) s it is \(off.inWords) off")
        }
      },
    ]
  }

  private struct HeldPress: Sendable, PlayedInput {
    var gesture: GestureCase
    var finger: ViewPoint
    var played: GestureCase { gesture }
  }

  private static func pressLaw(
    _ name: String, _ statement: String, brokenBy isBroken: Bool,
    holds: @escaping @Sendable (ReplaySubject, HeldPress) throws -> Void
  ) -> Law<ReplaySubject> {
    let presses = Gen<HeldPress> { testCase throws(Discarded) in
      let screen = try testCase.draw(.gestureScreens)
      var stage = try testCase.draw(.stages(on: screen))
      // A button has no picture.
      if stage.forceExhibit == .button { stage.forceExhibit = .zoom }
      let finger = try testCase.draw(.places(on: screen))
      let forces = try testCase.draw(.array(of: .pressures(), count: 1...60)).sorted()
      let script = try testCase.draw(
        .scripts(on: screen, stage: stage, [GestureAction(.press(at: finger, forces: forces))]))
      let picture = try testCase.draw(.gesturePictures)
      return HeldPress(gesture: GestureCase(script: script, picture: picture), finger: finger)
    }
    // A press of the view, and one that drives the animation beyond its end.
    let finger = ViewPoint(x: 150, y: 300)
    let pressed = [ForceExhibit.zoom, .animation].map { exhibit in
      try? example([GestureAction(.press(at: finger, forces: [1, 7]))]).map {
        try $0.with($0.script.events, stage: Stage(forceExhibit: exhibit))
      }
    }
    return Law(
      name, statement, source: source, isBrokenAsPublished: isBroken, for: presses,
      examples: pressed.compactMap { $0.map { HeldPress(gesture: $0, finger: finger) } },
      inWords: { $0.gesture.description }
    ) { subject, press, testCase in
      testCase.classify(press.gesture.script.stage.forceExhibit == .zoom, as: "zoom", atLeast: 0.3)
      try holds(subject, press)
    }
  }
}
