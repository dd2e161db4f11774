import PropertyTesting
public import ZoomGeometry

/// A view that is tapped to full screen, turned with the device, and tapped back.
struct FullscreenTrip: Sendable, PlayedInput {
  var screen: Screen
  /// The view's place inline, in points of the innermost of the views around it.
  var view: ViewRect
  /// The views around it, from the parent outwards.
  var ancestors: [Stage.Ancestor] = []
  var window = WindowKind.fixed
  var device = DeviceOrientation.portrait
  var interface = InterfaceOrientation.portrait
  /// The device's orientations in full screen, in order.
  var turns: [DeviceOrientation] = []
  /// The time from one event to the next, in seconds.
  var pause = 1.0
  var picture: PixelSize

  var played: GestureCase {
    get throws(GeometryError) {
      GestureCase(script: try script(andBack: true), picture: picture)
    }
  }

  /// Plays the trip, up to full screen or there and back.
  func play(_ subject: ReplaySubject, andBack isReturning: Bool = false) throws -> [ZoomState] {
    try subject.play(script(andBack: isReturning), picture)
  }

  private func script(andBack isReturning: Bool) throws(GeometryError) -> GestureScript {
    let place = ancestors.mapToScreen.boundingBox(of: view)
    var actions = [GestureAction(after: 1, .tap(at: place.centre, held: 0))]
    actions += turns.map { GestureAction(after: pause, .turn($0)) }
    if isReturning {
      actions.append(GestureAction(after: pause, .tap(at: screen.bounds.centre, held: 0)))
    }
    let stage = Stage(view: view, ancestors: ancestors, window: window)
    return try GestureScript(
      screen: screen, device: device, interface: interface, stage: stage,
      events: GestureWriter.events(of: actions))
  }

  /// Returns the view in full screen at rest: the black card under the picture.
  func card(_ subject: ReplaySubject) throws -> FillLayer {
    guard let card = try play(subject).last?.card else {
      throw PropertyFailure("no view is shown in full screen")
    }
    return card
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

extension Gen where Value == FullscreenTrip {
  /// Returns a generator of trips in windows of any shape.
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

/// An orientation of a device and one of its interface: 35 pairs.
public struct OrientationPair: Sendable, Hashable, CaseIterable {
  /// The device's orientation.
  public var device: DeviceOrientation
  /// The interface's orientation.
  public var interface: InterfaceOrientation

  /// Creates a pair.
  public init(device: DeviceOrientation, interface: InterfaceOrientation) {
    self.device = device
    self.interface = interface
  }

  /// All pairs, those with an upright device first, because generators take the first for the simplest.
  public static let allCases = DeviceOrientation.uprightFirst.flatMap { device in
    InterfaceOrientation.uprightFirst.map { OrientationPair(device: device, interface: $0) }
  }
}
