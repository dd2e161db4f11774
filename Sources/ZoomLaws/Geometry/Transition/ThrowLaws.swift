import PropertyTesting
public import ZoomGeometry

/// The formulas for the end of a pan, and the arbiter of taps.
public struct ThrowSubject: LawSubject {
  /// The end of a pan.
  public struct PanEnd: Sendable, Hashable {
    /// The picture's centre, in points of the screen.
    public var centre: ViewPoint
    /// The velocity in points per second.
    public var velocity: ViewPoint
    /// The sizes of the picture's upright box and of the screen, in points.
    public var box, viewport: ViewSize
  }

  /// The animation that brings a pan to rest.
  public struct Landing: Sendable, Hashable {
    /// The centre at rest, in points of the screen.
    public var target: ViewPoint
    /// The duration in seconds.
    public var duration: Double
    /// The damping ratio of the spring.
    public var damping: Double
  }

  /// The subject's name in reports.
  public let name: String
  /// Returns the animation that brings a pan to rest.
  public var landing: @Sendable (PanEnd) throws -> Landing
  /// Returns the taps in events; a first tap waits for a second one during the delay.
  public var taps: @Sendable ([GestureEvent], _ delay: Double) throws -> [TapArbiter.Tap]

  /// The corrected form.
  public static let corrected = ThrowSubject("throw corrected", duration: \.duration)

  /// The published form, which leaves taps to UIKit; the arbiter replaces UIKit.
  public static let original = ThrowSubject(
    "throw original", duration: \.publishedDuration, isPublished: true)

  /// Whether a fast pan has the published duration, which ignores its distance.
  let isPublished: Bool

  private init(
    _ name: String, duration: any KeyPath<PanInertia, Double> & Sendable, isPublished: Bool = false
  ) {
    self.name = name
    self.isPublished = isPublished
    landing = {
      let inertia = PanInertia(
        centre: $0.centre, velocity: $0.velocity, box: $0.box, viewport: $0.viewport)
      return Landing(
        target: inertia.target, duration: inertia[keyPath: duration], damping: inertia.damping)
    }
    taps = { events, delay in
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
}

/// The laws of the formulas for the end of a pan, and of taps.
public enum ThrowLaws {
  /// All laws of the end of a pan and of taps.
  public static let all: [Law<ThrowSubject>] = [
    panLaw(
      "TI-P17", "A slight change of a pan's speed changes its time until rest only slightly.",
      isBroken: true
    ) { subject, end, testCase in
      let factor = try testCase.draw(.double(in: 0.99...1.01))
      var faster = end
      faster.velocity = end.velocity.scaled(by: factor)
      let (one, other) = try (subject.landing(end).duration, subject.landing(faster).duration)
      let change = abs(factor - 1) * max(abs(end.velocity.x), abs(end.velocity.y))
      // Both parts of the duration are continuous. 1 pt/s more on both axes adds up to sqrt(2) pt/s
      // of speed, which is 0.0006 s, and 0.15 * sqrt(2) points of overshoot, which is 0.0002 s.
      try Property.require(
        abs(one - other) <= 0.001 * change + TransitionLaws.rounding,
        "a change of the velocity by up to \(change) pt/s per axis changes the time from \(one) to "
          + "\(other) s")
    },
    panLaw(
      "TI-P24",
      "A pan comes to rest where it would be after 0.15 s, or at the nearest allowed place; "
        + "the further the two are apart, the longer it takes and the less it is damped."
    ) { subject, end, testCase in
      let landing = try subject.landing(end)
      var over = 0.0
      for axis in Axis.allCases {
        let screen = end.viewport[axis]
        let room = max(0, end.box[axis] - screen) / 2
        let wanted = end.centre[axis] + 0.15 * end.velocity[axis]
        let expected = wanted.clamped(to: (screen / 2 - room)...(screen / 2 + room))
        try requireNear(
          landing.target[axis], expected, within: 1e-9 * max(1, abs(wanted)), "the place", "pt")
        over = (over * over + (wanted - expected) * (wanted - expected)).squareRoot()
      }
      testCase.classify(over == 0, as: "an allowed place", atLeast: 0.02)
      // The duration is 0.1 to 0.3 s, or for a fast pan 0.4 ms per pt/s, up to 0.8 s.
      let speed = end.velocity.length
      let slow = min(0.3, 0.1 + over / 1000)
      let fast = min(0.8, speed / 2500)
      let published = speed >= 200 ? fast : slow
      try requireNear(
        landing.duration, subject.isPublished ? published : max(slow, fast), within: 1e-9,
        "for a pan at \(speed.inWords) pt/s that would end \(over.inWords) pt from the nearest allowed "
          + "place, the duration", "s")
      try requireNear(
        landing.damping, 1 - 0.2 * over / (over + 10), within: 1e-9, "the damping")
    },
    LawFamily(source: TransitionLaws.source, inputs: FingerTaps.any, inWords: \.inWords)(
      "TI-P12",
      "Each tap is a single one or half of a double tap, whose halves come within the delay and "
        + "with nothing between; a single tap is decided when its delay is over or another tap "
        + "comes, and a finger that moves away never taps.",
      holds: classifiesTaps),
  ]

  private static let panLaw = LawFamily<ThrowSubject, ThrowSubject.PanEnd>(
    source: TransitionLaws.source, inputs: panEnds,
    inWords: {
      "a picture of \($0.box.inWords) about \($0.centre.inWords) on \($0.viewport.inWords) "
        + "at \($0.velocity.inWords) pt/s"
    },
    classify: {
      $1.classify($0.box.width > $0.viewport.width, as: "wider than the screen", atLeast: 0.2)
    })

  private static var panEnds: Gen<ThrowSubject.PanEnd> {
    let speed = Gen<Double>.weighted([
      (3, .double(in: -3000...3000)), (1, .constant(0)), (1, .element(of: [199.9, 200, 1e6])),
    ])
    return Gens.zip(
      .offsets, .offsets, speed, speed, .sides, .sides, Gen<Screen>.gestureScreens
    ).map {
      ThrowSubject.PanEnd(
        centre: ViewPoint(x: $0.0, y: $0.1), velocity: ViewPoint(x: $0.2, y: $0.3),
        box: ViewSize(width: $0.4, height: $0.5), viewport: $0.6.size)
    }
  }

  private static func classifiesTaps(
    _ subject: ThrowSubject, _ input: FingerTaps, _ testCase: inout TestCase
  ) throws {
    let (events, lifts) = input.events
    let taps = try subject.taps(events, input.delay)
    let doubles = taps.count(where: \.isDouble)
    let singles = taps.count - doubles
    testCase.classify(doubles > 0, as: "double taps", atLeast: 0.05)
    testCase.classify(singles > 0, as: "single taps", atLeast: 0.3)
    try Property.require(
      singles + 2 * doubles == lifts.count,
      "\(lifts.count) taps make \(singles) single and \(doubles) double ones")
    // In order, each decision consumes one or two lifts.
    var next = lifts[...]
    for tap in taps {
      let first = next.removeFirst()
      if tap.isDouble {
        let second = next.removeFirst()
        try Property.require(
          second.time <= first.time + input.delay && second.time == tap.time
            && second.isFar == first.isFar && !second.followsNonTap,
          "taps at \(first.time) and \(second.time) s make a double tap")
      } else {
        // A tap elsewhere, a movement between the taps or the end of the delay makes it a single tap.
        let (end, second) = (first.time + input.delay, next.first)
        let isHalf = second.map { !$0.followsNonTap && $0.isFar == first.isFar && $0.time < end }
        try Property.require(isHalf != true, "a tap at \(first.time) s is not half of a double tap")
        try Property.require(
          tap.time >= min(end, second?.time ?? .infinity) && tap.time <= end,
          "a tap at \(first.time) s is a single one at \(tap.time) s")
      }
    }
  }
}

/// Fingers that come down one after the other, may move away, and are lifted.
private struct FingerTaps: Sendable {
  struct Finger: Sendable {
    enum Fate: CaseIterable { case taps, moves, isJoined, isCancelled }

    var pause, held: Double
    var isFar: Bool
    var fate: Fate
  }

  var delay: Double
  var fingers: [Finger]

  var inWords: String {
    (["a delay of \(delay.inWords) s"] + events.0.map(\.sentence)).joined(separator: ", ")
  }

  static var any: Gen<FingerTaps> {
    let fate = Gen<Finger.Fate>.weighted([(2, .constant(.taps)), (1, .allCases)])
    let finger = Gens.zip(Gen<Double>.double(in: 0...1), .double(in: 0...0.5), .bool, fate).map {
      Finger(pause: $0.0, held: $0.1, isFar: $0.2, fate: $0.3)
    }
    return Gens.zip(
      Gen<Double>.weighted([(3, .constant(0.35)), (1, .double(in: 0...1))]),
      Gen<[Finger]>.array(of: finger, count: 0...16)
    ).map { FingerTaps(delay: $0.0, fingers: $0.1) }
  }

  /// The events, and the lifts of the fingers that tap; `followsNonTap`: the previous finger did not tap.
  var events: ([GestureEvent], lifts: [(time: Double, isFar: Bool, followsNonTap: Bool)]) {
    var writer = GestureWriter()
    var lifts: [(time: Double, isFar: Bool, followsNonTap: Bool)] = []
    var followsNonTap = false
    for finger in fingers {
      writer.now += finger.pause
      // Taps more than 45 points apart are not a double tap; a finger that moves by more than the slop
      // of 10 does not tap.
      let place = ViewPoint(x: finger.isFar ? 100 : 20, y: 20)
      writer.touch([Touch(id: 0, point: place)])
      writer.now += finger.held
      switch finger.fate {
      case .taps: lifts.append((writer.now, finger.isFar, followsNonTap))
      case .moves: writer.touch([Touch(id: 0, point: place + ViewPoint(x: 0, y: 15))])
      case .isJoined:
        writer.touch([Touch(id: 1, point: place)])
        writer.lift([1], .ended)
      case .isCancelled: break
      }
      followsNonTap = finger.fate != .taps
      writer.lift([0], finger.fate == .isCancelled ? .cancelled : .ended)
    }
    return (writer.events, lifts)
  }
}
