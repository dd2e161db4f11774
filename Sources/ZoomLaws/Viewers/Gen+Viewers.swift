import PropertyTesting
import ZoomGeometry

extension ViewerSubject {
  /// The viewports to try, at the viewer's device pixel ratios; small ones take less time.
  var screens: Gen<Screen> {
    let sizes: [(Double, Double)] = [(360, 480), (480, 360), (320, 400)]
    return Gens.zip(Gen<(Double, Double)>.element(of: sizes), Gen<Double>.element(of: ratios))
      .compactMap { sides, ratio in
        try? Screen(size: ViewSize(width: sides.0, height: sides.1), scale: ratio)
      }
  }

  /// The time from an event to the next one for which the viewer is to be at rest: a share more than measured, for
  /// viewers that are slower at times, and a settled frame.
  var pause: Double { max(0.5, 1.2 * traits.restTime + 0.1) }

  var stages: Gen<(Screen, PixelSize)> {
    Gens.zip(screens, Gen<PixelSize>.element(of: sizes))
  }

  /// Returns a generator of deeds that leave the picture on the screen, each after a pause.
  func deeds(on screen: Screen) -> Gen<[GestureAction]> {
    let (pause, middle) = (self.pause, screen.bounds.centre)
    // Two fingers have room about each place.
    let place = Gen<ViewPoint>.vectors(upTo: 100).map { middle + $0 }
    let pans = Gens.zip(place, Gen<ViewPoint>.vectors(upTo: 60)).map { place, way in
      [
        GestureAction(after: pause, .pan(finger: 0, from: place, to: place + way, steps: 4)),
        // The finger rests first, so that it does not throw the picture.
        GestureAction(after: 0.2, .lift([0])),
      ]
    }
    let steps = Gen<[Double]>.element(of: [[-100], [-100, -100], [100], [-100, 100]])
    let wheels = Gens.zip(place, steps).map { place, steps in
      [GestureAction(after: pause, .wheel(at: place, steps: steps))]
    }
    let pinches = Gens.zip(place, Gen<Double>.double(in: 0.6...1.8)).map { place, factor in
      [GestureAction(after: pause, .pinch(.spread(at: place, by: factor)))]
    }
    let kinds = [pans] + (traits.wheelFactor == nil ? [] : [wheels])
    return .weighted((kinds + (traits.pinches ? [pinches] : [])).map { (1, $0) })
  }
}

extension Gen where Value == ViewerCase {
  /// Returns a generator of views in every scheme and ratio: a place, and a number of deeds.
  ///
  /// If an adapter can show places, four of five cases begin at one: most at 1:1 on whole pixels, half of them at the
  /// last row and column. All laws of pixels use it, so that equal seeds give equal cases, which are played once.
  static func views(of viewer: ViewerSubject, deeds count: ClosedRange<Int> = 0...3) -> Gen {
    Gen { testCase throws(Discarded) in
      let (screen, picture) = try testCase.draw(viewer.stages)
      let tiles = try testCase.draw(Gen<TileScheme>.element(of: viewer.kinds))
      var show: ShownPlace?
      if viewer.traits.adapter.contains(.show), testCase.integer(in: 0...4) > 0 {
        show = try testCase.draw(Gen<ShownPlace>.shown(picture, on: screen, viewer.traits))
      }
      let deeds = try testCase.draw(
        Gen<[[GestureAction]]>.array(of: viewer.deeds(on: screen), count: count))
      let gesture = try? GestureCase(Array(deeds.joined()), on: screen, picture)
      return ViewerCase(gesture: try given(gesture), tiles: tiles, show: show)
    }
  }

  /// Returns a generator of a deed on a zoomed picture; the actions are given a place, a way from it and the
  /// viewer's pause.
  static func zoomed(
    in viewer: ViewerSubject,
    _ actions: @escaping @Sendable (ViewPoint, ViewPoint, Double) -> [GestureAction]
  ) -> Gen {
    Gens.zip(
      ViewerStart.any(viewer), Gen<ViewPoint>.vectors(upTo: 100), Gen<ViewPoint>.vectors(upTo: 80)
    ).compactMap { start, place, way in
      let zoom = GestureAction(after: 0.1, .pinch(start.zoom))
      let rest = GestureAction(after: viewer.pause, .lift([0]))
      let deed = actions(start.screen.bounds.centre + place, way, viewer.pause)
      let gesture = try? GestureCase([zoom, rest] + deed, on: start.screen, start.picture)
      return gesture.map { ViewerCase(gesture: $0, tiles: viewer.kinds[0]) }
    }
  }
}

extension Gen where Value == ShownPlace {
  static func shown(
    _ picture: PixelSize, on screen: Screen, _ traits: ViewerTraits
  ) -> Gen {
    Gen { testCase throws(Discarded) in
      let isWhole = testCase.integer(in: 0...3) < 3
      let isCorner = try testCase.draw(.bool)
      func middle(_ side: Int, _ pixels: Int) -> Double {
        let middle = testCase.double(in: (isCorner ? 0.95 : 0.1)...1) * Double(side)
        // Pixels are on whole device pixels if their distance from the middle is a whole number.
        return isWhole ? middle.rounded(.down) + Double(pixels % 2) / 2 : middle
      }
      let x = middle(picture.width, screen.pixels.width)
      let centre = ViewPoint(x: x, y: middle(picture.height, screen.pixels.height))
      if isWhole { return ShownPlace(centre: centre, scale: 1 / screen.scale) }
      // Above a scale of 4, places are measured less exactly.
      let (least, largest) = traits.limits(of: picture, on: screen)
      let scales = least...max(least, min(largest, 4))
      return ShownPlace(centre: centre, scale: testCase.double(in: scales))
    }
  }
}

/// A zoomed picture in a viewer, with room for gestures that neither limits of scale nor its borders stop.
struct ViewerStart: Sendable {
  var screen: Screen
  var picture: PixelSize
  /// The pinch that zooms the picture from its fit.
  var zoom: GestureAction.PinchPath
  /// The factors of pinches that stay within the limits.
  var factors: ClosedRange<Double>

  static func any(_ viewer: ViewerSubject) -> Gen<ViewerStart> {
    viewer.stages.compactMap { screen, picture in
      let (least, largest) = viewer.traits.limits(of: picture, on: screen)
      let fit = TransitionLaws.fitScale(of: picture, on: screen)
      // Arms of 38 points stay on every screen when they become four times as long.
      let (arm, most) = (38.0, 4.0)
      let factor = min(most, largest / 1.6 / fit)
      // Some of the way is lost to the slop; a diagonal arm is 1.41 times as long.
      let scale = fit * factor / (1 + viewer.traits.pinchSlop / (1.4 * arm))
      // The picture covers the screen with 60 points to spare on each side.
      let covering = max(
        (screen.size.width + 120) / Double(picture.width),
        (screen.size.height + 120) / Double(picture.height))
      let smallest = max(0.67, 1.05 * max(least, covering) / scale)
      guard factor > 1.2, smallest < 1.3 else { return nil }
      return ViewerStart(
        screen: screen, picture: picture,
        zoom: .spread(at: screen.bounds.centre, by: factor, arm: ViewPoint(x: arm, y: arm)),
        factors: smallest...1.5)
    }
  }
}

extension PinchScript {
  /// Returns a generator of pinches on a viewer's zoomed picture.
  ///
  /// The fingers first pass the slop; they rest then, in the middle of the pinch and at its end, so
  /// that a picture that follows slowly is looked at when it has arrived.
  static func onViewer(_ viewer: ViewerSubject) -> Gen<PinchScript> {
    Gen { testCase throws(Discarded) in
      let start = try testCase.draw(ViewerStart.any(viewer))
      let (rest, tick) = (viewer.pause, GestureWriter.sampling)
      let from = start.screen.bounds.centre + (try testCase.draw(.vectors(upTo: 20)))
      let to = from + (try testCase.draw(.vectors(upTo: 40)))
      let arm = ViewPoint(
        x: testCase.double(in: 40...60), y: testCase.double(in: -60...60))
      let factor = testCase.double(in: start.factors)
      let half = testCase.integer(in: 1...3)
      let first = try testCase.draw(Gen<Int>.element(of: [1, 0]))
      let pinch = GestureAction.PinchPath(
        from: from, to: to, arm: arm, endArm: arm.scaled(by: factor), steps: 2 * half,
        lifted: [first])
      // Each finger moves by its slop and two points more.
      var begin = pinch
      (begin.to, begin.endArm, begin.steps, begin.lifted) = (from, arm, 3, [])
      begin.arm = arm.scaled(by: 1 - (viewer.traits.pinchSlop + 2) / arm.length)
      let middle = pinch.fingers(after: half)
      var (one, other) = (pinch, pinch)
      (one.to, one.steps, one.lifted) = ((middle[0] + middle[1]).scaled(by: 0.5), half, [])
      one.endArm = middle[1] - one.to
      (other.from, other.arm, other.steps, other.lifted) = (one.to, one.endArm, half, [])
      let fingers = begin.fingers(after: 0)
      var writer = GestureWriter()
      writer.write(GestureAction(after: 0.1, .pinch(start.zoom)))
      writer.write(GestureAction(after: rest, .touch(finger: 0, at: fingers[0], force: 1)))
      let second = writer.write(
        GestureAction(after: 2 * tick, .touch(finger: 1, at: fingers[1], force: 1)))
      writer.write(GestureAction(after: tick, .pinch(begin)))
      let moved = writer.write(GestureAction(after: rest, .pinch(one)))
      writer.write(GestureAction(after: rest, .pinch(other)))
      let lifted = writer.write(GestureAction(after: rest, .lift([first])))
      let stays = pinch.fingers(after: pinch.steps)[1 - first]
      let end = stays + (try testCase.draw(.vectors(upTo: 40)))
      let onward = writer.write(
        GestureAction(after: rest, .pan(finger: 1 - first, from: stays, to: end, steps: 4)))
      return PinchScript(
        gesture: try GestureCase(writer.events, on: start.screen, start.picture), pinch: pinch,
        second: second, moved: moved, lifted: lifted, onward: onward, rest: rest, isTurning: false,
        stays: stays, goes: end)
    }
  }
}

extension Movement {
  /// Returns a generator of movements of one finger, or of a mouse, on a viewer's zoomed picture.
  static func onViewer(
    _ viewer: ViewerSubject, byMouse: Gen<Bool> = .constant(false)
  ) -> Gen<Movement> {
    Gens.zip(
      ViewerStart.any(viewer), Gen<ViewPoint>.vectors(upTo: 100),
      Gen<ViewPoint>.vectors(upTo: 50), byMouse
    ).map { start, place, way, isMouse in
      let from = start.screen.bounds.centre + place
      return Movement(
        system: .doubleTap, picture: start.picture, screen: start.screen, tapped: from, from: from,
        to: from + way, force: 0, isMouse: isMouse, zoom: start.zoom,
        firstStep: max(12, viewer.traits.dragSlop + 2), rest: viewer.pause)
    }
  }
}

extension ScreenChange {
  /// Returns a generator of resizes of a viewer that shows a zoomed picture at rest.
  static func onViewer(_ viewer: ViewerSubject) -> Gen<ScreenChange> {
    Gens.zip(Movement.onViewer(viewer), viewer.screens).compactMap { movement, other in
      guard let gesture = try? movement.played,
        let screen = try? Screen(size: other.size, scale: movement.screen.scale)
      else { return nil }
      let time = gesture.end + viewer.pause
      return ScreenChange(
        gesture: gesture, changes: [GestureEvent(time: time, kind: .screen(screen))], touches: [],
        later: time, isTogether: true)
    }
  }
}

extension Gen where Value == GestureCase {
  /// Returns a generator of pinches and movements in a viewer, and two of five cases without any.
  static func onViewer(_ viewer: ViewerSubject) -> Gen {
    let untouched = viewer.stages.compactMap { screen, picture in
      try? GestureCase([GestureEvent](), on: screen, picture)
    }
    return .weighted([
      (2, untouched), (2, PinchScript.onViewer(viewer).map { $0.gesture }),
      (1, Movement.onViewer(viewer).compactMap { try? $0.played }),
    ])
  }
}
