import ZoomGeometry

/// Mistakes of what answers to force.
public enum ForceFaults {
  /// All of them.
  public static let all: [SeededFault<ForceSubject>] = recogniser + exhibits

  typealias Fault = SeededFault<ForceSubject>
  typealias Step = ForceSubject.Step

  /// A fault of the recogniser, made of what a sound one makes of changed inputs.
  private static func inputs(
    _ name: String, _ summary: String,
    _ change: @escaping @Sendable ([ForceSubject.Input]) -> [ForceSubject.Input]
  ) -> Fault {
    Fault(name, summary) { sound in
      var faulty = sound
      faulty.recognise = { try sound.recognise(change($0), $1) }
      return faulty
    }
  }

  /// A fault of the recogniser, made of the sound steps.
  private static func steps(
    _ name: String, _ summary: String,
    _ change: @escaping @Sendable ([Step], _ maximum: Double) -> [Step]
  ) -> Fault {
    Fault(name, summary) { sound in
      var faulty = sound
      faulty.recognise = { change(try sound.recognise($0, $1), $1) }
      return faulty
    }
  }

  private static let recogniser: [Fault] = [
    inputs("second-finger-unseen", "Only the first finger of all is looked at.") {
      $0.map { input in
        guard case .touches(let phase, let touches) = input else { return input }
        // A touch of nobody keeps the inputs and the steps side by side.
        let first = touches.filter { $0.id == 0 }
        return .touches(
          first.isEmpty ? .moved : phase,
          first.isEmpty ? [Touch(id: 99, point: ViewPoint(x: 0, y: 0))] : first)
      }
    },
    inputs("cancellation-unheard", "A cancelled touch is taken for one that rests.") {
      $0.map { input in
        switch input {
        case .touches(.cancelled, let touches): .touches(.moved, touches)
        case .touches, .cancelAll: input
        }
      }
    },
    steps("force-survives", "The force of the last touch stays when it is over.") { steps, _ in
      var last = 0.0
      return steps.map { step in
        var kept = step
        if step.finger == nil { kept.share = last } else { last = step.share }
        return kept
      }
    },
    steps("zoom-survives", "Zoom and animation are reset when a touch ends, not when it fails.") {
      steps, _ in
      var last: Step?
      return steps.map { step in
        var kept = step
        if step.entered.last == .ended || step.finger != nil { last = step }
        if step.finger == nil, let last { (kept.finger, kept.force) = (last.finger, last.force) }
        return kept
      }
    },
    steps("changes-first", "The first event of a touch is a change.") { steps, _ in
      steps.map { step in
        var changed = step
        changed.entered = step.entered.map { $0 == .began ? .changed : $0 }
        return changed
      }
    },
    steps("begins-again", "Every change begins the gesture anew.") { steps, _ in
      steps.map { step in
        var begun = step
        begun.entered = step.entered.map { $0 == .changed ? .began : $0 }
        return begun
      }
    },
    steps("ends-and-fails", "A gesture that has ended fails too.") { steps, _ in
      steps.map { step in
        var failed = step
        if step.entered.last == .ended { failed.entered.append(.failed) }
        return failed
      }
    },
    steps("fraction-of-an-average", "The force is a fraction of an average touch.") {
      steps, maximum in
      steps.map { step in
        var larger = step
        larger.share *= maximum
        return larger
      }
    },
  ]
}
