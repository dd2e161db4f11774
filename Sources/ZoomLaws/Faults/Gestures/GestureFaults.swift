public import ZoomGeometry

/// Mistakes in what is shown while fingers touch.
///
/// They are planted from outside: the sound system is given what a faulty one would make of the
/// fingers, or what it shows is moved as a faulty one would show it.
public enum GestureFaults {
  /// The faults of a system.
  public static func all(of system: ZoomSystem) -> [SeededFault<ReplaySubject>] {
    switch system {
    case .transition: any + fingers + pinches
    case .force: any + forces
    case .peek, .fullscreen, .doubleTap: any
    }
  }

  typealias Fault = SeededFault<ReplaySubject>

  /// A fault that sees other events than there are.
  static func events(
    _ name: String, _ summary: String, origin: String? = nil,
    _ change: @escaping @Sendable ([GestureEvent]) -> [GestureEvent]
  ) -> Fault {
    Fault(name, summary, origin: origin) { sound in
      ReplaySubject(sound.name, system: sound.system) { script, picture in
        let gesture = GestureCase(script: script, picture: picture)
        return try sound.play(gesture.with(change(script.events)))
      }
    }
  }

  /// A fault that shows other states.
  static func states(
    _ name: String, _ summary: String, origin: String? = nil,
    _ change: @escaping @Sendable ([ZoomState], GestureScript) -> [ZoomState]
  ) -> Fault {
    Fault(name, summary, origin: origin) { sound in
      ReplaySubject(sound.name, system: sound.system) { script, picture in
        change(try sound.play(script, picture), script)
      }
    }
  }

  /// A fault that moves the picture by so many points, from the events up to a state.
  static func shift(
    _ name: String, _ summary: String, origin: String? = nil,
    _ shift: @escaping @Sendable (ArraySlice<GestureEvent>) -> ViewPoint?
  ) -> Fault {
    states(name, summary, origin: origin) { states, script in
      states.map { state in
        // A state may lie a rounding before the event that it shows.
        let past = script.events.prefix { $0.time <= state.time + 1e-6 }
        guard let way = shift(past) else { return state }
        return state.withPictures {
          $0.transform = $0.transform.then(.translation(x: way.x, y: way.y))
        }
      }
    }
  }
}

extension ZoomState {
  /// The state with something done to each picture in it.
  func withPictures(_ change: (inout PictureLayer) -> Void) -> ZoomState {
    var changed = self
    changed.layers = layers.map { layer in
      guard case .picture(var picture) = layer else { return layer }
      change(&picture)
      return .picture(picture)
    }
    return changed
  }
}
