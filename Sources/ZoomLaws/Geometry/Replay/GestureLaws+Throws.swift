import PropertyTesting
import ZoomGeometry

extension GestureLaws {
  static var thrown: Law<ReplaySubject> {
    family(Throw.any)(
      "GE-54",
      "A picture that is let go at a steady speed comes to rest where it would be 0.15 s later, or at "
        + "the nearest place at which it covers the screen; if the finger rested before it lifted, the "
        + "picture moves only if it does not cover the screen.",
      isBroken: true
    ) { subject, thrown, testCase in
      let script = try thrown.played
      let held = try subject.play(script, script.script.events.dropLast())
      let (before, after) = (try held.lastPicture(), try subject.play(script).lastPicture())
      let way = thrown.end == .lifts ? thrown.velocity.scaled(by: 0.15) : .zero
      let slack = after.slackAtRest(on: thrown.screen)
      for axis in Axis.allCases {
        let (start, end, push) = (before.box[axis].start, after.box[axis].start, way[axis])
        let (length, side) = (before.box[axis].length, thrown.screen.size[axis])
        let room = max(0, length - side)
        let expected = (start + push).clamped(
          to: (side - length - room) / 2...(side - length + room) / 2)
        let isFree = room > 0 && expected == start + push
        testCase.classify(isFree && thrown.end == .lifts, as: "thrown inside", atLeast: 0.05)
        testCase.classify(!isFree && thrown.end == .handsOver, as: "left outside", atLeast: 0.05)
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

  /// What the fingers do after the steady movement.
  enum End: CaseIterable {
    case lifts
    /// The finger rests before it lifts.
    case rests
    /// Another finger comes, and both lift.
    case handsOver
  }

  var screen: Screen
  var picture: PixelSize
  var tapped: ViewPoint
  /// The velocity in points per second.
  var velocity: ViewPoint
  /// The samples per second.
  var rate: Double
  var prelude: Prelude
  /// The length of the steady movement, in 60ths of a second.
  var ticks: Int
  var end: End

  var inWords: String {
    "\(picture) on \(screen.inWords), \(velocity.inWords) pt/s at \(rate.inWords) Hz after \(prelude)"
      + ", \(ticks) ticks, \(end)"
  }

  static var any: Gen<Throw> {
    Gen { testCase throws(Discarded) in
      let screen = try testCase.draw(.gestureScreens)
      let velocity = try testCase.draw(.vectors(upTo: 1500))
      // In each tick of 1/60 s the finger moves further than the slop, so that it does not tap.
      guard velocity.length > 700 else { throw Discarded() }
      return Throw(
        screen: screen, picture: try testCase.draw(.gesturePictures),
        tapped: try testCase.draw(.places(on: screen)),
        velocity: velocity,
        rate: try testCase.draw(Gen<Double>.element(of: [60, 120, 240])),
        prelude: try testCase.draw(Gen<Prelude>.element(of: Prelude.allCases)),
        ticks: testCase.integer(in: 2...12), end: try testCase.draw(Gen<End>.allCases))
    }
  }

  private var actions: [GestureAction] {
    var place = screen.bounds.centre
    func moved(by way: ViewPoint, after pause: Double) -> GestureAction {
      place = place + way
      return GestureAction(after: pause, .touch(finger: 0, at: place, force: 0))
    }
    var actions = Stage().zoomed(on: screen, at: tapped) + [moved(by: .zero, after: 0.5)]
    if prelude != .none {
      let way = prelude == .rests ? ViewPoint(x: 150, y: -150) : ViewPoint(x: 40, y: 90)
      actions.append(moved(by: way, after: 0.02))
    }
    switch prelude {
    case .none: break
    // Finger 1 is not down, so this is only a pause.
    case .rests: actions.append(GestureAction(after: 0.2, .lift([1])))
    case .joined:
      actions.append(GestureAction(after: 0.02, .touch(finger: 1, at: place, force: 0)))
      actions.append(GestureAction(after: 0.02, .lift([1])))
    case .cancelled: actions += [GestureAction(.cancel), moved(by: .zero, after: 0.02)]
    case .resized:
      let other = try? Screen(size: ViewSize(width: 200, height: 300), scale: screen.scale)
      actions += [other ?? screen, screen].map { GestureAction(.resize($0)) }
    }
    let steps = ticks * Int(rate / 60)
    actions += (1...steps).map { _ in
      moved(by: velocity.scaled(by: 1 / rate), after: 1 / rate)
    }
    switch end {
    case .lifts: actions.append(GestureAction(.lift([0])))
    case .rests: actions.append(GestureAction(after: 0.3, .lift([0])))
    case .handsOver:
      actions.append(GestureAction(.touch(finger: 1, at: place, force: 0)))
      actions.append(GestureAction(after: 0.02, .lift([0, 1])))
    }
    return actions
  }

  var played: GestureCase {
    get throws(GeometryError) { try GestureCase(actions, on: screen, picture) }
  }
}
