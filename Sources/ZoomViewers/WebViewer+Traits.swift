internal import ZoomGeometry
internal import ZoomLaws

struct TraitMeasurement {
  let scheme: TileScheme
  /// Plays a case and looks only at views at rest.
  let play: (ViewerCase) throws(ViewerFailure) -> ViewerPlay

  /// The screen on which traits are measured, its middle, and a place beside it, so that what is kept and what
  /// is centred differ.
  private static let screenSize = ViewSize(width: 364, height: 484)
  private static let (middle, place) = (ViewPoint(x: 182, y: 242), ViewPoint(x: 202, y: 222))
  /// The seconds for which a viewer is to rest between deeds, and the CSS pixels of a movement that counts:
  /// more than rounding, less than half of any deed here.
  private static let (rest, least) = (1.5, 8.0)

  /// Measures the traits by a dozen plays of few deeds.
  ///
  /// A page that hangs, ends or loses the picture at a deed counts as following it, so that laws try it. Pinches, drags
  /// and flicks count as followed, too, if the picture is not recognised at first.
  func traits() throws(ViewerFailure) -> ViewerTraits {
    let (place, end) = (Self.place, Self.place - ViewPoint(x: 60, y: 0))
    guard let opened = try measure([], untilLost: true) else {
      throw .pageFailed("it hangs or ends when it is opened (open it in a browser)")
    }
    let (size, screen) = (WebViewer.sizes[0], Self.screenSize)
    let whole = min(screen.width / Double(size.width), screen.height / Double(size.height))
    let fit = opened.places.first?.scale ?? whole
    var traits = ViewerTraits(scales: fit...fit, fitScale: fit)
    (traits.promises, traits.adapter) = (opened.play.promises, opened.play.adapter)
    traits.isRecognised = !opened.places.isEmpty
    guard traits.isRecognised else { return traits }

    let wheel = try measure([Self.turn(-1, at: place)])
    let byWheel = abs((wheel?.factor ?? 1) - 1) > 0.01
    traits.wheelFactor = wheel == nil ? 1 : byWheel ? wheel?.factor : nil

    // Fingers also close, for viewers that do the opposite and never reduce a fitted picture.
    let pinch = try measure([Self.pinch(from: 50, to: 100), Self.pinch(from: 100, to: 50)])
    let factors = (pinch?.places ?? []).map { $0.scale / fit }
    let byPinch = factors.contains { abs($0 - 1) > 0.05 }
    let isEnlarging = byPinch && factors[1] > 1.05
    traits.pinches = byPinch || pinch == nil
    // Fingers that are `slop` further apart when the picture begins to follow enlarge it less.
    if isEnlarging { traits.pinchSlop = max(0, 100 / factors[1] - 50) }
    // Twenty turns of the wheel, or five pinches, reach the limits of scale of most viewers; others are taken
    // to end where the picture is no longer recognised.
    func limit(_ turns: Int, _ pinch: GestureAction.Deed) throws(ViewerFailure) -> Double {
      let wheel = [2, 3, 5, 10].map { Self.turn(turns * $0, at: place) }
      let deeds = byWheel ? wheel : byPinch ? Array(repeating: pinch, count: 5) : []
      return try measure(deeds, untilLost: true)?.places.last?.scale ?? fit
    }
    let largest = try limit(-1, Self.pinch(from: 40, to: 200))
    let least = try limit(1, Self.pinch(from: 200, to: 40))
    traits.scales = min(largest, least, fit)...max(largest, least, fit)

    // A browser that scales changes most pixels, a fault those of some places; a graphics processor rounds otherwise
    // by one level, and two are allowed.
    let shown = ShownPlace(centre: ViewPoint(x: 700, y: 500), scale: 1)
    let exact =
      try traits.adapter.contains(.show)
      ? measure([], show: shown, untilLost: true)?.play.looks.last?.checks?.exact : nil
    if let exact, exact.level > 0 {
      traits.exactness = exact.level <= 2 ? 2 : exact.pixels * 4 > exact.compared ? nil : 0
    }

    // One zoom makes the picture larger than the screen on both axes.
    let zoom =
      isEnlarging
      ? [Self.pinch(from: 30, to: 120)] : byWheel ? [Self.turn(-4, at: Self.middle)] : []
    let pan = GestureAction.Deed.pan(finger: 0, from: place, to: end, steps: 10)
    let onward = GestureAction.Deed.touch(finger: 0, at: end - ViewPoint(x: 60, y: 0), force: 1)
    let drag = try measure(zoom + [pan, onward, .lift([0])])
    let begun = drag?.first(zoom.count + 1)
    let way = begun?.way(of: place, after: zoom.count) ?? 0
    if let drag, way > Self.least {
      traits.dragSlop = max(0, 60 - way)
      // The picture may stop at its border.
      let border = drag.end.toScreen.apply(to: ViewPoint(x: Double(size.width), y: 0)).x
      let moved = drag.first(zoom.count + 2).way(of: place, after: zoom.count + 1)
      if border > screen.width + Self.least { traits.onwardWay = moved }
    }
    let mouse = try measure(zoom + [.drag(from: place, to: end, steps: 10)])
    traits.drags = mouse.map { $0.way(of: place, after: zoom.count) > Self.least } ?? true
    let flick = try measure(zoom + [pan], thenLift: true)
    traits.flicks =
      if let flick, let begun { flick.corner.distance(to: begun.corner) > Self.least } else { true }
    let tap = GestureAction.Deed.doubleTap(at: place, then: place, gap: 0.1)
    let twice = try measure([tap, tap])
    traits.taps = twice.map { abs($0.first(1).factor - 1) > 0.01 } ?? true
    traits.tapsReturn = twice.map { abs($0.factor - 1) < 0.01 } ?? true
    traits.restTime = [wheel, pinch, flick, twice].map { $0?.play.restAfter ?? 0 }.reduce(0.1, max)
    return traits
  }

  private static func turn(_ notches: Int, at place: ViewPoint) -> GestureAction.Deed {
    .wheel(at: place, steps: Array(repeating: notches < 0 ? -100 : 100, count: abs(notches)))
  }

  private static func pinch(from arm: Double, to endArm: Double) -> GestureAction.Deed {
    .pinch(
      GestureAction.PinchPath(
        from: middle, to: middle, arm: ViewPoint(x: 0, y: arm), endArm: ViewPoint(x: 0, y: endArm),
        steps: 10))
  }

  /// A play of deeds, with its places before the first deed and after each.
  private struct Trial {
    let play: ViewerPlay
    let places: [ViewerPlace]

    var end: ViewerPlace { places[places.count - 1] }
    var factor: Double { end.scale / places[0].scale }
    /// The point that shows the picture's upper left corner at the end.
    var corner: ViewPoint { end.toScreen.apply(to: .zero) }

    func first(_ deeds: Int) -> Trial { Trial(play: play, places: Array(places[...deeds])) }

    /// Returns the distance at the end between a point and what was shown at it after some deeds.
    func way(of point: ViewPoint, after deed: Int = 0) -> Double {
      guard let content = places[deed].toScreen.inverted()?.apply(to: point) else { return 0 }
      return end.toScreen.apply(to: content).distance(to: point)
    }
  }

  /// Plays deeds with rests between them, and returns nil if the page, or the picture on it, is lost before their end.
  ///
  /// With `thenLift`, finger 0 is lifted at once after the last deed; with `untilLost`, the picture may be lost.
  private func measure(
    _ deeds: [GestureAction.Deed], thenLift: Bool = false, show: ShownPlace? = nil,
    untilLost: Bool = false
  ) throws(ViewerFailure) -> Trial? {
    var actions = deeds.map { GestureAction(after: Self.rest, $0) }
    if thenLift { actions.append(GestureAction(after: GestureWriter.sampling, .lift([0]))) }
    let events = GestureWriter.events(of: actions)
    guard let screen = try? Screen(size: Self.screenSize),
      let script = try? GestureScript(screen: screen, events: events)
    else { preconditionFailure("the numbers above are valid") }
    let gesture = GestureCase(script: script, picture: WebViewer.sizes[0])
    let play = try self.play(ViewerCase(gesture: gesture, tiles: scheme, show: show))
    guard play.ending == .alive else { return nil }
    let counts = (0...events.count).filter {
      $0 == 0 || $0 == events.count || events[$0].time - events[$0 - 1].time > Self.rest / 2
    }
    let places = counts.map { count in
      play.looks.last(where: { $0.eventsSoFar == count })?.sight.place
    }
    let known = places.prefix { $0 != nil }.compactMap(\.self)
    guard untilLost || known.count == places.count else { return nil }
    return Trial(play: play, places: known)
  }
}
