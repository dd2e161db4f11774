import PropertyTesting
import ZoomGeometry

extension TransitionLaws {
  static let endStates = [
    gestureLaw(
      "TI-P8",
      "At rest the scale lies between that of the fit and the largest, in every orientation of the "
        + "picture.",
      isBroken: true, examples: [enlarged]
    ) { subject, gesture, testCase in
      let states = try subject.play(gesture.with(GestureLaws.cancelled(gesture)))
      guard testCase.reaches(isPresented(states), "presented", atLeast: 0.1) else { return }
      guard let state = states.last, let layer = state.picture else { throw nothingShown }
      let map = layer.toScreen
      let isTurned = abs(map.b) > abs(map.a)
      let size = isTurned ? gesture.picture.transposed : gesture.picture
      let fit = fitScale(of: size, on: state.screen)
      let scale = abs(map.determinant).squareRoot()
      // The largest scale is the published 3 times the fit, or a picture pixel per screen pixel.
      let largest = max(PinchBand.publishedMaximum * fit, 1 / state.screen.scale)
      try Property.require(
        scale >= fit * (1 - 1e-9) && scale <= largest * (1 + 1e-9),
        "a pixel is \(scale) points at rest, not \(fit) to \(largest)")
    },
    putLaw(isThrown: false)(
      "TI-P9", "A picture that is put down at an allowed place stays there.", isBroken: true
    ) { subject, put, testCase in
      let (before, held, _, rest) = try put.lift(by: subject)
      let isAcceptable = (try? isAtRest(held.box, on: before.screen.bounds, 1e-9)) != nil
      guard testCase.reaches(isAcceptable, "where it may stay", atLeast: 0.2) else { return }
      let off = apart(held.toScreen, rest.toScreen, put.gesture.picture)
      // A picture shown 1:1 is aligned to whole pixels, across and down.
      let pixel = isWhole(held, on: before.screen) ? 0.5 / before.screen.scale : 0
      try Property.require(
        off <= pixel + gestureSlack * magnitude(held.box),
        "a corner moves by \(off) points without a throw")
    },
    LawFamily(source: source, inputs: turnings, inWords: \.description)(
      "TI-P13",
      "The turn of the picture depends only on the last orientation of the device.",
      isBroken: true
    ) { subject, gesture, testCase in
      let device = try testCase.draw(
        Gen<DeviceOrientation>.element(of: [.portrait, .landscapeLeft, .landscapeRight]))
      let still = GestureLaws.cancelled(gesture)
      let turn = GestureEvent(time: (still.last?.time ?? 0) + 1, kind: .device(device))
      let states = try subject.play(gesture.with(still + [turn]))
      guard testCase.reaches(isPresented(states), "presented", atLeast: 0.3) else { return }
      guard let layer = states.last?.picture else { throw nothingShown }
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
      "TI-P21", "A single tap dismisses a fitted picture and no other.", isBroken: true
    ) { subject, gesture, testCase in
      let tap = GestureAction.Deed.tap(at: ViewPoint(x: 20, y: 30), held: 0.05)
      guard let (rest, states, start) = try presented(gesture, by: subject, then: tap, &testCase)
      else { return }
      let (box, screen) = (try rest.shownPicture().box, rest.screen.size)
      let isFitted = box.width <= screen.width * 1.001 && box.height <= screen.height * 1.001
      testCase.classify(!isFitted, as: "zoomed", atLeast: 0.02)
      let isDismissed = states.contains { $0.time > start && $0.events.contains(.dismiss) }
      try Property.require(
        isDismissed == isFitted,
        "shown as \(box.inWords) the tap \(isDismissed ? "dismisses" : "does not dismiss")")
    },
    putLaw(isThrown: true)(
      "TI-P23", "A thrown picture moves as the finger did, and comes to rest at an allowed place.",
      isBroken: true
    ) { subject, put, testCase in
      let (before, held, end, rest) = try put.lift(by: subject)
      // A picture shown 1:1 is aligned to whole pixels.
      let slack = 1e-6 + 0.5 / end.screen.scale
      try isAtRest(rest.box, on: end.screen.bounds, slack)
      // A picture that is let go beyond its limits can move back further than the throw carries it,
      // so only its place of rest is checked.
      let isAcceptable = (try? isAtRest(held.box, on: before.screen.bounds, 1e-9)) != nil
      guard testCase.reaches(isAcceptable, "thrown from where it may stay", atLeast: 0.1) else {
        return
      }
      for axis in Axis.allCases {
        let (direction, start) = (put.direction[axis], held.box[axis].start)
        let way = rest.box[axis].start - start
        try Property.require(
          way * direction >= -slack * abs(direction),
          "thrown by \(direction) along \(axis) it moves by \(way)")
        let room = direction > 0 ? -start : held.box[axis].end - end.screen.size[axis]
        let isFree = abs(direction) > 40 && room > 20
        testCase.classify(isFree, as: "free along \(axis)", atLeast: 0.02)
        // A throw goes on for 0.15 s at the mean velocity of the last 0.1 s: six ticks of 1/60 s.
        // The finger makes ten equal steps, and then lifts without moving. So five of the six ticks
        // have a step, and half of the way lies in the 0.1 s.
        let thrown = 0.15 * (0.5 * direction / 0.1)
        let isRight = room > abs(thrown) + 1 ? abs(way - thrown) <= slack : !isFree || abs(way) > 1
        try Property.require(
          isRight, "thrown by \(direction) along \(axis) it moves by \(way), not \(thrown)")
      }
    },
  ]

  /// A pinch beyond the largest scale, whose fingers stay.
  private static let enlarged = GestureLaws.example([
    GestureAction(.tap(at: ViewPoint(x: 70, y: 100), held: GestureWriter.sampling)),
    // The transition takes 0.5 s.
    GestureAction(
      after: 0.6,
      .pinch(
        GestureAction.PinchPath(
          from: ViewPoint(x: 187, y: 333), to: ViewPoint(x: 187, y: 333),
          arm: ViewPoint(x: 15, y: 15), endArm: ViewPoint(x: 150, y: 150), steps: 4, lifted: []))),
  ])

  private static func putLaw(isThrown: Bool) -> LawFamily<ReplaySubject, PutDown> {
    LawFamily(
      source: source, inputs: PutDown.scripts(isThrown: isThrown),
      inWords: { $0.gesture.description })
  }

  /// Gestures on a picture at full screen, while the device is turned repeatedly.
  private static var turnings: Gen<GestureCase> {
    Gen { testCase throws(Discarded) in
      let screen = try testCase.draw(.gestureScreens)
      let place = Gen<ViewPoint>.places(on: screen)
      let deed = Gen<GestureAction.Deed>.weighted([
        (4, Gen<DeviceOrientation>.allCases.map { .turn($0) }),
        (1, place.map { .zoomTap(at: $0) }),
        (1, place.map { .tap(at: $0, held: GestureWriter.sampling) }),
        (1, Gen<GestureAction.PinchPath>.pinches(on: screen, steps: 1...3).map { .pinch($0) }),
      ])
      // The next action comes before or after the end of a turn, which takes 0.3 s.
      let action = Gens.zip(Gen<Double>.double(in: 0...0.8), deed).map {
        GestureAction(after: $0.0, $0.1)
      }
      let actions = try testCase.draw(.array(of: action, count: 0...6))
      return try GestureCase(
        GestureWriter.events(of: Stage().opening(on: screen) + actions), on: screen,
        try testCase.draw(.gesturePictures))
    }
  }
}

/// A zoomed or pinched picture that one finger moves and puts down or throws.
private struct PutDown: Sendable, PlayedInput {
  var gesture: GestureCase
  /// The finger's movement in its last sixth of a second, in points.
  var direction: ViewPoint
  var played: GestureCase { gesture }

  func lift(
    by subject: ReplaySubject
  ) throws -> (before: ZoomState, held: PictureLayer, end: ZoomState, rest: PictureLayer) {
    let states = try subject.play(gesture)
    guard let before = states.last(where: { $0.time < gesture.end - 1e-6 }),
      let held = before.picture,
      let end = states.last, let rest = end.picture
    else { throw TransitionLaws.nothingShown }
    return (before, held, end, rest)
  }

  static func scripts(isThrown: Bool) -> Gen<PutDown> {
    Gen { testCase throws(Discarded) in
      let screen = try testCase.draw(.gestureScreens)
      let picture = try testCase.draw(.gesturePictures)
      let tapped = try testCase.draw(.places(on: screen))
      var actions = Stage().zoomed(on: screen, at: tapped)
      if try testCase.draw(.bool) {
        let pinch = try testCase.draw(.pinches(on: screen, steps: 1...3))
        actions.append(GestureAction(.pinch(pinch)))
        actions.append(GestureAction(after: 0.5, .lift([0, 1])))
      }
      let from = try testCase.draw(.places(on: screen))
      // The movement exceeds the slop; otherwise it would be a tap.
      let reach = Gens.zip(Gen<Double>.double(in: 15...300), .bool).map { $0.1 ? -$0.0 : $0.0 }
      let way = ViewPoint(x: try testCase.draw(reach), y: try testCase.draw(reach))
      // The picture settles in 0.25 s.
      actions.append(
        GestureAction(after: 0.5, .pan(finger: 0, from: from, to: from + way, steps: 10)))
      actions.append(GestureAction(after: isThrown ? GestureWriter.sampling : 0.5, .lift([0])))
      return PutDown(
        gesture: try GestureCase(GestureWriter.events(of: actions), on: screen, picture),
        direction: way)
    }
  }
}
