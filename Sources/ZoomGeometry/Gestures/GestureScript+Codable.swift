// The file format, version 1. Documentation/Replays.md describes it for people.

extension GestureScript: Codable {
  private enum CodingKeys: String, CodingKey, CaseIterable {
    case version = "zoombench-gestures"
    case name, screen, framesPerSecond, maximumForce, press, device, interface, stage, events
  }

  /// Decodes a script and checks it as the initialiser does; keys that it does not know are errors.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.strictContainer(keyedBy: CodingKeys.self)
    let version = try values.decodeWhole(forKey: .version)
    guard version == Self.version else {
      throw DecodingError.dataCorruptedError(
        forKey: .version, in: values,
        debugDescription: "version \(version) is not \(Self.version), the one that is known")
    }
    let name = try values.decodeIfPresent(String.self, forKey: .name)
    let screen = try values.decode(Screen.self, forKey: .screen)
    let rate = try values.decodeIfPresent(Double.self, forKey: .framesPerSecond)
    let force = try values.decodeIfPresent(Double.self, forKey: .maximumForce)
    let press =
      values.contains(.press) ? try values.decodeName(PressKind.self, forKey: .press) : nil
    let device = try values.decodeIfPresent(DeviceOrientation.self, forKey: .device)
    let interface = try values.decodeIfPresent(InterfaceOrientation.self, forKey: .interface)
    let stage = try values.decodeIfPresent(Stage.self, forKey: .stage)
    let events = try values.decode([GestureEvent].self, forKey: .events)
    self = try decoder.checked { () throws(GeometryError) in
      try GestureScript(
        name: name ?? "", screen: screen, framesPerSecond: rate ?? 60,
        maximumForce: force ?? Self.usualMaximumForce, press: press, device: device ?? .portrait,
        interface: interface ?? .portrait, stage: stage ?? Stage(), events: events)
    }
  }

  /// Encodes every key.
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

extension Stage: Codable {
  private enum CodingKeys: String, CodingKey, CaseIterable {
    case view, cornerRadius, ancestors, window, forceExhibit = "force", direction
  }

  /// Decodes a stage; every key may be left out.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.strictContainer(keyedBy: CodingKeys.self)
    self.init(
      view: try values.decodeIfPresent(ViewRect.self, forKey: .view),
      cornerRadius: try values.decodeIfPresent(Double.self, forKey: .cornerRadius) ?? 0,
      ancestors: try values.decodeIfPresent([Ancestor].self, forKey: .ancestors) ?? [],
      window: values.contains(.window)
        ? try values.decodeName(WindowKind.self, forKey: .window) : nil,
      forceExhibit: values.contains(.forceExhibit)
        ? try values.decodeName(ForceExhibit.self, forKey: .forceExhibit) : .zoom,
      direction: values.contains(.direction)
        ? try values.decodeName(LayoutDirection.self, forKey: .direction) : .leftToRight)
  }

  /// Encodes every key.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encodeIfPresent(view, forKey: .view)
    try values.encode(cornerRadius, forKey: .cornerRadius)
    try values.encode(ancestors, forKey: .ancestors)
    try values.encodeIfPresent(window, forKey: .window)
    try values.encode(forceExhibit, forKey: .forceExhibit)
    try values.encode(direction, forKey: .direction)
  }
}

extension Stage.Ancestor: Codable {
  private enum CodingKeys: String, CodingKey, CaseIterable {
    case frame, scroll, scale
  }

  /// Decodes an ancestor; only its frame is needed.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.strictContainer(keyedBy: CodingKeys.self)
    self.init(
      frame: try values.decode(ViewRect.self, forKey: .frame),
      scroll: try values.decodeIfPresent(ViewPoint.self, forKey: .scroll) ?? ViewPoint(x: 0, y: 0),
      scale: try values.decodeIfPresent(Double.self, forKey: .scale) ?? 1)
  }

  /// Encodes every key.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(frame, forKey: .frame)
    try values.encode(scroll, forKey: .scroll)
    try values.encode(scale, forKey: .scale)
  }
}
