package import ZoomGeometry
package import ZoomLaws

/// Faults in the response to touches.
///
/// They are planted from outside: the sound system receives faulty events, or its output is moved.
package enum GestureFaults {
  /// Returns the faults of a system.
  package static func all(of system: ZoomSystem) -> [SeededFault<ReplaySubject>] {
    switch system {
    case .transition:
      any + screens + [insetsAreASize, beneathTheNotch, readFromTheLeft, tapsSurvive] + fingers
        + pinches
    case .force: any + screens + [insetsAreASize, beneathTheNotch] + presses + forces
    case .peek: any + screens + [beneathTheNotch, pressStartStays] + presses
    case .fullscreen: any + screens + [insetsAreASize, beneathTheNotch, tapsSurvive]
    case .doubleTap: any + screens + [insetsAreASize, stopsAtTheEdge, tapsSurvive, tapsWait]
    }
  }

  typealias Fault = SeededFault<ReplaySubject>

  private static let any: [Fault] = [
    events("Fingers with numbers above five are ignored.") { events in
      events.compactMap { $0.withTouches { _, touches in touches.filter { $0.id <= 5 } } }
    },
    states("Something in a state is drawn at random.") { states, _ in
      for place in states.indices { states[place].force = Double.random(in: 0...1) }
    },
    states("A second after the last state there is another one.") { states, _ in
      guard var late = states.last else { return }
      late.time += 1
      states.append(late)
    },
    states("The last state is shown at the time of the first.") { states, _ in
      guard states.count > 1 else { return }
      states[states.count - 1].time = states[0].time - 0.001
    },
    states("A resized viewport leaves a remaining offset.") { states, script in
      let sizes = script.events.filter { if case .screen = $0.kind { true } else { false } }
      guard sizes.count > 1, let start = sizes.last?.time else { return }
      for place in states.indices where states[place].time >= start {
        states[place].changePictures { $0.transform.tx += 1 }
      }
    },
    Fault("What happens is drawn and not reported.") { faulty, sound in
      faulty.live = ReplaySubject(sound.system, .corrected).live
      faulty.play = { script, picture in
        var states = try sound.play(script, picture)
        for place in states.indices { states[place].events = [] }
        return states
      }
    }, unheard("A cancelled finger counts as one that stays.") { $0 == .cancelAll },
  ]

  private static let oneSample = events("Only the first of several coalesced samples is used.") {
    events in
    events.compactMap { event in
      event.withTouches { phase, touches in
        var seen: Set<Int> = []
        return touches.filter { phase != .moved || seen.insert($0.id).inserted }
      }
    }
  }

  private static let firstFinger = touches(
    "Only the first of several fingers in an event is used.", from: ()
  ) { touches, _, contact in
    if contact.phase == .moved { touches = touches.filter { $0.id == touches[0].id } }
  }

  /// Faults during a press; at the end of a pan they would be corrected.
  private static let presses: [Fault] = [
    firstFinger, eachTouch("A hand counts as a pen.") { $0.isPen = true },
    unheard("A lifted finger counts as one that stays.") {
      if case .touches(.ended, _) = $0 { true } else { false }
    },
    events("A finger that is reported after a pause is followed late.") { events in
      var last = 0.0
      return events.filter { event in
        guard case .touches(let phase, let touches) = event.kind else { return true }
        defer { last = event.time }
        // Keeps the samples of a fast screen, and those after a rest.
        return phase != .moved || touches.count != 1 || event.time - last < 0.09
          || event.time - last > 0.11
      }
    },
  ]

  private static let forces: [Fault] = [
    oneSample,
    eachTouch("Above two thirds of the range the force falls again.") {
      if $0.force > 4.5 { $0.force = 9 - $0.force }
    }, eachTouch("The picture grows about a place beside the finger.") { $0.point.x += 2 },
  ]

  private static let stopsAtTheEdge = touches(
    "A finger beyond 1000 points is ignored, and has an offset when it returns.",
    from: [Int: ViewPoint]()
  ) { touches, lost, contact in
    for place in touches.indices {
      let touch = touches[place]
      if contact.phase == .began { lost[touch.id] = ViewPoint(x: 0, y: 0) }
      let beyond = ViewPoint(
        x: max(0, touch.point.x - 1000) + min(0, touch.point.x + 1000),
        y: max(0, touch.point.y - 1000) + min(0, touch.point.y + 1000))
      if beyond != ViewPoint(x: 0, y: 0) { lost[touch.id] = beyond }
      touches[place].point = touch.point - (lost[touch.id] ?? beyond)
    }
  }

  private static let fingers: [Fault] = [
    oneSample,
    touches("A finger moves the picture by twice its distance.", from: [Int: ViewPoint]()) {
      touches, starts, contact in
      for place in touches.indices {
        let touch = touches[place]
        if contact.phase == .began { starts[touch.id] = touch.point }
        let start = starts[touch.id] ?? touch.point
        touches[place].move(by: touch.point - start)
      }
    },
    touches("A movement that is reported twice counts twice.", from: 0.0) { touches, off, contact in
      if contact.phase == .moved, touches.allSatisfy({ contact.before[$0.id] == $0.point }) {
        off += 3
      }
      for place in touches.indices { touches[place].point.x += off }
    }, firstFinger,
    states("The picture comes to rest five points off.") { states, _ in
      guard !states.isEmpty else { return }
      states[states.count - 1].changePictures { $0.transform.tx += 5 }
    },
  ]

  private static let pinches: [Fault] = [
    shift(
      "When one of two fingers lifts, the middle point jumps to the other.",
      origin: "Glazzes/react-native-zoom-toolkit#36"
    ) { past in
      var (down, way): ([Int: ViewPoint], ViewPoint?) = ([:], nil)
      for event in past {
        let before = down
        event.follow(&down)
        if down.count != 1 || before.count > 2 { way = nil }
        guard before.count == 2, let stays = down.first?.key else { continue }
        if let one = before[stays], let other = before.first(where: { $0.key != stays })?.value {
          way = (one - other).scaled(by: 0.5)
        }
      }
      return way
    },
    shift(
      "When the second finger comes, the content under the first jumps between them, and back when it goes.",
      origin: "mozilla-mobile/focus-android#1185"
    ) { past in
      let down = past.fingers()
      guard down.count == 2, let one = down[0], let other = down[1] else { return nil }
      return (other - one).scaled(by: 0.5)
    },
  ]
}

// MARK: Ways to plant a fault

extension GestureFaults {
  /// Returns a fault that changes the script.
  static func scripts(
    _ summary: String, origin: String? = nil,
    _ change: @escaping @Sendable (GestureScript) throws -> GestureScript
  ) -> Fault {
    Fault(summary, origin: origin) { faulty, sound in
      faulty.play = { try sound.play(change($0), $1) }
    }
  }

  /// Returns a fault that changes the events.
  static func events(
    _ summary: String, origin: String? = nil,
    _ change: @escaping @Sendable ([GestureEvent]) -> [GestureEvent]
  ) -> Fault { scripts(summary, origin: origin) { try $0.with(change($0.events)) } }

  /// Returns a fault that changes the states.
  static func states(
    _ summary: String, origin: String? = nil,
    _ change: @escaping @Sendable (inout [ZoomState], GestureScript) -> Void
  ) -> Fault {
    Fault(summary, origin: origin, in: \.play) { states, script, _ in change(&states, script) }
  }

  /// An event of fingers, with the positions of all fingers that are down before and after it.
  private struct Contact {
    var phase: TouchPhase
    var before, down: [Int: ViewPoint]
  }

  /// Returns a fault that changes the places or forces of touches and may keep a state.
  private static func touches<State: Sendable>(
    _ summary: String, origin: String? = nil, from start: State,
    _ change: @escaping @Sendable (inout [Touch], inout State, Contact) -> Void
  ) -> Fault {
    events(summary, origin: origin) { events in
      var state = start
      var down: [Int: ViewPoint] = [:]
      return events.compactMap { event in
        let before = down
        event.follow(&down)
        return event.withTouches { phase, touches in
          var touches = touches
          change(&touches, &state, Contact(phase: phase, before: before, down: down))
          return touches
        }
      }
    }
  }

  /// Returns a fault that changes the place or the force of each touch.
  private static func eachTouch(
    _ summary: String, _ change: @escaping @Sendable (inout Touch) -> Void
  ) -> Fault {
    touches(summary, from: ()) { touches, _, _ in
      for place in touches.indices { change(&touches[place]) }
    }
  }

  /// Returns a fault that misses some ends of touches.
  private static func unheard(
    _ summary: String, _ isUnheard: @escaping @Sendable (GestureEvent.Kind) -> Bool
  ) -> Fault {
    events(summary) { events in
      // Unused numbers for later touches keep the script valid.
      var (all, rounds) = (0, [Int: Int]())
      return events.compactMap { event in
        guard case .touches(let phase, var touches) = event.kind else {
          guard isUnheard(event.kind) else { return event }
          all += 100
          return nil
        }
        for place in touches.indices {
          let finger = touches[place].id
          touches[place].id += all + rounds[finger, default: 0]
          if isUnheard(event.kind) { rounds[finger, default: 0] += 100 }
        }
        return isUnheard(event.kind)
          ? nil : GestureEvent(time: event.time, kind: .touches(phase, touches))
      }
    }
  }

  /// Returns a fault that moves the picture by a vector computed from the events up to a state.
  private static func shift(
    _ summary: String, origin: String,
    _ shift: @escaping @Sendable (ArraySlice<GestureEvent>) -> ViewPoint?
  ) -> Fault {
    states(summary, origin: origin) { states, script in
      for place in states.indices {
        guard let way = shift(script.events(until: states[place])) else { continue }
        states[place].changePictures {
          $0.transform = $0.transform.then(.translation(x: way.x, y: way.y))
        }
      }
    }
  }
}

extension GestureScript {
  /// Returns the events up to a state.
  fileprivate func events(until state: ZoomState) -> ArraySlice<GestureEvent> {
    // Due to rounding, the time of a state may lie just before the event that it shows.
    events.prefix { $0.time <= state.time + 1e-6 }
  }
}

extension Touch { mutating func move(by way: ViewPoint) { point = point + way } }

extension ZoomState {
  /// Changes each picture of the state.
  mutating func changePictures(_ change: (inout PictureLayer) -> Void) {
    layers = layers.map { layer in
      guard case .picture(var picture) = layer else { return layer }
      change(&picture)
      return .picture(picture)
    }
  }
}
