// An event of the file format: a time and one of `phase` with `touches`, `device`, `interface`,
// `screen`, or `action`.

extension GestureEvent: Codable {
  private enum CodingKeys: String, CodingKey, CaseIterable {
    case time, phase, touches, device, interface, screen, action
  }

  private enum Action: String, Codable, CaseIterable {
    case cancel, close
  }

  /// Decodes an event.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.strictContainer(keyedBy: CodingKeys.self)
    let time = try values.decode(Double.self, forKey: .time)
    let given = values.allKeys.filter { $0 != .time && $0 != .phase }
    guard given.count == 1, let key = given.first,
      values.contains(.phase) == (key == .touches)
    else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath,
          debugDescription: "an event has one of touches (with phase), device, interface, screen"
            + " and action"))
    }
    let kind: Kind =
      switch key {
      case .device: .device(try values.decode(DeviceOrientation.self, forKey: .device))
      case .interface: .interface(try values.decode(InterfaceOrientation.self, forKey: .interface))
      case .screen: .screen(try values.decode(Screen.self, forKey: .screen))
      case .action:
        switch try values.decodeName(Action.self, forKey: .action) {
        case .cancel: .cancelAll
        case .close: .close
        }
      case .touches, .time, .phase:
        .touches(
          try values.decodeName(TouchPhase.self, forKey: .phase),
          try values.decode([Touch].self, forKey: .touches))
      }
    self.init(time: time, kind: kind)
  }

  /// Encodes the time and what happens.
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
    }
  }
}

extension Touch: Codable {
  private enum CodingKeys: String, CodingKey, CaseIterable {
    case id, x, y, force, pen
  }

  /// Decodes a touch; its force is 0 and it is a finger's if that is left out.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.strictContainer(keyedBy: CodingKeys.self)
    self.init(
      id: try values.decodeWhole(forKey: .id),
      point: ViewPoint(
        x: try values.decode(Double.self, forKey: .x),
        y: try values.decode(Double.self, forKey: .y)),
      force: try values.decodeIfPresent(Double.self, forKey: .force) ?? 0,
      isPen: try values.decodeIfPresent(Bool.self, forKey: .pen) ?? false)
  }

  /// Encodes the four numbers, and that it is a pen's if it is.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(id, forKey: .id)
    try values.encode(point.x, forKey: .x)
    try values.encode(point.y, forKey: .y)
    try values.encode(force, forKey: .force)
    if isPen { try values.encode(true, forKey: .pen) }
  }
}

/// The orientations stand in files by their names.
private func named<Case: CaseIterable>(_ decoder: any Decoder) throws -> Case {
  let container = try decoder.singleValueContainer()
  let name = try container.decode(String.self)
  guard let match = Case.allCases.first(where: { "\($0)" == name }) else {
    throw DecodingError.dataCorruptedError(
      in: container,
      debugDescription:
        "\"\(name)\" is none of \(Case.allCases.map { "\($0)" }.joined(separator: ", "))")
  }
  return match
}

extension DeviceOrientation: Codable {
  /// Decodes a name such as "landscapeLeft".
  public init(from decoder: any Decoder) throws { self = try named(decoder) }

  /// Encodes the name.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode("\(self)")
  }
}

extension InterfaceOrientation: Codable {
  /// Decodes a name such as "landscapeRight".
  public init(from decoder: any Decoder) throws { self = try named(decoder) }

  /// Encodes the name.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode("\(self)")
  }
}
