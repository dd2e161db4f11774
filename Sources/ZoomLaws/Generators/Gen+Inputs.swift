public import PropertyTesting
public import ZoomGeometry

extension Gen {
  /// Returns a generator of the values with one property replaced by values of another generator.
  fileprivate func setting<Part>(
    _ property: any WritableKeyPath<Value, Part> & Sendable, to parts: Gen<Part>
  ) -> Gen {
    Gens.zip(self, parts).map { value, part in
      var value = value
      value[keyPath: property] = part
      return value
    }
  }
}

extension Gen where Value == PeekInput {
  /// Returns a generator of inputs that a peek must answer; `takesScale` allows any scale.
  ///
  /// `outsideShare` is the share of the touch's coordinates outside the viewport. A quarter of the
  /// inputs leave out the side.
  public static func peeks(
    takesScale: Bool = true, letterbox: LetterboxPolicy = .clamp, outsideShare: Double = 0.05
  ) -> Gen {
    let pictures = Gen<PixelSize>.pictures()
    let viewports = Gen<ViewSize>.viewports
    let sides = Gen<Double?>.optional(of: .double(in: 0.25...2048, often: [1, 100, 375, 0.5]))
    let scales: Gen<Double> = takesScale ? .scales : .constant(1)
    return Gen { testCase throws(Discarded) in
      let picture = try testCase.span(.argument, pictures.body)
      let viewport = try testCase.span(.argument, viewports.body)
      var input = PeekInput(
        pictureWidth: picture.width, pictureHeight: picture.height, viewport: viewport,
        letterbox: letterbox, touch: ViewPoint(x: 0, y: 0))
      let axes = input.axes
      input.touch = testCase.span(.argument) { testCase in
        testCase.touch(axes, near: Boundary.allCases, outsideShare: outsideShare)
      }
      input.side = try testCase.span(.argument, sides.body)
      input.scale = try testCase.span(.argument, scales.body)
      return input
    }
  }

  /// Inputs for which no peek can be shown, with one or several faults.
  public static var invalidPeeks: Gen {
    let sound = Gen.peeks()
    return .oneOf(
      sound.setting(\.touch, to: .invalidTouches), sound.setting(\.viewport, to: .invalidViewports),
      sound.setting(\.pictureSides, to: .invalidPictures),
      sound.setting(\.side, to: Gen<Double>.invalidLengths.map { $0 }),
      sound.setting(\.scale, to: .invalidLengths))
  }

  /// Inputs of finite numbers of any size, which a peek answers or refuses to calculate with.
  public static var wildPeeks: Gen {
    let any = Gen<Double> { testCase throws(Discarded) in
      testCase.double(in: .leastNonzeroMagnitude ... .greatestFiniteMagnitude) { random in
        switch random.next(through: 2) {
        case 0: random.double(in: 1...2048)
        case 1: random.element(of: [.leastNonzeroMagnitude, .leastNormalMagnitude, 1e-300, 1e300])
        default: nil
        }
      }
    }
    let point = Gens.zip(Gen<Double>.finiteDouble, .finiteDouble).map { ViewPoint(x: $0, y: $1) }
    return Gen.peeks().setting(\.scale, to: any)
      .setting(\.side, to: .optional(of: any)).setting(\.touch, to: point)
      .setting(\.viewport, to: Gens.zip(any, any).map { ViewSize(width: $0, height: $1) })
  }
}

extension PeekInput {
  fileprivate var pictureSides: (width: Int, height: Int) {
    get { (pictureWidth, pictureHeight) }
    set { (pictureWidth, pictureHeight) = newValue }
  }
}

extension Gen where Value == DoubleTapScene {
  /// Returns a generator of pictures at one, two or three pixels per point, in viewports.
  ///
  /// `onlyFactor` is the factor of all scenes, which then have the largest zoom 3; nil for factors
  /// from 1 to 10 and largest zooms from 1 to 20.
  public static func doubleTapScenes(onlyFactor: Double? = nil) -> Gen {
    let images = Gens.zip(Gen<PixelSize>.pictures(), Gen<Double>.element(of: [1, 2, 3])).map {
      ViewSize(width: Double($0.width) / $1, height: Double($0.height) / $1)
    }
    let settings: Gen<(Double, Double)> =
      onlyFactor.map { .constant(($0, 3)) }
      ?? Gens.zip(
        .double(in: 1...10, often: [2, 4, 1.5, 3, 10], share: 0.75),
        .double(in: 1...20, often: [3, 2, 4, 1, 20], share: 0.75))
    return Gens.zip(images, .viewports, settings).map { image, bounds, settings in
      DoubleTapScene(image: image, bounds: bounds, factor: settings.0, maximumZoom: settings.1)
    }
  }
}

extension Gen where Value == DoubleTapInput {
  /// Returns a generator of double taps on the picture: anywhere, in its middle, on its border.
  ///
  /// `onlyFactor` is as in `doubleTapScenes(onlyFactor:)`.
  public static func doubleTaps(onlyFactor: Double? = nil) -> Gen {
    let scenes = Gen<DoubleTapScene>.doubleTapScenes(onlyFactor: onlyFactor)
    return Gen { testCase throws(Discarded) in
      let scene = try testCase.span(.argument, scenes.body)
      let place = testCase.span(.argument) { testCase in
        // One coordinate in five is at an end, just inside one, or in the middle.
        let (x, y) = (scene.image.width, scene.image.height)
        let places = [x, y].map { length in
          testCase.double(
            in: 0...length,
            often: [length, 0, length / 2, length.nextDown, .leastNonzeroMagnitude], share: 0.2)
        }
        return ViewPoint(x: places[0], y: places[1])
      }
      return DoubleTapInput(scene: scene, place: place)
    }
  }

  /// Returns a generator of double taps beside the picture, on one axis or both, often by only an ulp.
  public static func doubleTapsBeside(onlyFactor: Double? = nil) -> Gen {
    @Sendable func beside(_ length: Double) -> Gen<Double> {
      .oneOf(
        .double(in: length.nextUp...length + 1e6, often: [length.nextUp, length + 1]),
        .double(in: -1e6 ... -.leastNonzeroMagnitude, often: [-1, -.leastNonzeroMagnitude]))
    }
    return Gen.doubleTaps(onlyFactor: onlyFactor).flatMap { input in
      let image = input.scene.image
      let sound = Gen.constant(input)
      let wide = sound.setting(\.place.x, to: beside(image.width))
      return .oneOf(
        wide, sound.setting(\.place.y, to: beside(image.height)),
        wide.setting(\.place.y, to: beside(image.height)))
    }
  }

  /// Double taps with one or several numbers that cannot be calculated with.
  public static var invalidDoubleTaps: Gen {
    let sound = Gen.doubleTaps()
    return .oneOf(
      sound.setting(\.scene.bounds, to: .invalidViewports),
      sound.setting(\.scene.image, to: .invalidViewports),
      sound.setting(\.place, to: .invalidTouches))
  }
}

extension Gen where Value == [GestureEvent.Kind] {
  /// Inputs of a recogniser: presses, taps, pans and pinches, by up to three fingers.
  public static var forceInputs: Gen {
    Gen { testCase throws(Discarded) in
      let screen = try testCase.draw(.gestureScreens)
      let actions = try testCase.draw(.array(of: .actions(on: screen), count: 0...16))
      return GestureWriter.events(of: actions).filter { $0.isTouch || $0.kind == .cancelAll }
        .map(\.kind)
    }
  }
}

extension Gen where Value == ForceSubject.RestingButton {
  /// Buttons with shadows of any kind, on hardware that measures force.
  public static var forceButtons: Gen {
    Gens.zip(.maximumForces, .double(in: -20...20), .double(in: -20...20), .double(in: 0...20)).map
    {
      ForceSubject.RestingButton(
        maximumForce: $0.0, offset: ViewPoint(x: $0.1, y: $0.2), radius: $0.3)
    }
  }
}

extension Gen where Value == ForceSubject.PressedView {
  /// Presses on, beside and at the borders of views that are on or around a screen.
  public static var presses: Gen {
    let share = Gen<Double> { testCase throws(Discarded) in
      testCase.double(in: -2...3) { random in
        switch random.next(through: 5) {
        case 0: nil
        case 1: random.element(of: [0, 1])
        default: random.double(in: 0...1)
        }
      }
    }
    return Gens.zip(Gen<ViewRect>.places, share, share, .pressures()).map { frame, x, y, force in
      ForceSubject.PressedView(
        frame: frame,
        finger: ViewPoint(x: frame.x + x * frame.width, y: frame.y + y * frame.height),
        force: force)
    }
  }
}
