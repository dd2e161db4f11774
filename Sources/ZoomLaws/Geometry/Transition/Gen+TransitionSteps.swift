public import PropertyTesting
public import ZoomGeometry

extension Gen where Value == TransitionSubject.Setup {
  /// Thumbnails of every shape on and around every screen.
  public static var transitionSetups: Gen {
    zip(Gen<PixelSize>.gesturePictures, .gestureScreens, Gen<ViewRect>.places, .double(in: 0...50))
      .map {
        TransitionSubject.Setup(picture: $0.0, screen: $0.1, thumbnail: $0.2, cornerRadius: $0.3)
      }
  }
}

extension Gen where Value == [TransitionSubject.Step] {
  /// What hands do at full screen: pans, pinches, taps and turns, each brought to its end.
  ///
  /// - Parameters:
  ///   - screen: where.
  ///   - turns: whether the device is turned too.
  /// - Returns: Such a generator.
  public static func transitionSteps(on screen: Screen, turns: Bool = true) -> Gen {
    typealias Step = TransitionSubject.Step
    let place = Gen<ViewPoint>.places(on: screen)
    let way = Gen<Double>.double(in: -500...500)
    let ways = zip(way, way).map { ViewPoint(x: $0.0, y: $0.1) }
    let speed = Gen<Double>.double(in: -3000...3000)
    let speeds = zip(speed, speed).map { ViewPoint(x: $0.0, y: $0.1) }
    let pan = zip(ways, speeds).map { [Step.pan(by: $0.0), .endPan(velocity: $0.1)] }
    let event = zip(Gen<Double>.ratios, place).map { Step.pinch(ratio: $0.0, centre: $0.1) }
    let end = Gen<Step>.element(of: [.endPinch, .cancel])
    let pinch = zip(place, Gen<[Step]>.array(of: event, count: 1...20), end).map {
      [Step.beginPinch(at: $0.0)] + $0.1 + [$0.2]
    }
    var kinds: [(weight: Int, generator: Gen)] = [
      (3, pan), (4, pinch), (1, .constant([.singleTap])),
      (2, place.map { [.doubleTap(at: $0)] }),
    ]
    if turns {
      kinds.append(
        (
          3,
          zip(Gen<DeviceOrientation>.allCases, .bool).map { [.turn($0.0, isHasty: $0.1)] }
        ))
    }
    return Gen<[[Step]]>.array(of: .weighted(kinds), count: 0...8).map { $0.flatMap { $0 } }
  }
}

extension Gen where Value == Double {
  /// The distance of two fingers over that at the beginning, 1/20 to 20, evenly on a logarithm, now
  /// and then one that has hardly changed, and one that brings a fitted picture to a limit.
  static var ratios: Gen {
    let slack = 2 * TransitionFit.tolerance
    return Gen { testCase throws(Discarded) in
      testCase.double(in: 0.05...20) { random in
        switch random.next(upTo: 7) {
        // Within and without the tolerance of a fitted scale.
        case 0: random.double(in: 1 - slack...1 + slack)
        case 1: random.zoom(limits: 1...PinchBand.publishedMaximum)
        default: Self.ratio(eighths: Int(random.next(upTo: 68)) - 34)
        }
      }
    }
  }

  /// 2^(n/8), built from roots, which are correctly rounded.
  private static func ratio(eighths: Int) -> Double {
    let root = 2.0.squareRoot().squareRoot().squareRoot()
    let power = (0..<abs(eighths)).reduce(1.0) { product, _ in product * root }
    return eighths < 0 ? 1 / power : power
  }
}

extension Gen where Value == TransitionSubject.Throw {
  /// Ends of pans of pictures smaller and larger than the screen, at rest and thrown.
  public static var throwsOfPictures: Gen {
    let speed = Gen<Double> { testCase throws(Discarded) in
      testCase.double(in: -1e6...1e6) { random in
        switch random.next(upTo: 4) {
        case 0: 0
        case 1: random.element(of: [199.9, 200, 1e6])
        default: random.double(in: -3000...3000)
        }
      }
    }
    return zip(.offsets, .offsets, speed, speed, .sides, .sides, .gestureScreens).map {
      TransitionSubject.Throw(
        centre: ViewPoint(x: $0.0, y: $0.1), velocity: ViewPoint(x: $0.2, y: $0.3),
        box: ViewSize(width: $0.4, height: $0.5), viewport: $0.6.size)
    }
  }
}
