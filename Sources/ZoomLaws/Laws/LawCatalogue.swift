public import ZoomGeometry

/// Every law of geometry and gestures, with the subjects that come along.
public enum LawCatalogue {
  /// The laws of a zoom system, and those of gestures as the system plays them: a suite for each
  /// subject.
  public static func suites(of system: ZoomSystem, _ form: ZoomForm) -> [LawSuite] {
    let isOriginal = form == .original
    let systems =
      switch system {
      case .peek:
        [LawSuite(isOriginal ? .original : .corrected, laws: PeekLaws.all + NumberLaws.peek)]
      // Everything of it is tried on the machine.
      case .fullscreen: [LawSuite]()
      case .force: [LawSuite(isOriginal ? .original : .corrected, laws: ForceLaws.all)]
      case .doubleTap:
        isOriginal
          ? publishedDoubleTaps
          : [LawSuite(.corrected, laws: DoubleTapLaws.all + NumberLaws.doubleTap)]
      case .transition: [LawSuite(isOriginal ? .original : .corrected, laws: ThrowLaws.all)]
      }
    let player = ReplaySubject(system, form)
    let own: [Law<ReplaySubject>] =
      switch system {
      case .fullscreen: FullscreenLaws.all
      case .transition: TransitionLaws.all
      case .peek, .force, .doubleTap: []
      }
    return systems + [LawSuite(player, laws: own + GestureLaws.all(of: system))]
  }

  /// The arithmetic that the systems share.
  public static let arithmetic = LawSuite(.geometry, laws: NumberLaws.arithmetic)

  /// The published double taps, with what each breaks beside what the last version does (DT-B1,
  /// DT-B2).
  private static let publishedDoubleTaps = [
    (DoubleTapSubject.original, []), (.firstVersion, ["DT-P5", "DT-P8r", "DT-P9", "NUM-10"]),
    (.withoutTerm, ["DT-P5", "DT-P8r", "NUM-10"]), (.fourTimes, ["DT-P5", "DT-P8r", "NUM-10"]),
  ].map { subject, broken in
    LawSuite(
      subject,
      laws: (DoubleTapLaws.all + NumberLaws.doubleTap).map {
        broken.contains($0.name) ? $0.markedBroken : $0
      })
  }
}
