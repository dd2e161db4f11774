public import ZoomGeometry

/// The catalogue of all laws of geometry and gestures, with our subjects.
public enum LawCatalogue {
  /// Returns the laws of a zoom system's formulas and gestures, one suite per subject.
  public static func suites(of system: ZoomSystem, _ form: ZoomForm) -> [LawSuite] {
    let isOriginal = form == .original
    let systems =
      switch system {
      case .peek:
        [LawSuite(isOriginal ? .original : .corrected, laws: PeekLaws.all + NumberLaws.peek)]
      case .fullscreen: [LawSuite]()
      case .force: [LawSuite(isOriginal ? .original : .corrected, laws: ForceLaws.all)]
      case .doubleTap:
        (isOriginal ? DoubleTapSubject.published : [(.corrected, [])]).map { subject, broken in
          let laws = DoubleTapLaws.all + NumberLaws.doubleTap
          return LawSuite(
            subject, laws: laws.map { broken.contains($0.name) ? $0.markedBroken : $0 })
        }
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

  /// Returns the laws that apply to a viewer: those of viewers and those of gestures.
  package static func suites(of viewer: ViewerSubject) -> [LawSuite] {
    func applies(_ law: String) -> Bool { ViewerLaws.lack(of: viewer, for: law) == nil }
    return [
      LawSuite(viewer, laws: ViewerLaws.all.filter { applies($0.name) }),
      LawSuite(
        ReplaySubject(viewer), laws: GestureLaws.viewer(viewer).filter { applies($0.name) }),
    ]
  }

  /// The suite of the arithmetic that the systems share.
  public static let arithmetic = LawSuite(.geometry, laws: NumberLaws.arithmetic)
}
