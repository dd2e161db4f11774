import PropertyTesting
import ZoomGeometry

extension ViewerSubject {
  /// The viewports to try, at the viewer's device pixel ratios: small ones take less time, and sides are odd at 1.25.
  var screens: Gen<Screen> {
    let sizes: [(Double, Double)] = [(364, 484), (484, 364), (324, 404)]
    return Gens.zip(Gen<(Double, Double)>.element(of: sizes), Gen<Double>.element(of: ratios))
      .compactMap { sides, ratio in
        try? Screen(size: ViewSize(width: sides.0, height: sides.1), scale: ratio)
      }
  }

  var stages: Gen<(Screen, PixelSize)> { Gens.zip(screens, Gen<PixelSize>.element(of: sizes)) }

  /// The time from an event to the next one for which the viewer is to be at rest: a share more than measured, for
  /// viewers that are slower at times, and a settled frame.
  var pause: Double { max(0.5, 1.2 * traits.restTime + 0.1) }

  /// Returns a generator of views in every scheme and ratio: a place, and a number of deeds.
  ///
  /// If an adapter can show places, four of five cases begin at one: most at 1:1 on whole pixels, and on each axis a
  /// third near each end of the picture. Most laws use it, so that equal seeds give equal cases, which are played once.
  func views(deeds count: ClosedRange<Int> = 0...3) -> Gen<ViewerCase> {
    Gen { testCase throws(Discarded) in
      let (screen, picture) = try testCase.draw(stages)
      let tiles = try testCase.draw(Gen<TileScheme>.element(of: kinds))
      let isShown = traits.adapter.contains(.show) && testCase.integer(in: 0...4) > 0
      let show = isShown ? place(of: picture, on: screen, &testCase) : nil
      let drawn = try testCase.draw(
        Gen<[[GestureAction]]>.array(of: deeds(on: screen), count: count))
      let gesture = try? GestureCase(Array(drawn.joined()), on: screen, picture)
      return ViewerCase(gesture: try given(gesture), tiles: tiles, show: show)
    }
  }

  private func place(
    of picture: PixelSize, on screen: Screen, _ testCase: inout TestCase
  ) -> ShownPlace {
    let isWhole = testCase.integer(in: 0...3) < 3
    let shares: [ClosedRange<Double>] = [0.1...1, 0...0.05, 0.95...1]
    func middle(_ side: Int, _ pixels: Int) -> Double {
      let middle = testCase.double(in: shares[testCase.integer(in: 0...2)]) * Double(side)
      // Pixels are on whole device pixels if their distance from the middle is a whole number.
      return isWhole ? middle.rounded(.down) + Double(pixels % 2) / 2 : middle
    }
    let x = middle(picture.width, screen.pixels.width)
    let centre = ViewPoint(x: x, y: middle(picture.height, screen.pixels.height))
    if isWhole { return ShownPlace(centre: centre, scale: 1 / screen.scale) }
    // Above a scale of 4, places are measured less exactly.
    let (least, largest) = traits.limits(of: picture, on: screen)
    return ShownPlace(
      centre: centre, scale: testCase.double(in: least...max(least, min(largest, 4))))
  }

  /// Returns a generator of deeds of all kinds, each after a pause, whether the viewer follows them or not.
  private func deeds(on screen: Screen) -> Gen<[GestureAction]> {
    // Two fingers have room about each place.
    let (place, way) = (Gen<ViewPoint>.vectors(upTo: 100), Gen<ViewPoint>.vectors(upTo: 60))
    return Gens.zip(Gen<Int>.integer(in: 0...5), place, way).map { kind, place, way in
      let from = screen.bounds.centre + place
      let deed: GestureAction.Deed =
        switch kind {
        case 0, 1: .pan(finger: 0, from: from, to: from + way, steps: 4)
        case 2: .wheel(at: from, steps: [way.x < 0 ? 100 : -100] + (way.y < 0 ? [-100] : []))
        case 3: .pinch(.spread(at: from, by: 1.2 + way.x / 100))
        case 4: .doubleTap(at: from, then: from, gap: 0.1)
        default: .drag(from: from, to: from + way, steps: 4)
        }
      // A finger that rests before it is lifted does not throw the picture.
      return [
        GestureAction(after: pause, deed),
        GestureAction(after: kind == 1 ? GestureWriter.sampling : 0.2, .lift([0])),
      ]
    }
  }

  /// A picture with the deed that zooms it from its fit, and the factors of later pinches, so that neither limits of
  /// scale nor its borders stop gestures.
  private typealias Start = (
    screen: Screen, picture: PixelSize, zoom: GestureAction.Deed, factors: ClosedRange<Double>
  )

  private var starts: Gen<Start> {
    // A picture in the middle hides that a viewer forgets its place when it enlarges it.
    Gens.zip(stages, Gen<ViewPoint>.vectors(upTo: 15)).compactMap { stage, way -> Start? in
      let (screen, picture) = stage
      let (least, largest) = traits.limits(of: picture, on: screen)
      let fit = TransitionLaws.fitScale(of: picture, on: screen)
      let factor = min(4, largest / 1.6 / fit)
      let place = screen.bounds.centre + way
      // Arms of 36 points stay on every screen when they become four times as long.
      let arm = ViewPoint(x: 36, y: 36)
      var zoom = GestureAction.Deed.pinch(.spread(at: place, by: factor, arm: arm))
      // Some of the way is lost to the slop.
      var shown = factor / (1 + traits.pinchSlop / arm.length)
      if !traits.pinches, let wheel = traits.wheelFactor, wheel > 1.05 {
        let factors = sequence(first: wheel) { $0 * wheel }.prefix { $0 <= factor }
        zoom = .wheel(at: place, steps: factors.map { _ in -100 })
        shown = factors.last ?? 1
      }
      // The picture covers the screen with 60 points to spare on each side, and moves by up to 45.
      let spare = 120 + 30 * (factor - 1)
      let covering = max(
        (screen.size.width + spare) / Double(picture.width),
        (screen.size.height + spare) / Double(picture.height))
      let smallest = max(0.67, 1.05 * max(least, covering) / (fit * shown))
      guard factor > 1.2, smallest < 1.3 else { return nil }
      return (screen: screen, picture: picture, zoom: zoom, factors: smallest...1.5)
    }
  }

  /// Returns a generator of a deed on a zoomed picture; the actions are given a place, a way from it and the pause.
  func zoomed(
    _ actions: @escaping @Sendable (ViewPoint, ViewPoint, Double) -> [GestureAction]
  ) -> Gen<ViewerCase> {
    Gens.zip(starts, Gen<ViewPoint>.vectors(upTo: 100), Gen<ViewPoint>.vectors(upTo: 80))
      .compactMap { start, place, way in
        let deed = actions(start.screen.bounds.centre + place, way, pause)
        let zoom = [GestureAction(after: 0.1, start.zoom), GestureAction(after: pause, .lift([0]))]
        let gesture = try? GestureCase(zoom + deed, on: start.screen, start.picture)
        return gesture.map { ViewerCase(gesture: $0, tiles: kinds[0]) }
      }
  }

  /// A generator of pinches, in which the fingers first pass the slop.
  var pinches: Gen<PinchScript> {
    Gen { testCase throws(Discarded) in
      let start = try testCase.draw(starts)
      let from = start.screen.bounds.centre + (try testCase.draw(.vectors(upTo: 20)))
      let to = from + (try testCase.draw(.vectors(upTo: 40)))
      // The middle moves by up to 60 points and an arm grows by up to a half: all fits on the smallest screen.
      let arm = Affine.rotation(testCase.double(in: 0...2 * Double.pi))
        .apply(to: ViewPoint(x: testCase.double(in: 40...65), y: 0))
      // Fingers that keep their direction hide about which of them the picture grows. From 0.3 radians on, some
      // viewers turn the picture.
      let turn = Affine.rotation(testCase.double(in: -0.25...0.25))
      let endArm = turn.apply(to: arm).scaled(by: testCase.double(in: start.factors))
      let half = testCase.integer(in: 1...3)
      let first = try testCase.draw(Gen<Int>.element(of: [1, 0]))
      let pinch = GestureAction.PinchPath(
        from: from, to: to, arm: arm, endArm: endArm, steps: 2 * half, lifted: [first])
      // Each finger moves by its slop and two points more.
      let near = arm.scaled(by: 1 - (traits.pinchSlop + 2) / arm.length)
      let slop = GestureAction.PinchPath(
        from: from, to: from, arm: near, endArm: arm, steps: 3, lifted: [])
      let stays = pinch.fingers(after: pinch.steps)[1 - first]
      return try PinchScript(
        pinch, thenTo: stays + (try testCase.draw(.vectors(upTo: 40))), steps: 4,
        after: [GestureAction(after: 0.1, start.zoom)], on: start.screen, start.picture,
        rest: pause, slop: slop)
    }
  }

  func movements(byMouse: Bool = false) -> Gen<Movement> {
    Gens.zip(
      starts, Gen<ViewPoint>.vectors(upTo: 100), Gen<ViewPoint>.vectors(upTo: 50),
      Gen<Bool>.element(of: byMouse ? [false, true] : [false])
    ).map { start, place, way, isMouse in
      let from = start.screen.bounds.centre + place
      return Movement(
        system: .doubleTap, picture: start.picture, screen: start.screen, tapped: from, from: from,
        to: from + way, force: 0, isMouse: isMouse, zoom: start.zoom,
        firstStep: max(12, traits.dragSlop + 2), rest: pause)
    }
  }

  var resizes: Gen<ScreenChange> {
    Gens.zip(movements(), screens).compactMap { movement, other in
      guard let gesture = try? movement.played,
        let screen = try? Screen(size: other.size, scale: movement.screen.scale)
      else { return nil }
      let time = gesture.end + pause
      return ScreenChange(
        gesture: gesture, changes: [GestureEvent(time: time, kind: .screen(screen))], touches: [],
        later: time, isTogether: true)
    }
  }

  /// A generator of cases without gestures, which are so few that all are tried.
  var untouched: Gen<GestureCase> {
    stages.compactMap { screen, picture in try? GestureCase([GestureEvent](), on: screen, picture) }
  }

  var gestures: Gen<GestureCase> {
    .weighted([
      (2, untouched), (2, pinches.map { $0.gesture }),
      (1, movements().compactMap { try? $0.played }),
    ])
  }
}
