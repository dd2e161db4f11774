import ZoomGeometry

extension GestureFaults {
  /// Mistakes about one finger.
  static let fingers: [Fault] = [
    events("moves-twice", "A finger moves the picture by twice its way.") {
      doubled($0, by: 2)
    },
    events("reports-add-up", "A movement that is reported twice moves twice.") { events in
      var down: [Int: ViewPoint] = [:]
      var off = 0.0
      return events.map { event in
        guard case .touches(let phase, let touches) = event.kind else { return event }
        if phase == .moved, touches.allSatisfy({ down[$0.id] == $0.point }) { off += 3 }
        event.follow(&down)
        let moved = touches.map {
          Touch(
            id: $0.id, point: ViewPoint(x: $0.point.x + off, y: $0.point.y), force: $0.force)
        }
        return GestureEvent(time: event.time, kind: .touches(phase, moved))
      }
    },
    events("first-of-an-event", "Of several fingers in one event only the first is looked at.") {
      events in
      events.map { event in
        guard case .touches(.moved, let touches) = event.kind else { return event }
        return GestureEvent(time: event.time, kind: .touches(.moved, [touches[0]]))
      }
    },
    states("off-the-screen", "The picture comes to rest five points off.") { states, _ in
      guard let last = states.last else { return states }
      return states.dropLast() + [last.withPictures { $0.transform.tx += 5 }]
    },
  ]

  /// Mistakes about force.
  static let forces: [Fault] = [
    events("pressed-lightly", "A hard press counts as a light one.") { events in
      forced(events) { GestureScript.usualMaximumForce - $0 }
    },
    events("saturates-and-falls", "Beyond two thirds of the range the force falls again.") {
      events in
      forced(events) { $0 > 4.5 ? 9 - $0 : $0 }
    },
    events("about-another-place", "The picture grows about a place beside the finger.") { events in
      events.map { event in
        guard case .touches(let phase, let touches) = event.kind else { return event }
        let moved = touches.map {
          Touch(
            id: $0.id, point: ViewPoint(x: $0.point.x + 2, y: $0.point.y), force: $0.force)
        }
        return GestureEvent(time: event.time, kind: .touches(phase, moved))
      }
    },
  ]

  private static func forced(
    _ events: [GestureEvent], _ change: (Double) -> Double
  ) -> [GestureEvent] {
    events.map { event in
      guard case .touches(let phase, let touches) = event.kind else { return event }
      let changed = touches.map { Touch(id: $0.id, point: $0.point, force: change($0.force)) }
      return GestureEvent(time: event.time, kind: .touches(phase, changed))
    }
  }

  /// Fingers that go some times as far from where they come down.
  private static func doubled(_ events: [GestureEvent], by factor: Double) -> [GestureEvent] {
    var starts: [Int: ViewPoint] = [:]
    return events.map { event in
      guard case .touches(let phase, let touches) = event.kind else { return event }
      let further = touches.map { touch -> Touch in
        if phase == .began { starts[touch.id] = touch.point }
        let start = starts[touch.id] ?? touch.point
        return Touch(
          id: touch.id,
          point: ViewPoint(
            x: start.x + factor * (touch.point.x - start.x),
            y: start.y + factor * (touch.point.y - start.y)), force: touch.force)
      }
      return GestureEvent(time: event.time, kind: .touches(phase, further))
    }
  }
}
