public import ZoomGeometry

/// Every law of geometry and gestures, with our subjects.
public enum LawCatalogue {
  /// Returns the laws of a zoom system's formulas and of its plays: a suite for each subject.
  public static func suites(of system: ZoomSystem, _ form: ZoomForm) -> [LawSuite] {
    let isOriginal = form == .original
    let systems =
      switch system {
      case .peek:
        [LawSuite(isOriginal ? .original : .corrected, laws: PeekLaws.all + NumberLaws.peek)]
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

  /// The published double taps; older versions break more laws than the last one (DT-B1, DT-B2).
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
