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
      any + screens + [beneathTheNotch, oneSample, readFromTheLeft, tapsSurvive] + fingers
        + pinches
    case .force: any + screens + [beneathTheNotch, screensUnseen] + presses + forces
    case .peek:
      any + screens + [beneathTheNotch, jumpsWithTheScreen, placesAreMovement, pressStartStays]
        + presses
    case .fullscreen: any + screens + [beneathTheNotch, tapsSurvive]
    case .doubleTap:
      any + screens + [oneSample, placesAreMovement, stopsAtTheEdge, tapsSurvive, tapsWait]
    }
  }

  typealias Fault = SeededFault<ReplaySubject>

  /// Returns a fault that changes the events.
  static func events(
    _ name: String, _ summary: String, origin: String? = nil,
    _ change: @escaping @Sendable ([GestureEvent]) -> [GestureEvent]
  ) -> Fault { scripts(name, summary, origin: origin) { try $0.with(change($0.events)) } }

  /// An event of fingers, with the positions of all fingers that are down before and after it.
  struct Contact {
    var phase: TouchPhase
    var before, down: [Int: ViewPoint]
  }

  /// Returns a fault that changes the places or forces of touches and may keep a state.
  static func touches<State: Sendable>(
    _ name: String, _ summary: String, origin: String? = nil, from start: State,
    _ change: @escaping @Sendable (inout [Touch], inout State, Contact) -> Void
  ) -> Fault {
    events(name, summary, origin: origin) { events in
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
    _ name: String, _ summary: String, _ change: @escaping @Sendable (inout Touch) -> Void
  ) -> Fault {
    touches(name, summary, from: ()) { touches, _, _ in
      for place in touches.indices { change(&touches[place]) }
    }
  }

  /// Returns a fault that changes the states.
  static func states(
    _ name: String, _ summary: String,
    _ change: @escaping @Sendable (inout [ZoomState], GestureScript) -> Void
  ) -> Fault { Fault(name, summary, in: \.play) { states, script, _ in change(&states, script) } }

  /// Returns a fault that changes the pictures from a start time on.
  private static func pictures(
    _ name: String, _ summary: String, from start: @escaping @Sendable (GestureScript) -> Double?,
    _ change: @escaping @Sendable (inout PictureLayer) -> Void
  ) -> Fault {
    states(name, summary) { states, script in
      guard let start = start(script) else { return }
      for place in states.indices where states[place].time >= start {
        states[place].changePictures(change)
      }
    }
  }

  private static let any: [Fault] = [
    events("high-numbers-unseen", "Fingers with numbers above five are ignored.") { events in
      events.compactMap { $0.withTouches { _, touches in touches.filter { $0.id <= 5 } } }
    },
    states("different-each-time", "Something in a state is drawn at random.") { states, _ in
      for place in states.indices { states[place].force = Double.random(in: 0...1) }
    },
    states("never-rests", "A second after the last state there is another one.") { states, _ in
      guard var late = states.last else { return }
      late.time += 1
      states.append(late)
    },
    states("back-in-time", "The last state is shown at the time of the first.") { states, _ in
      guard states.count > 1 else { return }
      states[states.count - 1].time = states[0].time - 0.001
    },
    pictures("squeezed", "A picture is drawn as a line once a finger is down.") {
      $0.events.first(where: \.isTouch)?.time
    } _: {
      $0.transform.d = 0
    },
    pictures("more-than-opaque", "A spring takes an opacity past 1.") {
      $0.events.contains(where: \.isTouch) ? -.infinity : nil
    } _: {
      $0.opacity = 1.01
    },
    pictures("not-a-number", "A number is divided by a movement of zero.") {
      $0.events.contains(where: \.isMovement) ? -.infinity : nil
    } _: {
      $0.transform.tx = .nan
    },
    pictures("resized-for-ever", "A resized viewport leaves a remaining offset.") { script in
      let sizes = script.events.filter { if case .screen = $0.kind { true } else { false } }
      return sizes.count > 1 ? sizes.last?.time : nil
    } _: {
      $0.transform.tx += 1
    },
    Fault("stops-early", "A player drops the last event.") { faulty, sound in
      faulty.live = ReplaySubject(sound.system, .corrected).live
      faulty.play = { try sound.play($0.with($0.events.dropLast()), $1) }
    },
    unheard("goes-on-when-cancelled", "A cancelled finger counts as one that stays.") {
      $0 == .cancelAll
    },
  ]

  /// Returns a fault that changes the script.
  static func scripts(
    _ name: String, _ summary: String, origin: String? = nil,
    _ change: @escaping @Sendable (GestureScript) throws -> GestureScript
  ) -> Fault {
    Fault(name, summary, origin: origin) { faulty, sound in
      faulty.play = { try sound.play(change($0), $1) }
    }
  }

  private static let oneSample = events(
    "one-sample-an-event", "Only the first of several coalesced samples is used."
  ) { events in
    events.compactMap { event in
      event.withTouches { phase, touches in
        var seen: Set<Int> = []
        return touches.filter { phase != .moved || seen.insert($0.id).inserted }
      }
    }
  }

  /// Faults during a press; at the end of a pan they would be corrected.
  private static let presses: [Fault] = [
    oneSample, seesHands, liftsUnheard,
    events("slow-hands-unseen", "A finger that is reported after a pause is followed late.") {
      events in
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

  private static let seesHands = eachTouch("sees-hands", "A hand counts as a pen.") {
    $0.isPen = true
  }

  private static let stopsAtTheEdge = touches(
    "stops-at-the-edge",
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
      let off = lost[touch.id] ?? beyond
      touches[place].point = touch.point - off
    }
  }

  private static let liftsUnheard = unheard(
    "lifts-unheard", "A lifted finger counts as one that stays."
  ) { if case .touches(.ended, _) = $0 { true } else { false } }

  /// Returns a fault that misses some ends of touches.
  private static func unheard(
    _ name: String, _ summary: String, _ isUnheard: @escaping @Sendable (GestureEvent.Kind) -> Bool
  ) -> Fault {
    events(name, summary) { events in
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

  private static let fingers: [Fault] = [
    touches(
      "moves-twice", "A finger moves the picture by twice its distance.", from: [Int: ViewPoint]()
    ) { touches, starts, contact in
      for place in touches.indices {
        let touch = touches[place]
        if contact.phase == .began { starts[touch.id] = touch.point }
        let start = starts[touch.id] ?? touch.point
        touches[place].move(by: touch.point - start)
      }
    },
    touches("reports-add-up", "A movement that is reported twice counts twice.", from: 0.0) {
      touches, off, contact in
      if contact.phase == .moved, touches.allSatisfy({ contact.before[$0.id] == $0.point }) {
        off += 3
      }
      for place in touches.indices { touches[place].point.x += off }
    },
    touches(
      "first-of-an-event", "Only the first of several fingers in an event is used.", from: ()
    ) { touches, _, contact in if contact.phase == .moved { touches = [touches[0]] } },
    states("off-the-screen", "The picture comes to rest five points off.") { states, _ in
      guard !states.isEmpty else { return }
      states[states.count - 1].changePictures { $0.transform.tx += 5 }
    },
  ]

  private static let forces: [Fault] = [
    eachTouch("pressed-lightly", "A hard press counts as a light one.") {
      $0.force = GestureScript.usualMaximumForce - $0.force
    },
    eachTouch("saturates-and-falls", "Above two thirds of the range the force falls again.") {
      if $0.force > 4.5 { $0.force = 9 - $0.force }
    },
    eachTouch("about-another-place", "The picture grows about a place beside the finger.") {
      $0.point.x += 2
    },
  ]

  /// Only pinches reveal rounded points.
  static let wholePoints = eachTouch(
    "whole-points", "The fingers' places are rounded to whole points."
  ) { $0.point = ViewPoint(x: $0.point.x.rounded(), y: $0.point.y.rounded()) }
}

extension GestureEvent {
  fileprivate var isTouch: Bool { if case .touches = kind { true } else { false } }

  fileprivate var isMovement: Bool { if case .touches(.moved, _) = kind { true } else { false } }
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
