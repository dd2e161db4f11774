import ZoomGeometry

import PropertyTesting

extension FullscreenLaws {
  static var placement: [Law<FullscreenSubject>] {
    [
      law(
        "ZV-P1", "The view covers the window, no less and no more.", for: .fixedWindows,
        examples: [example]
      ) { try covers($0, $1) },
      law(
        "ZV-P2", "The transform neither scales nor mirrors.", for: .fixedWindows,
        examples: [example]
      ) { subject, setting in
        let map = try subject.layer(setting).transform
        // Of four numbers of at most 1.
        let slack = rounding
        try Property.require(
          abs(map.determinant - 1) <= slack
            && abs(map.a * map.a + map.b * map.b - 1) <= slack
            && abs(map.a * map.c + map.b * map.d) <= slack,
          "the transform has determinant \(map.determinant) and columns (\(map.a), \(map.b)), "
            + "(\(map.c), \(map.d))")
      },
      law(
        "ZV-P3", "The view's middle is the window's.", for: .fixedWindows, examples: [example]
      ) { try isCentred($0, $1) },
      law(
        "ZV-P11", "The transform moves the view exactly if the view is not centred already.",
        isBroken: true, for: .fixedWindows, examples: [example]
      ) { subject, setting in
        let window = setting.window
        let middle = ViewPoint(x: window.x + window.width / 2, y: window.y + window.height / 2)
        for (x, y) in [(0.0, 0.0), (1, 0), (0, -1), (-150, 75)] {
          let map = try subject.transform(
            setting, ViewPoint(x: middle.x + x, y: middle.y + y))
          let slack = rounding * magnitude(window)
          try Property.require(
            abs(map.tx + x) <= slack && abs(map.ty + y) <= slack,
            "a view that is (\(x), \(y)) off is moved by (\(map.tx), \(map.ty))")
        }
      },
      law(
        "ZV-P12",
        "In a window that stands anywhere or turns with the interface too, the view "
          + "covers it and stands upright for the person.", isBroken: true, for: .windows
      ) { subject, setting in
        try covers(subject, setting)
        try isCentred(subject, setting)
        try isUpright(subject, setting)
      },
    ]
  }

  private static func covers(
    _ subject: FullscreenSubject, _ setting: FullscreenSubject.WindowSetting
  ) throws {
    let frame = try subject.layer(setting).frame
    try Property.require(
      distance(frame, setting.window) <= rounding * magnitude(setting.window),
      "the view covers \(frame.inWords), not the window \(setting.window.inWords)")
  }

  private static func isCentred(
    _ subject: FullscreenSubject, _ setting: FullscreenSubject.WindowSetting
  ) throws {
    let layer = try subject.layer(setting)
    let middle = layer.toParent.apply(
      to: ViewPoint(x: layer.size.width / 2, y: layer.size.height / 2))
    let window = setting.window
    let slack = rounding * magnitude(window)
    try Property.require(
      abs(middle.x - window.x - window.width / 2) <= slack
        && abs(middle.y - window.y - window.height / 2) <= slack,
      "the view's middle is at (\(middle.x), \(middle.y))")
  }

  static func isUpright(_ subject: FullscreenSubject, _ setting: FullscreenSubject.WindowSetting)
    throws
  {
    let expected = upwards(setting)
    let shown = try up(subject, setting)
    try Property.require(
      abs(shown.x - expected.x) <= rounding && abs(shown.y - expected.y) <= rounding,
      "the content's up is (\(shown.x), \(shown.y)) in the window, not (\(expected.x), "
        + "\(expected.y))")
  }

  /// Where the content's up vector goes in the window.
  static func up(_ subject: FullscreenSubject, _ setting: FullscreenSubject.WindowSetting) throws
    -> ViewPoint
  {
    let map = try subject.layer(setting).transform
    return ViewPoint(x: -map.c, y: -map.d)
  }

  /// Which way is up for the person, in the window's points.
  ///
  /// In the points of the upright device: right when it lies on its left side, left on its right
  /// side, down when it is upside down. A window that has turned with the interface has its points
  /// turned by what the interface is drawn for.
  private static func upwards(_ setting: FullscreenSubject.WindowSetting) -> ViewPoint {
    let held = setting.device.quarters ?? setting.interface.quarters
    let drawn = setting.kind == .turning ? setting.interface.quarters : 0
    return switch ((held - drawn) % 4 + 4) % 4 {
    case 1: ViewPoint(x: 1, y: 0)
    case 2: ViewPoint(x: 0, y: 1)
    case 3: ViewPoint(x: -1, y: 0)
    default: ViewPoint(x: 0, y: -1)
    }
  }
}

extension DeviceOrientation {
  /// By how many quarters content is turned clockwise to be upright; nil if nobody knows.
  fileprivate var quarters: Int? {
    switch self {
    case .portrait: 0
    case .landscapeLeft: 1
    case .portraitUpsideDown: 2
    case .landscapeRight: 3
    case .unknown, .faceUp, .faceDown: nil
    }
  }
}

extension InterfaceOrientation {
  /// Likewise, and 0 where it is unknown; number 3 is the device's left side.
  fileprivate var quarters: Int { [0, 0, 2, 1, 3][rawValue] }
}
