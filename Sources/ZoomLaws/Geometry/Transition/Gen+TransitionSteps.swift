public import PropertyTesting
public import ZoomGeometry

extension Gen where Value == TransitionSubject.Presentation {
  /// Thumbnails of every shape on and around every screen.
  public static var transitionSetups: Gen {
    zip(Gen<PixelSize>.gesturePictures, .gestureScreens, Gen<ViewRect>.places, .double(in: 0...50))
      .map {
        TransitionSubject.Presentation(
          picture: $0.0, screen: $0.1, thumbnail: $0.2, cornerRadius: $0.3)
      }
  }
}

extension Gen where Value == [TransitionSubject.ViewerStep] {
  /// What hands do at full screen: pans, pinches, taps and turns, each brought to its end.
  public static func transitionSteps(on screen: Screen, turns: Bool = true) -> Gen {
    let place = Gen<ViewPoint>.places(on: screen)
    let way = Gen<Double>.double(in: -500...500)
    let ways = zip(way, way).map { ViewPoint(x: $0.0, y: $0.1) }
    let speed = Gen<Double>.double(in: -3000...3000)
    let speeds = zip(speed, speed).map { ViewPoint(x: $0.0, y: $0.1) }
    let pan = zip(ways, speeds).map {
      [TransitionSubject.ViewerStep.pan(by: $0.0), .endPan(velocity: $0.1)]
    }
    let event = zip(Gen<Double>.ratios, place).map {
      TransitionSubject.ViewerStep.pinch(ratio: $0.0, centre: $0.1)
    }
    let end = Gen<TransitionSubject.ViewerStep>.element(of: [.endPinch, .cancel])
    let pinch = zip(place, Gen<[TransitionSubject.ViewerStep]>.array(of: event, count: 1...20), end)
      .map {
        [TransitionSubject.ViewerStep.beginPinch(at: $0.0)] + $0.1 + [$0.2]
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
    return Gen<[[TransitionSubject.ViewerStep]]>.array(of: .weighted(kinds), count: 0...8).map {
      $0.flatMap { $0 }
    }
  }
}

extension Gen where Value == Double {
  /// The distance of two fingers over that at the beginning, 1/20 to 20, evenly on a logarithm, now
  /// and then one that has hardly changed, and one that brings a fitted picture to a limit.
  static var ratios: Gen {
    // Powers of two by eighths: 2^(n/8) is built from roots, which are correctly rounded.
    let wide = Gen<Int>.integer(in: -34...34).map { eighths in
      let root = 2.0.squareRoot().squareRoot().squareRoot()
      let power = (0..<abs(eighths)).reduce(1.0) { product, _ in product * root }
      return eighths < 0 ? 1 / power : power
    }
    // Within and without the tolerance of a fitted scale.
    let narrow = Gen<Double>.double(
      in: 1 - 2 * TransitionFit.tolerance...1 + 2 * TransitionFit.tolerance)
    return .weighted([
      (6, wide), (1, narrow), (1, .zooms(limits: 1...PinchBand.publishedMaximum)),
    ])
  }
}

extension Gen where Value == TransitionSubject.Throw {
  /// Ends of pans of pictures smaller and larger than the screen, at rest and thrown.
  public static var throwsOfPictures: Gen {
    let speed = Gen<Double>.weighted([
      (3, .double(in: -3000...3000)), (1, .constant(0)), (1, .element(of: [199.9, 200, 1e6])),
    ])
    return zip(.offsets, .offsets, speed, speed, .sides, .sides, .gestureScreens).map {
      TransitionSubject.Throw(
        centre: ViewPoint(x: $0.0, y: $0.1), velocity: ViewPoint(x: $0.2, y: $0.3),
        box: ViewSize(width: $0.4, height: $0.5), viewport: $0.6.size)
    }
  }
}
