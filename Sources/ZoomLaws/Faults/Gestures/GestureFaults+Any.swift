import ZoomGeometry

extension GestureFaults {
  /// Mistakes that any of the systems can make.
  static let any: [Fault] = [
    events("high-numbers-unseen", "Fingers with numbers above five are not seen.") { events in
      events.compactMap { event in
        guard case .touches(let phase, let touches) = event.kind else { return event }
        let seen = touches.filter { $0.id <= 5 }
        return seen.isEmpty ? nil : GestureEvent(time: event.time, kind: .touches(phase, seen))
      }
    },
    states("different-each-time", "Something in a state is drawn at random.") { states, _ in
      states.map { state in
        var changed = state
        changed.force = Double.random(in: 0...1)
        return changed
      }
    },
    states("never-rests", "A second after everything rests there is another state.") {
      states, _ in
      guard var late = states.last else { return states }
      late.time += 1
      return states + [late]
    },
    states("back-in-time", "The last state is shown at the time of the first.") { states, _ in
      guard let first = states.first, var last = states.last, states.count > 1 else {
        return states
      }
      last.time = first.time - 0.001
      return states.dropLast() + [last]
    },
    states("squeezed", "A picture is drawn as a line once a finger is down.") { states, script in
      guard let start = script.events.first(where: { $0.isTouch })?.time else { return states }
      return states.map { state in
        state.time < start ? state : state.withPictures { $0.transform.d = 0 }
      }
    },
    states("more-than-opaque", "A spring takes an opacity past 1.") { states, script in
      guard script.events.contains(where: \.isTouch) else { return states }
      return states.map { state in state.withPictures { $0.opacity = 1.01 } }
    },
    states("not-a-number", "A number is divided by a movement of nothing.") { states, script in
      let isStill = script.events.contains {
        if case .touches(.moved, _) = $0.kind { true } else { false }
      }
      guard isStill else { return states }
      return states.map { state in state.withPictures { $0.transform.tx = .nan } }
    },
    states("resized-for-ever", "Of a viewport that was resized something stays.") {
      states, script in
      let sizes = script.events.filter { if case .screen = $0.kind { true } else { false } }
      guard sizes.count > 1, let last = sizes.last else { return states }
      return states.map { state in
        state.time < last.time ? state : state.withPictures { $0.transform.tx += 1 }
      }
    },
    events("goes-on-when-cancelled", "A finger that is taken away counts as one that stays.") {
      events in
      // Numbers that no one has used since keep the script valid.
      var round = 0
      return events.compactMap { event in
        switch event.kind {
        case .cancelAll:
          round += 100
          return nil
        case .touches(let phase, let touches):
          let renamed = touches.map {
            Touch(id: $0.id + round, point: $0.point, force: $0.force)
          }
          return GestureEvent(time: event.time, kind: .touches(phase, renamed))
        case .device, .interface, .screen, .close: return event
        }
      }
    },
  ]
}

extension GestureEvent {
  /// Whether fingers do something.
  fileprivate var isTouch: Bool { if case .touches = kind { true } else { false } }
}
