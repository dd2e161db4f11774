import PixelLaws
package import ZoomGeometry
package import ZoomLaws
package import ZoomPipeline

/// A planted fault, and the laws that should find it.
package struct FaultTrial: Sendable {
  package let name: String
  package let summary: String
  /// The real bug that it follows, as `owner/project#number`; nil if it is invented.
  package let origin: String?
  /// The argument why no input reveals it; nil if some input does.
  package let equivalence: String?
  /// The laws, applied to the faulty subject.
  package let trials: [LawTrial]

  package init<Subject>(_ fault: SeededFault<Subject>, in sound: Subject, laws: [Law<Subject>]) {
    name = fault.name
    summary = fault.summary
    origin = fault.origin
    equivalence = fault.equivalence
    let faulty = fault.planted(in: sound)
    trials = laws.map { LawTrial($0, on: faulty) }
  }
}

/// A sound subject and the faults that can be planted in it.
package struct FaultSuite: Sendable {
  /// The name of the subject.
  package let subject: String
  /// The faults, each planted in the subject.
  package let faults: [FaultTrial]

  package init<Subject>(_ sound: Subject, laws: [Law<Subject>], faults: [SeededFault<Subject>]) {
    subject = sound.name
    self.faults = faults.map { FaultTrial($0, in: sound, laws: laws) }
  }
}

/// The catalogue of all known faults.
package enum FaultCatalogue {
  /// Returns the faults of a corrected zoom system in the order of its suites in `LawCatalogue`: faults of its
  /// formulas, if laws test any, and faults of the system as the player runs it.
  package static func suites(of system: ZoomSystem) -> [FaultSuite] {
    var player = ReplaySubject(system, .corrected)
    // The fault is in the player, so a comparison with the sound live system would reveal every fault.
    player.live = nil
    let (laws, faults) = (GestureLaws.all(of: system), GestureFaults.all(of: system))
    let gestures = FaultSuite(player, laws: laws, faults: faults)
    return switch system {
    case .peek:
      [
        FaultSuite(
          PeekSubject.corrected, laws: PeekLaws.all + NumberLaws.peek, faults: PeekFaults.all),
        gestures,
      ]
    case .fullscreen:
      [FaultSuite(player, laws: FullscreenLaws.all + laws, faults: FullscreenFaults.all + faults)]
    case .force: [FaultSuite(.corrected, laws: ForceLaws.all, faults: ForceFaults.all), gestures]
    case .doubleTap:
      [
        FaultSuite(
          DoubleTapSubject.corrected, laws: DoubleTapLaws.all + NumberLaws.doubleTap,
          faults: DoubleTapFaults.all), gestures,
      ]
    case .transition:
      [
        FaultSuite(.corrected, laws: ThrowLaws.all, faults: TransitionFaults.throwsAndTaps),
        FaultSuite(player, laws: TransitionLaws.all + laws, faults: TransitionFaults.all + faults),
      ]
    }
  }

  /// The faults of the arithmetic that all systems share.
  package static var arithmetic: FaultSuite {
    FaultSuite(.geometry, laws: NumberLaws.arithmetic, faults: ArithmeticFaults.all)
  }

  /// Returns the faults of region sources, planted in a sound pipeline.
  ///
  /// - Throws: `PipelineError` if the pipeline cannot open any kind of generated picture.
  package static func suite(of pipeline: any Pipeline) throws(PipelineError) -> FaultSuite {
    let subject = try PixelSubject(pipeline)
    return FaultSuite(subject, laws: subject.laws, faults: PixelFaults.all)
  }
}
