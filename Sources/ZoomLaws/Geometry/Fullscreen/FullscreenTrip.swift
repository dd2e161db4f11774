import PropertyTesting
import ZoomGeometry

/// A trip of a view: tapped to full screen, turned with the device, and tapped back.
struct FullscreenTrip: Sendable, PlayedInput {
  var screen: Screen
  /// The view's inline frame, in points of the innermost ancestor.
  var view: ViewRect
  var ancestors: [Stage.Ancestor] = []
  /// The kind of the window; nil if the system has to tell it from the screen and the interface.
  var window: WindowKind? = .fixed
  var device = DeviceOrientation.portrait
  var interface = InterfaceOrientation.portrait
  /// The device's orientations in full screen, in order.
  var turns: [DeviceOrientation] = []
  /// The orientation to which the interface then turns; nil if it does not.
  var interfaceTurn: InterfaceOrientation?
  /// The time from one event to the next, in seconds.
  var pause = 1.0
  var picture: PixelSize

  var played: GestureCase {
    get throws(GeometryError) {
      GestureCase(script: try script(andBack: true), picture: picture)
    }
  }

  func play(_ subject: ReplaySubject, andBack isReturning: Bool = false) throws -> [ZoomState] {
    let states = try subject.play(script(andBack: isReturning), picture)
    try Property.require(
      states.contains { $0.events.contains(.present) }, "the view does not go to full screen")
    return states
  }

  private func script(andBack isReturning: Bool) throws(GeometryError) -> GestureScript {
    let stage = Stage(view: view, ancestors: ancestors, window: window)
    var actions = [GestureAction(after: 1, .tap(at: stage.placed(view).centre, held: 0))]
    actions += turns.map { GestureAction(after: pause, .turn($0)) }
    actions += interfaceTurn.map { [GestureAction(after: pause, .turnInterface($0))] } ?? []
    if isReturning {
      actions.append(GestureAction(after: pause, .tap(at: screen.bounds.centre, held: 0)))
    }
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
    return "\(picture) as \(view.inWords)" + around.joined() + ", "
      + (window.map { "\($0) window " } ?? "any window ")
      + "\(screen.inWords), device \(device), interface \(interface)"
      + (turns.isEmpty
        ? ""
        : ", every \(pause.inWords) s turned to " + turns.map { "\($0)" }.joined(separator: ", "))
  }
}

extension Gen where Value == FullscreenTrip {
  static func trips(in windows: [WindowKind], turns: ClosedRange<Int>) -> Gen {
    let screen = Gens.zip(Gen<Double>.sides, .sides).compactMap {
      try? Screen(size: ViewSize(width: $0, height: $1))
    }
    let device = Gen<DeviceOrientation>.element(of: DeviceOrientation.uprightFirst)
    let interface = Gen<InterfaceOrientation>.element(of: InterfaceOrientation.uprightFirst)
    let devices = Gen<[DeviceOrientation]>.array(of: device, count: turns)
    return Gens.zip(
      screen, Gen<ViewRect>.places, .element(of: windows), Gens.zip(device, interface),
      Gens.zip(devices, .double(in: 0.05...0.6), .gesturePictures)
    ).map { screen, view, window, held, rest in
      FullscreenTrip(
        screen: screen, view: view, window: window, device: held.0, interface: held.1,
        turns: rest.0, pause: rest.1, picture: rest.2)
    }
  }
}

extension Gen where Value == ViewRect {
  static var places: Gen {
    Gens.zip(.offsets, .offsets, .sides, .sides).map {
      ViewRect(x: $0.0, y: $0.1, width: $0.2, height: $0.3)
    }
  }
}

extension Gen where Value == Double {
  /// Sides of windows and views in points: 1, sides of screens, and any other.
  static var sides: Gen {
    .weighted([
      (3, Gen<Double>.element(of: [100, 320, 375, 480, 667, 768, 1024, 1366, 1])),
      (2, .double(in: 1...2000)),
    ])
  }

  /// Coordinates of corners and content offsets, in points.
  static var offsets: Gen { .weighted([(1, .constant(0)), (2, .double(in: -2000...2000))]) }
}

extension Stage.Ancestor {
  /// The view that undoes what this one does to its content.
  var inverse: Stage.Ancestor {
    Stage.Ancestor(
      frame: ViewRect(x: scroll.x, y: scroll.y, width: frame.width, height: frame.height),
      scroll: ViewPoint(x: frame.x, y: frame.y), scale: 1 / scale)
  }
}

extension DeviceOrientation {
  /// The clockwise quarter turns that make content upright; nil if they are unknown.
  var quarters: Int? {
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
  /// The clockwise quarter turns that make content upright for the interface; 0 if unknown.
  ///
  /// They are written out because laws must not use the tested map.
  var quarters: Int {
    switch self {
    case .unknown, .portrait: 0
    case .landscapeRight: 1
    case .portraitUpsideDown: 2
    case .landscapeLeft: 3
    }
  }
}
