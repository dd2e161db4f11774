import PropertyTesting
import ZoomGeometry

extension GestureLaws {
  static func scenes(_ system: ZoomSystem) -> Law<ReplaySubject> {
    gestures(of: system)(
      "GE-47", "A stage with an invalid number is refused; a valid one is accepted."
    ) { subject, gesture, testCase in
      let scene = gesture.script.scene
      let live = try given(subject.live)
      _ = try live(scene, gesture.picture)
      let bad = try testCase.draw(
        Gen<Double>.element(of: [.nan, .infinity, -1, 0, 1e10, 1001, 1000]))
      var ancestor = Stage.Ancestor(frame: scene.screen.bounds)
      var spoilt = scene
      let isLarge = bad == 1e10 || !bad.isFinite
      // A coordinate may be any number that is not too large; a length must also be positive.
      let changes: [(Bool, (inout Stage, inout Stage.Ancestor) -> Void)] = [
        (isLarge, { stage, _ in stage.view = ViewRect(x: bad, y: 0, width: 10, height: 10) }),
        (
          isLarge || bad <= 0,
          { stage, _ in stage.view = ViewRect(x: 0, y: 0, width: 10, height: bad) }
        ), (isLarge || bad < 0, { stage, _ in stage.cornerRadius = bad }),
        (isLarge, { $1.frame.y = bad }), (isLarge || bad <= 0, { $1.frame.width = bad }),
        (isLarge, { $1.scroll.x = bad }),
        (isLarge || bad <= 0 || bad == 1001, { $1.scale = bad }),
        (
          true,
          {
            $1.scale = 1000
            $0.ancestors = Array(repeating: $1, count: 16)
          }
        ),
        // Sixteen with the one that is appended.
        (false, { $0.ancestors = Array(repeating: $1, count: 15) }),
        (true, { $0.ancestors = Array(repeating: $1, count: 16) }),
      ]
      let (isRefused, change) = changes[try testCase.draw(Gen<Int>.integer(in: 0...9))]
      change(&spoilt.stage, &ancestor)
      spoilt.stage.ancestors.append(ancestor)
      testCase.classify(isRefused, as: "refused", atLeast: 0.3)
      do {
        _ = try live(spoilt, gesture.picture)
        try Property.require(!isRefused, "\(spoilt.stage) is accepted")
      } catch let error as GeometryError {
        try Property.require(isRefused, "\(spoilt.stage) is refused: \(error)")
      }
    }
  }

  static func limits(_ system: ZoomSystem) -> Law<ReplaySubject> {
    gestures(of: system)(
      "GE-53", "Events at the documented limits are taken, and events beyond them refused."
    ) { subject, gesture, testCase in
      let start = try given(subject.live)(gesture.script.scene, gesture.picture)
      func check(_ kinds: [GestureEvent.Kind], at time: Double = 0, isTaken: Bool) throws {
        var zoom = start
        do {
          for kind in kinds { try zoom.handle(GestureEvent(time: time, kind: kind)) }
          try Property.require(isTaken, "\(kinds) is taken at \(time) s")
        } catch let error as GeometryError {
          try Property.require(!isTaken, "\(kinds) is refused at \(time) s: \(error)")
        }
      }
      let sign = try testCase.draw(Gen<Double>.element(of: [1, -1]))
      let limit = Double(PixelSize.maximumSide)
      for (number, isTaken) in [(sign * limit, true), (sign * limit.nextUp, false)] {
        for touch in [
          Touch(id: 0, point: ViewPoint(x: number, y: 1)),
          Touch(id: 0, point: ViewPoint(x: 1, y: number)),
          Touch(id: 0, point: ViewPoint(x: 1, y: 1), force: number),
        ] { try check([.touches(.began, [touch])], isTaken: isTaken) }
      }
      let most = 64
      let fingers = (0...most).map { Touch(id: $0, point: ViewPoint(x: Double($0), y: 1)) }
      let (first, last) = (try testCase.draw(Gen<Int>.integer(in: 1...most - 1)), fingers[most])
      let some = GestureEvent.Kind.touches(.began, Array(fingers[..<first]))
      let rest = Array(fingers[first..<most])
      try check(
        [some, .touches(.began, rest), .touches(.moved, fingers.dropLast())], isTaken: true)
      try check([some, .touches(.began, rest + [last])], isTaken: false)
      try check(
        [some, .touches(.began, rest), .touches(.ended, [fingers[0]]), .touches(.began, [last])],
        isTaken: true)
      try check([.device(.portrait)], at: 0x1p32, isTaken: true)
      try check([.device(.portrait)], at: 0x1p32.nextUp, isTaken: false)
    }
  }
}
