import PropertyTesting
import ZoomGeometry

extension GestureLaws {
  /// Laws of screens that change in the midst of a gesture.
  static func screenChanges(_ system: ZoomSystem) -> [Law<ReplaySubject>] {
    switch system {
    case .peek, .force: [stillness(system), insets(system)]
    case .fullscreen, .doubleTap, .transition:
      [stillness(system), brokenTaps(system), hastyTaps(system), insets(system)]
    }
  }

  private static func changeLaw(
    _ name: String, _ statement: String, of system: ZoomSystem, brokenBy: Set<ZoomSystem> = [],
    examples: [ScreenChange?],
    holds: @escaping @Sendable (ReplaySubject, ScreenChange, inout TestCase) throws -> Void
  ) -> Law<ReplaySubject> {
    Law(
      name, statement, source: source, isBrokenAsPublished: brokenBy.contains(system),
      for: ScreenChange.any(system), examples: examples.compactMap { $0 }, inWords: { $0.inWords }
    ) { subject, change, testCase in
      let isReached = change.isChange && !change.touches.isEmpty
      testCase.classify(isReached, as: "fingers are down", atLeast: 0.3)
      guard isReached else { return }
      try holds(subject, change, &testCase)
    }
  }

  private static func stillness(_ system: ZoomSystem) -> Law<ReplaySubject> {
    changeLaw(
      "GE-21",
      "When the screen changes under fingers, reporting where they are on it moves nothing.",
      of: system, brokenBy: [.peek, .force],
      examples: [turnedUnderLongPress, secondComesBack, oneOfTwoTakenAway]
    ) { subject, change, testCase in
      if subject.system == .peek {
        testCase.classify(change.isDuringLongPress, as: "a long press", atLeast: 0.02)
      }
      let alone = try subject.play(change.gesture.with(change.events))
      let reported = try subject.play(change.played)
      try requireSameEnd(reported, alone, "reported again")
      let (said, expected) = (reported.flatMap(\.events), alone.flatMap(\.events))
      try Property.require(
        said == expected, "reported again, \(said) happens and not \(expected)")
      guard subject.system == .peek else { return }
      // The place that a peek shows is the finger's: it is still the middle, borders aside.
      let shown = try subject.play(change.gesture).last?.picture?.copy?.region
      guard let one = shown, let two = alone.last?.picture?.copy?.region else { return }
      try keepsItsPlace(one, two, change.gesture.picture)
    }
  }

  /// Requires that two peeks have the same middle, unless one of them is at a border.
  static func keepsItsPlace(
    _ one: PixelRegion, _ two: PixelRegion, _ picture: PixelSize
  ) throws {
    func isFree(_ start: Int, _ end: Int, _ side: Int) -> Bool { start > 0 && end < side }
    for (start, end, otherStart, otherEnd, side) in [
      (one.x, one.maxX, two.x, two.maxX, picture.width),
      (one.y, one.maxY, two.y, two.maxY, picture.height),
    ] where isFree(start, end, side) && isFree(otherStart, otherEnd, side) {
      try Property.require(
        abs(start + end - otherStart - otherEnd) <= 2,
        "the screen changes and the peek goes from \(one) to \(two)")
    }
  }

  private static func brokenTaps(_ system: ZoomSystem) -> Law<ReplaySubject> {
    changeLaw(
      "GE-32", "A finger that is down when the screen changes does not tap.", of: system,
      // The middle, where a view is, and the place of a thumbnail.
      examples: [(187, 333), (70, 100)].map { tapOverChange(at: ViewPoint(x: $0.0, y: $0.1)) }
    ) { subject, change, testCase in
      testCase.classify(change.touches.count == 1, as: "one finger", atLeast: 0.2)
      let reports = try testCase.draw(.bool) ? change.reports(.moved) : []
      let cancelled = GestureEvent(time: change.later, kind: .cancelAll)
      let lifted = try subject.play(
        change.gesture.with(change.events + reports + change.reports(.ended)))
      let expected = try subject.play(change.gesture.with(change.events + [cancelled]))
      try requireSameEnd(lifted, expected, "lifted and not cancelled")
      try Property.require(
        lifted.taps == expected.taps, "lifted, \(lifted.taps) happen and not \(expected.taps)")
    }
  }

  private static func hastyTaps(_ system: ZoomSystem) -> Law<ReplaySubject> {
    Law(
      "GE-33", "A tap does the same whether the screen changes at once or when all rests.",
      source: source, for: ScreenChange.afterTap(system), inWords: { $0.inWords }
    ) { subject, change, testCase in
      testCase.classify(change.isChange, as: "another screen", atLeast: 0.3)
      let late = change.changes.map { GestureEvent(time: $0.time + 2, kind: $0.kind) }
      let hasty = try subject.play(change.played)
      let slow = try subject.play(change.gesture.with(change.gesture.script.events + late))
      try Property.require(
        hasty.taps == slow.taps, "\(hasty.taps) happen, and two seconds later \(slow.taps)")
      try requireNearlySameEnd(hasty, slow, of: change.gesture.picture, "two seconds later")
    }
  }

  /// A finger rests for a long press, and the screen turns before it is complete.
  private static let turnedUnderLongPress = ScreenChange.example(
    [GestureAction(.touch(finger: 0, at: ViewPoint(x: 100, y: 300), force: 0))], to: (667, 375),
    after: 0.2, report: (0, ViewPoint(x: 300, y: 100)), later: 0.1, press: .longPress)

  /// A second finger takes a peek's frame away, and brings another while the first presses.
  private static let secondComesBack = ScreenChange.example(
    [
      GestureAction(.touch(finger: 1, at: ViewPoint(x: 150, y: 300), force: 0)),
      GestureAction(.touch(finger: 0, at: ViewPoint(x: 200, y: 300), force: 1)),
      GestureAction(.lift([0])),
      GestureAction(.touch(finger: 1, at: ViewPoint(x: 150, y: 300), force: 1.35)),
      GestureAction(.touch(finger: 0, at: ViewPoint(x: 200, y: 300), force: 0)),
    ], to: (320, 480), after: 2, later: 2)

  /// Two fingers press, and the system takes one of them away.
  private static let oneOfTwoTakenAway = ScreenChange.example(
    [
      GestureAction(.touch(finger: 0, at: ViewPoint(x: 150, y: 300), force: 3)),
      GestureAction(.touch(finger: 1, at: ViewPoint(x: 250, y: 400), force: 3)),
      GestureAction(.lose([1])),
    ], to: (320, 480), after: 2, report: (0, ViewPoint(x: 160, y: 310)), later: 2)

  /// A picture is tapped, and a second finger is down while the screen changes.
  private static func tapOverChange(at place: ViewPoint) -> ScreenChange? {
    ScreenChange.example(
      [
        GestureAction(.tap(at: place, held: GestureWriter.sampling)),
        GestureAction(after: 1, .touch(finger: 0, at: place, force: 0)),
      ], to: (320, 480), after: 0.05, later: 0.05)
  }
}

extension [ZoomState] {
  /// The taps that happened, in order.
  fileprivate var taps: [ZoomEvent] {
    flatMap(\.events).filter { $0 == .singleTap || $0 == .doubleTap }
  }
}
