import PropertyTesting
import ZoomGeometry

extension GestureLaws {
  /// Laws of two scripts that mean the same.
  static func equivalents(_ system: ZoomSystem) -> [Law<ReplaySubject>] {
    [
      law(
        "GE-3", "A movement that is reported twice is the same movement.", of: system
      ) { subject, gesture, _ in
        let twice = gesture.script.events.flatMap { event in
          if case .touches(.moved, _) = event.kind { [event, event] } else { [event] }
        }
        try requireSameEnd(
          try subject.play(gesture.with(twice)), try subject.play(gesture), "reported twice")
      },
      law(
        "GE-4", "Fingers that move together may be reported together or one by one.", of: system,
        brokenBy: [.force, .transition], examples: [twoThatMove]
      ) { subject, gesture, testCase in
        let single = gesture.script.events.flatMap { event -> [GestureEvent] in
          guard case .touches(.moved, let touches) = event.kind else { return [event] }
          return touches.map {
            GestureEvent(time: event.time, kind: .touches(.moved, [$0]))
          }
        }
        // Each report moves the picture, and the sum of movements depends on their order.
        try requireNearlySameEnd(
          try subject.play(gesture.with(single)), try subject.play(gesture), of: gesture.picture,
          "one by one")
      },
      law("GE-5", "Which number a finger has does not matter.", of: system) {
        subject, gesture, _ in
        let renamed = gesture.script.events.compactMap { event in
          event.withTouches { _, touches in
            touches.map { Touch(id: 7 - $0.id, point: $0.point, force: $0.force) }
          }
        }
        try requireSameEnd(
          try subject.play(gesture.with(renamed)), try subject.play(gesture), "with other numbers")
      },
    ]
  }
  /// A finger presses, and a second one comes down and moves with it.
  private static let twoThatMove = example([
    GestureAction(.touch(finger: 0, at: ViewPoint(x: 150, y: 300), force: 3)),
    GestureAction(
      .pinch(
        GestureAction.PinchPath(
          from: ViewPoint(x: 180, y: 330), to: ViewPoint(x: 190, y: 340),
          arm: ViewPoint(x: 30, y: 30), endArm: ViewPoint(x: 30, y: 30), steps: 1))),
  ])
}
