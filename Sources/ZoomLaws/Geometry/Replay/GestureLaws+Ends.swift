import PropertyTesting
import ZoomGeometry

extension GestureLaws {
  static func ends(_ system: ZoomSystem) -> [Law<ReplaySubject>] {
    switch system {
    // A force zoom presents nothing that could leave the screen.
    case .force: [cancellation(of: system)] + comingToAnEnd(system)
    case .peek, .transition:
      [cancellation(of: system)] + comingToAnEnd(system) + [restingPlace(system)]
    // No recogniser of these two outlives its finger.
    case .doubleTap: comingToAnEnd(system) + [restingPlace(system)]
    // Where its view rests is ZV-P3's.
    case .fullscreen: comingToAnEnd(system)
    }
  }

  private static func cancellation(of system: ZoomSystem) -> Law<ReplaySubject> {
    law(
      "GE-6", "When everything is cancelled no gesture goes on, and nothing of it stays.",
      of: system, brokenBy: [.peek, .force]
    ) { subject, gesture, testCase in
      let states = try subject.play(gesture.with(cancelled(gesture)))
      let recogniser = states.last?.recogniser ?? .possible
      try Property.require(
        recogniser != .began && recogniser != .changed,
        "everything is cancelled and the gesture is \(recogniser)")
      // These two show nothing but what a finger does.
      guard system == .peek || system == .force else { return }
      let rest = try subject.play(untouched(gesture))
      try requireSameEnd(states, rest, "nothing is touched")
    }
  }

  private static func comingToAnEnd(_ system: ZoomSystem) -> [Law<ReplaySubject>] {
    [
      law(
        "GE-9", "A viewport that is resized and resized back shows what it did, unless zoomed.",
        of: system, brokenBy: [.fullscreen], examples: [turnedLyingFlat], holds: comesBack),
      law(
        "GE-16", "A finger that is put down and cancelled changes nothing of what taps do later.",
        of: system, holds: leavesNothing),
    ]
  }

  private static func restingPlace(_ system: ZoomSystem) -> Law<ReplaySubject> {
    law(
      "GE-12", "When all has come to rest the picture has not left the screen.", of: system,
      brokenBy: [.peek, .transition]
    ) { subject, gesture, testCase in
      let states = try subject.play(gesture.with(cancelled(gesture)))
      let isPresented = TransitionLaws.isPresented(states)
      testCase.classify(isPresented, as: "presented", atLeast: system == .transition ? 0.1 : nil)
      // A thumbnail stands where the page puts it.
      guard isPresented || system != .transition,
        let state = states.last, let picture = state.picture
      else { return }
      let box = picture.box
      // What is shown 1:1 is brought onto whole pixels.
      let pixel = TransitionLaws.isWhole(picture, on: state.screen) ? 1 / state.screen.scale : 0
      // A peek's picture is beside notches, so that all of it can be touched.
      let area = system == .peek ? state.screen.safeArea : state.screen.bounds
      try TransitionLaws.isAtRest(box, on: area, gestureSlack * magnitude(box) + pixel)
    }
  }

  /// The events and after them a cancellation of everything, and a time at which all has come to
  /// rest and no tap waits for a second one; see GE-11.
  static func rested(_ gesture: GestureCase) -> (events: [GestureEvent], at: Double) {
    let events = cancelled(gesture)
    return (events, (events.last?.time ?? 0) + 2)
  }

  /// Whether a picture is zoomed: what it shows in another viewport is then the system's choice, for
  /// neither the scale nor the middle can always be kept, and its limits depend on sizes between.
  static func isZoomed(
    _ shown: ZoomState, _ subject: ReplaySubject, _ testCase: inout TestCase
  ) -> Bool {
    guard subject.system == .transition || subject.system == .doubleTap else { return false }
    let isFitted = isFitted(shown)
    testCase.classify(isFitted, as: "not zoomed", atLeast: 0.1)
    return !isFitted
  }

  /// The events, and after them a cancellation of everything.
  static func cancelled(_ gesture: GestureCase) -> [GestureEvent] {
    let last = gesture.script.events.last?.time ?? 0
    return gesture.script.events + [GestureEvent(time: last, kind: .cancelAll)]
  }

  /// The case with only what happens to the device and the screen.
  static func untouched(_ gesture: GestureCase) throws -> GestureCase {
    try gesture.with(
      gesture.script.events.filter {
        switch $0.kind {
        case .touches, .cancelAll, .close: false
        case .device, .interface, .screen: true
        }
      })
  }

  private static func comesBack(
    _ subject: ReplaySubject, _ gesture: GestureCase, _ testCase: inout TestCase
  ) throws {
    let other = try testCase.draw(.gestureScreens)
    let (still, later) = rested(gesture)
    let before = try subject.play(gesture.with(still))
    guard let shown = before.last, let picture = shown.picture,
      !isZoomed(shown, subject, &testCase)
    else { return }
    let after = try subject.play(
      gesture.with(
        still + [
          GestureEvent(time: later, kind: .screen(other)),
          GestureEvent(time: later + 1, kind: .screen(shown.screen)),
        ]))
    guard let again = after.last?.picture else { throw PropertyFailure("no picture is left") }
    let way = apart(picture.toScreen, again.toScreen, gesture.picture)
    try Property.require(
      way <= gestureSlack * magnitude(picture.box) && distance(picture.box, again.box) <= 1e-3,
      "after a turn as \(other.size.width)x\(other.size.height) a corner is \(way) points off")
  }

  private static func leavesNothing(
    _ subject: ReplaySubject, _ gesture: GestureCase, _ testCase: inout TestCase
  ) throws {
    let size = gesture.script.screen.size
    let point = ViewPoint(
      x: testCase.double(in: 0...size.width), y: testCase.double(in: 0...size.height))
    func touch(_ phase: TouchPhase, _ id: Int, at time: Double) -> GestureEvent {
      GestureEvent(time: time, kind: .touches(phase, [Touch(id: id, point: point, force: 0)]))
    }
    let (still, later) = rested(gesture)
    // A double tap, and one more for a system that the second brings back to where it was.
    let taps = [2, 2.1, 3].flatMap {
      [touch(.began, 0, at: later + $0), touch(.ended, 0, at: later + $0 + 0.05)]
    }
    let plain = try subject.play(gesture.with(still + taps))
    let after = try subject.play(
      gesture.with(
        still + [touch(.began, 0, at: later), GestureEvent(time: later + 0.1, kind: .cancelAll)]
          + taps))
    try requireSameEnd(after, plain, "a finger was put down and cancelled before the taps")
  }

  /// Whether the picture stands as it fits on the screen, turned or not, or as a thumbnail.
  private static func isFitted(_ state: ZoomState) -> Bool {
    guard let layer = state.picture else { return false }
    let box = layer.transform.boundingBox(of: layer.size.atOrigin)
    let screen = state.screen.size
    let slack = gestureSlack * magnitude(box)
    return layer.mask != nil
      || (box.width <= screen.width + slack && box.height <= screen.height + slack)
  }
}
