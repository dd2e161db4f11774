import PropertyTesting
import ZoomGeometry

extension GestureLaws {
  /// Laws of screens that are resized, and of their pixels.
  static func screens(_ system: ZoomSystem) -> [Law<ReplaySubject>] {
    [
      law(
        "GE-22",
        "A viewport that is dragged through many sizes shows what the last one at once does.",
        of: system, brokenBy: [.fullscreen], examples: [turnedLyingFlat], holds: resizesAtOnce),
      law(
        "GE-25", "What is shown 1:1 at rest lies on whole pixels of the screen.", of: system,
        brokenBy: [.peek, .doubleTap, .fullscreen, .force, .transition],
        // A view of 187.5 points begins at half a pixel.
        examples: [example(scale: 2, picture: (375, 100), [])]
      ) { subject, gesture, testCase in
        try liesOnPixels(subject, gesture, &testCase)
        guard try testCase.draw(.bool) else { return }
        // One whose fit is 1:1, in full screen or in the usual view of 200 points.
        var fitting = gesture
        let pixels = gesture.script.screen.pixels
        let side = try testCase.draw(
          Gen<Int>.element(of: [pixels.width, Int(200 * gesture.script.screen.scale)]))
        let height = try testCase.draw(.integer(in: 1...min(side, pixels.height)))
        fitting.picture = try PixelSize(width: side, height: height)
        if try testCase.draw(.bool) {
          fitting = try fitting.with(gesture.script.events, stage: Stage(forceExhibit: .zoom))
        }
        try liesOnPixels(subject, fitting, &testCase)
      },
    ]
  }

  /// The law of notches; a scroll view fills the screen and brings everything into reach.
  static func notches(_ system: ZoomSystem) -> Law<ReplaySubject> {
    law(
      "GE-23", "What is to be touched at first lies beside no notch, however the page is read.",
      of: system, brokenBy: [.peek], holds: liesInSafeArea)
  }

  private static func resizesAtOnce(
    _ subject: ReplaySubject, _ gesture: GestureCase, _ testCase: inout TestCase
  ) throws {
    let sizes = try testCase.draw(Gen<[Screen]>.array(of: .gestureScreens, count: 1...12))
    let (still, later) = rested(gesture)
    guard let shown = try subject.play(gesture.with(still)).last,
      !isZoomed(shown, subject, &testCase)
    else { return }
    for way in [sizes, sizes + [shown.screen]] {
      let dragged = way.enumerated().map { step, screen in
        GestureEvent(time: later + Double(step) / 60, kind: .screen(screen))
      }
      guard let end = way.last else { continue }
      // The same screen leaves a picture at its place, another one fits it again.
      try requireNearlySameEnd(
        try subject.play(gesture.with(still + dragged)),
        try subject.play(gesture.with(still + [GestureEvent(time: later, kind: .screen(end))])),
        of: gesture.picture, "dragged to \(end.inWords)")
    }
  }

  private static func liesInSafeArea(
    _ subject: ReplaySubject, _ gesture: GestureCase, _ testCase: inout TestCase
  ) throws {
    let part = Gen<Double>.double(in: 0...0.24)
    let screen = gesture.script.screen
    let (width, height) = (screen.size.width, screen.size.height)
    let insets = ViewInsets(
      top: height * (try testCase.draw(part)), left: width * (try testCase.draw(part)),
      bottom: height * (try testCase.draw(part)), right: width * (try testCase.draw(part)))
    let notched = try Screen(size: screen.size, scale: screen.scale, insets: insets)
    var stage = Stage(forceExhibit: .zoom)
    stage.direction = try testCase.draw(
      Gen<LayoutDirection>.element(of: [.leftToRight, .rightToLeft]))
    let states = try subject.play(gesture.with([], screen: notched, stage: stage))
    guard let layer = states.last?.picture else { throw TransitionLaws.nothingShown }
    let (box, safe) = (layer.box, notched.safeArea)
    // A view of a published size may be larger than what is free.
    guard subject.system == .peek || box.width <= safe.width && box.height <= safe.height
    else { return }
    let slack = 1e-9 * magnitude(safe) + 0.5 / notched.scale
    try Property.require(
      box.x >= safe.x - slack && box.y >= safe.y - slack && box.maxX <= safe.maxX + slack
        && box.maxY <= safe.maxY + slack,
      "\(box.inWords) is to be touched, and only \(safe.inWords) is free")
    // Smaller than the free area it would be easy to be inside.
    if subject.system == .fullscreen {
      try Property.require(
        abs(box.x + box.maxX - safe.x - safe.maxX) <= 2 * slack
          && abs(box.y + box.maxY - safe.y - safe.maxY) <= 2 * slack,
        "\(box.inWords) is not in the middle of \(safe.inWords)")
    }
    guard subject.system == .peek else { return }
    try Property.require(
      abs(box.width - safe.width) <= 2 * slack || abs(box.height - safe.height) <= 2 * slack,
      "\(box.inWords) does not fill \(safe.inWords)")
  }

  private static func liesOnPixels(
    _ subject: ReplaySubject, _ gesture: GestureCase, _ testCase: inout TestCase
  ) throws {
    let last = gesture.script.events.last?.time ?? 0
    // Fingers may be down: a peek is shown under one. All else has come to rest.
    let rest = GestureEvent(time: last + 2, kind: .device(.unknown))
    let states = try subject.play(gesture.with(gesture.script.events + [rest]))
    // Under a finger only a peek is at rest. A thumbnail is exactly where the page puts it (TI-P1).
    guard let state = states.last, let layer = state.picture,
      subject.system == .peek || gesture.script.events.fingers().isEmpty,
      subject.system != .transition || layer.mask == nil
    else { return }
    let map = layer.toScreen
    let pixel = (abs(map.a) + abs(map.b)) * state.screen.scale
    let isOneToOne = abs(pixel - 1) <= 1e-9
    testCase.classify(isOneToOne, as: "1:1")
    guard isOneToOne else { return }
    let corner = map.apply(to: ViewPoint(x: 0, y: 0))
    let (x, y) = (corner.x * state.screen.scale, corner.y * state.screen.scale)
    // A millionth of a pixel for coordinates of up to a million.
    try Property.require(
      abs(x - x.rounded()) <= 1e-6 && abs(y - y.rounded()) <= 1e-6,
      "the picture's corner is at pixel (\(x), \(y))")
  }

  /// A presented picture is closed while two fingers are on it.
  private static let closedWhilePinching = example([
    GestureAction(.tap(at: ViewPoint(x: 70, y: 100), held: GestureWriter.sampling)),
    GestureAction(after: 0.6, .touch(finger: 1, at: ViewPoint(x: 0, y: 0), force: 0)),
    GestureAction(.touch(finger: 0, at: ViewPoint(x: 0, y: 0), force: 0)),
    GestureAction(
      after: GestureWriter.sampling, .touch(finger: 0, at: ViewPoint(x: 0, y: 2), force: 0)),
    GestureAction(.close),
  ])

  /// Laws of pages that are read from either side.
  static var sides: Law<ReplaySubject> {
    law(
      "GE-24", "A page read from right to left is the mirror image of one read from left to right.",
      of: .transition, brokenBy: [.transition], examples: [closedWhilePinching]
    ) { subject, gesture, _ in
      let width = gesture.script.screen.size.width
      // Turns and other screens are not mirrored.
      let events = gesture.script.events.filter {
        switch $0.kind {
        case .touches, .cancelAll, .close: true
        case .device, .interface, .screen: false
        }
      }
      let mirrored = events.compactMap { event in
        event.withTouches { _, touches in
          touches.map {
            Touch(
              id: $0.id, point: ViewPoint(x: width - $0.point.x, y: $0.point.y), force: $0.force)
          }
        }
      }
      // A mirror does not turn the device.
      let upright = try gesture.script.with([], device: .portrait, interface: .portrait)
      let left = try subject.play(upright.with(events, stage: Stage()), gesture.picture)
      let right = try subject.play(
        upright.with(
          mirrored, screen: try gesture.script.screen.mirrored,
          stage: Stage(direction: .rightToLeft)), gesture.picture)
      guard let leftEnd = left.last, let rightEnd = right.last else { return }
      // A movement to a place half a pixel further may take a frame longer.
      try Property.require(
        abs(leftEnd.time - rightEnd.time) < 1.5 * GestureWriter.sampling,
        "it comes to rest at \(leftEnd.time) s there and at \(rightEnd.time) s here")
      let (there, here) = (statesByTime(left), statesByTime(right))
      let pairs = there.keys.sorted().compactMap { time in
        here[time].flatMap { other in there[time].map { ($0, other) } }
      }
      // A picture shown 1:1 is moved onto whole pixels, by half of one either way. A spring takes it a little further,
      // and zooming enlarges the difference, which stays when the picture is small again.
      var zoom = 1.0
      for (one, other) in pairs + [(leftEnd, rightEnd)] {
        guard let a = one.picture, let b = other.picture else { continue }
        let (box, mirror) = (a.box, b.box)
        zoom = max(zoom, a.toScreen.determinant.squareRoot() * one.screen.scale)
        let slack = gestureSlack * magnitude(box) + 1.25 * zoom / one.screen.scale
        try Property.require(
          abs(width - box.maxX - mirror.x) <= slack && abs(box.y - mirror.y) <= slack,
          "at \(one.time) s it shows \(box.inWords) there and \(mirror.inWords) here")
      }
    }
  }
}

extension Screen {
  /// The screen with its left and right insets exchanged.
  fileprivate var mirrored: Screen {
    get throws(GeometryError) {
      var insets = insets
      (insets.left, insets.right) = (insets.right, insets.left)
      return try Screen(size: size, scale: scale, insets: insets)
    }
  }
}

/// The last state of each moment.
private func statesByTime(_ states: [ZoomState]) -> [Double: ZoomState] {
  Dictionary(states.map { ($0.time, $0) }) { $1 }
}
