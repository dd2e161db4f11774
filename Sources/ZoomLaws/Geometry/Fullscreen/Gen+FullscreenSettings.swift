public import PropertyTesting
public import ZoomGeometry

extension Gen where Value == FullscreenSubject.WindowSetting {
  /// Windows that stand in the screen's corner and keep their points: what was published for.
  public static var fixedWindows: Gen {
    Gens.zip(.sides, .sides, Gen<OrientationPair>.allCases).map {
      FullscreenSubject.WindowSetting(
        window: ViewRect(x: 0, y: 0, width: $0.0, height: $0.1), kind: .fixed,
        device: $0.2.device, interface: $0.2.interface)
    }
  }

  /// Windows of both kinds, anywhere.
  public static var windows: Gen {
    Gens.zip(Gen.fixedWindows, Gen<WindowKind>.allCases, .offsets, .offsets).map {
      var setting = $0.0
      setting.kind = $0.1
      setting.window.x = $0.2
      setting.window.y = $0.3
      return setting
    }
  }
}

extension Gen where Value == FullscreenSubject.Trip {
  /// Trips from anywhere, with up to five siblings.
  public static var trips: Gen {
    Gens.zip(
      Gen<ViewRect>.places, .optional(of: .places), .integer(in: 1...5), .integer(in: 0...4),
      .fixedWindows
    ).map { home, proxy, count, view, setting in
      FullscreenSubject.Trip(
        home: home, proxy: proxy ?? home, siblings: Array(0..<count), view: view % count,
        setting: setting)
    }
  }
}

extension Gen where Value == ViewRect {
  /// Rectangles on and around a screen.
  static var places: Gen {
    Gens.zip(.offsets, .offsets, .sides, .sides).map {
      ViewRect(x: $0.0, y: $0.1, width: $0.2, height: $0.3)
    }
  }
}

extension Gen where Value == [ViewLayer] {
  /// Views around a view that move, scroll, scale and make quarter turns.
  static var ancestorChains: Gen {
    let layer = Gens.zip(
      Gen<ViewRect>.places, .offsets, .offsets, Gen<QuarterTurn>.allCases,
      Gen<Double>.element(of: [1, 0.5, 2, 3, 0.1])
    ).map { frame, x, y, turn, scale in
      var layer = ViewLayer(frame: frame, boundsOrigin: ViewPoint(x: x, y: y))
      layer.transform = Affine.turn(turn).then(.scale(scale))
      return layer
    }
    return .array(of: layer, count: 0...4)
  }
}

extension Gen where Value == Double {
  /// Sides of windows and views in points: 1, screens', and any.
  static var sides: Gen {
    .double(
      in: 1...2000, often: [100, 320, 375, 480, 667, 768, 1024, 1366, 1], share: 0.6)
  }

  /// Coordinates of corners and contents in points.
  static var offsets: Gen {
    .double(in: -2000...2000, often: [0], share: 1.0 / 3)
  }
}

/// How a device is held and how its interface stands: the 35 pairs there are.
///
/// `Gen.allCases` makes them all.
public struct OrientationPair: Sendable, Hashable, CaseIterable {
  /// How the device is held.
  public var device: DeviceOrientation
  /// How the interface stands.
  public var interface: InterfaceOrientation

  /// Creates a pair.
  public init(device: DeviceOrientation, interface: InterfaceOrientation) {
    self.device = device
    self.interface = interface
  }

  /// All pairs, an unknown orientation on either side included; those with the device upright come
  /// first, for a generator takes the first for the simplest.
  public static let allCases: [OrientationPair] = {
    let devices =
      [DeviceOrientation.portrait] + DeviceOrientation.allCases.filter { $0 != .portrait }
    let interfaces =
      [InterfaceOrientation.portrait] + InterfaceOrientation.allCases.filter { $0 != .portrait }
    return devices.flatMap { device in
      interfaces.map { OrientationPair(device: device, interface: $0) }
    }
  }()
}
