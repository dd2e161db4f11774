import PropertyTesting
import ZoomGeometry

extension GestureLaws {
  /// The law of pictures that a finger throws.
  static var thrown: Law<ReplaySubject> {
    family(Throw.any)(
      "GE-54",
      "A picture that is let go at a steady speed comes to rest where it would be after 0.15 s, or at "
        + "the nearest place that covers the screen; one that is held goes nowhere.",
      isBroken: true
    ) { subject, thrown, testCase in
      let script = try thrown.played
      let held = try subject.play(script, script.script.events.dropLast())
      let (before, after) = (try held.lastPicture(), try subject.play(script).lastPicture())
      let way = thrown.isHeld ? ViewPoint(x: 0, y: 0) : thrown.velocity.scaled(by: 0.15)
      let slack = after.slackAtRest(on: thrown.screen)
      for axis in Axis.allCases {
        let (start, end, push) = (before.box[axis].start, after.box[axis].start, way[axis])
        let (length, side) = (before.box[axis].length, thrown.screen.size[axis])
        let room = max(0, length - side)
        let expected = (start + push).clamped(
          to: (side - length - room) / 2...(side - length + room) / 2)
        testCase.classify(room > 0 && expected == start + push, as: "inside", atLeast: 0.1)
        try Property.require(
          near(end, expected, within: slack),
          "thrown by \(push) from \(start) it comes to rest at \(end), not at \(expected)")
      }
    }
  }
}

/// A zoomed picture, a finger that moves at a steady speed and lets it go, and what came before.
private struct Throw: Sendable, PlayedInput {
  /// What the fingers do before the steady movement.
  enum Prelude: CaseIterable {
    case none
    /// The finger moves elsewhere and rests.
    case rests
    /// Another finger comes and leaves.
    case joined
    /// The gesture is cancelled, and the finger comes down again.
    case cancelled
    /// The screen changes its size, and back.
    case resized
  }

  var screen: Screen
  var picture: PixelSize
  var tapped: ViewPoint
  /// The velocity in points per second.
  var velocity: ViewPoint
  /// The samples per second.
  var rate: Double
  var prelude: Prelude
  var isHeld: Bool

  var inWords: String {
    "\(picture) on \(screen.inWords), \(velocity.inWords) pt/s at \(rate.inWords) Hz after \(prelude)"
      + (isHeld ? ", held" : "")
  }

  static var any: Gen<Throw> {
    Gen { testCase throws(Discarded) in
      let screen = try testCase.draw(.gestureScreens)
      let speed = Gen<Double>.double(in: -1200...1200)
      let velocity = ViewPoint(x: try testCase.draw(speed), y: try testCase.draw(speed))
      // A finger that stays within the slop taps.
      guard velocity.length > 100 else { throw Discarded() }
      return Throw(
        screen: screen, picture: try testCase.draw(.gesturePictures),
        tapped: try testCase.draw(.places(on: screen)),
        velocity: velocity,
        rate: try testCase.draw(Gen<Double>.element(of: [60, 120, 240, 50])),
        prelude: try testCase.draw(Gen<Prelude>.element(of: Prelude.allCases)),
        isHeld: try testCase.draw(.bool))
    }
  }

  private var events: [GestureEvent] {
    var events = GestureWriter.events(
      of: Stage().opening(of: .transition, on: screen) + [
        GestureAction(.doubleTap(at: tapped, then: tapped, gap: GestureWriter.sampling)),
        GestureAction(after: 1, .lift([0])),
      ])
    var (now, place) = ((events.last?.time ?? 0) + 1, screen.bounds.centre)
    func report(_ phase: TouchPhase, _ finger: Int = 0, after pause: Double = 0) {
      now += pause
      events.append(
        GestureEvent(time: now, kind: .touches(phase, [Touch(id: finger, point: place)])))
    }
    report(.began)
    switch prelude {
    case .none: break
    case .rests:
      place = place + ViewPoint(x: 150, y: -150)
      report(.moved, after: 0.02)
      now += 0.2
    case .joined:
      place = place + ViewPoint(x: 40, y: 90)
      report(.moved, after: 0.02)
      report(.began, 1, after: 0.02)
      report(.ended, 1, after: 0.02)
    case .cancelled:
      place = place + ViewPoint(x: 40, y: 90)
      report(.moved, after: 0.02)
      events.append(GestureEvent(time: now, kind: .cancelAll))
      report(.began, after: 0.02)
    case .resized:
      place = place + ViewPoint(x: 40, y: 90)
      report(.moved, after: 0.02)
      let other = try? Screen(size: ViewSize(width: 200, height: 300), scale: screen.scale)
      for screen in [other ?? screen, screen] {
        events.append(GestureEvent(time: now, kind: .screen(screen)))
      }
    }
    let steps = Int(0.15 * rate) + 1
    for _ in 1...steps {
      place = place + velocity.scaled(by: 1 / rate)
      report(.moved, after: 1 / rate)
    }
    report(.ended, after: isHeld ? 0.3 : 0)
    return events
  }

  var played: GestureCase {
    get throws(GeometryError) {
      GestureCase(script: try GestureScript(screen: screen, events: events), picture: picture)
    }
  }
}
