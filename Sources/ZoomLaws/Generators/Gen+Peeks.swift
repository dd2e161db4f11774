public import PropertyTesting
public import ZoomGeometry

extension Gen where Value == PeekInput {
  /// Inputs that a peek has to answer.
  ///
  /// Pictures, viewports, touches and scales of the generators of those names; one peek of four
  /// has a side of its own.
  ///
  /// - Parameters:
  ///   - takesScale: whether other scales than 1 are wanted.
  ///   - letterbox: what a touch beside the picture means.
  ///   - outsideShare: how often a coordinate of the touch is outside the viewport.
  /// - Returns: Such a generator.
  public static func peeks(
    takesScale: Bool = true, letterbox: LetterboxPolicy = .clamp, outsideShare: Double = 0.05
  ) -> Gen {
    let pictures = Gen<PixelSize>.pictures()
    let viewports = Gen<ViewSize>.viewports
    let sides = ownSides
    let scales: Gen<Double> = takesScale ? .scales : .constant(1)
    let places = Boundary.allCases.filter { Boundary.ofPlaces.contains($0) }
    return Gen { testCase throws(Discarded) in
      let picture = try testCase.span(.argument, pictures.body)
      let viewport = try testCase.span(.argument, viewports.body)
      let axes = FitAxes(width: picture.width, height: picture.height, viewport: viewport)
      let touch = testCase.span(.argument) { testCase in
        testCase.touch(axes, near: places, outsideShare: outsideShare)
      }
      let side = try testCase.span(.argument, sides.body)
      let scale = try testCase.span(.argument, scales.body)
      return PeekInput(
        pictureWidth: picture.width, pictureHeight: picture.height, viewport: viewport,
        side: side, scale: scale, letterbox: letterbox, touch: touch)
    }
  }

  /// Sides of peeks in points: mostly none, which means the viewport's shorter side.
  private static var ownSides: Gen<Double?> {
    .optional(of: .double(in: 0.25...2048, often: [1, 100, 375, 0.5]))
  }

  /// Inputs that no peek can be shown for, each wrong in one place or several.
  public static var invalidPeeks: Gen {
    let sound = Gen.peeks()
    return .oneOf(
      Gens.zip(sound, .invalidTouches).map { input, touch in
        var input = input
        input.touch = touch
        return input
      },
      Gens.zip(sound, .invalidViewports).map { input, viewport in
        var input = input
        input.viewport = viewport
        return input
      },
      Gens.zip(sound, .invalidPictures).map { input, sides in
        var input = input
        (input.pictureWidth, input.pictureHeight) = (sides.width, sides.height)
        return input
      },
      Gens.zip(sound, .invalidLengths).map { input, side in
        var input = input
        input.side = side
        return input
      },
      Gens.zip(sound, .invalidLengths).map { input, scale in
        var input = input
        input.scale = scale
        return input
      })
  }

  /// Inputs of finite numbers of any size, positive where they have to be.
  ///
  /// Subnormal, astronomic, or usual: a peek answers them or says that it cannot calculate with
  /// them.
  public static var wildPeeks: Gen {
    let any = Gen<Double> { testCase throws(Discarded) in
      testCase.double(in: .leastNonzeroMagnitude ... .greatestFiniteMagnitude) { random in
        switch random.next(upTo: 2) {
        case 0: random.double(in: 1...2048)
        case 1: random.element(of: [.leastNonzeroMagnitude, .leastNormalMagnitude, 1e-300, 1e300])
        default: nil
        }
      }
    }
    return Gens.zip(.peeks(), any, any, .finiteDouble, .finiteDouble, any, any).map {
      input, width, height, x, y, side, scale in
      var input = input
      input.viewport = ViewSize(width: width, height: height)
      input.touch = ViewPoint(x: x, y: y)
      input.side = input.side == nil ? nil : side
      input.scale = scale
      return input
    }
  }
}
