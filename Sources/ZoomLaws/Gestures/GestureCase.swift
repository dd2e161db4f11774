public import ZoomGeometry

/// A script and the picture that it is played over: what a law about gestures is tried on.
public struct GestureCase: Sendable, Hashable {
  /// What happens.
  public var script: GestureScript
  /// The upright size of the picture in pixels.
  public var picture: PixelSize

  /// A script and a picture.
  public init(script: GestureScript, picture: PixelSize) {
    self.script = script
    self.picture = picture
  }

  /// Returns the case with other events, and what else is given.
  ///
  /// - Throws: `GeometryError` if they make no script.
  public func with(
    _ events: [GestureEvent], screen: Screen? = nil, press: PressKind? = nil, stage: Stage? = nil
  ) throws(GeometryError) -> GestureCase {
    let changed = try script.with(events, screen: screen, press: press, stage: stage)
    return GestureCase(script: changed, picture: picture)
  }
}

extension GestureScript {
  /// Returns the script with what is given in place of its own.
  package func with(
    _ events: [GestureEvent]? = nil, screen: Screen? = nil, press: PressKind? = nil,
    device: DeviceOrientation? = nil, interface: InterfaceOrientation? = nil, stage: Stage? = nil
  ) throws(GeometryError) -> GestureScript {
    try GestureScript(
      name: name, screen: screen ?? self.screen, framesPerSecond: framesPerSecond,
      maximumForce: maximumForce, press: press ?? self.press, device: device ?? self.device,
      interface: interface ?? self.interface, stage: stage ?? self.stage,
      events: events ?? self.events)
  }
}

extension GestureCase: CustomStringConvertible {
  /// The picture, the screen and the events, an event a line.
  public var description: String {
    let stage = script.stage
    let view = stage.view?.inWords ?? "as usual"
    let head =
      "\(picture) on \(script.screen.inWords), device \(script.device), interface "
      + "\(script.interface), view \(view)"
      + (stage.ancestors.isEmpty ? "" : " in \(stage.ancestors.count) others")
    return ([head] + script.events.map(\.sentence)).joined(separator: "\n")
  }
}

extension GestureEvent {
  /// The event in words: "0.25 s: finger 0 moved at (10, 20)".
  var sentence: String {
    let what =
      switch kind {
      case .touches(let phase, let touches): touches.inWords(phase)
      case .device(let device): "the device is \(device)"
      case .interface(let interface): "the interface is \(interface)"
      case .screen(let screen): "the screen is \(screen.inWords)"
      case .cancelAll: "everything is cancelled"
      case .close: "close"
      }
    return "\(time.inWords) s: \(what)"
  }
}

extension [Touch] {
  /// The fingers in words, their force only where there is any.
  func inWords(_ phase: TouchPhase) -> String {
    map {
      "finger \($0.id) \(phase.rawValue) at \($0.point.inWords)"
        + ($0.force == 0 ? "" : " force \($0.force.inWords)")
    }.joined(separator: ", ")
  }
}

extension Sequence<GestureEvent> {
  /// Where the fingers are after some events, by their numbers.
  package func fingers() -> [Int: ViewPoint] {
    var down: [Int: ViewPoint] = [:]
    for event in self { event.follow(&down) }
    return down
  }
}

extension GestureEvent {
  /// The event with other touches, if it is one of touches; nil where none is left.
  package func withTouches(_ change: (TouchPhase, [Touch]) -> [Touch]) -> GestureEvent? {
    guard case .touches(let phase, let touches) = kind else { return self }
    let changed = change(phase, touches)
    return changed.isEmpty ? nil : GestureEvent(time: time, kind: .touches(phase, changed))
  }

  /// Brings the places of the fingers that are down up to date.
  package func follow(_ down: inout [Int: ViewPoint]) {
    switch kind {
    case .touches(let phase, let touches):
      for touch in touches {
        down[touch.id] = phase == .began || phase == .moved ? touch.point : nil
      }
    case .cancelAll: down = [:]
    case .device, .interface, .screen, .close: break
    }
  }
}
