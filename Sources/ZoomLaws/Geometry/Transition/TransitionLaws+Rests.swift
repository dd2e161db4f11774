import PropertyTesting
import ZoomGeometry

extension TransitionLaws {
  static var rests: [Law<TransitionSubject>] {
    [
      sessionLaw(
        "TI-P8",
        "When the fingers are gone the scale is 1 to the largest, and the picture covers "
          + "the screen on each axis on which it is larger and is centred on the other.",
        isBroken: true
      ) { subject, session, testCase in
        try isAtRest(try session.view(subject), session.screen)
      },
      sessionLaw(
        "TI-P9", "Two fingers that come and go, and a pan that goes nowhere, move nothing.",
        isBroken: true
      ) { subject, session, testCase in
        let rest = TransitionSubject.ViewerStep.endPan(velocity: still)
        let place = try testCase.draw(.places(on: session.screen))
        let before = try session.view(subject, then: [rest])
        let after = try session.view(
          subject, then: [rest, .beginPinch(at: place), .pinch(ratio: 1, centre: place), rest])
        try requireSame(after, before, "fingers at (\(place.x), \(place.y)) that do nothing")
      },
      sessionLaw("TI-P10", "To let go of a picture that rests changes nothing.") {
        subject, session, _ in
        let rest = TransitionSubject.ViewerStep.endPan(velocity: still)
        try requireSame(
          try session.view(subject, then: [rest, rest]),
          try session.view(subject, then: [rest]), "let go twice")
      },
      sessionLaw(
        "TI-P13",
        "How the picture is turned depends on nothing but the last way the device was "
          + "held.", isBroken: true
      ) { subject, session, testCase in
        let device = try testCase.draw(
          Gen<DeviceOrientation>.element(of: [.portrait, .landscapeLeft, .landscapeRight]))
        let turn = TransitionSubject.ViewerStep.turn(device, isHasty: false)
        let expected = try subject.view(session.picture, session.screen, [turn]).transform
        let found = try session.view(subject, then: [turn]).transform
        testCase.classify(
          session.steps.contains { if case .turn = $0 { true } else { false } },
          as: "turned before", atLeast: 0.3)
        // The directions of the axes, whatever the scale.
        let (one, other) = (direction(expected), direction(found))
        try require(
          abs(one.x - other.x) <= rounding && abs(one.y - other.y) <= rounding,
          "held \(device), the picture's right is (\(other.x), \(other.y)), not (\(one.x), "
            + "\(one.y))")
      },
      throwLaw("TI-P14", "A pan comes to rest in 0.08 to 0.8 s, damped by more than 0.8.") {
        subject, end, _ in
        let landing = try subject.landing(end)
        try require(
          (0.08...0.8).contains(landing.duration), "it takes \(landing.duration) s")
        try require(
          landing.damping > 0.8 && landing.damping <= 1, "the damping is \(landing.damping)")
        try require(
          landing.target.x.isFinite && landing.target.y.isFinite,
          "it comes to rest at (\(landing.target.x), \(landing.target.y))")
      },
      throwLaw(
        "TI-P17", "A pan that is a little faster takes a little longer or shorter.",
        isBroken: true
      ) { subject, end, testCase in
        let factor = try testCase.draw(.double(in: 0.99...1.01))
        var faster = end
        faster.velocity = ViewPoint(x: end.velocity.x * factor, y: end.velocity.y * factor)
        let (one, other) = try (subject.landing(end).duration, subject.landing(faster).duration)
        let change = abs(factor - 1) * max(abs(end.velocity.x), abs(end.velocity.y))
        // Both parts of the law are continuous: 0.0004 s for each pt/s, and 0.001 s for each point
        // of overshoot, which grows by 0.15 for each pt/s; on a diagonal by sqrt(2) of it.
        try require(
          abs(one - other) <= 0.001 * change + rounding,
          "\(change) pt/s more change the duration from \(one) to \(other) s")
      },
      sessionLaw("TI-P15", "Whatever hands do, every number stays finite.") {
        subject, session, _ in
        let view = try session.view(subject)
        try require(
          view.transform.isFinite && view.scale.isFinite && view.transform.determinant > 0,
          "the picture's map is \(view.transform)")
      },
    ]
  }

  static let still = ViewPoint(x: 0, y: 0)

  private static func throwLaw(
    _ name: String, _ statement: String, isBroken: Bool = false,
    holds:
      @escaping @Sendable (
        TransitionSubject, TransitionSubject.Throw, inout TestCase
      ) throws -> Void
  ) -> Law<TransitionSubject> {
    Law(
      name, statement, source: source, isBrokenAsPublished: isBroken, for: .throwsOfPictures,
      inWords: { $0.inWords }
    ) { subject, end, testCase in
      testCase.classify(
        end.box.width > end.viewport.width, as: "wider than the screen", atLeast: 0.2)
      try holds(subject, end, &testCase)
    }
  }

  private static func direction(_ map: Affine) -> ViewPoint {
    let length = (map.a * map.a + map.b * map.b).squareRoot()
    return ViewPoint(x: map.a / length, y: map.b / length)
  }

  /// Requires that a view is one to stay at.
  static func isAtRest(_ view: TransitionSubject.ShownPicture, _ screen: Screen) throws {
    try require(
      view.scale >= 1 - rounding && view.scale <= view.maximum * (1 + rounding),
      "it rests at a scale of \(view.scale) of \(view.maximum)")
    let box = view.transform.boundingBox(
      of: ViewRect(x: 0, y: 0, width: view.full.width, height: view.full.height))
    try isAtRest(from: box.x, to: box.maxX, on: screen.size.width, "x", slack(magnitude(box)))
    try isAtRest(from: box.y, to: box.maxY, on: screen.size.height, "y", slack(magnitude(box)))
  }

  /// Requires that a picture from one place to another covers a screen, or is centred on it.
  static func isAtRest(
    from start: Double, to end: Double, on length: Double, _ axis: String, _ slack: Double
  ) throws {
    if end - start > length {
      try require(
        start <= slack && end >= length - slack,
        "on \(axis) it goes from \(start) to \(end) and leaves a gap on 0 to \(length)")
    } else {
      try require(
        abs(start + end - length) <= 2 * slack,
        "on \(axis) it goes from \(start) to \(end), not centred on 0 to \(length)")
    }
  }
}
