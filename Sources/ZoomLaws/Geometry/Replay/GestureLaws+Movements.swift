import PropertyTesting
import ZoomGeometry

extension GestureLaws {
  static func pans(_ moved: LawFamily<ReplaySubject, Movement>) -> [Law<ReplaySubject>] {
    [
      moved(
        "GE-15", "One finger moves the picture as it moves, less a tap's slop, and never further."
      ) { subject, movement, testCase in
        let states = try subject.play(movement.script(rate: 60, isLifted: false), movement.picture)
        let start = movement.start - GestureWriter.sampling / 2
        let before = try states.last(
          before: movement.start, in: movement.opened.events, isMeasured: subject.isMeasured)
        let rest = try before.shownPicture()
        let slack = subject.slack(rest)
        let finger = movement.to - movement.from
        // A viewer's slop is measured with a finger; a mouse may have its own, of up to 10 points.
        let slop = movement.isMouse ? max(10, subject.slop) : subject.slop
        let shares = subject.shares(ofWay: finger.length, slop: slop)
        var isMoved = false
        for state in states where state.time > start {
          let layer = try state.shownPicture()
          let hasArrived = state.time > movement.start + 0.6 - GestureWriter.sampling / 2
          let free = layer.box.freeAxes(on: movement.screen.size, within: slack)
          for axis in Axis.allCases {
            let (way, whole) = (layer.box[axis].start - rest.box[axis].start, finger[axis])
            isMoved = isMoved || abs(way) > slack
            // The picture may have moved by any share of the finger's way in the range.
            let bounds = [shares.lowerBound * whole, shares.upperBound * whole].sorted()
            let nearest = min(max(way, bounds[0]), bounds[1])
            // A scroll view stops at the picture's border.
            let isFree = subject.system == .transition || free.contains(axis)
            let isRight =
              hasArrived && isFree
              ? abs(way - nearest) <= 2 * slack
              : abs(way) <= abs(whole) + slack && way * whole >= -slack * abs(whole)
            try Property.require(
              isRight,
              "a finger that moves by \(whole) moves the picture by \(way) since \(before.time) s")
          }
        }
        testCase.classify(isMoved, as: "the picture moves", atLeast: 0.1)
      },
      moved(
        "GE-28",
        "A finger that leaves the picture and comes back has the same point of it underneath."
      ) { subject, movement, testCase in
        try testCase.assume(movement.isPan)
        let away = try testCase.draw(.vectors(upTo: subject.detour))
        let far = subject.isMeasured ? movement.to + away : away
        let states = try subject.play(movement.script(rate: 60, isLifted: false), movement.picture)
        let direct = try states.lastPicture()
        let rest = try states.lastPicture { $0.time < movement.start }
        testCase.classify(
          distance(rest.box, direct.box) > subject.slack(rest), as: "the picture moves",
          atLeast: 0.1)
        let detour = try movement.script(rate: 60, by: far, isLifted: false)
        let around = try subject.play(detour, movement.picture).lastPicture()
        let (off, allowed) = try separation(
          of: direct, around, movement.picture, within: subject.tolerance)
        try Property.require(
          off <= (subject.isMeasured ? allowed : gestureSlack * (magnitude(direct.box) + 3000)),
          "by way of \(far.inWords) a corner is \(off) off")
      },
    ]
  }

  static var peeks: Law<ReplaySubject> {
    movements(Movement.any(.peek))(
      "GE-51", "Frame and peek are centred on the finger, as far as the picture's borders allow.",
      isBroken: true
    ) { subject, movement, testCase in
      let state = try given(subject.play(movement.script(rate: 60), movement.picture).last)
      guard testCase.reaches(state.layers.count > 1, "something is shown", atLeast: 0.2),
        let page = state.pictures.first, let shown = state.picture
      else { return }
      let finger = movement.isPan ? movement.to : movement.from
      let place = try page.content(at: finger)
      let (frame, region) = (state.previewFrame, shown.copy?.region)
      testCase.classify(frame != nil, as: "a frame", atLeast: 0.05)
      testCase.classify(region != nil, as: "a peek", atLeast: 0.05)
      let pixel = 1 / state.screen.scale
      if let frame {
        try Property.require(
          page.box.covers(frame, within: pixel), "the frame is \(frame.inWords)")
      }
      let whole = ViewSize(
        width: Double(movement.picture.width), height: Double(movement.picture.height))
      // The frame is in points, the peek in pixels.
      for (shown, limits, middle, slack) in [
        (frame, page.box, finger, pixel), (region?.numbers, whole.atOrigin, place, 1.6),
      ] {
        guard let shown else { continue }
        for axis in Axis.allCases {
          let (start, length) = (shown[axis].start, shown[axis].length)
          let least = limits[axis].start
          let expected = (middle[axis] - length / 2).clamped(
            to: least...max(least, limits[axis].end - length))
          try Property.require(
            near(start, expected, within: slack), "it begins at \(start) and not at \(expected)")
        }
      }
    }
  }

  static func movements(_ inputs: Gen<Movement>) -> LawFamily<ReplaySubject, Movement> {
    family(inputs) { movement, testCase in
      testCase.classify(movement.isPan, as: "moves", atLeast: 0.5)
    }
  }
}

/// A movement of one finger, which takes about half a second and ends at rest; in systems with pans,
/// a double tap zooms the picture before it.
struct Movement: Sendable, PlayedInput {
  var system: ZoomSystem
  var picture: PixelSize
  var screen: Screen
  var tapped, from, to: ViewPoint
  var force: Double
  /// Whether a mouse moves instead of the finger.
  var isMouse = false
  /// The deed that zooms a viewer's picture; nil for our systems.
  var zoom: GestureAction.Deed?
  /// The first step, which passes the slop.
  var firstStep = 12.0
  /// The time after which a viewer rests, in seconds.
  var rest = 0.0

  var inWords: String {
    "\(picture) on \(screen.inWords), \(isMouse ? "a mouse " : "")from \(from.inWords) to "
      + to.inWords
  }

  var played: GestureCase {
    get throws(GeometryError) { GestureCase(script: try script(rate: 60), picture: picture) }
  }

  /// Whether the finger moves by more than its first step, which exceeds a tap's slop.
  var isPan: Bool { (to - from).length > firstStep }

  static func any(_ system: ZoomSystem) -> Gen<Movement> {
    Gen { testCase throws(Discarded) in
      let screen = try testCase.draw(.gestureScreens)
      let picture = try testCase.draw(.gesturePictures)
      let force = try testCase.draw(.pressures())
      // The view that a tap takes to full screen is often in the middle.
      let place = Gen<ViewPoint>.weighted([
        (1, .constant(screen.bounds.centre)), (system == .fullscreen ? 1 : 9, .places(on: screen)),
      ])
      let tapped = try testCase.draw(place)
      let from = try testCase.draw(place)
      let to = testCase.integer(in: 0...3) == 0 ? from : try testCase.draw(place)
      return Movement(
        system: system, picture: picture, screen: screen, tapped: tapped, from: from, to: to,
        force: force)
    }
  }

  private var hasPans: Bool { system == .transition || system == .doubleTap }

  private var opening: [GestureEvent] {
    if let zoom { return GestureWriter.events(of: [GestureAction(after: 0.1, zoom)]) }
    return GestureWriter.events(
      of: hasPans
        ? Stage().zoomed(of: system, on: screen, at: tapped)
        : Stage().opening(of: system, on: screen))
  }

  var start: Double { (opening.last?.time ?? 0) + 1 + rest }

  /// The script without the movement.
  var opened: GestureScript {
    get throws(GeometryError) { try GestureScript(screen: screen, events: opening) }
  }

  /// Returns the movement sampled and drawn at a rate per second, with an optional detour.
  ///
  /// Unless `isLifted` is false, the finger is lifted at the end in the system `fullscreen`, and after a pan in systems
  /// with pans. In the peek and force systems it stays down, because lifting would end the press. A mouse is always
  /// released after a pan, because a browser would keep it pressed.
  func script(
    rate: Double, by detour: ViewPoint? = nil, isLifted: Bool = true
  ) throws(GeometryError) -> GestureScript {
    var events = opening
    let start = start
    func report(_ phase: TouchPhase, _ point: ViewPoint, at time: Double) {
      let touch = Touch(
        id: 0, point: point, force: phase == .ended ? 0 : force, isMouse: isMouse)
      events.append(GestureEvent(time: time, kind: .touches(phase, [touch])))
    }
    report(.began, from, at: start)
    if isPan {
      // The first step passes the slop and is the same at any rate, because the slop shortens the first movement.
      let way = to - from
      let part = firstStep / way.length
      report(.moved, from + way.scaled(by: part), at: start + 0.05)
      if let detour { report(.moved, detour, at: start + 0.06) }
      let steps = Int(rate / 2)
      for step in 1...steps {
        let share = part + (1 - part) * Double(step) / Double(steps)
        let point = step == steps ? to : from + way.scaled(by: share)
        report(.moved, point, at: start + 0.1 + Double(step) / rate)
      }
    }
    if isLifted || isMouse, system == .fullscreen || isPan && hasPans {
      report(.ended, isPan ? to : from, at: start + 1 + rest)
    }
    return try GestureScript(screen: screen, framesPerSecond: rate, events: events)
  }
}
