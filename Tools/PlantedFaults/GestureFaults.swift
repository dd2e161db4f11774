import Synchronization
package import ZoomGeometry
package import ZoomLaws

/// Faults in the response to touches, which change the events or the output of the sound system.
package enum GestureFaults {
  package static func all(of system: ZoomSystem) -> [SeededFault<ReplaySubject>] {
    let more: [Fault] =
      switch system {
      case .transition:
        [insetsAreASize, beneathTheNotch, readFromTheLeft, tapsSurvive] + fingers + pinches
      case .force: [insetsAreASize, beneathTheNotch] + presses + forces
      case .peek: [beneathTheNotch, pressStartStays, repeatsCount] + presses
      case .fullscreen: [insetsAreASize, beneathTheNotch, tapsSurvive]
      case .doubleTap:
        [insetsAreASize, stopsAtTheEdge, tapsSurvive, tapsWait, goesTwiceAsFar, restsBeside]
      }
    return any + screens + more + narrow(system)
  }

  typealias Fault = SeededFault<ReplaySubject>

  private static let any: [Fault] = [
    events("Fingers with numbers above five are ignored.") { events in
      events.compactMap { $0.withTouches { _, touches in touches.filter { $0.id <= 5 } } }
    },
    Fault("Every second run reports the largest force.") { faulty, sound in
      let runs = Atomic(0)
      faulty.play = { script, picture in
        let run = runs.add(1, ordering: .relaxed).newValue
        var states = try sound.play(script, picture)
        for place in states.indices { states[place].force = Double(run % 2) }
        return states
      }
    },
    states("An extra state follows one second after the last.") { states, _ in
      guard var late = states.last else { return }
      late.time += 1
      states.append(late)
    },
    states("The last state has a time before the first.") { states, _ in
      guard states.count > 1 else { return }
      states[states.count - 1].time = states[0].time - 0.001
    },
    eachState("A second resize leaves the picture a point off.") { state, script in
      let sizes = script.events.filter { if case .screen = $0.kind { true } else { false } }
      guard sizes.count > 1, let start = sizes.last?.time, state.time >= start else { return }
      state.changePictures { $0.transform.tx += 1 }
    },
    Fault("States report no events.") { faulty, sound in
      faulty.live = ReplaySubject(sound.system, .corrected).live
      faulty.play = { script, picture in
        var states = try sound.play(script, picture)
        for place in states.indices { states[place].events = [] }
        return states
      }
    },
    events("A finger that the system cancels stays down.") { events in
      // Later touches get new numbers, so that the script stays valid.
      var more = 0
      return events.compactMap { event in
        if event.kind == .cancelAll {
          more += 100
          return nil
        }
        return event.changingTouches { $1.id += more }
      }
    },
  ]

  // GE-4: its example comes from the bug report: a finger beside the picture, then one on it. Other laws rarely move
  // two fingers.
  private static let firstMoves = events(
    "Only the first of several fingers in an event moves.",
    origin: "software-mansion/react-native-gesture-handler#3995"
  ) { events in
    events.compactMap { event in
      event.withTouches { phase, touches in
        touches.filter { phase != .moved || $0.id == touches[0].id }
      }
    }
  }

  /// Faults for the peek and force systems; in others, the end of a pan would hide the last one.
  private static let presses: [Fault] = [
    firstMoves, eachTouch("A hand counts as a pen.") { $0.isPen = true },
    // GE-29 samples at 120 Hz. In other laws two reports have one time, or are 1/60 s apart.
    events("A movement less than 0.01 s after the previous report is ignored.") { events in
      var last = 0.0
      return events.filter { event in
        defer { if event.isTouch { last = event.time } }
        return !event.isMovement || event.time == last || event.time - last > 0.01
      }
    },
  ]

  private static let forces: [Fault] = [
    eachTouch("Above two thirds of the range the force falls again.") {
      if $0.force > 4.5 { $0.force = 9 - $0.force }
    }, eachTouch("The picture grows about a place beside the finger.") { $0.point.x += 2 },
  ]

  private static let stopsAtTheEdge = events(
    "Movement beyond 1000 points is lost, so a returning finger has an offset."
  ) { events in
    var lost: [Int: ViewPoint] = [:]
    return events.compactMap { event in
      event.changingTouches { phase, touch in
        if phase == .began { lost[touch.id] = nil }
        let beyond = ViewPoint(
          x: max(0, touch.point.x - 1000) + min(0, touch.point.x + 1000),
          y: max(0, touch.point.y - 1000) + min(0, touch.point.y + 1000))
        if beyond != ViewPoint(x: 0, y: 0) { lost[touch.id] = beyond }
        touch.point = touch.point - (lost[touch.id] ?? beyond)
      }
    }
  }

  private static let goesTwiceAsFar = events(
    "The picture moves twice as far as the finger.", origin: "dimsemenov/PhotoSwipe#12"
  ) { events in
    var starts: [Int: ViewPoint] = [:]
    return events.compactMap { event in
      event.changingTouches { phase, touch in
        if phase == .began { starts[touch.id] = touch.point }
        // A tap remains a tap.
        let way = touch.point - (starts[touch.id] ?? touch.point)
        if way.length > 11 { touch.point = touch.point + way }
      }
    }
  }

  private static let repeatsCount = events(
    "A movement that is reported again counts again.", origin: "mapbox/mapbox-gl-js#6757"
  ) { events in
    var (down, way, last) = ([Int: ViewPoint](), 0.0, -1.0)
    return events.compactMap { event in
      defer {
        event.follow(&down)
        last = event.time
      }
      // On a new screen, fingers must be reported again, so these reports are not repetitions.
      if case .screen = event.kind { down = [:] }
      return event.changingTouches { phase, touch in
        // A repetition has the same time. A later report is a resting finger, as in GE-43.
        if phase == .moved, event.time == last, down[touch.id] == touch.point { way += 3 }
        touch.point.x += way
      }
    }
  }

  private static let fingers: [Fault] = [
    firstMoves,
    events("Only the first of several coalesced samples is used.") { events in
      events.compactMap { event in
        event.withTouches { phase, touches in
          var seen: Set<Int> = []
          return touches.filter { phase != .moved || seen.insert($0.id).inserted }
        }
      }
    }, restsBeside,
  ]

  private static let restsBeside = states("The picture comes to rest five points off.") {
    states, _ in
    guard !states.isEmpty else { return }
    states[states.count - 1].changePictures { $0.transform.tx += 5 }
  }

  private static let pinches: [Fault] = [
    engine(
      "When one of two fingers lifts, the pinch's centre jumps to the remaining finger.",
      .jumpsToFinger, of: .transition, origin: "Glazzes/react-native-zoom-toolkit#36"),
    shift(
      "While two fingers are down, the picture is moved by half of the way between them.",
      origin: "mozilla-mobile/focus-android#1185"
    ) { past in
      let down = past.fingers()
      guard down.count == 2, let one = down[0], let other = down[1] else { return nil }
      return (other - one).scaled(by: 0.5)
    },
  ]
}

extension GestureFaults {
  static func scripts(
    _ summary: String, origin: String? = nil,
    _ change: @escaping @Sendable (GestureScript) throws -> GestureScript
  ) -> Fault {
    Fault(summary, origin: origin) { faulty, sound in
      faulty.play = { try sound.play(change($0), $1) }
    }
  }

  static func events(
    _ summary: String, origin: String? = nil,
    _ change: @escaping @Sendable ([GestureEvent]) -> [GestureEvent]
  ) -> Fault { scripts(summary, origin: origin) { try $0.with(change($0.events)) } }

  static func states(
    _ summary: String, origin: String? = nil,
    _ change: @escaping @Sendable (inout [ZoomState], GestureScript) -> Void
  ) -> Fault {
    Fault(summary, origin: origin, in: \.play) { states, script, _ in change(&states, script) }
  }

  static func eachState(
    _ summary: String, origin: String? = nil,
    _ change: @escaping @Sendable (inout ZoomState, GestureScript) -> Void
  ) -> Fault {
    states(summary, origin: origin) { states, script in
      for place in states.indices { change(&states[place], script) }
    }
  }

  /// Returns a fault of a system that a function creates for each scene, played or driven live.
  static func systems(
    _ summary: String, origin: String? = nil,
    _ create: @escaping @Sendable (ZoomScene, PixelSize) throws -> LiveZoom
  ) -> Fault {
    Fault(summary, origin: origin) { faulty, _ in
      faulty.live = create
      faulty.play = { script, picture in
        var player = GesturePlayer(script, zoom: try create(script.scene, picture))
        return try player.states()
      }
    }
  }

  static func eachTouch(
    _ summary: String, origin: String? = nil,
    _ change: @escaping @Sendable (inout Touch) -> Void
  ) -> Fault {
    events(summary, origin: origin) { $0.compactMap { $0.changingTouches { change(&$1) } } }
  }

  /// Returns a fault that moves the picture by a vector computed from the events up to a state.
  private static func shift(
    _ summary: String, origin: String,
    _ shift: @escaping @Sendable (ArraySlice<GestureEvent>) -> ViewPoint?
  ) -> Fault {
    eachState(summary, origin: origin) { state, script in
      // Rounding may make the time of a state slightly earlier than the event that it shows.
      let past = script.events.prefix { $0.time <= state.time + 1e-6 }
      guard let way = shift(past) else { return }
      state.changePictures { $0.transform = $0.transform.then(.translation(x: way.x, y: way.y)) }
    }
  }
}

extension ZoomState {
  mutating func changePictures(_ change: (inout PictureLayer) -> Void) {
    layers = layers.map { layer in
      guard case .picture(var picture) = layer else { return layer }
      change(&picture)
      return .picture(picture)
    }
  }

  /// Changes the black areas.
  mutating func changeCards(_ change: (inout FillLayer) -> Void) {
    layers = layers.map { layer in
      guard case .fill(var fill) = layer, fill.shade == 0 else { return layer }
      change(&fill)
      return .fill(fill)
    }
  }
}
