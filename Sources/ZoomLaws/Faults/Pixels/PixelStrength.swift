internal import PropertyTesting
package import ZoomPipeline

/// How soon the laws of pixels find a fault.
package struct PixelStrength: Sendable, CustomStringConvertible {
  /// The fault's name.
  package let fault: String
  /// Whether no input shows it.
  package let isEquivalent: Bool
  /// The law that found it; nil when none did.
  package let law: String?
  /// How many cases were run before and with the one that found it, of all laws together.
  package let cases: Int
  /// How many requests the pipeline was sent in them.
  package let requests: Int

  package var description: String {
    "\(fault): \(law ?? (isEquivalent ? "equivalent" : "missed")), \(cases) cases, \(requests) requests"
  }

  /// Plants every fault and runs the laws until one is broken.
  ///
  /// Each law in turn is held against its examples and one case, then against a case again and again.
  ///
  /// - Parameters:
  ///   - seed: what cases are drawn from.
  ///   - requests: after how many requests a fault counts as missed.
  ///   - pipeline: the sound one.
  ///   - faults: what is planted.
  /// - Returns: one entry a fault.
  /// - Throws: `PipelineError` when no subject can be made.
  package static func measure(
    seed: UInt64, requests: Int = 400, of pipeline: any Pipeline = ResidentPipeline(),
    faults: [SeededFault<PixelSubject>] = PixelFaults.all
  ) async throws(PipelineError) -> [PixelStrength] {
    let sound = try PixelSubject(pipeline)
    let laws = PixelLaws.all + PictureLaws.applicable(to: sound)
    var strengths: [PixelStrength] = []
    for fault in faults {
      strengths.append(await measure(fault, sound, laws, seed: seed, limit: requests))
    }
    return strengths
  }

  /// Holds every law against sound pipelines again and again: what is found is a false alarm.
  ///
  /// - Parameters:
  ///   - subjects: what is sound.
  ///   - seeds: one run each.
  ///   - cases: of each law in a run.
  ///   - progress: is told the number of each run that has ended.
  /// - Returns: the reports of laws that did not hold.
  package static func falseAlarms(
    of subjects: [PixelSubject], seeds: Range<UInt64>, cases: Int = 10,
    progress: (UInt64) -> Void = { _ in }
  ) async -> [LawReport] {
    var alarms: [LawReport] = []
    var settings = PropertySettings(cases: cases)
    // Whether classes have their share takes more cases than a run has.
    settings.classCases = cases
    for seed in seeds {
      settings.seed = seed
      for subject in subjects {
        for law in PixelLaws.all + PictureLaws.applicable(to: subject) {
          let report = await law.check(subject, settings: settings)
          if report.verdict == .broken { alarms.append(report) }
        }
      }
      progress(seed)
    }
    return alarms
  }

  private static func measure(
    _ fault: SeededFault<PixelSubject>, _ sound: PixelSubject, _ laws: [Law<PixelSubject>],
    seed: UInt64, limit: Int
  ) async -> PixelStrength {
    let subject = fault.plant(sound)
    let counter = subject.pipeline as? FaultyPipeline
    var settings = PropertySettings(cases: 1)
    settings.flakiness.replays = 0
    // Classes are for long runs; a law that gives up on one is not broken.
    settings.classCases = 1
    var cases = 0
    func found(_ law: String?) -> PixelStrength {
      PixelStrength(
        fault: fault.name, isEquivalent: fault.equivalence != nil, law: law, cases: cases,
        requests: counter?.requests ?? cases)
    }
    var round: UInt64 = 0
    while (counter?.requests ?? cases) < limit {
      settings.seed = seed &+ round
      settings.phases = round == 0 ? [.explicit, .generate] : [.generate]
      round += 1
      for law in laws {
        let report = await law.check(subject, settings: settings)
        cases += report.cases
        if report.verdict == .broken {
          return found(law.name)
        }
      }
    }
    return found(nil)
  }
}
