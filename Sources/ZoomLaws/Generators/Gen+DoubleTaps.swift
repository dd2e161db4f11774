public import PropertyTesting
internal import ZoomGeometry

extension Gen where Value == DoubleTapScene {
  /// Pictures of points at one, two or three pixels a point, in viewports of the generators of
  /// those names.
  ///
  /// - Parameter onlyFactor: the factor of all scenes, which then have the largest zoom 3; nil for
  ///   factors from 1 to 10 and largest zooms from 1 to 20.
  /// - Returns: Such a generator.
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
  /// Double taps on the picture: anywhere, at its middle, on its border.
  ///
  /// - Parameter onlyFactor: as in `doubleTapScenes(onlyFactor:)`.
  /// - Returns: Such a generator.
  public static func doubleTaps(onlyFactor: Double? = nil) -> Gen {
    let scenes = Gen<DoubleTapScene>.doubleTapScenes(onlyFactor: onlyFactor)
    return Gen { testCase throws(Discarded) in
      let scene = try testCase.span(.argument, scenes.body)
      let place = testCase.span(.argument) { testCase in
        let x = testCase.place(of: scene.image.width)
        return ViewPoint(x: x, y: testCase.place(of: scene.image.height))
      }
      return DoubleTapInput(scene: scene, place: place)
    }
  }

  /// Double taps beside the picture: left or right of it or above or below, or both, often by an
  /// ulp.
  public static func doubleTapsBeside(onlyFactor: Double? = nil) -> Gen {
    Gen.doubleTaps(onlyFactor: onlyFactor).flatMap { input in
      let image = input.scene.image
      return .oneOf(
        beside(image.width).map { input.moved(x: $0, y: input.place.y) },
        beside(image.height).map { input.moved(x: input.place.x, y: $0) },
        Gens.zip(beside(image.width), beside(image.height)).map { input.moved(x: $0, y: $1) })
    }
  }

  /// Double taps in scenes or at places that cannot be calculated with, each wrong in one place or
  /// several.
  public static var invalidDoubleTaps: Gen {
    let sound = Gen.doubleTaps()
    return .oneOf(
      Gens.zip(sound, .invalidViewports).map { input, bounds in
        var input = input
        input.scene.bounds = bounds
        return input
      },
      Gens.zip(sound, .invalidViewports).map { input, image in
        var input = input
        input.scene.image = image
        return input
      },
      Gens.zip(sound, .invalidTouches).map { input, place in input.moved(x: place.x, y: place.y) })
  }

  private static func beside(_ length: Double) -> Gen<Double> {
    .oneOf(
      .double(in: length.nextUp...length + 1e6, often: [length.nextUp, length + 1]),
      .double(in: -1e6 ... -.leastNonzeroMagnitude, often: [-1, -.leastNonzeroMagnitude]))
  }
}

extension DoubleTapInput {
  fileprivate func moved(x: Double, y: Double) -> DoubleTapInput {
    DoubleTapInput(scene: scene, place: ViewPoint(x: x, y: y))
  }
}

extension TestCase {
  /// Draws a place of a picture's axis: one of five is at its end, its middle, or beside an end.
  fileprivate mutating func place(of length: Double) -> Double {
    double(
      in: 0...length,
      often: [length, length / 2, length.nextDown, .leastNonzeroMagnitude], share: 0.2)
  }
}
