import PropertyTesting
import ZoomGeometry

extension GestureLaws {
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
          let shown = layer.toScreen.apply(to: content)
          let slack = gestureSlack * magnitude(layer.box)
          try Property.require(
            abs(shown.x - press.finger.x) <= slack && abs(shown.y - press.finger.y) <= slack,
            "at \(state.time) s it is (\(shown.x - press.finger.x), "
              + "\(shown.y - press.finger.y)) off")
        }
      },
    ]
  }

  private struct Press: Sendable {
    var gesture: GestureCase
    var finger: ViewPoint
  }

  private static func pressLaw(
    _ name: String, _ statement: String, brokenBy isBroken: Bool,
    holds: @escaping @Sendable (ReplaySubject, Press) throws -> Void
  ) -> Law<ReplaySubject> {
    let presses = Gen<Press> { testCase throws(Discarded) in
      let screen = try testCase.draw(.gestureScreens)
      var stage = try testCase.draw(.stages(on: screen))
      // A button has no picture.
      if stage.forceExhibit == .button { stage.forceExhibit = .zoom }
      let finger = try testCase.draw(.places(on: screen))
      let forces = try testCase.draw(.array(of: .pressures(), count: 1...60)).sorted()
      let script = try testCase.draw(
        .scripts(on: screen, stage: stage, [GestureAction(.press(at: finger, forces: forces))]))
      let picture = try testCase.draw(.gesturePictures)
      return Press(gesture: GestureCase(script: script, picture: picture), finger: finger)
    }
    return Law(
      name, statement, source: source, isBrokenAsPublished: isBroken, for: presses,
      inWords: { $0.gesture.description }
    ) { subject, press, testCase in
      testCase.classify(
        press.gesture.script.stage.forceExhibit == .zoom, as: "zoom", atLeast: 0.3)
      try holds(subject, press)
    }
  }
}
