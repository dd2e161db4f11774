package import ZoomGeometry
package import ZoomLaws

/// A planted fault: a real bug, a mistake that `Tools/Mutation` does not make, or the only fault that justifies a law.
///
/// A comment `LAW: reason` at a fault names the only law that should find it, and says why the others do not.
package struct SeededFault<Subject: LawSubject>: Sendable {
  /// The effect of the fault in one sentence, unique among the faults of a kind of subject.
  package let summary: String
  /// The bug report or published defect that it imitates; `zoombench` for a bug of this package; nil if invented.
  package let origin: String?
  private let change: @Sendable (_ faulty: inout Subject, _ sound: Subject) -> Void

  /// Creates a fault that changes a copy of the sound subject.
  package init(
    _ summary: String, origin: String? = nil,
    plant change: @escaping @Sendable (_ faulty: inout Subject, _ sound: Subject) -> Void
  ) {
    self.summary = summary
    self.origin = origin
    self.change = change
  }

  package func planted(in sound: Subject) -> Subject {
    var faulty = sound
    change(&faulty, sound)
    return faulty
  }

  /// A function of a subject, which a fault replaces.
  typealias Part<Function> = any WritableKeyPath<Subject, Function> & Sendable

  // These are two initialisers, not one with a parameter pack, because Swift 6.3 cannot infer a
  // closure whose inout parameter precedes a pack.

  /// Creates a fault that changes the result of a function with one input.
  init<Input, Output>(
    _ summary: String, origin: String? = nil, in part: Part<@Sendable (Input) throws -> Output>,
    _ change: @escaping @Sendable (inout Output, Input) throws -> Void
  ) {
    self.init(summary, origin: origin) { faulty, sound in
      let answer = sound[keyPath: part]
      faulty[keyPath: part] = { input in
        var output = try answer(input)
        try change(&output, input)
        return output
      }
    }
  }

  /// Creates a fault that changes the result of a function with two inputs.
  init<Input, More, Output>(
    _ summary: String, origin: String? = nil,
    in part: Part<@Sendable (Input, More) throws -> Output>,
    _ change: @escaping @Sendable (inout Output, Input, More) throws -> Void
  ) {
    self.init(summary, origin: origin) { faulty, sound in
      let answer = sound[keyPath: part]
      faulty[keyPath: part] = { input, more in
        var output = try answer(input, more)
        try change(&output, input, more)
        return output
      }
    }
  }
}

/// A planted fault, and the laws that should find it.
package struct FaultTrial: Sendable {
  package let subject: String
  package let summary: String
  package let origin: String?
  package let laws: [LawTrial]

  package static func all<Subject>(
    _ faults: [SeededFault<Subject>], in sound: Subject, laws: [Law<Subject>]
  ) -> [FaultTrial] {
    faults.map { fault in
      // Each law gets a new faulty subject, because a faulty cache would remember the requests of earlier laws.
      FaultTrial(
        subject: sound.name, summary: fault.summary, origin: fault.origin,
        laws: laws.map { LawTrial($0, on: fault.planted(in: sound)) })
    }
  }
}

package enum FaultCatalogue {
  /// Returns the faults of a corrected zoom system: in its formulas, if laws test them, and in its player.
  package static func faults(of system: ZoomSystem) -> [FaultTrial] {
    var player = ReplaySubject(system, .corrected)
    // The faults are in the player, so a comparison with the sound live system would reveal all of them.
    player.live = nil
    let (laws, gestures) = (GestureLaws.all(of: system), GestureFaults.all(of: system))
    let played = FaultTrial.all(gestures, in: player, laws: laws)
    return switch system {
    case .peek:
      FaultTrial.all(PeekFaults.all, in: .corrected, laws: PeekLaws.all + NumberLaws.peek) + played
    case .fullscreen:
      FaultTrial.all(FullscreenFaults.all + gestures, in: player, laws: FullscreenLaws.all + laws)
    case .force: FaultTrial.all(ForceFaults.all, in: .corrected, laws: ForceLaws.all) + played
    case .doubleTap:
      FaultTrial.all(
        DoubleTapFaults.all, in: .corrected, laws: DoubleTapLaws.all + NumberLaws.doubleTap)
        + played
    case .transition:
      FaultTrial.all(TransitionFaults.throwsAndTaps, in: .corrected, laws: ThrowLaws.all)
        + FaultTrial.all(
          TransitionFaults.all + gestures, in: player, laws: TransitionLaws.all + laws)
    }
  }

  package static var arithmetic: [FaultTrial] {
    let faults: [SeededFault<ArithmeticSubject>] = [
      SeededFault("The fit's scale has 24 bits.", in: \.fit) { fit, _, _ in
        fit.scale = Double(Float(fit.scale))
      },
      SeededFault("The second map is applied first.") { faulty, sound in
        faulty.compose = { sound.compose($1, $0) }
      },
      SeededFault("The matrix is transposed.") { faulty, _ in
        faulty.apply = { map, point in
          ViewPoint(
            x: map.a * point.x + map.b * point.y + map.tx,
            y: map.c * point.x + map.d * point.y + map.ty)
        }
      },
      SeededFault("The reciprocal has 24 bits.") { faulty, sound in
        faulty.invert = { map in
          guard let inverse = sound.invert(map) else { return nil }
          let share = Double(Float(1 / map.determinant)) * map.determinant
          return Affine(
            a: inverse.a * share, b: inverse.b * share, c: inverse.c * share, d: inverse.d * share,
            tx: inverse.tx * share, ty: inverse.ty * share)
        }
      },
      SeededFault("A force beyond the range enlarges further.") { faulty, sound in
        faulty.scale = { try max(sound.scale($0, $1), $1) }
      },
    ]
    return FaultTrial.all(faults, in: .geometry, laws: NumberLaws.arithmetic)
  }
}
