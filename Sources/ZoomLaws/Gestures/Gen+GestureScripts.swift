public import PropertyTesting
public import ZoomGeometry

extension Gen where Value == GestureCase {
  /// Scripts of up to some actions over pictures of every shape, on every stage.
  ///
  /// A script of few actions can have a hundred events: a pinch, a pan and a press have up to 40.
  /// - Parameters:
  ///   - system: whose picture is to be on the screen; the transition's is presented first in half of
  ///     the scripts.
  ///   - actions: how many there may be.
  ///   - interrupts: whether the screen, the device and the system also do something.
  /// - Returns: Such a generator.
  public static func gestures(
    of system: ZoomSystem, actions: ClosedRange<Int> = 0...24, interrupts: Bool = true
  ) -> Gen {
    Gen { testCase throws(Discarded) in
      let screen = try testCase.draw(.gestureScreens)
      let stage = try testCase.draw(.stages(on: screen))
      let opens = system == .transition ? try testCase.draw(.bool) : false
      let drawn = try testCase.draw(
        .array(of: .actions(on: screen, interrupts: interrupts), count: actions))
      let script = try testCase.draw(
        .scripts(on: screen, stage: stage, (opens ? stage.opening(on: screen) : []) + drawn))
      return GestureCase(script: script, picture: try testCase.draw(.gesturePictures))
    }
  }
}

extension Gen where Value == GestureScript {
  /// Scripts of any actions.
  public static func gestures(actions: ClosedRange<Int> = 0...24) -> Gen {
    Gen<GestureCase>.gestures(of: .peek, actions: actions).map(\.script)
  }

  /// Scripts of given actions, held and drawn in any way.
  static func scripts(on screen: Screen, stage: Stage, _ actions: [GestureAction]) -> Gen {
    // The simplest first: upright, on hardware that senses force.
    let devices: [DeviceOrientation] = [
      .portrait, .portraitUpsideDown, .landscapeLeft, .landscapeRight, .faceUp, .faceDown, .unknown,
    ]
    let interfaces: [InterfaceOrientation] = [
      .portrait, .portraitUpsideDown, .landscapeRight, .landscapeLeft, .unknown,
    ]
    // Seven scripts of eight are for hardware that senses force.
    let maximum = Gen<Double>.weighted([
      (7, .constant(GestureScript.usualMaximumForce)), (1, .constant(0)),
    ])
    return Gens.zip(.element(of: devices), .element(of: interfaces), maximum).compactMap {
      // All of it passes the script's checks, so nothing is ever left out here.
      try? GestureScript(
        screen: screen, maximumForce: $0.2, device: $0.0, interface: $0.1, stage: stage,
        events: GestureWriter.events(of: actions))
    }
  }
}

extension Gen where Value == Stage {
  /// Stages whose view is within the screen, alone or in views that scroll and scale.
  public static func stages(on screen: Screen) -> Gen {
    let (width, height) = (screen.size.width, screen.size.height)
    // At least a twentieth of the screen, so that a finger can hit it.
    let sides = Gens.zip(
      Gen<Double>.double(in: 0.05 * width...0.95 * width),
      Gen<Double>.double(in: 0.05 * height...0.95 * height))
    let view = Gen<ViewRect> { testCase throws(Discarded) in
      let (wide, high) = try sides.body(&testCase)
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
  /// A tap on the thumbnail of a transition, and the time until its picture is presented.
  func opening(on screen: Screen) -> [GestureAction] {
    [
      GestureAction(.tap(at: thumbnail(on: screen).centre, held: GestureWriter.sampling)),
      // 0.5 s of transition.
      GestureAction(after: 0.6, .lift([0])),
    ]
  }

  /// Returns the place of the transition's thumbnail in points of the screen, ancestors included.
  func thumbnail(on screen: Screen) -> ViewRect {
    let own = view ?? Transition.usualThumbnail(on: screen, direction)
    return ancestors.reduce(Affine.identity) { $0.then($1.layer.toParent) }.boundingBox(of: own)
  }
}

extension GestureCase {
  /// The case of some events from the start on a screen; discards what makes no script.
  init(_ events: [GestureEvent], on screen: Screen, _ picture: PixelSize) throws(Discarded) {
    guard let script = try? GestureScript(screen: screen, events: events) else { throw Discarded() }
    self.init(script: script, picture: picture)
  }
}

extension Gen where Value == Screen {
  /// Screens that hands use, upright and on their sides, a third of one, and small ones, with and
  /// without notches.
  static var gestureScreens: Gen {
    let sizes: [(Double, Double)] = [
      (375, 667), (667, 375), (320, 480), (768, 1024), (1024, 768), (320, 1024), (100, 100),
      (60, 300),
    ]
    // Shares of the sides: none, an upright phone's, a turned phone's, and different ones everywhere.
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
  /// The sides of the sample photographs, squares, threads and single pixels.
  static var gesturePictures: Gen {
    let known = [
      (1600, 1200), (1200, 1600), (4535, 1823), (3264, 4896), (100, 100), (15, 16),
      (1, 1), (1, 100), (3000, 30),
    ]
    return Gen { testCase throws(Discarded) in
      var height: Int?
      let width =
        1
        + testCase.index(upTo: 4999) { random in
          guard random.next(upTo: 3) < 3 else { return random.next(upTo: 4999) }
          let size = random.element(of: known)
          height = size.1
          return UInt64(size.0 - 1)
        }
      let drawn =
        1
        + testCase.index(upTo: 4999) { random in
          height.map { UInt64($0 - 1) } ?? random.next(upTo: 4999)
        }
      guard let size = try? PixelSize(width: Int(width), height: Int(drawn)) else {
        throw Discarded()
      }
      return size
    }
  }
}
