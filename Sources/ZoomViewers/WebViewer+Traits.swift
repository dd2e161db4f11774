internal import ZoomGeometry
internal import ZoomLaws

extension WebViewer {
  /// The screen and the picture on which traits are measured: odd sides, and room to zoom in and out.
  private static let (screenSize, pictureSize) = (ViewSize(width: 360, height: 480), (1501, 1003))
  /// A place beside the middle, so that what is kept and what is centred differ.
  private static let place = ViewPoint(x: 200, y: 220)
  /// The seconds for which a viewer is to rest between deeds, and the CSS pixels of a movement that counts:
  /// more than rounding, less than half of any deed here.
  private static let (rest, least) = (1.5, 8.0)

  /// Measures the traits by a dozen plays of few deeds.
  func measureTraits() throws(ViewerFailure) -> ViewerTraits {
    let opened = try measure([])
    let fit = opened.places.last?.scale ?? 1
    let plays = opened.play
    var traits = ViewerTraits(scales: fit...fit, fitScale: fit)
    (traits.promises, traits.adapter) = (plays.promises, adapter)
    var rests = [0.1]

    let wheel = try measure([.wheel(at: Self.place, steps: [-100])])
    rests.append(wheel.play.restAfter ?? 0)
    if let factor = wheel.factor, abs(factor - 1) > 0.01 { traits.wheelFactor = factor }

    let (middle, arm) = (ViewPoint(x: 180, y: 240), 50.0)
    let pinch = try measure([Self.pinch(from: arm, to: 2 * arm)])
    rests.append(pinch.play.restAfter ?? 0)
    traits.pinches = (pinch.factor ?? 1) > 1.05
    // Fingers that are `slop` further apart when the picture begins to follow enlarge it less.
    if traits.pinches, let factor = pinch.factor {
      traits.pinchSlop = max(0, 2 * arm / factor - arm)
    }
    traits.scales = try limits(fit, traits)

    // One zoom makes the picture larger than the screen on both axes.
    let zoom: [GestureAction.Deed] =
      traits.pinches
      ? [Self.pinch(from: 30, to: 120)] : [.wheel(at: middle, steps: [-100, -100, -100, -100])]
    let end = ViewPoint(x: Self.place.x - 60, y: Self.place.y)
    let pan = GestureAction.Deed.pan(finger: 0, from: Self.place, to: end, steps: 10)
    let drag = try measure(zoom + [pan, .lift([0])])
    if let moved = drag.way(at: Self.place, after: zoom.count) {
      traits.dragSlop = moved.length > Self.least ? max(0, 60 - moved.length) : 0
    }
    let mouse = try measure(zoom + [.drag(from: Self.place, to: end, steps: 10)])
    traits.drags = (mouse.way(at: Self.place, after: zoom.count)?.length ?? 0) > Self.least
    let flick = try measure(zoom + [pan], thenLift: true)
    rests.append(flick.play.restAfter ?? 0)
    let glide = flick.way(at: end, after: zoom.count)?.length ?? 0
    traits.flicks = glide > (drag.way(at: end, after: zoom.count)?.length ?? 0) + Self.least
    let turn = try measure([
      .pinch(
        GestureAction.PinchPath(
          from: middle, to: middle, arm: ViewPoint(x: 80, y: 0), endArm: ViewPoint(x: 0, y: 80),
          steps: 8))
    ])
    // A tenth of the fingers' quarter turn.
    traits.turns = abs(turn.places.last?.rotation ?? 0) > 0.15
    traits.doubleTap = try doubleTap()
    traits.exactness = try exactness(fit)
    traits.restTime = rests.max() ?? 0.5
    return traits
  }

  private static func pinch(from arm: Double, to endArm: Double) -> GestureAction.Deed {
    let middle = ViewPoint(x: 180, y: 240)
    return .pinch(
      GestureAction.PinchPath(
        from: middle, to: middle, arm: ViewPoint(x: 0, y: arm), endArm: ViewPoint(x: 0, y: endArm),
        steps: 10))
  }

  /// Returns the limits of scale: those that 20 turns of a wheel, or five pinches, do not pass.
  private func limits(
    _ fit: Double, _ traits: ViewerTraits
  ) throws(ViewerFailure) -> ClosedRange<Double> {
    var ends: [Double] = []
    for isIn in [true, false] {
      let step = GestureAction.Deed.wheel(
        at: Self.place, steps: Array(repeating: isIn ? -100.0 : 100, count: 20))
      let pinch = Self.pinch(from: isIn ? 40 : 200, to: isIn ? 200 : 40)
      let pinches = traits.pinches ? Array(repeating: pinch, count: 5) : []
      let trial = try measure(traits.wheelFactor == nil ? pinches : [step])
      ends.append(trial.places.last?.scale ?? fit)
    }
    return min(ends[1], fit)...max(ends[0], fit)
  }

  private func doubleTap() throws(ViewerFailure) -> ViewerTraits.DoubleTap? {
    let tap = GestureAction.Deed.doubleTap(at: Self.place, then: Self.place, gap: 0.1)
    let twice = try measure([tap, tap])
    guard twice.places.count > 2, let start = twice.places.first, let end = twice.places.last,
      let factor = twice.factor(after: 1), abs(factor - 1) > 0.01,
      let way = twice.way(at: Self.place, after: 0, to: 1)
    else { return nil }
    let toMiddle = ViewPoint(x: 180, y: 240) - Self.place
    return ViewerTraits.DoubleTap(
      factor: factor, isCentring: (way - toMiddle).length < way.length,
      returns: abs(end.scale / start.scale - 1) < 0.01)
  }

  /// Returns the levels by which pixels differ at 1:1; nil if they differ as after scaling.
  private func exactness(_ fit: Double) throws(ViewerFailure) -> Int? {
    guard adapter.contains(.show) else { return 0 }
    let shown = try measure([], show: ShownPlace(centre: ViewPoint(x: 700, y: 500), scale: 1))
    // A graphics processor rounds otherwise by one level; two are allowed.
    guard let exact = shown.play.looks.last?.checks?.exact else { return 0 }
    return exact.level == 0 ? 0 : exact.level <= 2 ? 2 : nil
  }

  /// A play of deeds, with its places.
  private struct Trial {
    let play: ViewerPlay
    /// The places before the first deed and after each.
    let places: [ViewerPlace]

    var factor: Double? { factor(after: places.count - 1) }

    func factor(after deed: Int) -> Double? {
      places.indices.contains(deed) ? places[deed].scale / places[0].scale : nil
    }

    /// Returns the way of what was shown at a point after some deeds, until after others or the end.
    func way(at point: ViewPoint, after deed: Int, to end: Int? = nil) -> ViewPoint? {
      let end = end ?? places.count - 1
      guard places.indices.contains(deed), places.indices.contains(end),
        let content = places[deed].toScreen.inverted()?.apply(to: point)
      else { return nil }
      return places[end].toScreen.apply(to: content) - point
    }
  }

  /// Plays deeds with rests between them; `thenLift` lifts finger 0 at once after the last.
  private func measure(
    _ deeds: [GestureAction.Deed], thenLift: Bool = false, show: ShownPlace? = nil
  ) throws(ViewerFailure) -> Trial {
    var actions = deeds.map { GestureAction(after: Self.rest, $0) }
    if thenLift { actions.append(GestureAction(after: GestureWriter.sampling, .lift([0]))) }
    let each: ViewerCase
    do {
      let script = try GestureScript(
        screen: Screen(size: Self.screenSize), events: GestureWriter.events(of: actions))
      let size = try PixelSize(width: Self.pictureSize.0, height: Self.pictureSize.1)
      each = ViewerCase(
        gesture: GestureCase(script: script, picture: size), tiles: schemes[0], show: show)
    } catch {
      // The numbers above are valid.
      throw .protocol("\(error)")
    }
    let play = try playInTurn(each, recording: nil, fresh: false, isBrief: true)
    guard play.ending == .alive else { throw .pageFailed("it is \(play.ending) by a gesture") }
    // The looks at the ends of rests are those before the first event of each deed but the first.
    var starts: [Int] = []
    let events = each.gesture.script.events
    for index in events.indices.dropFirst()
    where events[index].time - events[index - 1].time > Self.rest / 2 {
      starts.append(index)
    }
    let ends =
      starts.map { start in play.looks.last { $0.eventsSoFar == start } }
      + [play.looks.last]
    let places = ([play.looks.first] + (deeds.isEmpty ? [] : ends)).map { $0?.sight.place }
    guard places.allSatisfy({ $0 != nil }) else {
      throw .pageFailed("the picture is not recognised after \(deeds.count) deeds")
    }
    return Trial(play: play, places: places.compactMap { $0 })
  }
}
