extension GestureScript {
  /// Draws a second, 1 to 1000.
  static func rate(_ value: Double) throws(GeometryError) -> Double {
    guard (1...1000).contains(try GeometryError.finite(value, "framesPerSecond")) else {
      throw GeometryError(
        argument: "framesPerSecond", value: value,
        reason: .contradiction("is not between 1 and 1000"))
    }
    return value
  }

  /// The hardware's largest force: 0 without any, otherwise large enough to divide by.
  static func force(_ value: Double) throws(GeometryError) -> Double {
    if try GeometryError.notNegative(value, "maximumForce") == 0 { return 0 }
    return try GeometryError.length(value, "maximumForce")
  }

  /// The stage's numbers.
  static func checked(_ stage: Stage) throws(GeometryError) -> Stage {
    if let view = stage.view { _ = try GeometryError.rect(view, "stage.view") }
    _ = try GeometryError.notNegative(stage.cornerRadius, "stage.cornerRadius")
    _ = try GeometryError.point(stage.cornerRadius, "stage.cornerRadius")
    for (number, ancestor) in stage.ancestors.enumerated() {
      let place = "stage.ancestors[\(number)]"
      _ = try GeometryError.rect(ancestor.frame, "\(place).frame")
      _ = try GeometryError.point(ancestor.scroll, "\(place).scroll")
      // Between a thousandth and a thousand: several of them multiply.
      guard (0.001...1000).contains(ancestor.scale) else {
        throw GeometryError(
          argument: "\(place).scale", value: ancestor.scale,
          reason: .contradiction("is not between 0.001 and 1000"))
      }
    }
    guard stage.ancestors.count <= 16 else {
      throw GeometryError(
        argument: "stage.ancestors", value: stage.ancestors.count,
        reason: .contradiction("views are more than 16"))
    }
    return stage
  }

  /// The events, one after the other.
  static func check(_ events: [GestureEvent]) throws(GeometryError) {
    var now = 0.0
    var down: Set<Int> = []
    for (number, event) in events.enumerated() {
      let place = "events[\(number)]"
      let time = try GeometryError.notNegative(event.time, "\(place).time")
      guard time >= now else {
        throw GeometryError(
          argument: "\(place).time", value: time,
          reason: .contradiction("is before the event ahead of it, at \(now)"))
      }
      guard time <= latestTime else {
        throw GeometryError(
          argument: "\(place).time", value: time, reason: .tooLarge(limit: Int(latestTime)))
      }
      now = time
      switch event.kind {
      case .touches(let phase, let touches):
        try check(touches, phase, place, &down)
      case .cancelAll:
        down = []
      case .device, .interface, .screen, .close:
        break
      }
    }
  }

  /// The touches of an event; `down` are the ids that have begun and not ended.
  private static func check(
    _ touches: [Touch], _ phase: TouchPhase, _ place: String, _ down: inout Set<Int>
  ) throws(GeometryError) {
    guard !touches.isEmpty else {
      throw GeometryError(
        argument: "\(place).touches", value: "[]", reason: .contradiction("has no touch in it"))
    }
    var seen: Set<Int> = []
    for (number, touch) in touches.enumerated() {
      let place = "\(place).touches[\(number)]"
      _ = try GeometryError.point(touch.point, place)
      _ = try GeometryError.point(touch.force, "\(place).force")
      guard seen.insert(touch.id).inserted else {
        throw GeometryError(
          argument: "\(place).id", value: touch.id,
          reason: .contradiction("stands twice in one event"))
      }
      let sentence: String? =
        switch phase {
        case .began: down.insert(touch.id).inserted ? nil : "has begun already"
        case .moved: down.contains(touch.id) ? nil : "has not begun"
        case .ended, .cancelled: down.remove(touch.id) == nil ? "has not begun" : nil
        }
      if let sentence {
        throw GeometryError(
          argument: "\(place).id", value: touch.id, reason: .contradiction(sentence))
      }
    }
    // The count of human fingers is no limit here, but every recogniser looks at all that are down.
    guard down.count <= 64 else {
      throw GeometryError(
        argument: "\(place).touches", value: down.count,
        reason: .contradiction("fingers are more than 64"))
    }
  }
}
