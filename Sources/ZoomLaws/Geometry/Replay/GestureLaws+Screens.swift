import PropertyTesting
import ZoomGeometry

extension GestureLaws {
  /// Returns the laws of views at rest on screens of any size, scale and insets.
  ///
  /// `evenZoomed` is for viewers that promise to keep the place of a zoomed picture.
  static func screens(
    _ system: ZoomSystem, _ law: LawFamily<ReplaySubject, GestureCase>, evenZoomed: Bool = false
  ) -> [Law<ReplaySubject>] {
    var laws = [
      law(
        "GE-9",
        "A viewport that is resized and resized back shows the same as before"
          + (evenZoomed ? "." : ", unless zoomed."),
        isBroken: system == .fullscreen, examples: [turnedLyingFlat], holds: comesBack),
      law(
        "GE-22",
        "A viewport that is dragged through many sizes ends as one that gets the last size at once.",
        isBroken: system == .fullscreen, examples: [turnedLyingFlat], holds: resizesAtOnce),
      law(
        "GE-25", "A picture shown 1:1 at rest is aligned to the screen's pixels.", isBroken: true,
        // A view of 187.5 points begins at half a pixel.
        examples: [example(scale: 2, picture: (375, 100), [])], holds: liesOnPixels),
      law(
        "GE-50",
        "A screen that changes before the first touch gives the same result as a script that starts with it.",
        isBroken: system == .force || system == .doubleTap
      ) { subject, gesture, testCase in
        let other = try testCase.draw(.gestureScreens)
        let change = GestureEvent(time: 0, kind: .screen(gesture.script.screen))
        testCase.classify(
          other.size != gesture.script.screen.size, as: "another size", atLeast: 0.3)
        let changed = try gesture.with([change] + gesture.script.events, screen: other)
        try requireSameEnd(
          try subject.play(changed), try subject.play(gesture),
          "after an early change of the screen")
      },
    ]
    // A force zoom is excepted: its view rests where the stage puts it, or in the middle of the safe area. ZV-P1 and
    // ZV-P12 cover a view in full screen.
    if system == .peek || system == .doubleTap || system == .transition {
      laws.append(
        law(
          "GE-12", "A picture at rest covers the screen, or is in the middle of it.",
          isBroken: system == .peek || system == .transition
        ) { subject, gesture, testCase in
          let states = try subject.play(gesture, over(gesture, &testCase))
          let isPresented = TransitionLaws.isPresented(states)
          // The page places a thumbnail.
          guard system != .transition || testCase.reaches(isPresented, "presented", atLeast: 0.1)
          else { return }
          try requireRest(try given(states.last), system)
        })
    }
    // A scroll view fills the screen and brings every point into reach by scrolling.
    if system != .doubleTap {
      laws.append(
        law(
          "GE-23",
          "The initial view is in the safe area, in both reading directions.",
          isBroken: system == .peek, holds: liesInSafeArea))
    }
    return laws
  }

  /// A turn of the interface while a view is in full screen and the device lies flat.
  ///
  /// The `gestureScreens` lack 414x896, so the first resize in this example changes the size.
  private static let turnedLyingFlat = example(
    width: 414, height: 896, device: .faceUp,
    [
      GestureAction(.tap(at: ViewPoint(x: 207, y: 448), held: GestureWriter.sampling)),
      GestureAction(after: 0.5, .turnInterface(.landscapeLeft)),
    ])

  /// Returns the state and the picture at rest, if the picture in another viewport is predictable.
  ///
  /// If `other` is given, a zoomed picture counts as predictable, too, if it covers `other` with the same place in
  /// the middle: the tested viewers promise to keep that place, and no border then stops the picture.
  private static func comparable(
    _ subject: ReplaySubject, _ gesture: GestureCase, _ events: [GestureEvent],
    on other: Screen? = nil, _ testCase: inout TestCase
  ) throws -> (state: ZoomState, picture: PictureLayer)? {
    let state = try given(try subject.play(gesture, events).last)
    // Buttons of the force system lack a picture.
    let picture = try given(state.picture)
    var isKnown = try !isZoomed(state, subject)
    if !isKnown, let other {
      let way = other.bounds.centre - state.screen.bounds.centre
      var kept = picture
      kept.transform = picture.transform.then(.translation(x: way.x, y: way.y))
      isKnown = kept.box.freeAxes(on: other.size, within: 0).count == 2
    }
    return testCase.reaches(isKnown, "predictable", atLeast: 0.1) ? (state, picture) : nil
  }

  private static func comesBack(
    _ subject: ReplaySubject, _ gesture: GestureCase, _ testCase: inout TestCase
  ) throws {
    let other = try testCase.draw(subject.screens)
    let (still, later) = rested(gesture)
    guard
      let (state, picture) = try comparable(
        subject, gesture, still, on: subject.isMeasured ? other : nil, &testCase)
    else { return }
    let changes = [other, state.screen].enumerated().map {
      GestureEvent(time: later + Double($0), kind: .screen($1))
    }
    let again = try subject.play(gesture, still + changes).lastPicture()
    // Without fingers a viewer's only difference is rounding, up to a pixel. Each of the two compared places may be off
    // by 0.25. As in the viewers' tolerance, twice that error is allowed for each: 1 + 2 * (2 * 0.25) = 2.
    let tolerance = ReplaySubject.Tolerance(distance: 2, area: subject.tolerance.area)
    let (off, allowed) = try separation(of: again, picture, gesture.picture, within: tolerance)
    let isSameBox = subject.isMeasured || distance(picture.box, again.box) <= 1e-3
    try Property.require(
      off <= allowed && isSameBox,
      "back from \(other.size.width)x\(other.size.height) a corner is \(off) points off")
  }

  private static func resizesAtOnce(
    _ subject: ReplaySubject, _ gesture: GestureCase, _ testCase: inout TestCase
  ) throws {
    let sizes = try testCase.draw(Gen<[Screen]>.array(of: subject.screens, count: 1...12))
    let (still, later) = rested(gesture)
    guard let (state, _) = try comparable(subject, gesture, still, &testCase) else { return }
    for way in [sizes, sizes + [state.screen]] {
      let dragged = way.enumerated().map { step, screen in
        GestureEvent(time: later + Double(step) / 60, kind: .screen(screen))
      }
      let end = way[way.count - 1]
      // One drag ends on another screen, which fits the picture again; the other returns to the first screen, on
      // which the picture is as it was.
      try requireNearlySameEnd(
        try subject.play(gesture, still + dragged),
        try subject.play(gesture, still + [GestureEvent(time: later, kind: .screen(end))]),
        of: gesture.picture, "dragged to \(end.inWords)", within: subject.tolerance)
    }
  }

  private static func liesOnPixels(
    _ subject: ReplaySubject, _ gesture: GestureCase, _ testCase: inout TestCase
  ) throws {
    var gesture = gesture
    let screen = gesture.script.screen
    var isPanned = false
    if try testCase.draw(.bool) {
      // The picture's fit is 1:1: in full screen, in half of it, or in the usual view of 200 points.
      var sides = [screen.pixels.width, screen.pixels.width / 2, Int(200 * screen.scale)]
      // A double tap enlarges twice in a scroll view, and three times in a transition.
      let enlargements: [ZoomSystem: Int] = [.doubleTap: 2, .transition: 3]
      let enlargement = enlargements[subject.system]
      if let enlargement { sides.append(enlargement * screen.pixels.width) }
      let side = try testCase.draw(Gen<Int>.element(of: sides))
      let height = try testCase.draw(
        .integer(in: 1...max(1, min(side, screen.pixels.height * side / screen.pixels.width))))
      gesture.picture = try PixelSize(width: side, height: height)
      if try testCase.draw(.bool) {
        // The picture is presented and then left alone, because after other gestures it is rarely fitted.
        var opening = Stage().opening(of: subject.system, on: screen)
        if let enlargement, side == enlargement * screen.pixels.width {
          let place = try testCase.draw(.places(on: screen))
          let end = try testCase.draw(.places(on: screen))
          opening = Stage().zoomed(of: subject.system, on: screen, at: place)
          opening += [
            GestureAction(after: 0.5, .pan(finger: 0, from: place, to: end, steps: 3)),
            GestureAction(after: 0.5, .lift([0])),
          ]
          isPanned = true
        }
        gesture = try gesture.with(
          GestureWriter.events(of: opening), stage: Stage(forceExhibit: .zoom))
      }
    }
    // This event makes the play report a later state, in which all animations are over.
    let rest = GestureEvent(time: gesture.end + 2, kind: .device(.unknown))
    let state = try given(subject.play(gesture, gesture.script.events + [rest]).last)
    let layer = try given(state.picture)
    let map = layer.toScreen
    let pixel = (abs(map.a) + abs(map.b)) * state.screen.scale
    // Under a finger only a peek is at rest. A thumbnail has exactly the page's frame (TI-P1).
    let isOneToOne =
      abs(pixel - 1) <= 1e-9
      && (subject.system == .peek || gesture.script.events.fingers().isEmpty)
      && (subject.system != .transition || layer.mask == nil)
    guard testCase.reaches(isOneToOne, "1:1", atLeast: 0.01) else { return }
    let zooms = subject.system == .doubleTap || subject.system == .transition
    testCase.classify(isPanned || !zooms, as: "panned", atLeast: zooms ? 0.005 : 0)
    let corner = map.apply(to: ViewPoint(x: 0, y: 0)).scaled(by: state.screen.scale)
    // The tolerance is a millionth of a pixel for coordinates of up to a million.
    try Property.require(
      abs(corner.x - corner.x.rounded()) <= 1e-6 && abs(corner.y - corner.y.rounded()) <= 1e-6,
      "the picture's corner is at pixel (\(corner.x), \(corner.y))")
    let size = state.screen.size
    for axis in Axis.allCases where isPanned && layer.box[axis].length > size[axis] + 1e-3 {
      let (start, end) = layer.box[axis].ends
      try Property.require(
        start <= 1e-3 && end >= size[axis] - 1e-3,
        "the picture from \(start) to \(end) leaves a gap")
    }
  }

  private static func liesInSafeArea(
    _ subject: ReplaySubject, _ gesture: GestureCase, _ testCase: inout TestCase
  ) throws {
    let share = Gen<Double>.double(in: 0...0.24)
    let screen = gesture.script.screen
    let (width, height) = (screen.size.width, screen.size.height)
    let insets = ViewInsets(
      top: height * (try testCase.draw(share)), left: width * (try testCase.draw(share)),
      bottom: height * (try testCase.draw(share)), right: width * (try testCase.draw(share)))
    let notched = try Screen(size: screen.size, scale: screen.scale, insets: insets)
    var stage = Stage(forceExhibit: .zoom)
    stage.direction = try testCase.draw(
      Gen<LayoutDirection>.element(of: [.leftToRight, .rightToLeft]))
    let state = try given(subject.play(gesture.with([], screen: notched, stage: stage)).last)
    let box = try state.shownPicture().box
    let safe = notched.safeArea
    let slack = 1e-9 * magnitude(safe) + 0.5 / notched.scale
    // A tiny picture would always be inside, so the usual views must have their published sizes.
    let part = min(1, safe.width / 120, safe.height / 150)
    let x = stage.direction == .leftToRight ? safe.x + 20 * part : safe.maxX - 120 * part
    let isSized =
      switch subject.system {
      case .force: near(max(box.width, box.height), 200, within: 2 * slack)
      case .fullscreen:
        near(state.card?.box.width ?? 0, min(safe.width, safe.height) / 2, within: slack)
      case .transition:
        distance(
          box, ViewRect(x: x, y: safe.y + 50 * part, width: 100 * part, height: 100 * part))
          <= slack
      case .peek, .doubleTap: true
      }
    try Property.require(isSized, "\(box.inWords) is not the usual view in \(safe.inWords)")
    // A view of a published size may be larger than the free area.
    let fits = subject.system == .peek || box.width <= safe.width && box.height <= safe.height
    guard testCase.reaches(fits, "room for the view", atLeast: 0.2) else { return }
    try Property.require(
      safe.covers(box, within: slack),
      "the picture at \(box.inWords) is not inside the safe area, \(safe.inWords)")
    if subject.system == .fullscreen {
      try Property.require(
        box.isCentred(on: safe, within: slack),
        "\(box.inWords) is not in the middle of \(safe.inWords)")
    }
    if subject.system == .peek {
      try Property.require(
        abs(box.width - safe.width) <= 2 * slack || abs(box.height - safe.height) <= 2 * slack,
        "\(box.inWords) does not fill \(safe.inWords)")
    }
  }
}
