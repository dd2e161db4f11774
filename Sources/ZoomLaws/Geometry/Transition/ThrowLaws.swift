import PropertyTesting
public import ZoomGeometry

/// How a pan comes to rest that ends with some velocity, and how taps are told from each other.
public struct ThrowSubject: LawSubject {
  /// The end of a pan.
  public struct PanEnd: Sendable, Hashable {
    /// The picture's centre, in points of the screen.
    public var centre: ViewPoint
    /// In points a second.
    public var velocity: ViewPoint
    /// The size of the picture's upright box, and of the screen, in points.
    public var box, viewport: ViewSize
  }

  /// How a pan comes to rest.
  public struct Landing: Sendable, Hashable {
    /// Where the centre comes to rest, in points of the screen.
    public var target: ViewPoint
    /// In seconds.
    public var duration: Double
    /// The ratio of the spring's damping.
    public var damping: Double
  }

  /// What reports call it.
  public let name: String
  /// How a pan comes to rest.
  public var landing: @Sendable (PanEnd) throws -> Landing
  /// The taps among some events, where a tap waits for a second one for a delay.
  public var taps: @Sendable ([GestureEvent], _ delay: Double) throws -> [TapArbiter.Tap]

  /// As it should be.
  public static let corrected = ThrowSubject(
    name: "throw corrected",
    landing: {
      let inertia = try PanInertia(
        centre: $0.centre, velocity: $0.velocity, box: $0.box, viewport: $0.viewport)
      return Landing(target: inertia.target, duration: inertia.duration, damping: inertia.damping)
    }, taps: { try arbitrate($0, delay: $1) })

  /// As published; the published component leaves taps to UIKit, for which the arbiter stands.
  public static let original = ThrowSubject(
    name: "throw original",
    landing: {
      let inertia = OriginalPanInertia(
        centre: $0.centre, velocity: $0.velocity, box: $0.box, viewport: $0.viewport)
      return Landing(target: inertia.target, duration: inertia.duration, damping: inertia.damping)
    }, taps: { try arbitrate($0, delay: $1) })

  /// The taps that the arbiter decides, with an hour for the last one to wait.
  private static func arbitrate(
    _ events: [GestureEvent], delay: Double
  ) throws -> [TapArbiter.Tap] {
    var arbiter = try TapArbiter(delay: delay)
    var fingers = FingerTable()
    for event in events {
      try fingers.take(event)
      if case .touches(let phase, let touches) = event.kind {
        arbiter.handle(phase, touches, fingers)
      }
    }
    arbiter.advance(to: (events.last?.time ?? 0) + 3600)
    return arbiter.takeTaps()
  }
}

/// The laws of the formulas that end a pan, and of taps.
public enum ThrowLaws {
  /// All of them.
  public static let all: [Law<ThrowSubject>] = [
    throwLaw("TI-P14", "A pan comes to rest in 0.08 to 0.8 s, damped by more than 0.8.") {
      subject, end, _ in
      let landing = try subject.landing(end)
      try Property.require(
        (0.08...0.8).contains(landing.duration), "it takes \(landing.duration) s")
      try Property.require(
        landing.damping > 0.8 && landing.damping <= 1, "the damping is \(landing.damping)")
      try Property.require(
        landing.target.x.isFinite && landing.target.y.isFinite,
        "it comes to rest at (\(landing.target.x), \(landing.target.y))")
    },
    throwLaw(
      "TI-P17", "A pan that is a little faster takes a little longer or shorter.", isBroken: true
    ) { subject, end, testCase in
      let factor = try testCase.draw(.double(in: 0.99...1.01))
      var faster = end
      faster.velocity = ViewPoint(x: end.velocity.x * factor, y: end.velocity.y * factor)
      let (one, other) = try (subject.landing(end).duration, subject.landing(faster).duration)
      let change = abs(factor - 1) * max(abs(end.velocity.x), abs(end.velocity.y))
      // Both parts of the law are continuous: 0.0004 s for each pt/s, and 0.001 s for each point
      // of overshoot, which grows by 0.15 for each pt/s; on a diagonal by sqrt(2) of it.
      try Property.require(
        abs(one - other) <= 0.001 * change + TransitionLaws.rounding,
        "\(change) pt/s more change the duration from \(one) to \(other) s")
    },
    Law(
      "TI-P12",
      "Each tap is half of a double tap or a single one, never both; a double tap's "
        + "two come within the delay, a single tap is decided no sooner than its delay is over or "
        + "another tap comes, and a finger that moves away never taps.",
      source: TransitionLaws.source, for: Touchings.any, inWords: { $0.inWords }, holds: tellsTaps),
  ]

  private static func throwLaw(
    _ name: String, _ statement: String, isBroken: Bool = false,
    holds: @escaping @Sendable (ThrowSubject, ThrowSubject.PanEnd, inout TestCase) throws -> Void
  ) -> Law<ThrowSubject> {
    // Pictures smaller and larger than the screen, at rest and thrown.
    let speed = Gen<Double>.weighted([
      (3, .double(in: -3000...3000)), (1, .constant(0)), (1, .element(of: [199.9, 200, 1e6])),
    ])
    let ends = Gens.zip(
      .offsets, .offsets, speed, speed, .sides, .sides, Gen<Screen>.gestureScreens
    ).map {
      ThrowSubject.PanEnd(
        centre: ViewPoint(x: $0.0, y: $0.1), velocity: ViewPoint(x: $0.2, y: $0.3),
        box: ViewSize(width: $0.4, height: $0.5), viewport: $0.6.size)
    }
    return Law(
      name, statement, source: TransitionLaws.source, isBrokenAsPublished: isBroken, for: ends,
      inWords: {
        "a picture of \($0.box.width.inWords)x\($0.box.height.inWords) about "
          + "\($0.centre.inWords) on \($0.viewport.width.inWords)x\($0.viewport.height.inWords) "
          + "at \($0.velocity.inWords) pt/s"
      }
    ) { subject, end, testCase in
      testCase.classify(
        end.box.width > end.viewport.width, as: "wider than the screen", atLeast: 0.2)
      try holds(subject, end, &testCase)
    }
  }

  /// Fingers that come down one after the other, perhaps move away, and are lifted.
  private struct Touchings: Sendable {
    struct Touching: Sendable {
      var pause: Double
      var held: Double
      var isFar: Bool
      var moves: Bool

      var inWords: String {
        "\(isFar ? "a far" : "a") finger after \(pause.inWords) s \(moves ? "moves" : "stays") for "
          + "\(held.inWords) s"
      }
    }

    var delay: Double
    var touchings: [Touching]

    var inWords: String {
      (["a delay of \(delay.inWords) s"] + touchings.map(\.inWords)).joined(separator: ", ")
    }

    static var any: Gen<Touchings> {
      let touching = Gens.zip(Gen<Double>.double(in: 0...1), .double(in: 0...0.5), .bool, .bool).map
      {
        Touching(pause: $0.0, held: $0.1, isFar: $0.2, moves: $0.3)
      }
      return Gens.zip(
        Gen<Double>.weighted([(3, .constant(0.35)), (1, .double(in: 0...1))]),
        Gen<[Touching]>.array(of: touching, count: 0...16)
      ).map { Touchings(delay: $0.0, touchings: $0.1) }
    }
  }

  private static func tellsTaps(
    _ subject: ThrowSubject, _ input: Touchings, _ testCase: inout TestCase
  ) throws {
    var now = 0.0
    var events: [GestureEvent] = []
    /// The lifts of the fingers that did not move away.
    var lifts: [(time: Double, isFar: Bool)] = []
    for touching in input.touchings {
      now += touching.pause
      // Far is beyond 45 points, where two taps are no double tap; moved is beyond the slop of 10.
      var finger = Touch(id: 0, point: ViewPoint(x: touching.isFar ? 100 : 20, y: 20))
      events.append(GestureEvent(time: now, kind: .touches(.began, [finger])))
      now += touching.held
      if touching.moves {
        finger.point.y += 15
        events.append(GestureEvent(time: now, kind: .touches(.moved, [finger])))
      } else {
        lifts.append((now, touching.isFar))
      }
      events.append(GestureEvent(time: now, kind: .touches(.ended, [finger])))
    }
    let taps = try subject.taps(events, input.delay)
    let doubles = taps.filter(\.isDouble).count
    let singles = taps.count - doubles
    testCase.classify(doubles > 0, as: "double taps", atLeast: 0.05)
    testCase.classify(singles > 0, as: "single taps", atLeast: 0.3)
    try Property.require(
      singles + 2 * doubles == lifts.count,
      "\(lifts.count) taps make \(singles) single and \(doubles) double ones")
    // Taken in order, each decision uses up one or two lifts.
    var next = lifts[...]
    for tap in taps {
      guard let first = next.popFirst() else { return }
      if tap.isDouble {
        guard let second = next.popFirst() else { return }
        try Property.require(
          second.time <= first.time + input.delay && second.time == tap.time
            && second.isFar == first.isFar,
          "taps at \(first.time) and \(second.time) s make a double tap")
      } else {
        let other = next.first?.time ?? .infinity
        try Property.require(
          tap.time >= min(first.time + input.delay, other),
          "a tap at \(first.time) s is a single one at \(tap.time) s")
        // Nothing but a tap elsewhere, a movement between, or the delay makes it a single one.
        try Property.require(
          tap.time <= first.time + input.delay, "a tap at \(first.time) s waits till \(tap.time) s")
      }
    }
  }
}
