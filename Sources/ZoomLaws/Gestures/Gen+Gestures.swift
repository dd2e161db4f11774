public import PropertyTesting
public import ZoomGeometry

extension Gen where Value == GestureAction {
  /// Returns a generator of all actions of fingers, the device and the system on a screen.
  ///
  /// One place in ten may be outside the screen, by up to a tenth of its side. One in ten is the given target, which is
  /// the simplest place.
  public static func actions(on screen: Screen, target: ViewPoint? = nil) -> Gen {
    let anywhere = Gen<ViewPoint>.places(on: screen)
    let place = target.map { .weighted([(1, .constant($0)), (9, anywhere)]) } ?? anywhere
    let fingers = Gen<Int>.integer(in: 0...2)
    let several = Gen<Set<Int>>.set(of: fingers, count: 1...3)
    let force = Gen<Double>.pressures()
    let steps = Gen<Int>.integer(in: 1...40)
    let forces = Gen<[Double]>.array(of: force, count: 1...40)
    let kinds: [(weight: Int, generator: Gen<GestureAction.Deed>)] = [
      (4, Gens.zip(fingers, place, force).map { .touch(finger: $0.0, at: $0.1, force: $0.2) }),
      (3, several.map { .lift($0) }),
      (4, Gens.zip(place, .pauses).map { .tap(at: $0.0, held: $0.1) }),
      (3, Gens.zip(place, .pauses).map { .doubleTap(at: $0.0, then: $0.0, gap: $0.1) }),
      (1, Gens.zip(place, place, .pauses).map { .doubleTap(at: $0.0, then: $0.1, gap: $0.2) }),
      (
        4,
        Gens.zip(fingers, place, place, steps).map {
          .pan(finger: $0.0, from: $0.1, to: $0.2, steps: $0.3)
        }
      ), (5, Gen<GestureAction.PinchPath>.pinches(on: screen, steps: 1...40).map { .pinch($0) }),
      (2, Gens.zip(place, forces).map { .press(at: $0.0, forces: $0.1) }),
      (1, several.map { .lose($0) }), (1, Gen<DeviceOrientation>.allCases.map { .turn($0) }),
      (1, Gen<InterfaceOrientation>.allCases.map { .turnInterface($0) }),
      (1, Gen<Screen>.gestureScreens.map { .resize($0) }), (1, .constant(.cancel)),
      (1, .constant(.close)),
    ]
    return Gens.zip(.pauses, .weighted(kinds)).map { GestureAction(after: $0.0, $0.1) }
  }
}

extension Gen where Value == GestureAction.PinchPath {
  /// Returns a generator of two fingers that press, open, close and move, together or not; one, both
  /// or none are then lifted, one after the other.
  public static func pinches(on screen: Screen, steps: ClosedRange<Int>) -> Gen {
    let place = Gen<ViewPoint>.places(on: screen)
    let side = min(screen.size.width, screen.size.height)
    let arm = Gen<ViewPoint>.vectors(upTo: side / 2)
    let lifted = Gen<[Int]>.element(of: [[1, 0], [0, 1], [1], [0], []])
    let force = Gen<Double>.pressures()
    return Gens.zip(place, place, arm, arm, .integer(in: steps), lifted, force).map {
      GestureAction.PinchPath(
        from: $0.0, to: $0.1, arm: $0.2, endArm: $0.3, steps: $0.4, lifted: $0.5, force: $0.6)
    }
  }
}

extension Gen where Value == ViewPoint {
  static func vectors(upTo reach: Double) -> Gen {
    Gens.zip(Gen<Double>.double(in: -reach...reach), .double(in: -reach...reach))
      .map { ViewPoint(x: $0, y: $1) }
  }

  /// Returns a generator of points on a screen, on its borders and up to a tenth outside.
  static func places(on screen: Screen) -> Gen {
    let (width, height) = (screen.size.width, screen.size.height)
    return Gen { testCase throws(Discarded) in
      var isInside = true
      let x = testCase.double(in: -width / 10...1.1 * width) { random in
        isInside = random.next(through: 9) < 9
        return isInside ? random.double(in: 0...width) : nil
      }
      let y = testCase.double(in: -height / 10...1.1 * height) { random in
        isInside ? random.double(in: 0...height) : nil
      }
      return ViewPoint(x: x, y: y)
    }
  }
}

extension Gen where Value == Double {
  /// Pauses between two actions, up to 1.5 s: animations and a tap's delay may end or not.
  static var pauses: Gen {
    Gen { testCase throws(Discarded) in
      testCase.double(in: 0...1.5) { random in
        random.next(through: 4) < 4 ? Double(random.next(through: 90)) / 60 : nil
      }
    }
  }

  /// Returns a generator of forces, often near those at which a zoom begins and ends; a few are
  /// negative, which a script allows.
  static func pressures(upTo maximum: Double = GestureScript.usualMaximumForce) -> Gen {
    Gen { testCase throws(Discarded) in
      testCase.double(in: -1...2 * maximum) { random in
        // An average touch has force 1, above which a published zoom grows.
        random.next(through: 19) < 19
          ? random.force(maximum, [1, maximum]) : random.double(in: -1...0)
      }
    }
  }
}

extension Gen where Value == GestureCase {
  /// Returns a generator of scripts of actions over pictures of every shape, in any surroundings.
  ///
  /// Half of the scripts for a transition first present its picture; half of those for a double tap first zoom it.
  public static func gestures(of system: ZoomSystem, actions: ClosedRange<Int> = 0...24) -> Gen {
    Gen { testCase throws(Discarded) in
      let screen = try testCase.draw(.gestureScreens)
      let stage = try testCase.draw(.stages(on: screen))
      var opening = stage.opening(of: system, on: screen)
      if system == .doubleTap {
        let place = try testCase.draw(.places(on: screen))
        // The zoom takes 0.3 s.
        opening = [GestureAction(.zoomTap(at: place)), GestureAction(after: 0.4, .lift([0]))]
      }
      let opens = opening.isEmpty ? false : try testCase.draw(.bool)
      let drawn = try testCase.draw(
        .array(
          of: .actions(on: screen, target: stage.target(of: system, on: screen)), count: actions))
      let script = try testCase.draw(
        .scripts(on: screen, stage: stage, (opens ? opening : []) + drawn))
      return GestureCase(script: script, picture: try testCase.draw(.gesturePictures))
    }
  }
}

extension Gen where Value == GestureScript {
  /// Returns a generator of scripts of the given actions, in any orientations.
  static func scripts(on screen: Screen, stage: Stage, _ actions: [GestureAction]) -> Gen {
    // Seven scripts of eight are for hardware that measures force.
    let maximum = Gen<Double>.weighted([
      (7, .constant(GestureScript.usualMaximumForce)), (1, .constant(0)),
    ])
    // The upright orientations are the simplest.
    return Gens.zip(
      Gen<DeviceOrientation>.element(of: DeviceOrientation.uprightFirst),
      Gen<InterfaceOrientation>.element(of: InterfaceOrientation.uprightFirst), maximum
    ).compactMap {
      try? GestureScript(
        screen: screen, maximumForce: $0.2, device: $0.0, interface: $0.1, stage: stage,
        events: GestureWriter.events(of: actions))
    }
  }
}

extension CaseIterable where AllCases == [Self] {
  /// All orientations, the upright one first and the unknown one last.
  static var uprightFirst: [Self] { Array(allCases.dropFirst() + allCases.prefix(1)) }
}

extension Gen where Value == Stage {
  /// Returns a generator of stages whose view is on the screen, alone or in views that scroll and scale.
  public static func stages(on screen: Screen) -> Gen {
    let (width, height) = (screen.size.width, screen.size.height)
    let view = Gen<ViewRect> { testCase throws(Discarded) in
      // At least a twentieth of the screen, so that a finger can hit it.
      let wide = testCase.double(in: 0.05 * width...0.95 * width)
      let high = testCase.double(in: 0.05 * height...0.95 * height)
      let x = testCase.double(in: 0...width - wide)
      return ViewRect(x: x, y: testCase.double(in: 0...height - high), width: wide, height: high)
    }
    let ancestor = Gens.zip(
      Gen<Double>.double(in: -20...20), .double(in: -20...20), .element(of: [1, 0.5, 2])
    ).map { x, y, scale in
      Stage.Ancestor(frame: screen.bounds, scroll: ViewPoint(x: x, y: y), scale: scale)
    }
    return Gens.zip(
      .optional(of: view), .double(in: 0...30),
      Gen<[Stage.Ancestor]>.array(of: ancestor, count: 0...2),
      Gen<WindowKind?>.element(of: [nil, .fixed, .turning]), Gen<ForceExhibit>.allCases
    ).map { view, radius, ancestors, window, exhibit in
      Stage(
        view: view, cornerRadius: radius, ancestors: view == nil ? [] : ancestors,
        window: window, forceExhibit: exhibit)
    }
  }
}

extension Stage {
  func opening(of system: ZoomSystem = .transition, on screen: Screen) -> [GestureAction] {
    guard system == .transition else { return [] }
    return [
      GestureAction(.tap(at: target(of: system, on: screen), held: GestureWriter.sampling)),
      // The transition takes 0.5 s.
      GestureAction(after: 0.6, .lift([0])),
    ]
  }

  func target(of system: ZoomSystem, on screen: Screen) -> ViewPoint {
    let usual =
      system == .transition ? Transition.usualThumbnail(on: screen, direction) : screen.bounds
    return placed(view ?? usual).centre
  }

  func zoomed(
    of system: ZoomSystem = .transition, on screen: Screen, at place: ViewPoint
  ) -> [GestureAction] {
    // The animation takes 0.3 s.
    let zoom = [GestureAction(.zoomTap(at: place)), GestureAction(after: 0.5, .lift([0]))]
    return opening(of: system, on: screen) + zoom
  }
}

extension Gen where Value == Screen {
  static var gestureScreens: Gen {
    let sizes: [(Double, Double)] = [
      (375, 667), (667, 375), (320, 480), (768, 1024), (1024, 768), (320, 1024), (100, 100),
      (60, 300),
    ]
    // The insets in shares of the sides: none, an upright phone's, a turned one's, all different.
    let insets = [
      ViewInsets.none, ViewInsets(top: 0.066, bottom: 0.051),
      ViewInsets(left: 0.066, bottom: 0.056, right: 0.066),
      ViewInsets(top: 0.1, left: 0.2, bottom: 0.15, right: 0.05),
    ]
    return Gens.zip(
      Gen<(Double, Double)>.element(of: sizes),
      Gen<Double>.element(of: [1, 2, 3, 1.5, 2.625, 3.5]),
      .element(of: insets)
    ).compactMap { sides, scale, share in
      let (width, height) = sides
      return try? Screen(
        size: ViewSize(width: width, height: height), scale: scale,
        insets: ViewInsets(
          top: share.top * height, left: share.left * width, bottom: share.bottom * height,
          right: share.right * width))
    }
  }
}

extension Gen where Value == PixelSize {
  /// Sizes of pictures; three in four are sizes of photographs or of small or extremely thin pictures.
  static var gesturePictures: Gen {
    let known = [
      (1600, 1200), (1200, 1600), (4535, 1823), (3264, 4896), (100, 100), (15, 16),
      (1, 1), (1, 100), (3000, 30),
    ]
    return Gen { testCase throws(Discarded) in
      var height: Int?
      let width = testCase.index(through: 4999) { random in
        guard random.next(through: 3) < 3 else { return random.next(through: 4999) }
        let size = random.element(of: known)
        height = size.1
        return UInt64(size.0 - 1)
      }
      let drawn = testCase.index(through: 4999) { random in
        height.map { UInt64($0 - 1) } ?? random.next(through: 4999)
      }
      return try given(try? PixelSize(width: Int(width) + 1, height: Int(drawn) + 1))
    }
  }
}

extension GestureCase {
  /// Creates a case of events on a screen; discards events that make an invalid script.
  init(_ events: [GestureEvent], on screen: Screen, _ picture: PixelSize) throws(Discarded) {
    self.init(
      script: try given(try? GestureScript(screen: screen, events: events)), picture: picture)
  }
}

extension Gen where Value == GestureCase {
  /// Returns a generator of gestures that come to rest before a last action: a tap, two taps, a
  /// turn, a pinch or the close button.
  static func lastDeeds(of system: ZoomSystem, mayRepeat: Bool = false) -> Gen {
    Gen { testCase throws(Discarded) in
      let gesture = try testCase.draw(.gestures(of: system, actions: 0...6))
      let (still, later) = GestureLaws.rested(gesture)
      let screen = still.lastScreen ?? gesture.script.screen
      let place = try testCase.draw(.oneOf(.constant(screen.bounds.centre), .places(on: screen)))
      let deed = Gen<GestureAction.Deed>.oneOf(
        .constant(.zoomTap(at: place)),
        .constant(.tap(at: place, held: GestureWriter.sampling)),
        .constant(.close), Gen<DeviceOrientation>.allCases.map { .turn($0) },
        Gen<GestureAction.PinchPath>.pinches(on: screen, steps: 1...3).map {
          var pinch = $0
          pinch.lifted = [1]
          return .pinch(pinch)
        })
      var actions = [GestureAction(try testCase.draw(deed))]
      // The second action interrupts the animation that the first one starts.
      if mayRepeat, try testCase.draw(.bool) {
        let pause = try testCase.draw(.double(in: 0...0.3))
        actions.append(GestureAction(after: pause, try testCase.draw(deed)))
      }
      let events = still + GestureWriter.events(of: actions, at: later)
      let script = try given(
        try? GestureScript(
          screen: gesture.script.screen, framesPerSecond: 240, device: gesture.script.device,
          interface: gesture.script.interface, stage: gesture.script.stage, events: events))
      return GestureCase(script: script, picture: gesture.picture)
    }
  }
}
