import PropertyTesting
import ZoomGeometry

extension GestureLaws {
  static func screenChanged(
    _ inputs: Gen<ScreenChange>
  ) -> LawFamily<ReplaySubject, ScreenChange> {
    family(inputs) { change, testCase in
      let (before, after) = (change.screens[0].insets, change.screens[1].insets)
      testCase.classify(
        before != .none && after != .none, as: "insets before and after", atLeast: 0.2)
      let last = change.gesture.script.events.last { $0.isTouch }
      testCase.classify(last?.phase == .began, as: "after a beginning", atLeast: 0.1)
      testCase.classify(last?.phase == .moved, as: "after a movement", atLeast: 0.1)
      testCase.classify(last?.phase == .ended, as: "after a lift", atLeast: 0.02)
    }
  }

  static func screenChanges(
    _ system: ZoomSystem, _ law: LawFamily<ReplaySubject, ScreenChange>
  ) -> [Law<ReplaySubject>] {
    let laws = [
      law(
        "GE-21",
        "When the screen changes under fingers, reporting their new coordinates changes nothing.",
        isBroken: system == .peek || system == .force,
        examples: [turnedUnderLongPress, turnedUnderPress, secondComesBack, oneOfTwoTakenAway],
        holds: staysStill),
      family(InsetChange.any(system)) { change, testCase in
        testCase.classify(change.isUnderFingers, as: "fingers are down", atLeast: 0.3)
        testCase.classify(change.keepsScale, as: "only insets", atLeast: 0.2)
        testCase.classify(!change.keepsScale, as: "another scale", atLeast: 0.1)
      }(
        "GE-36",
        "Fingers do the same whether or not the insets or the scale of the screen change meanwhile.",
        examples: InsetChange.examples(of: system), holds: ignoresInsets),
    ]
    // Peek and force do not handle taps.
    guard system != .peek && system != .force else { return laws }
    let pans = [
      law(
        "GE-49",
        "When the screen changes, a zoomed picture keeps its point at the middle of the screen.",
        isBroken: true
      ) { subject, change, testCase in
        let before = try given(subject.play(change.gesture).last)
        let after = try given(subject.play(change.gesture, change.events).last)
        let (old, new) = (try before.shownPicture(), try after.shownPicture())
        let content = try old.content(at: before.screen.bounds.centre)
        let off = new.toScreen.apply(to: content) - after.screen.bounds.centre
        // Both pictures are aligned to pixels, each by up to one.
        let slack = subject.slack(new) + 2 / after.screen.scale
        let keepsScale =
          change.changes.count == 1 && change.isResized
          && near(
            old.toScreen.a, new.toScreen.a,
            within: subject.tolerance.scale * abs(new.toScreen.a))
        let free = keepsScale ? new.box.freeAxes(on: after.screen.size, within: slack) : []
        for axis in Axis.allCases {
          let isFree = free.contains(axis)
          testCase.classify(isFree, as: "free along \(axis)", atLeast: 0.01)
          try Property.require(
            !isFree || abs(off[axis]) <= slack, "on \(axis) it is \(off[axis]) off")
        }
      },
      law(
        "GE-48",
        "After the screen changed under a finger, the picture moves no further than the finger moves."
      ) { subject, change, testCase in
        let isPanned = change.touches.count == 1 && change.isResizedUnderFingers
        guard testCase.reaches(isPanned, "one finger is down", atLeast: 0.1) else { return }
        let way = try testCase.draw(.vectors(upTo: 100))
        let reports = change.events + change.reports(.moved)
        let moved = change.reports(.moved).mappingTouches { $0.point = $0.point + way }
        let before = try subject.play(change.gesture, reports).lastPicture()
        let after = try subject.play(change.gesture, reports + moved).lastPicture()
        let (x, y) = (after.box.x - before.box.x, after.box.y - before.box.y)
        testCase.classify(abs(x) + abs(y) > after.slack, as: "the picture moves", atLeast: 0.01)
        try Property.require(
          abs(x) <= abs(way.x) + after.slack && abs(y) <= abs(way.y) + after.slack,
          "moved by \(way.inWords), it moves the picture by (\(x), \(y))")
      },
    ]
    return laws + (system == .doubleTap ? pans : []) + [
      law(
        "GE-32", "A finger that is down when the screen changes does not tap.",
        // The taps are in the middle, where a view is, and at the place of a thumbnail.
        examples: [(187, 333), (70, 100)].map { tapOverChange(at: ViewPoint(x: $0.0, y: $0.1)) }
      ) { subject, change, testCase in
        guard testCase.reaches(change.isResizedUnderFingers, "fingers are down", atLeast: 0.3)
        else { return }
        testCase.classify(change.touches.count == 1, as: "one finger", atLeast: 0.2)
        let reports = try testCase.draw(.bool) ? change.reports(.moved) : []
        let cancelled = GestureEvent(time: change.later, kind: .cancelAll)
        let lifted = try subject.play(
          change.gesture, change.events + reports + change.reports(.ended))
        let expected = try subject.play(change.gesture, change.events + [cancelled])
        try requireSameEnd(lifted, expected, "lifted and not cancelled")
        try Property.require(
          lifted.taps == expected.taps, "lifted: \(lifted.taps), not \(expected.taps)")
      },
      family(ScreenChange.afterTap(system))(
        "GE-33",
        "A tap does the same whether the screen changes soon after it or when everything rests."
      ) { subject, change, testCase in
        testCase.classify(change.isResized, as: "another screen", atLeast: 0.3)
        let late = change.changes.map { GestureEvent(time: $0.time + 2, kind: $0.kind) }
        let hasty = try subject.play(change.played)
        let slow = try subject.play(change.gesture, change.gesture.script.events + late)
        testCase.classify(!slow.taps.isEmpty, as: "taps", atLeast: 0.1)
        try Property.require(
          hasty.taps == slow.taps, "at once \(hasty.taps), two seconds later \(slow.taps)")
        try requireNearlySameEnd(hasty, slow, of: change.gesture.picture, "soon after the tap")
      },
    ]
  }

  private static func staysStill(
    _ subject: ReplaySubject, _ change: ScreenChange, _ testCase: inout TestCase
  ) throws {
    guard testCase.reaches(change.isResizedUnderFingers, "fingers are down", atLeast: 0.3)
    else { return }
    if subject.system == .peek || subject.system == .force {
      testCase.classify(change.isDuringLongPress, as: "a long press", atLeast: 0.02)
      testCase.classify(change.gesture.script.press == .pen, as: "a pen", atLeast: 0.1)
    }
    let alone = try subject.play(change.gesture, change.events)
    let reported = try subject.play(change.played)
    try requireSameEnd(reported, alone, "reported again")
    let (happened, expected) = (reported.flatMap(\.events), alone.flatMap(\.events))
    try Property.require(
      happened == expected, "reported again, the events are \(happened), not \(expected)")
    guard subject.system == .peek else { return }
    // A peek stays centred on the finger, except at borders.
    let shown = try subject.play(change.gesture).last?.picture?.copy?.region
    let still = alone.last?.picture?.copy?.region
    testCase.classify(shown != nil && still != nil, as: "a peek is shown", atLeast: 0.02)
    if let shown, let still { try requireSameMiddle(shown, still, change.gesture.picture) }
  }

  private static func ignoresInsets(
    _ subject: ReplaySubject, _ change: InsetChange, _ testCase: inout TestCase
  ) throws {
    let (changed, alone) = (try subject.play(change.played), try subject.play(change.gesture))
    let isKnown = change.keepsScale || !change.gesture.touchesBorder(of: changed + alone)
    guard testCase.reaches(isKnown, "fingers away from borders", atLeast: 0.3) else { return }
    let (happened, expected) = (changed.flatMap(\.events), alone.flatMap(\.events))
    try Property.require(happened == expected, "the events are \(happened), not \(expected)")
    let (one, other) = (try given(changed.last), try given(alone.last))
    try Property.require(
      one.recogniser == other.recogniser && one.force == other.force,
      "it ends as \(one.recogniser) with a force of \(one.force) and not as "
        + "\(other.recogniser) with \(other.force)")
    // If both plays end with the same layers, the change must not have interrupted an animation.
    try Property.require(
      one.layers != other.layers
        || abs(one.time - other.time) <= 1.5 / change.gesture.script.framesPerSecond,
      "it comes to rest at \(one.time) s and not at \(other.time) s")
    // At another scale, pixels begin at other points, and the largest zoom may differ.
    guard change.keepsScale else { return }
    guard subject.system == .peek else {
      return try requireSameEnd(changed, alone, "insets change")
    }
    // If the fit changes, the same movement of a finger covers another distance in the picture.
    let isSameFit = one.pictures.first?.toScreen.a == other.pictures.first?.toScreen.a
    let regions = (one.picture?.copy?.region, other.picture?.copy?.region)
    let isShown = one.pictures.count > 1 && other.pictures.count > 1
    testCase.classify(isSameFit && isShown, as: "a peek in the same fit", atLeast: 0.01)
    if isSameFit, let shown = regions.0, let region = regions.1 {
      try requireSameMiddle(region, shown, change.gesture.picture)
    }
  }

  /// Requires that two peeks have the same middle on each axis on which neither is at a border.
  private static func requireSameMiddle(
    _ one: PixelRegion, _ two: PixelRegion, _ picture: PixelSize
  ) throws {
    for axis in Axis.allCases {
      let (first, second) = (one.numbers[axis], two.numbers[axis])
      let side = Double(axis == .x ? picture.width : picture.height)
      guard [first, second].allSatisfy({ $0.start > 0 && $0.end < side }) else { continue }
      try Property.require(
        abs(first.start + first.end - second.start - second.end) <= 2,
        "the screen changes and the peek goes from \(one) to \(two)")
    }
  }

  private static let turnedUnderLongPress = ScreenChange.example(
    [GestureAction(.touch(finger: 0, at: ViewPoint(x: 100, y: 300), force: 0))], to: (667, 375),
    after: 0.2, report: (0, ViewPoint(x: 300, y: 100)), later: 0.1, press: .longPress)

  /// A change while a peek in the middle of the picture is open.
  private static let turnedUnderPress = ScreenChange.example(
    [GestureAction(.touch(finger: 0, at: ViewPoint(x: 150, y: 300), force: 3))], to: (667, 375),
    after: 0.2, later: 0.1)

  /// A change after a second finger has removed and restored a peek's frame during a press.
  private static let secondComesBack = ScreenChange.example(
    [
      GestureAction(.touch(finger: 1, at: ViewPoint(x: 150, y: 300), force: 0)),
      GestureAction(.touch(finger: 0, at: ViewPoint(x: 200, y: 300), force: 1)),
      GestureAction(.lift([0])),
      GestureAction(.touch(finger: 1, at: ViewPoint(x: 150, y: 300), force: 1.35)),
      GestureAction(.touch(finger: 0, at: ViewPoint(x: 200, y: 300), force: 0)),
    ], to: (320, 480), after: 2, later: 2)

  /// A change after two fingers have pressed and the system has cancelled one of them.
  private static let oneOfTwoTakenAway = ScreenChange.example(
    [
      GestureAction(.touch(finger: 0, at: ViewPoint(x: 150, y: 300), force: 3)),
      GestureAction(.touch(finger: 1, at: ViewPoint(x: 250, y: 400), force: 3)),
      GestureAction(.lose([1])),
    ], to: (320, 480), after: 2, report: (0, ViewPoint(x: 160, y: 310)), later: 2)

  /// Returns a tap, after which the finger comes down again and stays while the screen changes.
  private static func tapOverChange(at place: ViewPoint) -> ScreenChange? {
    ScreenChange.example(
      [
        GestureAction(.tap(at: place, held: GestureWriter.sampling)),
        GestureAction(after: 1, .touch(finger: 0, at: place, force: 0)),
      ], to: (320, 480), after: 0.05, later: 0.05)
  }
}

extension [ZoomState] {
  /// The events of taps and of their effects, in order.
  fileprivate var taps: [ZoomEvent] {
    flatMap(\.events).filter { [.singleTap, .doubleTap, .present, .dismiss].contains($0) }
  }
}
