import PropertyTesting
import ZoomGeometry

extension TransitionLaws {
  static var taps: [Law<TransitionSubject>] {
    [
      Law(
        "TI-P12",
        "Each tap is half of a double tap or a single one, never both; a double tap's "
          + "two come within the delay, a single tap is decided no sooner than its delay is over or "
          + "another tap comes, and a finger that moves away never taps.", source: source,
        for: touchings, inWords: { $0.inWords }
      ) { subject, input, testCase in
        try holds(subject, input, &testCase)
      },
      sessionLaw(
        "TI-P21", "A single tap dismisses a picture that is fitted, and only that.",
        isBroken: true
      ) { subject, session, testCase in
        let scale = try session.view(subject).scale
        let isDismissed = try session.view(subject, then: [.singleTap]).isDismissed
        let isFitted = abs(scale - 1) <= TransitionFit.tolerance
        testCase.classify(!isFitted, as: "zoomed", atLeast: 0.1)
        try require(
          isDismissed == isFitted,
          "at a scale of \(scale) the tap \(isDismissed ? "dismisses" : "does not dismiss")")
      },
    ]
  }

  /// A finger that comes down, perhaps moves away, and is lifted.
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

  private struct Touchings: Sendable {
    var delay: Double
    var touchings: [Touching]

    var inWords: String {
      (["a delay of \(delay.inWords) s"] + touchings.map(\.inWords)).joined(separator: ", ")
    }
  }

  private static var touchings: Gen<Touchings> {
    let touching = zip(Gen<Double>.double(in: 0...1), .double(in: 0...0.5), .bool, .bool).map {
      Touching(pause: $0.0, held: $0.1, isFar: $0.2, moves: $0.3)
    }
    return zip(
      Gen<Double>.weighted([(3, .constant(0.35)), (1, .double(in: 0...1))]),
      Gen<[Touching]>.array(of: touching, count: 0...16)
    ).map { Touchings(delay: $0.0, touchings: $0.1) }
  }

  private static func holds(
    _ subject: TransitionSubject, _ input: Touchings, _ testCase: inout TestCase
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
    let singles = taps.filter { !$0.isDouble }
    let doubles = taps.filter(\.isDouble)
    testCase.classify(!doubles.isEmpty, as: "double taps", atLeast: 0.05)
    testCase.classify(!singles.isEmpty, as: "single taps", atLeast: 0.3)
    try require(
      singles.count + 2 * doubles.count == lifts.count,
      "\(lifts.count) taps make \(singles.count) single and \(doubles.count) double ones")
    // Taken in order, each decision uses up one or two lifts.
    var next = lifts[...]
    for tap in taps {
      guard let first = next.popFirst() else { return }
      if tap.isDouble {
        guard let second = next.popFirst() else { return }
        try require(
          second.time <= first.time + input.delay && second.time == tap.time
            && second.isFar == first.isFar,
          "taps at \(first.time) and \(second.time) s make a double tap")
      } else {
        let other = next.first?.time ?? .infinity
        try require(
          tap.time >= min(first.time + input.delay, other),
          "a tap at \(first.time) s is a single one at \(tap.time) s")
        // Nothing but a tap elsewhere, a movement between, or the delay makes it a single one.
        try require(
          tap.time <= first.time + input.delay, "a tap at \(first.time) s waits till \(tap.time) s")
      }
    }
  }
}
