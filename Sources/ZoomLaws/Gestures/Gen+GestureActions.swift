public import PropertyTesting
public import ZoomGeometry

extension Gen where Value == GestureAction {
  /// Anything that fingers, the device and the system do on a screen.
  ///
  /// - Parameters:
  ///   - screen: on which; a finger in ten is put up to a tenth beside it.
  ///   - interrupts: whether the screen, the device and the system also do something.
  /// - Returns: Such a generator.
  public static func actions(on screen: Screen, interrupts: Bool = true) -> Gen {
    let place = Gen<ViewPoint>.places(on: screen)
    let fingers = Gen<Int>.integer(in: 0...2)
    let several = Gen<Set<Int>>.set(of: fingers, count: 1...3)
    let force = Gen<Double>.pressures()
    let steps = Gen<Int>.integer(in: 1...40)
    var kinds: [(weight: Int, generator: Gen<GestureAction.Deed>)] = [
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
      (
        2,
        Gens.zip(place, Gen<[Double]>.array(of: force, count: 1...40)).map {
          .press(at: $0.0, forces: $0.1)
        }
      ),
    ]
    if interrupts {
      kinds += [
        (1, several.map { .lose($0) }), (1, Gen<DeviceOrientation>.allCases.map { .turn($0) }),
        (1, Gen<InterfaceOrientation>.allCases.map { .redraw($0) }),
        (1, Gen<Screen>.gestureScreens.map { .resize($0) }), (1, .constant(.cancel)),
        (1, .constant(.close)),
      ]
    }
    return Gens.zip(.pauses, .weighted(kinds)).map { GestureAction(after: $0.0, $0.1) }
  }
}

extension Gen where Value == GestureAction.PinchPath {
  /// Two fingers that open, close and move, together or not, and are lifted one after the other.
  public static func pinches(on screen: Screen, steps: ClosedRange<Int>) -> Gen {
    let place = Gen<ViewPoint>.places(on: screen)
    let side = min(screen.size.width, screen.size.height)
    let reach = Gen<Double>.double(in: -side / 2...side / 2)
    let arm = Gens.zip(reach, reach).map { ViewPoint(x: $0.0, y: $0.1) }
    let lifted = Gen<[Int]>.element(of: [[1, 0], [0, 1], [1], [0], []])
    return Gens.zip(place, place, arm, arm, .integer(in: steps), lifted).map {
      GestureAction.PinchPath(
        from: $0.0, to: $0.1, arm: $0.2, endArm: $0.3, steps: $0.4, lifted: $0.5)
    }
  }
}

extension Gen where Value == ViewPoint {
  /// Places on a screen, its borders and up to a tenth beside it.
  static func places(on screen: Screen) -> Gen {
    let (width, height) = (screen.size.width, screen.size.height)
    return Gen { testCase throws(Discarded) in
      var isInside = true
      let x = testCase.double(in: -width / 10...1.1 * width) { random in
        isInside = random.next(upTo: 9) < 9
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
  /// Seconds between two things that a hand does: a number of samples of 1/60 s, or any.
  ///
  /// Up to 1.5 s: every animation and the delay of a tap may end, or be met under way.
  static var pauses: Gen {
    Gen { testCase throws(Discarded) in
      testCase.double(in: 0...1.5) { random in
        random.next(upTo: 4) < 4 ? Double(random.next(upTo: 90)) / 60 : nil
      }
    }
  }

  /// Forces on hardware with a largest one, often about where a zoom begins and where it ends, and a
  /// few below 0, which no hardware gives and a script may have.
  static func pressures(upTo maximum: Double = GestureScript.usualMaximumForce) -> Gen {
    Gen { testCase throws(Discarded) in
      testCase.double(in: -1...2 * maximum) { random in
        // An average touch is 1, from which a published zoom grows.
        random.next(upTo: 19) < 19
          ? random.force(maximum, [1, maximum]) : random.double(in: -1...0)
      }
    }
  }
}
