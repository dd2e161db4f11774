public import PropertyTesting
import ZoomGeometry

extension Gen where Value == [ForceSubject.RecogniserInput] {
  /// What a recogniser meets: presses, taps, pans and pinches, by up to three fingers.
  public static var forceInputs: Gen {
    Gen { testCase throws(Discarded) in
      let screen = try testCase.draw(.gestureScreens)
      let actions = try testCase.draw(.array(of: .actions(on: screen), count: 0...16))
      return GestureWriter.events(of: actions).compactMap { event in
        switch event.kind {
        case .touches(let phase, let touches): .touches(phase, touches)
        case .cancelAll: .cancelAll
        case .device, .interface, .screen, .close: nil
        }
      }
    }
  }
}

extension Gen where Value == ForceSubject.RestingButton {
  /// Buttons of all shadows, on hardware that tells forces apart.
  public static var forceButtons: Gen {
    Gens.zip(.maximumForces, .double(in: -20...20), .double(in: -20...20), .double(in: 0...20)).map
    {
      ForceSubject.RestingButton(
        maximumForce: $0.0, offset: ViewPoint(x: $0.1, y: $0.2), radius: $0.3)
    }
  }
}

extension Gen where Value == ForceSubject.PressedView {
  /// Presses of views on and around a screen, on, beside and at the borders of the view.
  public static var presses: Gen {
    let share = Gen<Double> { testCase throws(Discarded) in
      testCase.double(in: -2...3) { random in
        switch random.next(upTo: 5) {
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

extension Gen where Value == Double {
  /// Largest forces of hardware that tells them apart; the usual one is the simplest.
  static var maximumForces: Gen {
    .weighted([
      (3, .constant(GestureScript.usualMaximumForce)), (1, .element(of: [1, 6.6, 7, 4.2])),
    ])
  }
}
