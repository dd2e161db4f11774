internal import ZoomGeometry
internal import ZoomLaws

extension WebViewer {
  /// The screen on which traits are measured, with a picture of odd sides and room to zoom in and out.
  private static let screenSize = ViewSize(width: 360, height: 480)
  private static let middle = ViewPoint(x: 180, y: 240)
  /// A place beside the middle, so that what is kept and what is centred differ.
  private static let place = ViewPoint(x: 200, y: 220)
  /// The seconds for which a viewer is to rest between deeds, and the CSS pixels of a movement that counts:
  /// more than rounding, less than half of any deed here.
  private static let (rest, least) = (1.5, 8.0)

  /// Measures the traits by a dozen plays of few deeds.
  func measureTraits() throws(ViewerFailure) -> ViewerTraits {
    let (middle, place) = (Self.middle, Self.place)
    let opened = try measure([])
    let fit = opened.end.scale
    var traits = ViewerTraits(scales: fit...fit, fitScale: fit)
    (traits.promises, traits.adapter) = (opened.play.promises, adapter)

    let wheel = try measure([.wheel(at: place, steps: [-100])])
    if abs(wheel.factor - 1) > 0.01 { traits.wheelFactor = wheel.factor }

    let pinch = try measure([Self.pinch(from: 50, to: 100)])
    traits.pinches = pinch.factor > 1.05
    // Fingers that are `slop` further apart when the picture begins to follow enlarge it less.
    if traits.pinches { traits.pinchSlop = max(0, 100 / pinch.factor - 50) }
    // Twenty turns of the wheel, or five pinches, do not pass the limits of scale.
    let ends = try [true, false].map { isIn throws(ViewerFailure) -> Double in
      let step = isIn ? -100.0 : 100
      let pinch = isIn ? Self.pinch(from: 40, to: 200) : Self.pinch(from: 200, to: 40)
      let pinches = traits.pinches ? Array(repeating: pinch, count: 5) : []
      let turns = [GestureAction.Deed.wheel(at: place, steps: Array(repeating: step, count: 20))]
      return try measure(traits.wheelFactor == nil ? pinches : turns).end.scale
    }
    traits.scales = min(ends[1], fit)...max(ends[0], fit)

    // One zoom makes the picture larger than the screen on both axes.
    let zoom: GestureAction.Deed =
      traits.pinches
      ? Self.pinch(from: 30, to: 120)
      : .wheel(at: middle, steps: Array(repeating: -100, count: 4))
    let end = ViewPoint(x: place.x - 60, y: place.y)
    let pan = GestureAction.Deed.pan(finger: 0, from: place, to: end, steps: 10)
    let drag = try measure([zoom, pan, .lift([0])])
    let moved = drag.way(of: place, after: 1)
    traits.dragSlop = moved > Self.least ? max(0, 60 - moved) : 0
    let mouse = try measure([zoom, .drag(from: place, to: end, steps: 10)])
    traits.drags = mouse.way(of: place, after: 1) > Self.least
    let flick = try measure([zoom, pan], thenLift: true)
    traits.flicks = flick.way(of: end, after: 1) > drag.way(of: end, after: 1) + Self.least
    let path = GestureAction.PinchPath(
      from: middle, to: middle, arm: ViewPoint(x: 80, y: 0), endArm: ViewPoint(x: 0, y: 80),
      steps: 8)
    let turn = try measure([.pinch(path)])
    // A tenth of the fingers' quarter turn.
    traits.turns = abs(turn.end.rotation) > 0.15
    traits.doubleTap = try doubleTap()
    traits.exactness = try exactness()
    traits.restTime = [wheel, pinch, flick].map { $0.play.restAfter ?? 0 }.reduce(0.1, max)
    return traits
  }

  private static func pinch(from arm: Double, to endArm: Double) -> GestureAction.Deed {
    .pinch(
      GestureAction.PinchPath(
        from: middle, to: middle, arm: ViewPoint(x: 0, y: arm), endArm: ViewPoint(x: 0, y: endArm),
        steps: 10))
  }

  private func doubleTap() throws(ViewerFailure) -> ViewerTraits.DoubleTap? {
    let tap = GestureAction.Deed.doubleTap(at: Self.place, then: Self.place, gap: 0.1)
    let twice = try measure([tap, tap])
    let once = Trial(play: twice.play, places: Array(twice.places.dropLast()))
    guard abs(once.factor - 1) > 0.01 else { return nil }
    return ViewerTraits.DoubleTap(
      factor: once.factor,
      isCentring: once.way(of: Self.place, to: Self.middle) < once.way(of: Self.place),
      returns: abs(twice.factor - 1) < 0.01)
  }

  /// Returns the levels by which pixels differ at 1:1; nil if they differ as after scaling.
  private func exactness() throws(ViewerFailure) -> Int? {
    guard adapter.contains(.show) else { return 0 }
    let shown = try measure([], show: ShownPlace(centre: ViewPoint(x: 700, y: 500), scale: 1))
    // A graphics processor rounds otherwise by one level; two are allowed.
    guard let exact = shown.play.looks.last?.checks?.exact else { return 0 }
    return exact.level == 0 ? 0 : exact.level <= 2 ? 2 : nil
  }

  /// A play of deeds, with its places before the first deed and after each.
  private struct Trial {
    let play: ViewerPlay
    let places: [ViewerPlace]

    var end: ViewerPlace { places[places.count - 1] }
    var factor: Double { end.scale / places[0].scale }

    /// Returns the distance at the end between a point and what was shown at another after some deeds.
    func way(of point: ViewPoint, to goal: ViewPoint? = nil, after deed: Int = 0) -> Double {
      guard let content = places[deed].toScreen.inverted()?.apply(to: point) else { return 0 }
      return end.toScreen.apply(to: content).distance(to: goal ?? point)
    }
  }

  /// Plays deeds with rests between them; `thenLift` lifts finger 0 at once after the last.
  private func measure(
    _ deeds: [GestureAction.Deed], thenLift: Bool = false, show: ShownPlace? = nil
  ) throws(ViewerFailure) -> Trial {
    var actions = deeds.map { GestureAction(after: Self.rest, $0) }
    if thenLift { actions.append(GestureAction(after: GestureWriter.sampling, .lift([0]))) }
    let events = GestureWriter.events(of: actions)
    let each: ViewerCase
    do {
      let screen = try Screen(size: Self.screenSize)
      each = ViewerCase(
        gesture: GestureCase(
          script: try GestureScript(screen: screen, events: events),
          picture: TileService.size(1501, 1003)), tiles: schemes[0], show: show)
    } catch {
      // The numbers above are valid.
      throw .protocol("\(error)")
    }
    let play = try playInTurn(each, isBrief: true)
    guard play.ending == .alive else { throw .pageFailed("it is \(play.ending) by a gesture") }
    let starts = events.indices.dropFirst().filter {
      events[$0].time - events[$0 - 1].time > Self.rest / 2
    }
    let counts = [0] + starts + (events.isEmpty ? [] : [events.count])
    let places = counts.compactMap { count in
      play.looks.last(where: { $0.eventsSoFar == count })?.sight.place
    }
    guard places.count == deeds.count + 1 else {
      throw .pageFailed("the picture is not recognised after \(deeds.count) deeds")
    }
    return Trial(play: play, places: places)
  }
}
