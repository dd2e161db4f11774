import PropertyTesting
import ZoomGeometry

extension TransitionLaws {
  static var endStates: [Law<ReplaySubject>] {
    [
      gestureLaw(
        "TI-P8", "At rest the scale is that of the fit to the largest, in whichever turn.",
        isBroken: true
      ) { subject, gesture, _ in
        let states = try subject.play(gesture.with(GestureLaws.cancelled(gesture)))
        guard let state = states.last, let layer = state.picture, isPresented(states) else {
          return
        }
        let map = layer.toScreen
        let isTurned = abs(map.b) > abs(map.a)
        let size = isTurned ? gesture.picture.transposed : gesture.picture
        let fit = fitScale(of: size, on: state.screen)
        let scale = abs(map.determinant).squareRoot()
        // Three times the fit as published, or each pixel as one of the screen's.
        let largest = max(PinchBand.publishedMaximum * fit, 1 / state.screen.scale)
        try Property.require(
          scale >= fit * (1 - 1e-9) && scale <= largest * (1 + 1e-9),
          "a pixel is \(scale) points at rest, not \(fit) to \(largest)")
      },
      Law(
        "TI-P9", "A picture that is put down where it may stay stays there.", source: source,
        isBrokenAsPublished: true, for: PutDown.any, inWords: { $0.gesture.description }
      ) { subject, put, testCase in
        let states = try subject.play(put.gesture)
        guard let before = states.last(where: { $0.time < put.lifted - 1e-6 }),
          let held = before.picture, let rest = states.last?.picture
        else { throw nothingShown }
        let isAcceptable = (try? isAtRest(held.box, on: before.screen.bounds, 1e-9)) != nil
        testCase.classify(isAcceptable, as: "where it may stay", atLeast: 0.2)
        guard isAcceptable else { return }
        let off = apart(held.toScreen, rest.toScreen, put.gesture.picture)
        // What is shown 1:1 is brought onto whole pixels, across and down.
        let pixel = isWhole(held, on: before.screen) ? 0.5 / before.screen.scale : 0
        try Property.require(
          off <= pixel + gestureSlack * magnitude(held.box),
          "a corner moves by \(off) points though nothing throws it")
      },
      Law(
        "TI-P13",
        "How the picture is turned depends on nothing but the last way the device was held.",
        source: source, isBrokenAsPublished: true, for: turnings, inWords: { $0.description }
      ) { subject, gesture, testCase in
        let device = try testCase.draw(
          Gen<DeviceOrientation>.element(of: [.portrait, .landscapeLeft, .landscapeRight]))
        let still = GestureLaws.cancelled(gesture)
        let turn = GestureEvent(time: (still.last?.time ?? 0) + 1, kind: .device(device))
        let states = try subject.play(gesture.with(still + [turn]))
        guard let layer = states.last?.picture, isPresented(states) else { return }
        let right = ViewPoint(x: layer.transform.a, y: layer.transform.b)
        let expected =
          switch device {
          case .landscapeLeft: ViewPoint(x: 0, y: 1)
          case .landscapeRight: ViewPoint(x: 0, y: -1)
          default: ViewPoint(x: 1, y: 0)
          }
        try Property.require(
          right.scaled(by: 1 / right.length).distance(to: expected) <= 1e-9,
          "held \(device), the picture's right is \(right.inWords)")
      },
      gestureLaw(
        "TI-P21", "A single tap dismisses a picture that is fitted, and only that.", isBroken: true
      ) { subject, gesture, testCase in
        let (still, tapped) = GestureLaws.rested(gesture)
        let finger = Touch(id: 0, point: ViewPoint(x: 20, y: 30), force: 1)
        let states = try subject.play(
          gesture.with(
            still + [
              GestureEvent(time: tapped, kind: .touches(.began, [finger])),
              GestureEvent(time: tapped + 0.05, kind: .touches(.ended, [finger])),
            ]))
        let before = states.filter { $0.time < tapped - 1e-6 }
        guard isPresented(before), let state = before.last, let layer = state.picture else {
          return
        }
        let (box, screen) = (layer.box, state.screen.size)
        let isFitted = box.width <= screen.width * 1.001 && box.height <= screen.height * 1.001
        testCase.classify(!isFitted, as: "zoomed", atLeast: 0.02)
        let isDismissed = states.contains {
          $0.time > tapped - 1e-6 && $0.events.contains(.dismiss)
        }
        try Property.require(
          isDismissed == isFitted,
          "shown as \(box.inWords) the tap \(isDismissed ? "dismisses" : "does not dismiss")")
      },
      Law(
        "TI-P23",
        "A picture that is thrown goes the way of the finger, and ends where it may stay.",
        source: source, isBrokenAsPublished: true, for: PutDown.thrown,
        inWords: { $0.gesture.description }
      ) { subject, put, testCase in
        let states = try subject.play(put.gesture)
        guard let before = states.last(where: { $0.time < put.lifted - 1e-6 }),
          let held = before.picture, let end = states.last, let rest = end.picture
        else { throw nothingShown }
        try isAtRest(rest.box, on: end.screen.bounds, 1e-6 + 0.5 / end.screen.scale)
        // Beside the screen's border the way back is larger than the throw.
        let isAcceptable = (try? isAtRest(held.box, on: before.screen.bounds, 1e-9)) != nil
        testCase.classify(isAcceptable, as: "thrown from where it may stay", atLeast: 0.1)
        guard isAcceptable else { return }
        let way = (x: rest.box.x - held.box.x, y: rest.box.y - held.box.y)
        // Half a pixel of the screen is what brings 1:1 onto whole ones.
        let slack = 1e-6 + 0.5 / end.screen.scale
        try Property.require(
          way.x * put.direction.x >= -slack * abs(put.direction.x)
            && way.y * put.direction.y >= -slack * abs(put.direction.y),
          "thrown along (\(put.direction.x), \(put.direction.y)) it goes by (\(way.x), \(way.y))")
        let room = (
          x: put.direction.x > 0 ? -held.box.x : held.box.maxX - end.screen.size.width,
          y: put.direction.y > 0 ? -held.box.y : held.box.maxY - end.screen.size.height
        )
        if abs(put.direction.x) > 40, room.x > 20 {
          try Property.require(abs(way.x) > 1, "thrown along x it stays")
        }
        if abs(put.direction.y) > 40, room.y > 20 {
          try Property.require(abs(way.y) > 1, "thrown along y it stays")
        }
      },
    ]
  }

  /// A law of any gestures over a picture.
  private static func gestureLaw(
    _ name: String, _ statement: String, isBroken: Bool = false,
    holds: @escaping @Sendable (ReplaySubject, GestureCase, inout TestCase) throws -> Void
  ) -> Law<ReplaySubject> {
    Law(
      name, statement, source: source, isBrokenAsPublished: isBroken,
      for: .gestures(of: .transition), inWords: { $0.description }, holds: holds)
  }

  /// A picture at full screen under a device that is turned again and again, and what fingers do
  /// between.
  private static var turnings: Gen<GestureCase> {
    Gen { testCase throws(Discarded) in
      let screen = try testCase.draw(.gestureScreens)
      let place = Gen<ViewPoint>.places(on: screen)
      let deed = Gen<GestureAction.Deed>.weighted([
        (4, Gen<DeviceOrientation>.allCases.map { .turn($0) }),
        (1, place.map { .doubleTap(at: $0, then: $0, gap: GestureWriter.sampling) }),
        (1, place.map { .tap(at: $0, held: GestureWriter.sampling) }),
        (1, Gen<GestureAction.PinchPath>.pinches(on: screen, steps: 1...3).map { .pinch($0) }),
      ])
      // Hastily, before 0.3 s of a turn are over, or not.
      let action = Gens.zip(Gen<Double>.double(in: 0...0.8), deed).map {
        GestureAction(after: $0.0, $0.1)
      }
      let actions = try testCase.draw(.array(of: action, count: 0...6))
      return try GestureCase(
        GestureWriter.events(of: Stage().opening(on: screen) + actions), on: screen,
        try testCase.draw(.gesturePictures))
    }
  }

  /// Whether the picture is at full screen after some states, or on its way there.
  static func isPresented(_ states: [ZoomState]) -> Bool {
    states.lazy.flatMap(\.events).reduce(false) {
      $1 == .present ? true : $1 == .dismiss ? false : $0
    }
  }

  /// Whether picture pixels cover whole screen pixels, so that a picture at rest is aligned to them.
  static func isWhole(_ layer: PictureLayer, on screen: Screen) -> Bool {
    let map = layer.toScreen
    let pixel = (abs(map.a) + abs(map.b)) * screen.scale
    return pixel > 0.999_999 && abs(pixel - pixel.rounded()) <= 1e-8 * pixel
  }

  /// Requires that a picture covers an area on each axis on which it is larger, and is centred on
  /// the other.
  static func isAtRest(_ box: ViewRect, on area: ViewRect, _ slack: Double) throws {
    try isAtRest(from: box.x - area.x, to: box.maxX - area.x, on: area.width, "x", slack)
    try isAtRest(from: box.y - area.y, to: box.maxY - area.y, on: area.height, "y", slack)
  }

  private static func isAtRest(
    from start: Double, to end: Double, on length: Double, _ axis: String, _ slack: Double
  ) throws {
    if end - start > length {
      try Property.require(
        start <= slack && end >= length - slack,
        "on \(axis) it goes from \(start) to \(end) and leaves a gap on 0 to \(length)")
    } else {
      try Property.require(
        abs(start + end - length) <= 2 * slack,
        "on \(axis) it goes from \(start) to \(end), not centred on 0 to \(length)")
    }
  }

  /// A zoomed picture, perhaps pinched, that one finger moves and puts down or throws.
  private struct PutDown: Sendable, PlayedInput {
    var gesture: GestureCase
    var lifted: Double
    /// How far the finger moves in its last sixth of a second, in points.
    var direction: ViewPoint
    var played: GestureCase { gesture }

    static let any = scripts(isThrown: false)
    static let thrown = scripts(isThrown: true)

    private static func scripts(isThrown: Bool) -> Gen<PutDown> {
      Gen { testCase throws(Discarded) in
        let screen = try testCase.draw(.gestureScreens)
        let picture = try testCase.draw(.gesturePictures)
        let tapped = try testCase.draw(.places(on: screen))
        var actions =
          Stage().opening(on: screen) + [
            GestureAction(.doubleTap(at: tapped, then: tapped, gap: GestureWriter.sampling)),
            // 0.3 s of animation.
            GestureAction(after: 0.5, .lift([0])),
          ]
        if try testCase.draw(.bool) {
          let pinch = try testCase.draw(.pinches(on: screen, steps: 1...3))
          actions.append(GestureAction(.pinch(pinch)))
          actions.append(GestureAction(after: 0.5, .lift([0, 1])))
        }
        let from = try testCase.draw(.places(on: screen))
        // Beyond the slop, or it would be a tap.
        let reach = Gens.zip(Gen<Double>.double(in: 15...300), .bool).map { $0.1 ? -$0.0 : $0.0 }
        let way = ViewPoint(x: try testCase.draw(reach), y: try testCase.draw(reach))
        // 0.25 s of settling.
        actions.append(
          GestureAction(after: 0.5, .pan(finger: 0, from: from, to: from + way, steps: 10)))
        actions.append(GestureAction(after: isThrown ? GestureWriter.sampling : 0.5, .lift([0])))
        let events = GestureWriter.events(of: actions)
        return PutDown(
          gesture: try GestureCase(events, on: screen, picture), lifted: events.last?.time ?? 0,
          direction: way)
      }
    }
  }
}
