// The JSON format of gesture scripts, version 1. Documentation/Replays.md describes it.

extension GestureScript: Codable {
  private enum CodingKeys: String, CodingKey {
    case version = "zoombench-gestures"
    case name, screen, framesPerSecond, maximumForce, press, device, interface, stage, events
  }

  private static let keys: DocumentKeys = [
    "zoombench-gestures": .value, "name": .value, "screen": Screen.keys, "framesPerSecond": .value,
    "maximumForce": .value, "press": .value, "device": .value, "interface": .value,
    "stage": Stage.keys, "events": .list(of: GestureEvent.keys),
  ]

  /// Decodes a script and checks it as the initialiser does; unknown keys are errors.
  public init(from decoder: any Decoder) throws {
    try decoder.check(Self.keys)
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let version = try values.decodeWhole(forKey: .version)
    guard version == Self.version else {
      throw DecodingError.dataCorruptedError(
        forKey: .version, in: values,
        debugDescription: "version \(version) is not supported (use \(Self.version))")
    }
    self = try decoder.checked {
      try GestureScript(
        name: values.decodeIfPresent(String.self, forKey: .name) ?? "",
        screen: values.decode(Screen.self, forKey: .screen),
        framesPerSecond: values.decodeIfPresent(Double.self, forKey: .framesPerSecond) ?? 60,
        maximumForce: values.decodeIfPresent(Double.self, forKey: .maximumForce)
          ?? Self.usualMaximumForce,
        press: values.contains(.press) ? values.decodeName(forKey: .press) : nil,
        device: values.decodeIfPresent(DeviceOrientation.self, forKey: .device) ?? .portrait,
        interface: values.decodeIfPresent(InterfaceOrientation.self, forKey: .interface)
          ?? .portrait,
        stage: values.decodeIfPresent(Stage.self, forKey: .stage) ?? Stage(),
        events: values.decode([GestureEvent].self, forKey: .events))
    }
  }

  /// Encodes every key, and `press` if it is set.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(Self.version, forKey: .version)
    try values.encode(name, forKey: .name)
    try values.encode(screen, forKey: .screen)
    try values.encode(framesPerSecond, forKey: .framesPerSecond)
    try values.encode(maximumForce, forKey: .maximumForce)
    try values.encodeIfPresent(press, forKey: .press)
    try values.encode(device, forKey: .device)
    try values.encode(interface, forKey: .interface)
    try values.encode(stage, forKey: .stage)
    try values.encode(events, forKey: .events)
  }
}

extension Stage: Decodable {
  fileprivate static let keys: DocumentKeys = [
    "view": .values("x", "y", "width", "height"), "cornerRadius": .value,
    "ancestors": .list(of: [
      "frame": .values("x", "y", "width", "height"), "scroll": .values("x", "y"), "scale": .value,
    ]), "window": .value, "force": .value, "direction": .value,
  ]

  /// Decodes a stage; every key is optional.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      view: try values.decodeIfPresent(ViewRect.self, forKey: .view),
      cornerRadius: try values.decodeIfPresent(Double.self, forKey: .cornerRadius) ?? 0,
      ancestors: try values.decodeIfPresent([Ancestor].self, forKey: .ancestors) ?? [],
      window: values.contains(.window) ? try values.decodeName(forKey: .window) : nil,
      forceExhibit: try values.decodeName(forKey: .forceExhibit, default: .zoom),
      direction: try values.decodeName(forKey: .direction, default: .leftToRight))
  }
}

extension Stage.Ancestor: Decodable {
  /// Decodes an ancestor; only its frame is required.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      frame: try values.decode(ViewRect.self, forKey: .frame),
      scroll: try values.decodeIfPresent(ViewPoint.self, forKey: .scroll) ?? ViewPoint(x: 0, y: 0),
      scale: try values.decodeIfPresent(Double.self, forKey: .scale) ?? 1)
  }
}

extension GestureEvent: Codable {
  private enum CodingKeys: String, CodingKey {
    case time, phase, touches, device, interface, screen, action, wheel
  }

  private enum Action: String, Codable, CaseIterable {
    case cancel, close
  }

  private struct Wheel: Codable {
    var x, y, dx, dy: Double

    var kind: Kind { .wheel(at: ViewPoint(x: x, y: y), by: ViewPoint(x: dx, y: dy)) }
  }

  fileprivate static let keys: DocumentKeys = [
    "time": .value, "phase": .value,
    "touches": .list(of: .values("id", "x", "y", "force", "pen", "mouse")), "device": .value,
    "interface": .value, "screen": Screen.keys, "action": .value,
    "wheel": .values("x", "y", "dx", "dy"),
  ]

  /// Decodes an event: a time, and one of `phase` with `touches`, `device`, `interface`, `screen`,
  /// `action` and `wheel`.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let time = try values.decode(Double.self, forKey: .time)
    let given = values.allKeys.filter { $0 != .time && $0 != .phase }
    guard given.count == 1, let key = given.first,
      values.contains(.phase) == (key == .touches)
    else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath,
          debugDescription: "an event has one of touches (with phase), device, interface, screen,"
            + " action and wheel"))
    }
    let kind: Kind =
      switch key {
      case .device: .device(try values.decodeName(forKey: .device))
      case .interface: .interface(try values.decodeName(forKey: .interface))
      case .screen: .screen(try values.decode(Screen.self, forKey: .screen))
      case .action:
        switch try values.decodeName(Action.self, forKey: .action) {
        case .cancel: .cancelAll
        case .close: .close
        }
      case .wheel: try values.decode(Wheel.self, forKey: .wheel).kind
      case .touches, .time, .phase:
        .touches(
          try values.decodeName(forKey: .phase),
          try values.decode([Touch].self, forKey: .touches))
      }
    self.init(time: time, kind: kind)
  }

  /// Encodes the time and the kind.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(time, forKey: .time)
    switch kind {
    case .touches(let phase, let touches):
      try values.encode(phase, forKey: .phase)
      try values.encode(touches, forKey: .touches)
    case .device(let orientation): try values.encode(orientation, forKey: .device)
    case .interface(let orientation): try values.encode(orientation, forKey: .interface)
    case .screen(let screen): try values.encode(screen, forKey: .screen)
    case .cancelAll: try values.encode(Action.cancel, forKey: .action)
    case .close: try values.encode(Action.close, forKey: .action)
    case .wheel(let at, let by):
      try values.encode(Wheel(x: at.x, y: at.y, dx: by.x, dy: by.y), forKey: .wheel)
    }
  }
}

extension Touch: Codable {
  private enum CodingKeys: String, CodingKey {
    case id, x, y, force, pen, mouse
  }

  /// Decodes a touch; without `force`, `pen` and `mouse` it is a finger of force 0.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      id: try values.decodeWhole(forKey: .id),
      point: try ViewPoint(from: decoder),
      force: try values.decodeIfPresent(Double.self, forKey: .force) ?? 0,
      isPen: try values.decodeIfPresent(Bool.self, forKey: .pen) ?? false,
      isMouse: try values.decodeIfPresent(Bool.self, forKey: .mouse) ?? false)
  }

  /// Encodes the four numbers, `pen` for a pen and `mouse` for a mouse.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(id, forKey: .id)
    try point.encode(to: encoder)
    try values.encode(force, forKey: .force)
    if isPen { try values.encode(true, forKey: .pen) }
    if isMouse { try values.encode(true, forKey: .mouse) }
  }
}
