import PropertyTesting
import ZoomGeometry

extension TransitionLaws {
  static var pinches: [Law<TransitionSubject>] {
    [
      pinchLaw(
        "TI-P11", "A pinch depends on where the fingers are, not on how they came there.",
        isBroken: true
      ) { subject, pinch in
        let direct = [pinch.begin, pinch.events[pinch.events.count - 1]]
        try requireSame(
          try pinch.session.view(subject, then: [pinch.begin] + pinch.events),
          try pinch.session.view(subject, then: direct), "in one event and in several")
      },
      pinchLaw("TI-P18", "What was between the fingers stays between them.") { subject, pinch in
        let start = try pinch.session.view(subject, then: [pinch.begin]).transform
        let view = try pinch.session.view(subject, then: [pinch.begin] + pinch.events)
        guard case .beginPinch(let from) = pinch.begin,
          case .pinch(_, let to) = pinch.events[pinch.events.count - 1],
          let content = start.inverted()?.apply(to: from)
        else { return }
        let shown = view.transform.apply(to: content)
        let size = magnitude(
          view.transform.boundingBox(
            of: ViewRect(x: 0, y: 0, width: view.full.width, height: view.full.height)))
        try require(
          abs(shown.x - to.x) <= slack(size) && abs(shown.y - to.y) <= slack(size),
          "what was between them is (\(shown.x - to.x), \(shown.y - to.y)) off")
      },
      pinchLaw(
        "TI-P19", "A pinch that comes back to where it began leaves the picture as it was.",
        isBroken: true
      ) { subject, pinch in
        let rest = TransitionSubject.ViewerStep.endPan(velocity: still)
        guard case .beginPinch(let from) = pinch.begin else { return }
        let before = try pinch.session.view(subject, then: [rest])
        let back = TransitionSubject.ViewerStep.pinch(ratio: 1, centre: from)
        let after = try pinch.session.view(
          subject, then: [rest, pinch.begin] + pinch.events + [back, .endPinch])
        try requireSame(after, before, "there and back")
      },
      pinchLaw(
        "TI-P22",
        "A scale that is brought back when the fingers go is brought back about them, as "
          + "far as the screen stays covered."
      ) { subject, pinch in
        guard case .pinch(_, let centre) = pinch.events[pinch.events.count - 1] else { return }
        let steps = [pinch.begin] + pinch.events
        let before = try pinch.session.view(subject, then: steps)
        let after = try pinch.session.view(subject, then: steps + [.endPinch])
        guard let content = before.transform.inverted()?.apply(to: centre) else { return }
        let shown = after.transform.apply(to: content)
        let box = after.transform.boundingBox(
          of: ViewRect(x: 0, y: 0, width: after.full.width, height: after.full.height))
        let slack = slack(magnitude(box))
        let screen = pinch.session.screen.size
        // On an axis on which a border is at the screen's, or is within it, the picture was moved.
        let isFreeAcross = box.x < -slack && box.maxX > screen.width + slack
        let isFreeDown = box.y < -slack && box.maxY > screen.height + slack
        try require(
          (!isFreeAcross || abs(shown.x - centre.x) <= slack)
            && (!isFreeDown || abs(shown.y - centre.y) <= slack),
          "what was between the fingers is (\(shown.x - centre.x), \(shown.y - centre.y)) off")
      },
      pinchLaw(
        "TI-P20", "Fingers further apart show the picture larger, never smaller."
      ) { subject, pinch in
        guard case .pinch(let ratio, let centre) = pinch.events[pinch.events.count - 1]
        else { return }
        let before = try pinch.session.view(
          subject, then: [pinch.begin, .pinch(ratio: ratio, centre: centre)])
        let after = try pinch.session.view(
          subject, then: [pinch.begin, .pinch(ratio: 2 * ratio, centre: centre)])
        try require(
          after.scale >= before.scale * (1 - rounding),
          "twice the distance brings the scale from \(before.scale) to \(after.scale)")
      },
    ]
  }

  private struct PinchedSession: Sendable {
    var session: Session
    var begin: TransitionSubject.ViewerStep
    var events: [TransitionSubject.ViewerStep]
  }

  private static func pinchLaw(
    _ name: String, _ statement: String, isBroken: Bool = false,
    holds: @escaping @Sendable (TransitionSubject, PinchedSession) throws -> Void
  ) -> Law<TransitionSubject> {
    let pinches = Gen<PinchedSession> { testCase throws(Discarded) in
      let session = try testCase.draw(sessions())
      let place = Gen<ViewPoint>.places(on: session.screen)
      let event = zip(Gen<Double>.ratios, place).map {
        TransitionSubject.ViewerStep.pinch(ratio: $0.0, centre: $0.1)
      }
      return PinchedSession(
        session: session, begin: .beginPinch(at: try testCase.draw(place)),
        events: try testCase.draw(.array(of: event, count: 1...60)))
    }
    return Law(
      name, statement, source: source, isBrokenAsPublished: isBroken, for: pinches,
      inWords: { "\($0.session.inWords); then \(([$0.begin] + $0.events).inWords)" }
    ) { subject, pinch, testCase in
      testCase.classify(pinch.events.count > 3, as: "more than three events", atLeast: 0.3)
      testCase.classify(!pinch.session.steps.isEmpty, as: "after something else", atLeast: 0.5)
      try holds(subject, pinch)
    }
  }
}
