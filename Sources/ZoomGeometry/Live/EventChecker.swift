/// Checks events one after another: times do not go back, and touches begin before they move.
///
/// A script is checked as a whole, a ``LiveZoom`` and the fingers on a page event by event.
package struct EventChecker: Sendable {
  /// The time of the last event.
  package private(set) var now = 0.0
  /// The latest time, in seconds.
  private let latest: Double
  /// The touches that have begun and not ended.
  private(set) var down: Set<Int> = []

  /// The largest number of touches that are down: every recogniser looks at all of them.
  static let mostTouches = 64

  /// Creates a checker that has seen no event.
  ///
  /// - Parameter latest: The latest time that an event may have.
  package init(latest: Double = LiveZoom.latestTime) { self.latest = latest }

  /// Takes a time.
  ///
  /// - Throws: `GeometryError`, with nothing taken, if it is before the last one, not finite or too
  ///   late.
  package mutating func advance(to time: Double) throws(GeometryError) { now = try checked(time) }

  /// Takes an event.
  ///
  /// - Throws: `GeometryError`, with nothing taken, if it cannot happen.
  package mutating func take(_ event: GestureEvent) throws(GeometryError) {
    let time = try checked(event.time)
    switch event.kind {
    case .touches(let phase, let touches):
      try check(phase, touches)
      switch phase {
      case .began: for touch in touches { down.insert(touch.id) }
      case .moved: break
      case .ended, .cancelled: for touch in touches { down.remove(touch.id) }
      }
    case .cancelAll:
      down.removeAll(keepingCapacity: true)
    case .device, .interface, .screen, .close:
      break
    }
    now = time
  }

  private func checked(_ time: Double) throws(GeometryError) -> Double {
    guard try GeometryError.notNegative(time, "time") >= now else {
      throw GeometryError(
        argument: "time", value: time,
        reason: .contradiction("is before the event ahead of it, at \(now)"))
    }
    guard time <= latest else {
      // An `Int` may have 32 bits.
      let limit = Int(clamping: Int64(latest))
      throw GeometryError(argument: "time", value: time, reason: .tooLarge(limit: limit))
    }
    return time
  }

  private func check(_ phase: TouchPhase, _ touches: [Touch]) throws(GeometryError) {
    guard !touches.isEmpty else {
      throw GeometryError(
        argument: "touches", value: "[]", reason: .contradiction("has no touch in it"))
    }
    for (number, touch) in touches.enumerated() {
      // Names are made only for errors, because a string allocates.
      if !touch.isInRange {
        let place = "touches[\(number)]"
        _ = try GeometryError.point(touch.point, place)
        _ = try GeometryError.point(touch.force, "\(place).force")
      }
      // A finger's samples since the last frame may come together (UIKit's coalesced touches).
      let isTwice = phase != .moved && touches[..<number].contains { $0.id == touch.id }
      let sentence: String? =
        if isTwice {
          "is twice in one event"
        } else if phase == .began {
          down.contains(touch.id) ? "has begun already" : nil
        } else {
          down.contains(touch.id) ? nil : "has not begun"
        }
      if let sentence {
        throw GeometryError(
          argument: "touches[\(number)].id", value: touch.id, reason: .contradiction(sentence))
      }
    }
    guard phase != .began || down.count + touches.count <= Self.mostTouches else {
      throw GeometryError(
        argument: "touches", value: down.count + touches.count,
        reason: .contradiction("fingers are more than \(Self.mostTouches)"))
    }
  }
}

extension Touch {
  /// Whether its numbers are finite and can be calculated with.
  fileprivate var isInRange: Bool {
    let limit = Double(PixelSize.maximumSide)
    return abs(point.x) <= limit && abs(point.y) <= limit && abs(force) <= limit
  }
}
