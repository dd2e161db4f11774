import PropertyTesting
public import ZoomGeometry

/// A view that is tapped to full screen, turned with the device, and tapped back.
struct FullscreenTrip: Sendable {
  var screen: Screen
  /// Where the view is inline, in points of the innermost of the views around it.
  var view: ViewRect
  /// From the view's parent outwards.
  var ancestors: [Stage.Ancestor] = []
  var window = WindowKind.fixed
  var device = DeviceOrientation.portrait
  var interface = InterfaceOrientation.portrait
  /// How the device is held one after the other in full screen.
  var turns: [DeviceOrientation] = []
  /// From one event to the next, in seconds.
  var pause = 1.0
  var picture: PixelSize

  /// The time of the tap that takes the view to full screen.
  static let start = 1.0

  /// Plays the trip, up to full screen or there and back.
  func play(_ subject: ReplaySubject, andBack isReturning: Bool = false) throws -> [ZoomState] {
    try subject.play(script(andBack: isReturning), picture)
  }

  /// The trip, up to full screen or there and back.
  func script(andBack isReturning: Bool = false) throws(GeometryError) -> GestureScript {
    var events = Self.tap(place.centre, at: Self.start)
    var now = Self.start
    for device in turns {
      now += pause
      events.append(GestureEvent(time: now, kind: .device(device)))
    }
    if isReturning { events += Self.tap(screen.bounds.centre, at: now + pause) }
    let stage = Stage(view: view, ancestors: ancestors, window: window)
    return try GestureScript(
      screen: screen, device: device, interface: interface, stage: stage, events: events)
  }

  /// The view in full screen at rest, as the card behind the picture shows it.
  func card(_ subject: ReplaySubject) throws -> FillLayer {
    guard let card = try play(subject).last?.card else {
      throw PropertyFailure("no view is shown in full screen")
    }
    return card
  }

  /// Where the view is inline, in points of the screen.
  private var place: ViewRect {
    ancestors.reduce(Affine.identity) { $0.then($1.layer.toParent) }.boundingBox(of: view)
  }

  private static func tap(_ point: ViewPoint, at time: Double) -> [GestureEvent] {
    [TouchPhase.began, .ended].map {
      GestureEvent(time: time, kind: .touches($0, [Touch(id: 0, point: point)]))
    }
  }

  var inWords: String {
    let around = ancestors.map {
      " in \($0.frame.inWords) scrolled to \($0.scroll.inWords) scaled by \($0.scale.inWords)"
    }
    return "\(picture) as \(view.inWords)" + around.joined() + ", \(window) window "
      + "\(screen.inWords), device \(device), interface \(interface)"
      + (turns.isEmpty
        ? ""
        : ", every \(pause.inWords) s turned to " + turns.map { "\($0)" }.joined(separator: ", "))
  }
}

extension ZoomState {
  /// The topmost black area: the view itself, or what hides the page while it turns.
  var card: FillLayer? {
    for case .fill(let fill) in layers.reversed() where fill.shade == 0 { return fill }
    return nil
  }
}

extension FillLayer {
  /// What it covers, in points of the screen.
  var box: ViewRect { transform.boundingBox(of: rect) }
}

extension Gen where Value == FullscreenTrip {
  /// Trips in windows of any shape.
  static func trips(in windows: [WindowKind], turns: ClosedRange<Int>) -> Gen {
    let screen = Gens.zip(Gen<Double>.sides, .sides).compactMap {
      try? Screen(size: ViewSize(width: $0, height: $1))
    }
    let devices = Gen<[DeviceOrientation]>.array(
      of: Gen<OrientationPair>.allCases.map(\.device), count: turns)
    return Gens.zip(
      screen, Gen<ViewRect>.places, .element(of: windows), Gen<OrientationPair>.allCases,
      Gens.zip(devices, .double(in: 0.05...0.6), .gesturePictures)
    ).map { screen, view, window, held, rest in
      FullscreenTrip(
        screen: screen, view: view, window: window, device: held.device, interface: held.interface,
        turns: rest.0, pause: rest.1, picture: rest.2)
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

extension Gen where Value == [Stage.Ancestor] {
  /// Views around a view that move, scroll and scale.
  static var ancestorChains: Gen {
    .array(
      of: Gens.zip(
        Gen<ViewRect>.places, .offsets, .offsets, Gen<Double>.element(of: [1, 0.5, 2, 3, 0.1])
      ).map { Stage.Ancestor(frame: $0, scroll: ViewPoint(x: $1, y: $2), scale: $3) }, count: 0...3)
  }
}

extension Gen where Value == Double {
  /// Sides of windows and views in points: 1, screens', and any.
  static var sides: Gen {
    .weighted([
      (3, Gen<Double>.element(of: [100, 320, 375, 480, 667, 768, 1024, 1366, 1])),
      (2, .double(in: 1...2000)),
    ])
  }

  /// Coordinates of corners and contents in points.
  static var offsets: Gen { .weighted([(1, .constant(0)), (2, .double(in: -2000...2000))]) }
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
