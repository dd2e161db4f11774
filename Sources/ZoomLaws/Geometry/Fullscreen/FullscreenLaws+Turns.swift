import PropertyTesting
import ZoomGeometry

extension FullscreenLaws {
  static var turns: [Law<FullscreenSubject>] {
    [
      law(
        "ZV-P4", "The content's up is up for whoever holds the device.", for: .fixedWindows,
        examples: [example]
      ) { subject, setting in
        // What an unknown device shows is ZV-P7's.
        guard setting.device != .unknown else { return }
        try isUpright(subject, setting)
      },
      law(
        "ZV-P5", "Left and right undo each other, two lefts are upside down, four are nothing.",
        for: .fixedWindows, examples: [example]
      ) { subject, setting in
        func map(_ device: DeviceOrientation) throws -> Affine {
          var held = setting
          held.device = device
          return try subject.layer(held).transform
        }
        let (left, right) = try (map(.landscapeLeft), map(.landscapeRight))
        let twice = left.then(left)
        try isSame(left.then(right), try map(.portrait), "left and right")
        try isSame(twice, try map(.portraitUpsideDown), "two lefts")
        try isSame(twice.then(twice), .identity, "four lefts")
      },
      law(
        "ZV-P6", "A device that lies flat shows what one held as the interface is drawn does.",
        for: .fixedWindows
      ) { subject, setting in
        for flat in [DeviceOrientation.faceUp, .faceDown] {
          try showsTheInterface(subject, setting, flat)
        }
      },
      law(
        "ZV-P7",
        "A device of unknown orientation shows what one held as the interface is drawn "
          + "does.", isBroken: true, for: .fixedWindows
      ) { subject, setting in
        try showsTheInterface(subject, setting, .unknown)
      },
      law(
        "ZV-P10", "The blanking rectangle hides the whole window.", isBroken: true,
        for: .fixedWindows, examples: [example]
      ) { subject, setting in
        let window = setting.window
        let blanking = try subject.blanking(setting)
        let slack = rounding * magnitude(window)
        try Property.require(
          blanking.x <= window.x + slack && blanking.y <= window.y + slack
            && blanking.maxX >= window.maxX - slack && blanking.maxY >= window.maxY - slack,
          "the blanking rectangle \(blanking.inWords) does not hide the window \(window.inWords)")
      },
      law(
        "ZV-P13",
        "The blanking rectangle is as large as the view can become while it turns, "
          + "and has the window's middle.", isBroken: true, for: .windows
      ) { subject, setting in
        let window = setting.window
        let side = max(window.width, window.height)
        let blanking = try subject.blanking(setting)
        let expected = ViewRect(
          x: window.x + (window.width - side) / 2, y: window.y + (window.height - side) / 2,
          width: side, height: side)
        try Property.require(
          distance(blanking, expected) <= rounding * magnitude(expected),
          "the blanking rectangle is \(blanking.inWords), not \(expected.inWords)")
      },
    ]
  }

  private static func showsTheInterface(
    _ subject: FullscreenSubject, _ setting: FullscreenSubject.WindowSetting,
    _ device: DeviceOrientation
  ) throws {
    // Nothing is known of an unknown interface.
    guard setting.interface != .unknown else { return }
    var (given, known) = (setting, setting)
    given.device = device
    known.device = DeviceOrientation(rawValue: setting.interface.rawValue) ?? .portrait
    let (shown, expected) = try (subject.layer(given), subject.layer(known))
    try Property.require(
      distance(shown.frame, expected.frame) <= rounding * magnitude(setting.window)
        && isClose(shown.transform, expected.transform),
      "\(device) is shown by \(shown.transform), \(known.device) by \(expected.transform)")
  }

  private static func isSame(_ map: Affine, _ expected: Affine, _ what: String) throws {
    try Property.require(isClose(map, expected), "\(what) make \(map), not \(expected)")
  }

  private static func isClose(_ one: Affine, _ other: Affine) -> Bool {
    // Products of up to four turns, of numbers of at most 1.
    [one.a - other.a, one.b - other.b, one.c - other.c, one.d - other.d]
      .allSatisfy { abs($0) <= rounding }
  }
}

extension FullscreenLaws {
  static var trips: [Law<FullscreenSubject>] {
    [
      Law(
        "ZV-P8",
        "A view that comes back stands where its proxy does, untransformed, at its place "
          + "among its siblings.", source: source, isBrokenAsPublished: true, for: .trips,
        inWords: { $0.inWords }
      ) { subject, trip, testCase in
        classify(trip.setting, &testCase)
        testCase.classify(trip.proxy != trip.home, as: "the proxy has moved", atLeast: 0.3)
        testCase.classify(
          trip.view != trip.siblings.count - 1, as: "not the front sibling", atLeast: 0.3)
        let back = try subject.roundTrip(trip)
        try Property.require(
          back.layer.transform == .identity,
          "the view comes back with the transform \(back.layer.transform)")
        try Property.require(
          distance(back.layer.frame, trip.proxy) <= rounding * magnitude(trip.proxy),
          "the view comes back as \(back.layer.frame.inWords), not \(trip.proxy.inWords)")
        try Property.require(
          back.siblings == trip.siblings,
          "the siblings \(trip.siblings) come back as \(back.siblings)")
      },
      Law(
        "ZV-P9", "A rectangle that is converted into some ancestors and back is where it was.",
        source: source, for: Gens.zip(Gen<ViewRect>.places, .ancestorChains),
        inWords: { rect, ancestors in
          ([rect.inWords] + ancestors.map(\.inWords)).joined(separator: " in ")
        }
      ) { subject, input, testCase in
        let (rect, ancestors) = input
        testCase.classify(!ancestors.isEmpty, as: "ancestors", atLeast: 0.5)
        let back = try subject.converted(rect, ancestors)
        try Property.require(
          distance(back, rect) <= conversionRounding,
          "it comes back as \(back.inWords)")
      },
    ]
  }

  /// By how many points a conversion through four ancestors and back may be off.
  ///
  /// Coordinates grow to 2000 for each ancestor, times 1 / 0.1 for each scaling: at most 1e8. Of
  /// that some twenty operations lose 2^-53 each, 2e-7, and the way back scales by up to 3^4.
  private static let conversionRounding = 1e-5

  static var source: String { "Matt Gallagher, ZoomingViewController (Cocoa with Love)" }
}
